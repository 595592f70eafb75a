"""When the indexer looks at which row: what it remembers between two rounds, and may forget.

All times are monotonic seconds, so that a wall clock that jumps delays nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from adapters.rag.back_off import Pace

_SLOWER: Final = 1.6
_SOONEST_S: Final = 0.001


@dataclass(frozen=True, slots=True)
class _Look:
    """When a document under way is looked at again, and how long the pause before that is."""

    at: float
    pause_s: float


class Agenda:
    """Documents under way (looked at ever more rarely) and rows that failed (left alone for a while)."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._looks: dict[int, _Look] = {}
        self._postponed: dict[int, float] = {}

    @property
    def size(self) -> int:
        """How many rows it remembers."""
        return len(self._looks) + len(self._postponed)

    @property
    def crowded(self) -> bool:
        """Whether so many rows are postponed that the outbox has to remember the pauses of further ones."""
        return len(self._postponed) >= self._pace.most_postponed

    def is_under_way(self, row_id: int) -> bool:
        """Whether the server has the document and works on it."""
        return row_id in self._looks

    def is_time(self, row_id: int, now: float) -> bool:
        """Whether the row may be taken now; a new one only while not too many are under way."""
        if row_id in self._postponed:
            return False
        look = self._looks.get(row_id)
        return len(self._looks) < self._pace.window if look is None else look.at <= now

    def look_again(self, row_id: int, now: float, *, after_s: float | None = None) -> None:
        """Look at a document under way later: after ``after_s``, else after a longer pause than last time."""
        last = self._looks.get(row_id)
        pause_s = self._pace.poll_s if last is None else min(last.pause_s * _SLOWER, self._pace.poll_max_s)
        self._looks[row_id] = _Look(now + (after_s or pause_s), after_s or pause_s)

    def postpone(self, row_id: int, until: float) -> None:
        """Leave a failed row alone."""
        self._looks.pop(row_id, None)
        if not self.crowded:
            self._postponed[row_id] = until

    def done(self, row_id: int) -> None:
        """Forget a row that is through."""
        self._looks.pop(row_id, None)

    def hurry(self) -> None:
        """Postpone nothing any more."""
        self._postponed.clear()

    def expire(self, now: float) -> None:
        """Forget the pauses that are over."""
        self._postponed = {row_id: at for row_id, at in self._postponed.items() if at > now}

    def keep(self, row_ids: Iterable[int], now: float) -> None:
        """Forget rows that should be looked at and are not in the outbox any more."""
        here = set(row_ids)
        self._looks = {row_id: look for row_id, look in self._looks.items() if row_id in here or look.at > now}

    def next_in(self, now: float) -> float:
        """Return the seconds until something is to be looked at, at most ``idle_s``."""
        times = [look.at for look in self._looks.values() if look.at > now] + list(self._postponed.values())
        return max(min([self._pace.idle_s, *(at - now for at in times)]), _SOONEST_S)
