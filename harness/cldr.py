"""Picks out of CLDR what Mneme reads of it: ``python -m harness.cldr`` writes ``language/cldr.json`` anew.

After a language is added, and for a newer CLDR: its data come with Babel, 37 MB that nobody needs who only runs Mneme.
"""

import json
import pickle
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from babel import Locale, localedata
from babel.core import get_global
from babel.plural import PluralRule, to_gettext

from language import cldr
from language.cldr import Span, split_words
from language.registry import languages

Data = Mapping[str, Any]  # Any: one locale's data, as Babel stores it

_DAY: Final = 86_400
_HALVES: Final = {"am": (0, _DAY // 2), "pm": (_DAY // 2, _DAY)}
_WIDTHS: Final = ("abbreviated", "wide")
_QUOTED: Final = re.compile(r"'([^']+)'")
_MARKS: Final = re.compile("[\u061c\u200e\u200f]")
_DATE: Final = re.compile(
    r"(?P<a>[dMy]{1,4}+)\s{0,4}+(?P<sign>[./-])\s{0,4}+(?P<b>[dMy]{1,4}+)\s{0,4}+[./-]?\s{0,4}+(?P<c>[dMy]{1,4}+)"
    r"\s{0,4}+(?P<last>\W?)\W{0,8}+"
)
_FIELDS: Final = re.compile(r"'[^']*'|[A-Za-z]")
"""What is no word in a pattern: fields are ASCII letters, other letters need no quotes."""
_CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")
_PATTERNS: Final = ("date_formats", "time_formats", "datetime_skeletons")
_PREFERRED: Final = {
    "America_Pacific": "America/Los_Angeles",
    "America_Mountain": "America/Denver",
    "America_Central": "America/Chicago",
    "America_Eastern": "America/New_York",
}


def collect() -> dict[str, object]:
    """Return all that :mod:`language.cldr` gives, as JSON holds it."""
    every = [Locale.parse(name) for name in localedata.locale_identifiers() if "_" not in name]
    spoken = {code: Locale.parse(code) for code in (*(each.code for each in languages()), "en_GB", "en_AU")}
    return {
        "licence": Path(localedata.__file__).with_name("locale-data").joinpath("LICENSE.unicode").read_text("utf-8"),
        "plurals": {str(each): _describe_plurals(each.plural_form) for each in every},
        "names": {
            str(each): [*each.days["format"]["wide"].values(), *each.months["format"]["wide"].values()]
            for each in every
        },
        "month_first": dict(_list_month_orders()),
        "abbreviations": {code: _list_abbreviations(locale) for code, locale in spoken.items()},
        "cities": {
            code: {str(zone): str(city) for zone, names in locale.time_zones.items() if (city := names.get("city"))}
            for code, locale in spoken.items()
            if "_" not in code
        },
        **_collect_stamps(),
    }


def _describe_plurals(rule: PluralRule) -> tuple[str, list[str]]:
    """Return what gives the place of a whole number's category, as gettext writes it, and the categories."""
    expression = to_gettext(rule).partition("plural=")[2].rstrip(";")
    return re.sub(r"\be\b", "0", expression), [one for one in _CATEGORIES if one in {*rule.tags, "other"}]


def _list_month_orders() -> Iterator[tuple[str, bool]]:
    for zone, territory in get_global("zone_territories").items():
        if get_global("territory_languages").get(territory, {}).get("en", {}).get("official_status"):
            pattern = Locale("en", territory).date_formats["short"].pattern.casefold()
            yield zone, pattern.index("m") < pattern.index("d")


def _list_abbreviations(locale: Locale) -> dict[str, str]:
    zones: dict[str, str] = {}
    for zone, meta in get_global("meta_zones").items():
        if zone.partition("/")[0] in (meta.partition("_")[0], "Australia", "Pacific"):
            zones.setdefault(meta, zone)
    zones |= _PREFERRED
    return {
        short.casefold(): zones[meta]
        for meta, names in locale.meta_zones.items()
        for short in dict(names.get("short", {})).values()
        if short.isalpha() and meta in zones
    }


def _collect_stamps() -> dict[str, object]:
    """Return the words of dates and times of day in every language, and the orders of short dates."""
    spans: dict[str, dict[str, Span]] = {}
    fillers: set[str] = set()
    orders: set[tuple[str, bool, str, bool]] = set()
    for name in localedata.locale_identifiers():
        data: Data = pickle.loads(Path(localedata.resolve_locale_filename(name)).read_bytes())  # noqa: S301 - Babel's own
        for word, span in _list_spans(data):
            spans.setdefault(word, {}).setdefault(name.partition("_")[0], span)
        for pattern in (each for kind in _PATTERNS for each in (data.get(kind) or {}).values()):
            told = str(getattr(pattern, "pattern", pattern))
            fillers.update(split_words(" ".join([*_QUOTED.findall(told), _FIELDS.sub(" ", told)])))
        short = (data.get("date_formats") or {}).get("short")
        if found := _DATE.fullmatch(_QUOTED.sub("", _MARKS.sub("", str(getattr(short, "pattern", short))))):
            order = "".join(numbers[0].lower() for numbers in found.group("a", "b", "c"))
            orders.add((found["sign"], found["last"] == found["sign"], order, "yy" in found.group("a", "b", "c")))
    return {"spans": spans, "fillers": sorted(fillers), "orders": sorted(orders)}


def _list_spans(data: Data) -> Iterator[tuple[str, Span]]:
    """Yield the words for parts of the day: for halves first, which other parts may share a word with."""
    named = [
        (kind, "".join(split_words(word)))
        for use in (data.get("day_periods") or {}).values()
        for width in _WIDTHS
        if isinstance(found := use.get(width), Mapping)
        for kind, word in found.items()
    ]
    rules = (data.get("day_period_rules") or {}).get(None) or {}
    for kind, word in named:
        if kind in _HALVES and word:
            yield word, _HALVES[kind]
    for kind, word in named:
        for rule in rules.get(kind, ()) if word else ():
            begin = rule.get("from", rule.get("at", 0))
            yield word, (begin, rule.get("before", begin + 3600))


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in collect().items()]
    cldr.DATA.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
