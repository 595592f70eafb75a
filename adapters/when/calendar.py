"""Dates of the calendar by dateparser, restricted to the language at hand; it reads no file but its own data.

dateparser knows the names and orders of dates in each language, and counts months and years.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

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
