"""When a call to the model may be repeated, and how long to wait before.

A completion has no side effect but its price, so a call that never began to answer may be repeated; one that timed
out already cost the user all the patience there was.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from bot.errors import ModelUnavailable


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
        return float(min(self.first_s * 2**attempt, self.longest_s) * random.uniform(0.5, 1.0))


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that ``Retry-After`` asks for (RFC 9110, 10.2.3), ``None`` without a readable one."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None  # noqa: PLR0124 - not NaN
