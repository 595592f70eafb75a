"""The machine's clocks; the wall clock tells the operator's time zone."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def machine_zone() -> str:
    """Return "": the zone of the machine."""
    return ""


class SystemClock:
    """Wall clock and the monotonic clock.

    ``zone`` returns the IANA name of the zone that dates and days are told in, "" for the machine's; it is asked anew
    every time, so that a changed setting acts at once.
    """

    def __init__(self, zone: Callable[[], str] = machine_zone) -> None:
        self._zone = zone

    def now(self) -> datetime:
        """Return the aware local time."""
        name = self._zone()
        return datetime.now(UTC).astimezone(ZoneInfo(name) if name else None)

    def monotonic(self) -> float:
        """Return seconds that never jump."""
        return time.monotonic()
