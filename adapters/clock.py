"""The machine's clocks; their time zone is that of whoever looks."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.ports.when import Clock


class SystemClock:
    """Wall clock in the machine's zone, and the monotonic clock."""

    def now(self) -> datetime:
        return datetime.now(UTC).astimezone()

    def monotonic(self) -> float:
        return time.monotonic()


class ZonedClock:
    """Another clock, told in the zone of whoever looks at it.

    ``zone`` returns its IANA name, "" to leave the time as it is; it is asked anew every time, so that a change acts at
    once.
    """

    def __init__(self, clock: Clock, zone: Callable[[], str]) -> None:
        self._clock = clock
        self._zone = zone

    def now(self) -> datetime:
        moment, name = self._clock.now(), self._zone()
        return moment.astimezone(ZoneInfo(name)) if name else moment

    def monotonic(self) -> float:
        return self._clock.monotonic()
