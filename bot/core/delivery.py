"""The protocol of sending: each planned reply reaches its chat at most once, and what became of it is recorded.

An attempt is marked durably before it is made, so that a kill leaves at most an attempt of unknown fate.  A message of
unknown fate is not sent again; its chat is offered to see it.  An edit is repeated until it is certain: it cannot
double anything, and its place in the chat is taken already.

Lays a reply out as the messages that its chat will show: texts, and at the end its file.

Nobody reads an answer of a dozen messages in a chat; beyond a limit it is a file, and its beginning the message.
"""

import asyncio
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

import structlog

from bot.errors import DeliveryUnknown, DraftGone, NotDelivered
from bot.files import OutboundFile, write_outbound
from bot.memory.secrets.redaction import redact
from bot.messages import LOST_DRAFT, Address
from bot.ports.messenger import (
    Attempts,
    Delivery,
    DeliveryOutcome,
    Fate,
    FileMessenger,
    Messenger,
    RateLimitedMessenger,
)
from bot.turn import Reply, Turn

_SPLIT_AT_ONCE: Final = 2_000
"""Characters whose Markdown is converted in a few milliseconds, whatever they are."""
_BEGINNING: Final = 800
"""Characters of a long answer that its message shows: with the note it fits below the file."""
_HEADING: Final = re.compile(r"#{1,3}[ \t]+(\S.{0,79}?)[ \t#]*$", re.MULTILINE)
_FENCE: Final = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_BREAKS: Final = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"))
_MARKS: Final = re.compile(r"[*_`~\[\]()#]+")


@dataclass(frozen=True, slots=True)
class ReplyLayout:
    """Returns the parts of a reply, one per message; a file goes with the last of them, which may be empty then.

    An answer of more than ``most_messages`` becomes a file in the folder ``outgoing``; 0 never does it.
    """

    outgoing: Path
    most_messages: int

    async def __call__(self, turn: Turn, reply: Reply, messenger: Messenger) -> tuple[Reply, tuple[str, ...]]:
        """Return the reply as it will be sent, with or without a file, and its parts."""
        if reply.file is not None:
            reply = self._check(turn, reply, reply.file, messenger)
        parts = await split_reply(messenger, reply.text) if reply.text.strip() or reply.file is None else ()
        if reply.file is None and 0 < self.most_messages < len(parts) and isinstance(messenger, FileMessenger):
            reply, parts = await self._put_into_file(turn, reply, parts, messenger)
        if reply.file is None or not isinstance(messenger, FileMessenger):
            return reply, parts
        alone = not parts or len(parts) > 1 or turn.draft_id is not None or not messenger.is_caption(parts[0])
        return reply, (*parts, "") if alone else parts

    def _check(self, turn: Turn, reply: Reply, file: OutboundFile, messenger: Messenger) -> Reply:
        """Say why a file cannot be sent, in its place."""
        texts = turn.texts.files
        if not isinstance(messenger, FileMessenger):
            said = texts.not_here.format(name=file.name)
        else:
            try:
                size = file.path.stat().st_size
            except OSError:
                said = texts.gone.format(name=file.name)
            else:
                if 0 < size <= messenger.largest_file:
                    return reply
                most = messenger.largest_file // 1_000_000
                too_large = texts.too_large.format(name=file.name, size=-(-size // 1_000_000), most=most)
                said = too_large if size else texts.gone.format(name=file.name)
        return replace(reply, text="\n\n".join(filter(None, (reply.text, said))), file=None)

    async def _put_into_file(
        self, turn: Turn, reply: Reply, parts: tuple[str, ...], messenger: Messenger
    ) -> tuple[Reply, tuple[str, ...]]:
        texts = turn.texts.files
        # Where nobody knows what the chat shows, the file is kept until it is asked for: without secrets, like texts.
        text = reply.text if turn.draft_id != LOST_DRAFT else redact(reply.text).text
        name = f"{_find_title(reply.text) or texts.answer} {turn.message.sent_at:%Y-%m-%d %H.%M}.md"
        try:
            file = await asyncio.to_thread(write_outbound, self.outgoing, name, f"{text.strip()}\n".encode())
        except OSError as error:
            structlog.get_logger().error("long answer sent as messages", cause=error.strerror)
            return reply, parts
        begun = f"{_cut_beginning(parts[0])}\n\n*{texts.whole_answer.format(name=file.name)}*"
        return replace(reply, file=file), messenger.parts(begun)


async def split_reply(messenger: Messenger, text: str) -> tuple[str, ...]:
    """Split an answer, a long one beside the event loop: its Markdown may take a third of a second to convert."""
    if len(text) <= _SPLIT_AT_ONCE:
        return messenger.parts(text)
    return await asyncio.to_thread(messenger.parts, text)


def _cut_beginning(part: str) -> str:
    """Return the beginning of a part, cut between blocks, lines or words outside markup; all of it if there is none."""
    if len(part) <= _BEGINNING:
        return part
    for border in _BREAKS:
        ends = [match.start() for match in border.finditer(part, _BEGINNING // 4, _BEGINNING)]
        for end in reversed(ends):
            if part[:end].strip() and len(_FENCE.findall(part, 0, end)) % 2 == 0:
                return f"{part[:end].rstrip()}\n\n…"
    head = part[:_BEGINNING].rpartition(" ")[0]
    return f"{head.rstrip()} …" if head and _MARKS.search(head) is None else part


def _find_title(text: str) -> str:
    """Return the first heading if the answer begins with one, "" if not."""
    heading = _HEADING.match(text.lstrip())
    return _MARKS.sub("", heading[1]).strip()[:60].strip() if heading is not None else ""


_PAUSES_S = (1.0, 2.0, 5.0, 15.0, 60.0, 120.0)
"""Seconds between attempts at a part that surely did not arrive, or an edit; the last one again and again."""
_LARGEST_ANSWER = 200_000
"""Bytes of an answer that is sent as messages where its file is refused: some fifty of them."""
PATIENCE_S = 4.0
"""A chat waits no longer than this for the next attempt at an edit: its further answers may stand below it already."""


class Ending(StrEnum):
    """What became of a delivery when :func:`deliver` returned."""

    SETTLED = "settled"
    """Sent, refused, or begun by somebody else."""
    DOUBTFUL = "doubtful"
    """Its fate is unknown: its chat is to be offered to see it again."""
    LATER = "later"
    """An edit that needs more time: it is planned, and to be repeated beside the conversation."""


class UnwrittenAttempts:
    """Stands for the log of attempts where nothing can be written: a turn then knows of its own attempts alone."""

    async def begin_attempt(self, delivery_id: int) -> bool:  # noqa: ARG002 - the port's argument
        """Allow the attempt; the turn makes each once."""
        return True

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        """Record nothing."""

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Record nothing."""


async def deliver(
    attempts: Attempts,
    messenger: Messenger,
    delivery: Delivery,
    *,
    begun: bool = False,
    patience_s: float = PATIENCE_S,
    anew: bool = True,
    say_refused: Callable[[Delivery], str] = lambda _: "",
) -> Ending:
    """Send one planned part at most once and record what became of it.

    ``begun`` says that the first attempt is marked already, and its place in the limits taken.

    A part that surely did not arrive is tried again with growing pauses until it does, within the turn, so that the
    order of a chat's answers holds; cut off in between, it stays planned and is sent after the next start.
    An edit whose next attempt is more than ``patience_s`` seconds away is left planned.  Where its draft is gone it is
    sent ``anew``, or is in doubt: when later answers may stand below, it would stand out of order.
    A file that is refused is said to be, in what ``say_refused`` returns, and an answer that is in it follows as
    messages; nothing of it was in the chat before.
    All waiting, for the limits and for a connection, comes before the mark: between the mark and the request a kill
    would leave an unknown outcome.
    """
    log = structlog.get_logger()
    for pause_s in itertools.chain(_PAUSES_S, itertools.repeat(_PAUSES_S[-1])):
        mark, begun = _Mark(attempts, delivery.id, made=begun), False
        try:
            message_id = await _attempt(messenger, mark, delivery)
        except _BegunBefore:
            return Ending.SETTLED
        except DraftGone as error:
            log.info("draft gone", delivery=delivery.id)
            if not anew:
                await attempts.finish(delivery.id, DeliveryOutcome(Fate.UNKNOWN, reason=str(error)))
                return Ending.DOUBTFUL
            delivery = replace(delivery, draft_id=None)
            await attempts.postpone(delivery.id, str(error), draft_gone=True)
            continue
        except (NotDelivered, DeliveryUnknown) as error:
            log.warning("reply not delivered", delivery=delivery.id, kind=type(error).__name__, cause=str(error))
            file = delivery.file
            if file is not None and isinstance(error, NotDelivered) and error.retry_after_s is None:
                rest = await asyncio.to_thread(_read_answer, file)
                told = "\n\n".join(filter(None, (delivery.text, say_refused(delivery))))
                first, *more = (*messenger.parts(told), *(messenger.parts(rest) if rest else ()))
                delivery = replace(delivery, text=first, file=None)
                await attempts.postpone(delivery.id, str(error))
                said = await deliver(attempts, messenger, delivery, patience_s=patience_s)
                await _send_rest(messenger, delivery.address, more)
                return said
            if (ending := await _settle_failure(attempts, delivery, error)) is not None:
                return ending
            await attempts.postpone(delivery.id, str(error))
            pause_s = max(pause_s, error.retry_after_s or 0.0) if isinstance(error, NotDelivered) else pause_s  # noqa: PLW2901 - the longer
            if delivery.draft_id is not None and pause_s > patience_s:
                return Ending.LATER
            await asyncio.sleep(pause_s)
        else:
            await attempts.finish(delivery.id, DeliveryOutcome(Fate.SENT, message_id))
            return Ending.SETTLED
    raise AssertionError("the pauses never end")


def _read_answer(file: OutboundFile) -> str:
    """Return the text of an answer that was too long for messages, "" for any other file."""
    try:
        if not file.name.endswith(".md") or file.path.stat().st_size > _LARGEST_ANSWER:
            return ""
        return file.path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


async def _send_rest(messenger: Messenger, to: Address, parts: list[str]) -> None:
    for part in parts:
        try:
            if isinstance(messenger, RateLimitedMessenger):
                await messenger.reserve(to)
            await messenger.send(to, part)
        except (NotDelivered, DeliveryUnknown) as error:
            structlog.get_logger().warning("rest of an answer not delivered", cause=str(error))
            return


async def _settle_failure(
    attempts: Attempts, delivery: Delivery, error: NotDelivered | DeliveryUnknown
) -> Ending | None:
    """Settle what is not to be tried again; ``None`` if it is."""
    if isinstance(error, NotDelivered):
        if error.retry_after_s is not None:
            return None
        await attempts.finish(delivery.id, DeliveryOutcome(Fate.REFUSED, reason=str(error)))
        return Ending.SETTLED
    if delivery.draft_id is not None:
        return None
    await attempts.finish(delivery.id, DeliveryOutcome(Fate.UNKNOWN, reason=str(error)))
    return Ending.DOUBTFUL


class _BegunBefore(Exception):
    """An attempt at this part was made before: another one could double it."""


@dataclass(slots=True)
class _Mark:
    """Marks an attempt, once."""

    attempts: Attempts
    delivery_id: int
    made: bool

    async def __call__(self) -> None:
        """Return when the attempt is marked durably; raises :class:`_BegunBefore`."""
        if self.made:
            return
        if not await self.attempts.begin_attempt(self.delivery_id):
            raise _BegunBefore
        self.made = True


async def _attempt(messenger: Messenger, mark: _Mark, delivery: Delivery) -> int:
    """Send, marked as late as the messenger allows."""
    to, part, draft_id, buttons = delivery.address, delivery.text, delivery.draft_id, delivery.buttons
    if delivery.file is not None:
        if not isinstance(messenger, FileMessenger):
            raise NotDelivered("no files can be sent here")
        if isinstance(messenger, RateLimitedMessenger):
            await messenger.reserve(to)
        return await messenger.send_file(to, delivery.file, part, mark, buttons=buttons)
    if isinstance(messenger, RateLimitedMessenger) and not mark.made:
        if draft_id is not None and messenger.is_shown(to, draft_id, part, buttons):
            return draft_id
        await messenger.reserve(to)
        return await messenger.send_marked(to, part, mark, draft_id=draft_id, buttons=buttons)
    await mark()
    return await messenger.send(to, part, draft_id=draft_id, buttons=buttons)
