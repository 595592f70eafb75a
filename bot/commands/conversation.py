"""What conversations are managed by: /start, /help, /new, /sessions, /compact, /stop and /again."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Final

import structlog

from bot.commands.formatting import escape, make_page, make_reply, quote, turn_over
from bot.core.sessions import Condensed, make_title
from bot.errors import BudgetSpent, ContextTooLong, ModelRefused, ModelUnavailable
from bot.files import OutboundFile, name_outbound
from bot.memory.items import Trust
from bot.memory.sanitise import flatten
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import redact
from bot.messages import Address, InboundMessage
from bot.ports.messenger import UncertainDeliveries
from bot.ports.system import CommandCall
from bot.ports.turn_store import SessionListing, Sessions
from bot.turn import NextSession, Reply
from language.texts import Texts

_LONGEST_TITLE: Final = 80
"""Characters of a title."""
_PAGE: Final = 8
"""Buttons that stand in one row on a phone."""
_MOST: Final = 10_000
"""Listed conversations that are looked through for one."""
_SUMMARY_SHOWN: Final = 600
"""Characters of the summary that are shown."""
_ARCHIVE: Final = "files.zip"


@dataclass(frozen=True, slots=True)
class Start:
    """Greets; ``model`` returns the language model's name, "" without one.

    ``/start TOPIC`` explains a topic, ``help`` lists the commands: a link to the bot can name one.  Other text behind
    /start is ignored.
    """

    model: Callable[[], str]
    help: Help

    name: ClassVar[str] = "start"

    async def run(self, call: CommandCall) -> Reply:
        """Return the greeting."""
        topic = call.argument.strip().casefold()
        if topic == self.help.name:
            return await self.help.run(call)
        if (explained := call.texts.chat.topics.get(topic)) is not None:
            return make_reply(explained)
        texts = call.texts.basic
        name = f", {escape(call.author.name, 60)}" if call.author.name else ""
        return make_reply(texts.start.format(name=name), "" if self.model() else texts.start_without_model)


@dataclass(frozen=True, slots=True)
class Help:
    """Lists the commands called ``names``, in that order; ``own`` are lines of help that no language has."""

    names: tuple[str, ...]
    own: Mapping[str, str] = field(default_factory=dict)

    name: ClassVar[str] = "help"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list."""
        texts = call.texts.basic
        said = {name: texts.commands.get(name, self.own.get(name)) for name in self.names}
        said |= call.texts.chat.owner_commands if call.author.trust is Trust.OWNER else {}
        lines = [f"- /{name} – {line}" for name, line in said.items() if line]
        return make_reply(texts.help_head, "\n".join(lines), texts.help_tail)


@dataclass(frozen=True, slots=True)
class New:
    """Ends the session with the commit of its reply; memories belong to the chat and stay.

    A title is kept until it is forgotten (``/forget WORD`` finds it), so that what is secret in it is masked.
    """

    name: ClassVar[str] = "new"

    async def run(self, call: CommandCall) -> Reply:
        """Return the reply that ends the session."""
        texts = call.texts
        title = flatten(redact(call.argument).text, _LONGEST_TITLE)
        named = texts.sessions.titled.format(title=quote(title)) if title else ""
        return make_reply(texts.basic.new_session, named, next_session=NextSession(title))


@dataclass(frozen=True, slots=True)
class SessionList:
    """Lists conversations, newest first; going back makes one the conversation again, history and summary and all.

    Memories belong to the chat and are the same in all of them.  A button names a conversation by its id, which is
    never given again; a typed number is the place in the list as it is now.
    """

    sessions: Sessions

    name: ClassVar[str] = "sessions"
    OPEN: ClassVar[str] = "open"
    PAGE: ClassVar[str] = "page"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list, or the reply with which an earlier conversation goes on."""
        texts = call.texts
        match call.argument.casefold().split():
            case [self.OPEN, number] if _is_number(number):
                return await self._open(call, texts, await self._find(call, int(number)))
            case [self.PAGE, number] if _is_number(number):
                return await self._list(call, texts, int(number))
            case [number] if _is_number(number) and int(number):
                page = await self.sessions.list_sessions(
                    call.message.address, call.scope, limit=1, offset=int(number) - 1
                )
                return await self._open(call, texts, next(iter(page.sessions), None))
        return await self._list(call, texts, 1)

    async def _find(self, call: CommandCall, session_id: int) -> SessionListing | None:
        page = await self.sessions.list_sessions(call.message.address, call.scope, limit=_MOST)
        return next((each for each in page.sessions if each.id == session_id), None)

    async def _open(self, call: CommandCall, texts: Texts, found: SessionListing | None) -> Reply:
        words = texts.sessions
        if found is None:
            return make_reply(words.missing, in_place=True)
        if found.current:
            return make_reply(words.already, in_place=True)
        told = words.opened.format(
            title=quote(make_title(found) or words.untitled),
            active=texts.moment(found.active_at, call.now.tzinfo),
            count=found.exchanges,
        )
        return make_reply(told, next_session=NextSession(id=found.id), in_place=True)

    async def _list(self, call: CommandCall, texts: Texts, number: int) -> Reply:
        words = texts.sessions
        first = max(0, number - 1) * _PAGE
        page = await self.sessions.list_sessions(call.message.address, call.scope, limit=_PAGE, offset=first)
        if not page.sessions:
            return make_reply(words.none, in_place=True)
        lines, buttons = [], []
        for at, each in enumerate(page.sessions, first + 1):
            title = escape(make_title(each)) or words.untitled
            begun = texts.day(each.started_at, call.now.tzinfo)
            shown = f"{title} {words.current}" if each.current else title
            lines.append(words.line.format(number=at, title=shown, begun=begun, count=each.exchanges))
            if not each.current:
                buttons.append((str(at), f"/{self.name} {self.OPEN} {each.id}"))
        buttons += turn_over(number, -(-page.total // _PAGE), lambda other: f"/{self.name} {self.PAGE} {other}")
        hint = words.hint if buttons else ""
        return make_page(f"**{words.head}**", "\n".join(lines), hint, buttons=tuple(buttons))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18  # noqa: PLR2004 - digits of what a database can hold


@dataclass(frozen=True, slots=True)
class Compact:
    """Summarises by one call of the model; what it stands for is kept, and found.

    ``model`` returns the model's name, "" without one; ``compact`` does it.
    """

    model: Callable[[], str]
    compact: Callable[[Address, Scope], Awaitable[Condensed]]

    name: ClassVar[str] = "compact"

    async def run(self, call: CommandCall) -> Reply:
        """Return what became of it."""
        words = call.texts.sessions
        if not self.model():
            return make_reply(words.no_model)
        try:
            done = await self.compact(call.message.address, call.scope)
        except BudgetSpent:
            return make_reply(words.no_budget)
        except (ModelUnavailable, ModelRefused, ContextTooLong) as error:
            structlog.get_logger().warning("session not compacted", cause=str(error))
            return make_reply(words.not_compacted)
        if not done.summary:
            return make_reply(words.too_short)
        told = words.compacted.format(count=done.exchanges, staying=done.staying)
        return make_reply(told, quote(done.summary, _SUMMARY_SHOWN))


@dataclass(frozen=True, slots=True)
class Halted:
    """What came of a /stop: whether an answer was ended, how many messages still wait, how many were dropped.

    ``going_on`` says that somebody else's answer goes on.
    """

    ended: bool = False
    waiting: int = 0
    dropped: int = 0
    going_on: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """Says what was stopped and offers to drop what waits.

    ``halted`` is asked about the message that holds the command: whoever takes messages in must end the running turn
    itself, and have this command answered beside the queue of its chat.
    """

    halted: Callable[[InboundMessage], Halted]

    name: ClassVar[str] = "stop"
    ALL: ClassVar[str] = "all"

    async def run(self, call: CommandCall) -> Reply:
        """Return what happened."""
        texts = call.texts.basic
        halted = self.halted(call.message)
        left = texts.not_yours_to_stop if halted.going_on else texts.nothing_to_stop
        lines = [texts.stopped if halted.ended else left]
        if halted.dropped:
            lines = [*([texts.stopped] if halted.ended else []), texts.dropped.format(count=halted.dropped)]
        if not halted.waiting:
            return make_reply(*lines)
        text = "\n".join((*lines, texts.waiting.format(count=halted.waiting)))
        return make_reply(text, buttons=((texts.drop_waiting, f"/{self.name} {self.ALL}"),))


@dataclass(frozen=True, slots=True)
class Again:
    """Answers the button of an offer, ``/again NUMBER``; typed without a number it shows all that is in doubt here.

    The texts are this chat's own and were meant for it, so that whoever reads along may ask.  They come without the
    buttons they had: those stand for what was so then.
    """

    doubts: UncertainDeliveries
    outgoing: Path
    """Where files are made that go with replies."""

    name: ClassVar[str] = "again"

    async def run(self, call: CommandCall) -> Reply:
        """Return the answers as they were, in one reply."""
        number = int(call.argument) if call.argument.isdecimal() and len(call.argument) < 18 else None  # noqa: PLR2004 - SQLite's integers
        missed = (
            ()
            if call.argument and number is None
            else await self.doubts.list_for_repetition(call.message.address, number)
        )
        files = tuple(delivery.file for delivery in missed if delivery.file is not None and delivery.file.path.exists())
        reply = make_reply(*(delivery.text for delivery in missed))
        if not (reply.text or files):
            return make_reply(call.texts.doubt.nothing)
        return replace(reply, file=await asyncio.to_thread(_join, files, self.outgoing))


def _join(files: tuple[OutboundFile, ...], outgoing: Path) -> OutboundFile | None:
    """Return the file that goes with the reply: the only one, or an archive of several."""
    if len(files) < 2:  # noqa: PLR2004 - several
        return files[0] if files else None
    archive = name_outbound(outgoing, _ARCHIVE)
    with zipfile.ZipFile(archive.path, "x", zipfile.ZIP_DEFLATED) as packed:
        for number, file in enumerate(files, 1):
            packed.write(file.path, f"{number} {file.name}")
    return archive
