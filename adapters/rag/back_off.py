"""How fast the indexer asks, waits and tries again."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bot.retry import Backoff


@dataclass(frozen=True, slots=True)
class Pace:
    """All in seconds but the counts.

    A document under way is looked at after ``poll_s``, then ever more rarely up to ``poll_max_s``.
    A failed one is tried again after ``retry_s`` doubling to ``retry_max_s``.
    After ``gate_after`` failures in a row, of any documents, nothing is sent for ``gate_s`` doubling to ``gate_max_s``,
    and then one document as a probe.
    The outbox is read at least every ``idle_s``.
    ``window`` bounds how many documents are under way, ``most_postponed`` how many pauses are kept in memory.
    """

    poll_s: float = 0.05
    poll_max_s: float = 5.0
    retry_s: float = 0.5
    retry_max_s: float = 60.0
    gate_after: int = 3
    gate_s: float = 1.0
    gate_max_s: float = 30.0
    idle_s: float = 2.0
    window: int = 64
    most_postponed: int = 256


class Gate:
    """Closed while the server is known to be down, so that an outage costs one request per pause, not one per row."""

    def __init__(self, pace: Pace, dice: random.Random) -> None:
        self._pace = pace
        self._dice = dice
        self._backoff = Backoff(pace.gate_s, pace.gate_max_s, jitter=0.5)
        self._failures = 0
        self._opens_at = 0.0

    @property
    def probing(self) -> bool:
        """Whether the server has failed so often that one document at a time is enough."""
        return self._failures >= self._pace.gate_after

    def closed_for(self, now: float) -> float:
        """Return the seconds until something may be sent again; 0 when it may be now.  ``now`` is monotonic."""
        return max(self._opens_at - now, 0.0) if self.probing else 0.0

    def failed(self, now: float, retry_after_s: float | None) -> None:
        """Count a failure; ``retry_after_s`` is the pause that the server asked for."""
        self._failures += 1
        if self.probing:
            pause_s = self._backoff.pause_s(self._failures - self._pace.gate_after, self._dice)
            self._opens_at = now + max(pause_s, retry_after_s or 0.0)

    def succeeded(self) -> bool:
        """Open; ``True`` when the server was thought to be down until now."""
        recovered, self._failures = self.probing, 0
        return recovered

    def open_now(self) -> None:
        """Let one probe through at once."""
        self._opens_at = 0.0
