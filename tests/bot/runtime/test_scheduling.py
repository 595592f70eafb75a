"""Recurring work keeps its pace whatever the machine's clock says."""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime, timedelta, tzinfo
from types import FrameType
from typing import Self, cast

import pytest

from bot.errors import StorageUnavailable
from bot.runtime.scheduling import Schedule, ScheduledJob

_MOST_CALLS = 20_000
"""Of functions, for three rounds of two jobs; listing a year of missed ones takes a hundred million."""


class _Machine(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, datetime)


class _Set(datetime, metaclass=_Machine):
    """The machine's clock, which somebody sets."""

    ahead = timedelta()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return the time it shows."""
        return cast("Self", datetime.now(tz) + cls.ahead)


@pytest.mark.parametrize("days", [365, -365])
async def test_a_clock_that_jumps_costs_no_work_and_stops_no_job(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """A scheduler by wall time lists every run of the year that it missed, or waits for a year."""
    for module in tuple(sys.modules.values()):
        if vars(module).get("datetime") is datetime and module.__name__ != __name__:
            monkeypatch.setattr(module, "datetime", _Set)
    ran, calls = asyncio.Semaphore(0), 0

    async def run() -> None:
        ran.release()

    async def fail() -> None:
        ran.release()
        raise StorageUnavailable

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1
        assert calls < _MOST_CALLS

    schedule = Schedule((ScheduledJob("looks", 0.01, run, 0), ScheduledJob("fails", 0.01, fail, 0)))
    schedule.start()
    try:
        async with asyncio.timeout(60):
            for ahead in (timedelta(), timedelta(days=days)):
                monkeypatch.setattr(_Set, "ahead", ahead)
                sys.setprofile(count if ahead else None)
                for _ in range(6):
                    await ran.acquire()
    finally:
        sys.setprofile(None)
        schedule.stop()
    await asyncio.sleep(0)

    assert calls < _MOST_CALLS
    assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
