"""Time zones by the names that people use: of CLDR (through Babel), of the tz database, of their cities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

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
    if key in {_name_at(now.tzinfo, now, days).casefold() for days in (0, 182)} and now.tzinfo is not None:
        return (now.tzinfo,)
    for language in dict.fromkeys((code, "en", "en_GB", "en_AU")):
        if (meta := _list_abbreviations(language).get(key)) is not None:
            return (ZoneInfo(meta),)
    offsets = _list_tz_names(now.year).get(key, ())
    return tuple(timezone(offset) for offset in offsets)


def _name_at(zone: tzinfo | None, now: datetime, days: int) -> str:
    return (zone.tzname((now + timedelta(days=days)).replace(tzinfo=None)) or "") if zone is not None else ""


@cache
def _list_abbreviations(language: str) -> Mapping[str, str]:
    """Return CLDR's abbreviations of a language → a zone that they are said in."""
    from babel import Locale  # noqa: PLC0415 - a tenth of a second, for those who name a zone
    from babel.core import get_global  # noqa: PLC0415 - as above

    zones: dict[str, str] = {}
    for zone, meta in get_global("meta_zones").items():
        if zone.partition("/")[0] in (meta.partition("_")[0], "Australia", "Pacific"):
            zones.setdefault(meta, zone)
    preferred = {"America_Pacific": "America/Los_Angeles", "America_Mountain": "America/Denver"}
    zones |= {**preferred, "America_Central": "America/Chicago", "America_Eastern": "America/New_York"}
    names = Locale.parse(language).meta_zones
    return {
        short.casefold(): zones[meta]
        for meta in names
        for short in dict(names[meta].get("short", {})).values()
        if short.isalpha() and meta in zones
    }


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
    from babel import Locale  # noqa: PLC0415 - as above

    known = {zone: zone.rpartition("/")[2].replace("_", " ") for zone in available_timezones() if "/" in zone}
    names = Locale.parse(code).time_zones
    cities = {(city.casefold(), zone) for zone, city in known.items() if not zone.startswith(("Etc/", "US/"))}
    cities |= {(str(dict(names[zone])["city"]).casefold(), str(zone)) for zone in names if "city" in dict(names[zone])}
    return tuple(sorted(cities, key=lambda one: (-len(one[0]), one)))


def _find_city(key: str, code: str) -> tuple[tzinfo, ...]:
    for city, zone in _list_cities(code):
        stem = city[: max(_SHORTEST_STEM, len(city) - _STEM_LEFT)]
        if key.replace("-", " ").startswith(stem.replace("-", " ")):
            return (ZoneInfo(zone),)
    return ()
