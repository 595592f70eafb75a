"""Learning queue: sessions that have ended and are still to be learned from, kept over a model's outage."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.chronicle import WrittenLine
from bot.memory.items import MemoryItem
from bot.memory.scope import Scope
from bot.turn import Exchange


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session's exchanges of one scope, learned from up to the exchange id ``upto``; ``attempts`` counts failures."""

    session_id: int
    scope: Scope
    upto: int
    attempts: int


@dataclass(frozen=True, slots=True)
class Learned:
    """What a model made of some exchanges; each item and each line of the chronicle names the one it rests on."""

    items: tuple[MemoryItem, ...] = ()
    lines: tuple[WrittenLine, ...] = ()


class LearningQueue(Protocol):
    """A durable queue; a session enters it with the transaction that ends it."""

    async def due(self, now: datetime, limit: int) -> tuple[EndedSession, ...]:
        """Return the sessions whose time has come, longest waiting first."""
        ...

    async def exchanges(self, session: EndedSession, limit: int) -> tuple[Exchange, ...]:
        """Return the next ``limit`` exchanges to learn from, oldest first; empty at the end.

        Compacted ones are among them; not history-only ones, nor those that an edit replaced.
        """
        ...

    async def save_learned(
        self, session: EndedSession, read: tuple[Exchange, ...], learned: Learned, at: datetime
    ) -> EndedSession:
        """Store what was learned from ``read`` and return the session as it is now, in one transaction.

        A line takes the place of the line of its exchange that it rewords; it is passed over where there is none, and
        where it names none of ``read``.  If one of them was erased, changed or replaced meanwhile nothing is stored,
        and the session is returned as it was.
        """
        ...

    async def postpone(self, session: EndedSession, at: datetime, reason: str) -> None:
        """Count a failure and wait until ``at``."""
        ...

    async def finish(self, session: EndedSession) -> None:
        """Forget a session that was learned from to its end."""
        ...
