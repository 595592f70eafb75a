"""Dates of the calendar and time zones, by the names that people use.

Of dates: dateparser, which reads no file but its own data, and rules.  Of zones: CLDR, the tz database,
and their cities.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from dateutil.relativedelta import relativedelta, weekday
from dateutil.rrule import MONTHLY, rrule, rrulestr

from language.cldr import read_cldr

LAST_DAY: Final = 31
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


def is_month_first(zone: str) -> bool | None:
    """Whether English puts the month first where a zone is; ``None`` where it is no language of the territory."""
    order: bool | None = read_cldr()["month_first"].get(zone)
    return order


def find_nth(first: date, nth: int, day: int) -> date | None:
    """Return the ``nth`` such day of the week in the month from ``first`` on, its last for -1; ``None`` for none."""
    found: date = first + relativedelta(day=LAST_DAY if nth < 0 else 1, weekday=weekday(day, nth))
    return found if found.month == first.month else None


def find_next_nth(nths: Iterable[int], days: Iterable[int], now: datetime, at: time) -> date:
    """Return the next of several such days of the week in a month whose time ``at`` is to come."""
    named = [weekday(day, nth) for nth in nths for day in days]
    found: datetime = rrule(MONTHLY, dtstart=datetime.combine(now.date(), at), byweekday=named).after(now)
    return found.date()


def find_month_day(day: int, now: datetime, at: time) -> date:
    """Return the next such day of a month whose time ``at`` is to come; the last one where it has fewer days."""
    first: date = now.date() + relativedelta(day=day)
    following: date = now.date() + relativedelta(months=1, day=day)
    return first if datetime.combine(first, at) > now else following


_WORLD: Final = frozenset({"utc", "gmt", "z", "zulu"})
_STEM_LEFT: Final = 2
"""Letters that an ending of a city's name may replace: "Москва", "по московскому времени"."""
_SHORTEST_STEM: Final = 4


def find_zones(name: str, code: str, now: datetime, *, iana: bool = False) -> tuple[tzinfo, ...]:
    """Return the zones that an abbreviation or a city may mean, the likeliest first; empty for no zone at all.

    An abbreviation is written in capitals.  ``code`` is the language that the name is written in; ``now`` is aware, in
    the zone of who writes: of names that are used in several parts of the world theirs is meant.  ``iana`` says that it
    is the zone's own name.
    """
    if iana:
        return (ZoneInfo(name),)
    key = name.casefold().rstrip(".")
    if not name.isupper():
        return _find_city(key, code)
    if key in _WORLD:
        return (UTC,)
    if (own := now.tzinfo) is not None:
        moments = (now.replace(tzinfo=None) + timedelta(days=days) for days in (0, 182))
        if key in {(own.tzname(each) or "").casefold() for each in moments}:
            return (own,)
    for language in dict.fromkeys((code, "en", "en_GB", "en_AU")):
        if (zone := read_cldr()["abbreviations"].get(language, {}).get(key)) is not None:
            return (ZoneInfo(zone),)
    offsets = _list_tz_names(now.year).get(key, ())
    return tuple(timezone(offset) for offset in offsets)


@cache
def _list_tz_names(year: int) -> Mapping[str, tuple[timedelta, ...]]:
    """Return the abbreviations of the tz database → their offsets, the one of most zones first."""
    found: dict[str, Counter[timedelta]] = {}
    for name in available_timezones():
        if "/" not in name or name.startswith("Etc/"):
            continue
        zone = ZoneInfo(name)
        for month in (1, 7):
            at = datetime(year, month, 15, tzinfo=zone)
            if (short := at.tzname() or "").isalpha():
                found.setdefault(short.casefold(), Counter())[at.utcoffset() or timedelta()] += 1
    return {short: tuple(offset for offset, _ in count.most_common()) for short, count in found.items()}


@cache
def _list_cities(code: str) -> tuple[tuple[str, str], ...]:
    """Return the cities that stand for zones, in a language and as the tz database writes them, the longest first."""
    known = {zone: zone.rpartition("/")[2].replace("_", " ") for zone in available_timezones() if "/" in zone}
    cities = {(city.casefold(), zone) for zone, city in known.items() if not zone.startswith(("Etc/", "US/"))}
    cities |= {(city.casefold(), zone) for zone, city in read_cldr()["cities"].get(code, {}).items()}
    return tuple(sorted(cities, key=lambda one: (-len(one[0]), one)))


def _find_city(key: str, code: str) -> tuple[tzinfo, ...]:
    for city, zone in _list_cities(code):
        stem = city[: max(_SHORTEST_STEM, len(city) - _STEM_LEFT)]
        if key.replace("-", " ").startswith(stem.replace("-", " ")):
            return (ZoneInfo(zone),)
    return ()
