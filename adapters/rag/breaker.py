"""Stops asking a server that does not answer, so that no turn waits for it in vain.

The breaker is arithmetic only; the client probes in the background with the pauses that it gives, and a user's turn
never serves as the probe.  After M. Nygard, "Release It!", chapter 5.
"""

from __future__ import annotations

import random
from collections import deque
from typing import Final

from bot.retry import Backoff, Pauses

_IN_A_ROW: Final = 5
_WINDOW: Final = 20
_PROBING: Final = Backoff(10.0, 120.0, jitter=0.2)


class Breaker:
    """Open after 5 failures in a row or when half of the last 20 calls failed; closed again by a good probe."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self._pauses = Pauses(_PROBING, dice)
        self._calls: deque[bool] = deque(maxlen=_WINDOW)
        self._in_a_row = 0
        self.cause = ""
        """Why the last call failed; "" while closed."""
        self.closed = True

    def succeeded(self) -> None:
        """Count a good call; one that began before the breaker opened does not close it."""
        self._calls.append(True)
        self._in_a_row = 0

    def failed(self, cause: str) -> bool:
        """Count a failed call; ``True`` when this one opened the breaker."""
        self._calls.append(False)
        self._in_a_row += 1
        if not self.closed:
            return False
        if self._in_a_row < _IN_A_ROW and 2 * self._calls.count(False) < _WINDOW:
            return False
        self.closed = False
        self.cause = cause
        self._pauses.reset()
        return True

    def pause_s(self) -> float:
        """Return how long to wait before the next probe: 10 s doubling to 120 s, less up to a fifth at random."""
        return self._pauses.next_s()

    def close(self) -> None:
        """A probe was answered: start again with a clean record."""
        self._calls.clear()
        self._in_a_row = 0
        self._pauses.reset()
        self.cause = ""
        self.closed = True
