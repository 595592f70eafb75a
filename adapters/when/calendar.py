"""Dates of the calendar: by their names in a language (dateparser, which reads no file but its own data), by rules."""

from __future__ import annotations

import calendar
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any

from dateutil.rrule import rrulestr

_STRICT_CHARS = 60


@cache
def _dateparser() -> Any:  # Any: it has no types
    import dateparser  # noqa: PLC0415 - a third of a second, for those who use reminders

    return dateparser


def read_date(written: str, code: str, now: datetime) -> datetime | None:
    """Return the naive date that ``written`` names in a language, the next one to come; ``None`` for no such date.

    ``now`` is naive.
    """
    return _read(written, code, now, {"REQUIRE_PARTS": ["day", "month"], "PARSERS": ["absolute-time"]})


def read_anything(written: str, code: str, now: datetime) -> datetime | None:
    """Return the naive time that ``written`` as a whole says, by what dateparser knows."""
    return _read(written, code, now, {}) if len(written) <= _STRICT_CHARS else None


def _read(written: str, code: str, now: datetime, more: dict[str, object]) -> datetime | None:
    settings = {
        "PREFER_DATES_FROM": "future",
        "RELATIVE_BASE": now,
        "RETURN_AS_TIMEZONE_AWARE": False,
        "STRICT_PARSING": False,
        **more,
    }
    try:
        found: datetime | None = _dateparser().parse(written, languages=[code], settings=settings)
    except (ValueError, OverflowError):  # years that no calendar has
        return None
    return None if found is None else found.replace(tzinfo=None)


def find_holiday(rule: str, now: datetime) -> date | None:
    """Return the next day of an ``RRULE``, today included."""
    start = datetime.combine(now.date() - timedelta(days=1), time(23, 59))
    found: datetime | None = rrulestr(rule, dtstart=start.replace(hour=0, minute=0)).after(start)
    return None if found is None else found.date()


@cache
def is_month_first(zone: str) -> bool | None:
    """Whether English puts the month first where a zone is; ``None`` where it is no language of the territory."""
    from babel import Locale  # noqa: PLC0415 - for those who use reminders
    from babel.core import get_global  # noqa: PLC0415 - as above

    territory = get_global("zone_territories").get(zone, "")
    spoken = get_global("territory_languages").get(territory, {}).get("en", {})
    if not spoken.get("official_status"):
        return None
    pattern = Locale("en", territory).date_formats["short"].pattern.casefold()
    return bool(pattern.index("m") < pattern.index("d"))


def find_nth(year: int, month: int, nth: int, weekday: int) -> date | None:
    """Return the ``nth`` such day of the week in a month, from its end for -1; ``None`` if it has none."""
    days = [
        date(year, month, day)
        for day in range(1, calendar.monthrange(year, month)[1] + 1)
        if date(year, month, day).weekday() == weekday
    ]
    return days[nth - 1 if nth > 0 else nth] if nth <= len(days) else None


def find_month_day(day: int, now: datetime, at: time) -> date:
    """Return the next such day of a month whose time ``at`` is to come; the last one where it has fewer days."""
    first = clip(now.year, now.month, day)
    return first if datetime.combine(first, at) > now else clip(*next_month(now.year, now.month), day)


def next_month(year: int, month: int) -> tuple[int, int]:
    """Return the year and the month that follow."""
    return (year + 1, 1) if month == 12 else (year, month + 1)  # noqa: PLR2004 - December


def clip(year: int, month: int, day: int) -> date:
    """Return a day of a month, its last one where it has fewer."""
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))


def shift_months(day: date, months: int) -> date:
    """Return the same day so many months later, the last of that month where it has fewer."""
    whole = day.year * 12 + day.month - 1 + months
    return clip(whole // 12, whole % 12 + 1, day.day)
