"""When a call to the model may be repeated, and how long to wait before.

A completion has no side effect but its price, so a call that never began to answer may be repeated; one that timed
out already cost the user all the patience there was.
"""

from __future__ import annotations

from dataclasses import dataclass

import httpx

from bot.errors import ModelUnavailable
from bot.retry import Backoff


@dataclass(frozen=True, slots=True)
class Retries:
    """How stubborn a model call is.

    ``count`` repetitions at most, ``first_s`` seconds before the first and twice as much before each further one (with
    jitter); a provider that asks for more than ``longest_s`` seconds is not waited for.
    """

    count: int = 2
    first_s: float = 0.5
    longest_s: float = 8.0

    def pause(self, attempt: int, error: ModelUnavailable) -> float | None:
        """Return the seconds to wait after failed attempt number ``attempt`` (from 0), or ``None`` to give up."""
        timed_out = isinstance(error.__cause__, TimeoutError | httpx.TimeoutException)
        if attempt >= self.count or (timed_out and not isinstance(error.__cause__, httpx.ConnectTimeout)):
            return None
        if error.retry_after_s is not None:
            return error.retry_after_s if error.retry_after_s <= self.longest_s else None
        return Backoff(self.first_s, self.longest_s, jitter=0.5).pause_s(attempt)
