"""What happens between turns: closing idle sessions, learning from them, compacting long ones, tidying up.

None of it is needed for an answer, so all of it may fail, wait or be cut off: every job finds out from the database
what is left to do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import structlog

from bot.errors import MnemeError
from bot.memory.budget import tokens
from bot.memory.items import MemoryItem
from bot.memory.scope import Scope
from bot.ports.clock import Clock
from bot.ports.memory import MemoryEditor
from bot.ports.turns import Sessions, TurnStore
from bot.turn import Exchange, Session

_SESSION_EXCHANGES = 500
_BATCH = 12
_COMPACTABLE = 4
"""Exchanges below which a session is not worth compacting."""


class Extraction(Protocol):
    """Learns items from several exchanges at once (one model call)."""

    async def items_from(self, exchanges: tuple[Exchange, ...]) -> tuple[MemoryItem, ...]:
        """Return what is worth remembering; empty when nothing is."""
        ...


class Summary(Protocol):
    """Condenses a conversation (one model call)."""

    async def summarise(self, exchanges: tuple[Exchange, ...], previous: str) -> str:
        """Return the summary of ``previous`` and the exchanges together."""
        ...


@dataclass(frozen=True, slots=True)
class SessionKeeping:
    """Ends idle sessions and consolidates them; compacts long ones.

    ``idle_minutes`` 0 never ends a session.  Without a model (``extraction`` and ``summary`` are ``None``) the rules of
    the write path have learned already, and history is only cut by its token budget; nothing is dropped.
    """

    turns: TurnStore
    sessions: Sessions
    editor: MemoryEditor
    promote: Callable[[Scope], Awaitable[int]]
    extraction: Extraction | None
    summary: Summary | None
    clock: Clock
    idle_minutes: int
    compact_after_tokens: int

    async def close_idle(self) -> None:
        """End sessions that have been silent too long and learn from each."""
        if self.idle_minutes == 0:
            return
        before = self.clock.now() - timedelta(minutes=self.idle_minutes)
        for address, scope, session in await self.sessions.idle(before):
            await self.consolidate(scope, session)
            if not any(each.id == session.id for _, _, each in await self.sessions.idle(before)):
                continue  # learning takes a while, and somebody went on talking meanwhile
            await self.sessions.close(address)
            structlog.get_logger().info("session closed", session=session.id, scope=scope.tag, reason="idle")

    async def consolidate(self, scope: Scope, session: Session) -> None:
        """Learn from a session's exchanges in batches and promote what has proved itself."""
        exchanges = tuple(
            exchange
            for exchange in await self.turns.history(scope, session.id, _SESSION_EXCHANGES)
            if not exchange.synthetic
        )
        learned = 0
        if self.extraction is not None:
            for start in range(0, len(exchanges), _BATCH):
                try:
                    items = await self.extraction.items_from(exchanges[start : start + _BATCH])
                except MnemeError as error:
                    structlog.get_logger().warning("learning from a session failed", cause=str(error))
                    break
                for item in items:
                    await self.editor.add(scope, item)
                learned += len(items)
        promoted = await self.promote(scope)
        structlog.get_logger().info("session consolidated", session=session.id, learned=learned, promoted=promoted)

    async def compact(self, scope: Scope, session: Session) -> bool:
        """Turn the older half of a long history into a summary; keep everything if that fails."""
        if self.summary is None:
            return False
        history = await self.turns.history(scope, session.id, _SESSION_EXCHANGES)
        size = sum(tokens(exchange.user_text) + tokens(exchange.assistant_text) for exchange in history)
        if size <= self.compact_after_tokens or len(history) < _COMPACTABLE:
            return False
        older = history[: len(history) // 2]
        try:
            summary = await self.summary.summarise(older, session.summary)
        except MnemeError as error:
            structlog.get_logger().warning("session not compacted", session=session.id, cause=str(error))
            return False
        if not summary.strip():
            return False
        await self.sessions.summarise(session.id, summary, older[-1].id)
        structlog.get_logger().info("session compacted", session=session.id, exchanges=len(older))
        return True
