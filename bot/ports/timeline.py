"""Timeline: everything that was said in a scope, in the order of time, for people who look at it page by page.

Imported conversations are as old as they say, however late they came in.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Protocol

from bot.memory.items import MemoryItem
from bot.memory.scope import Scope
from bot.turn import Exchange, Trace

Place = tuple[float, int]
"""Where a page of the timeline ends: seconds since 1970 (UTC), and the number within the scope, of its oldest exchange.
"""


@dataclass(frozen=True, slots=True)
class ScopeSummary:
    """A scope that something is kept of: how many exchanges and live items, and who spoke last and when."""

    scope: Scope
    exchanges: int
    items: int
    name: str = ""
    newest: datetime | None = None


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """Exchanges, newest first; ``older`` is where the next page begins, ``None`` at the end."""

    exchanges: tuple[Exchange, ...]
    older: Place | None = None


@dataclass(frozen=True, slots=True)
class OpenedExchange:
    """One exchange with what its answer was based on (``None`` when that is not kept any more) and what it taught."""

    exchange: Exchange
    trace: Trace | None
    items: tuple[MemoryItem, ...]


class Timeline(Protocol):
    """Shows what was said.  Everything raises :class:`~bot.errors.StorageUnavailable`."""

    async def list_scopes(self) -> tuple[ScopeSummary, ...]:
        """Return every scope that something is kept of, the one that spoke last first."""
        ...

    async def read(
        self, scope: Scope, *, before: Place | None = None, until: datetime | None = None, size: int = 50
    ) -> TimelinePage:
        """Return a page: what was said before a place, or before a moment, newest first; everything without either.

        What an edit replaced is left out.
        """
        ...

    async def count_months(self, scope: Scope, zone: tzinfo | None) -> tuple[tuple[date, int], ...]:
        """Return the first days of the months in which something was said, newest first, and how many exchanges."""
        ...

    async def open(self, scope: Scope, uid: str) -> OpenedExchange | None:
        """Return one exchange, ``None`` if the scope has none of that name."""
        ...

    async def find(self, scope: Scope, uids: tuple[str, ...]) -> tuple[Exchange, ...]:
        """Return those of these exchanges that are there, oldest first."""
        ...
