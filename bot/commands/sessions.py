"""/sessions: the conversations of a chat, and the way back into one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.commands.formatting import escape, quote
from bot.commands.language import Voice, make_reply
from bot.commands.memory_views import NEXT, PREVIOUS
from bot.core.session_titles import make_title
from bot.ports.command import CommandCall
from bot.ports.turn_store import SessionListing, Sessions
from bot.turn import PAGING_LASTS_S, NextSession, Reply
from language.texts import Texts

_PAGE: Final = 8
"""Buttons that stand in one row on a phone."""
_MOST: Final = 10_000
"""Listed conversations that are looked through for one."""


@dataclass(frozen=True, slots=True)
class SessionList:
    """Lists conversations, newest first; going back makes one the conversation again, history and summary and all.

    Memories belong to the chat and are the same in all of them.  A button names a conversation by its id, which is
    never given again; a typed number is the place in the list as it is now.
    """

    texts: Voice
    sessions: Sessions

    name: ClassVar[str] = "sessions"
    OPEN: ClassVar[str] = "open"
    PAGE: ClassVar[str] = "page"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list, or the reply with which an earlier conversation goes on."""
        texts = self.texts(call.message)
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
            return replace(make_reply(words.missing), in_place=True)
        if found.current:
            return replace(make_reply(words.already), in_place=True)
        told = words.opened.format(
            title=quote(make_title(found) or words.untitled),
            active=texts.moment(found.active_at, call.now.tzinfo),
            count=found.exchanges,
        )
        return replace(make_reply(told, next_session=NextSession(id=found.id)), in_place=True)

    async def _list(self, call: CommandCall, texts: Texts, number: int) -> Reply:
        words = texts.sessions
        first = max(0, number - 1) * _PAGE
        page = await self.sessions.list_sessions(call.message.address, call.scope, limit=_PAGE, offset=first)
        if not page.sessions:
            return replace(make_reply(words.none), in_place=True)
        lines, buttons = [], []
        for at, each in enumerate(page.sessions, first + 1):
            title = escape(make_title(each)) or words.untitled
            begun = texts.day(each.started_at, call.now.tzinfo)
            shown = f"{title} {words.current}" if each.current else title
            lines.append(words.line.format(number=at, title=shown, begun=begun, count=each.exchanges))
            if not each.current:
                buttons.append((str(at), f"/{self.name} {self.OPEN} {each.id}"))
        if first:
            buttons.append((PREVIOUS, f"/{self.name} {self.PAGE} {number - 1}"))
        if first + _PAGE < page.total:
            buttons.append((NEXT, f"/{self.name} {self.PAGE} {number + 1}"))
        hint = words.hint if buttons else ""
        reply = make_reply(f"**{words.head}**", "\n".join(lines), hint, buttons=tuple(buttons))
        return replace(reply, in_place=True, buttons_last_s=PAGING_LASTS_S)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18  # noqa: PLR2004 - digits of what a database can hold
