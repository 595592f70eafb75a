"""``date_and_time``: the calendar that a model does not have."""

from __future__ import annotations

import pytest

from adapters.tools.date_and_time import DateAndTime
from bot.errors import CommandInvalid
from harness.samples import HeldClock
from tests.adapters.tools.fixtures import WHEN, said
from tests.cases import each_row


@each_row(
    ("arguments", "line"),
    [
        ({}, "Saturday 2026-02-07 14:30 +00:00 (UTC), week 6"),
        ({"timezone": "Europe/Lisbon", "days": 150}, "Tuesday 2026-07-07 14:30 +01:00 (Europe/Lisbon), week 28"),
        ({"days": -38}, "Wednesday 2025-12-31 14:30 +00:00 (UTC), week 1"),
    ],
)
async def test_now_there_and_then(arguments: dict[str, object], line: str) -> None:
    """Weekday, date, time, offset, zone and week, here or elsewhere, now or some days away."""
    assert await DateAndTime(HeldClock(WHEN)).run(said("?"), arguments) == line


@each_row(
    "arguments",
    [{"timezone": "Mars"}, {"timezone": "../etc/passwd"}, {"timezone": "/etc/passwd"}, {"days": 10**9}, {"when": 1}],
)
async def test_nonsense_is_refused(arguments: dict[str, object]) -> None:
    """A zone that does not exist, a path, a date beyond the calendar, an invented argument."""
    with pytest.raises(CommandInvalid):
        await DateAndTime(HeldClock(WHEN)).run(said("?"), arguments)
