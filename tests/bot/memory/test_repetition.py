"""Repetitions in local time: over daylight saving both ways, in zones that differ in when and how they change."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from bot.ports.when import Repetition, Unit, find_next, load_repetition, localise
from tests.cases import each_row


def following(repetition: Repetition, start: str, zone: str, count: int) -> list[str]:
    """Return so many times from the beginning, as UTC."""
    first = datetime.fromisoformat(start)
    after, found = datetime(2000, 1, 1, tzinfo=UTC), []
    for _ in range(count):
        coming = find_next(repetition, first, zone, after)
        if coming is None:
            break
        after = coming[0]
        found.append(f"{after.astimezone(UTC):%Y-%m-%d %H:%M}")
    return found


@each_row(
    ("zone", "start", "expected"),
    [
        ("Europe/Berlin", "2026-03-28 09:00", ["2026-03-28 08:00", "2026-03-29 07:00", "2026-03-30 07:00"]),
        ("Europe/Berlin", "2026-10-24 09:00", ["2026-10-24 07:00", "2026-10-25 08:00", "2026-10-26 08:00"]),
        ("America/New_York", "2026-03-07 09:00", ["2026-03-07 14:00", "2026-03-08 13:00", "2026-03-09 13:00"]),
        ("America/New_York", "2026-10-31 09:00", ["2026-10-31 13:00", "2026-11-01 14:00", "2026-11-02 14:00"]),
        ("Asia/Tehran", "2022-03-21 09:00", ["2022-03-21 05:30", "2022-03-22 04:30", "2022-03-23 04:30"]),
        ("Asia/Tehran", "2022-09-21 09:00", ["2022-09-21 04:30", "2022-09-22 05:30", "2022-09-23 05:30"]),
    ],
)
def test_nine_stays_nine(zone: str, start: str, expected: list[str]) -> None:
    """A daily reminder keeps to the wall clock when it is put forward and back."""
    assert following(Repetition(Unit.DAY), start, zone, 3) == expected


@each_row(
    ("zone", "start", "expected"),
    [
        ("Europe/Berlin", "2026-03-28 02:30", ["2026-03-28 01:30", "2026-03-29 01:00", "2026-03-30 00:30"]),
        ("America/New_York", "2026-03-07 02:30", ["2026-03-07 07:30", "2026-03-08 07:00", "2026-03-09 06:30"]),
        ("Asia/Tehran", "2022-03-21 00:15", ["2022-03-20 20:45", "2022-03-21 20:30", "2022-03-22 19:45"]),
    ],
)
def test_a_time_that_does_not_exist_comes_right_after_the_gap(zone: str, start: str, expected: list[str]) -> None:
    """Of the night in which the clock leaves it out, the first moment behind; once."""
    assert following(Repetition(Unit.DAY), start, zone, 3) == expected


@each_row(
    ("zone", "start", "expected"),
    [
        ("Europe/Berlin", "2026-10-24 02:30", ["2026-10-24 00:30", "2026-10-25 00:30", "2026-10-26 01:30"]),
        ("America/New_York", "2026-10-31 01:30", ["2026-10-31 05:30", "2026-11-01 05:30", "2026-11-02 06:30"]),
    ],
)
def test_a_time_that_exists_twice_comes_once(zone: str, start: str, expected: list[str]) -> None:
    """The first of the two."""
    assert following(Repetition(Unit.DAY), start, zone, 3) == expected


def test_passing_hours_pay_no_heed_to_the_clock() -> None:
    """Every three hours is every three hours, in the night of the change, too."""
    got = following(Repetition(Unit.HOUR, 3), "2026-10-24 22:00", "Europe/Berlin", 4)

    assert got == ["2026-10-24 22:00", "2026-10-25 01:00", "2026-10-25 04:00", "2026-10-25 07:00"]


def test_the_31st_is_the_last_day_of_shorter_months() -> None:
    """No month is left out."""
    got = following(Repetition(Unit.MONTH, day=31), "2027-01-31 09:00", "UTC", 4)

    assert [day[:10] for day in got] == ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]


def test_ends_are_kept() -> None:
    """Five times are five, until a day is up to and with that day, and both survive being written down."""
    weekly = Repetition(Unit.WEEK, weekdays=(0,), times=3)
    until = Repetition(Unit.DAY, until=date(2026, 11, 25))

    assert len(following(weekly, "2026-11-23 09:00", "UTC", 9)) == 3
    assert len(following(until, "2026-11-23 09:00", "UTC", 9)) == 3
    assert [load_repetition(each.dump()) for each in (weekly, until)] == [weekly, until]
    assert load_repetition("FREQ=NONSENSE") is None


def test_localise_is_exact_to_the_second_of_the_change() -> None:
    """The end of the gap is the moment at which the offset changes."""
    end = localise(datetime.fromisoformat("2026-03-29 02:00:01"), "Europe/Berlin")

    assert end.astimezone(UTC) == datetime(2026, 3, 29, 1, 0, tzinfo=UTC)
    assert localise(datetime.fromisoformat("2026-03-29 03:00"), "Europe/Berlin") - end == timedelta()
