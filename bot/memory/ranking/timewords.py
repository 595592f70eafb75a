"""Time in questions and passages: which days a question is about, and whether a passage says when.

A date in a question becomes a soft bonus for what was said near it, never a filter: people tell of things some days
after they happened, and misremember dates.
The patterns are of small letters and are given small letters: ignoring case takes ``re`` three times as long.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from bot.memory.ranking.calendar_words import (
    DAYS_AGO,
    ENGLISH_WEEKDAYS,
    GERMAN_WEEKDAYS,
    MONTHS,
    RUSSIAN_MONTHS,
    RUSSIAN_WEEKDAYS,
)

_Named = TypeVar("_Named")
_DAY_S: Final = 86400.0
_MONTH_NAMES: Final = "|".join(sorted((name for name in MONTHS if name != "may"), key=len, reverse=True))
_RUSSIAN_MONTH: Final = "|".join(f"{stem}(?:[ьяеу]|ем|ём|[аы])?" for stem in RUSSIAN_MONTHS if stem != "ма")
_MONTH: Final = rf"(?:{_MONTH_NAMES}|(?<=\bin )may|(?<=\bof )may|(?<=\d )may|may(?= \d)|{_RUSSIAN_MONTH}|ма[йяе])"
_DATE: Final = re.compile(
    rf"(?:\b(?P<before>\d{{1,2}})(?:st|nd|rd|th|-?го|\.)?\s+(?:of\s+)?)?\b(?P<month>{_MONTH})\b"
    rf"(?:\s+(?P<after>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d))?",
)
_YEAR: Final = re.compile(r"\b((?:19|20)\d\d)\b")
_ISO: Final = re.compile(r"\b(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DOTTED: Final = re.compile(r"\b(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>20\d\d)\b")
_AGO: Final = re.compile(
    r"\b(?P<count>\d{1,9}|a|an|one|two|three|four|five|six|seven)\s+(?P<unit>day|week|month|year)s?\s+ago\b"
)
_COUNTS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_UNIT_DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
_RELATIVE: Final = re.compile(
    r"\b(?:" + "|".join(sorted((re.escape(text) for text in DAYS_AGO), key=len, reverse=True)) + r")\b"
)

_SAYS_WHEN: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn)|"
    rf"last {ENGLISH_WEEKDAYS}|next (?:week|weekend|month|year|summer|{ENGLISH_WEEKDAYS})|"
    r"(?:this|past|few|couple of|two|three|four|five|\d+) (?:week|weekend|month|year|day|summer)s?|ago|"
    rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_MONTH}|(?:19|20)\d\d|"
    r"вчера|сегодня|завтра|позавчера|послезавтра|назад|"
    r"(?:прошл|следующ|эт)\w+ (?:недел|месяц|год|лет|зим|весн|осен|выходн)\w*|"
    rf"{RUSSIAN_WEEKDAYS}|gestern|heute|morgen abend|vorgestern|übermorgen|vor (?:\w+ )?(?:tag|woche|monat|jahr)\w*|"
    rf"(?:letzt|nächst|diese)\w* (?:woche|wochenende|monat|jahr|sommer|winter)|{GERMAN_WEEKDAYS})\b",
)
_VAGUELY: Final = re.compile(
    r"\b(?:just|already|finally|lately|recently|upcoming|soon|since|недавно|скоро|уже|наконец|kürzlich|bald|neulich|"
    r"endlich)\b",
)

_EARLY_DAYS: Final = 4.0
_LATE_DAYS: Final = 10.0
_LATE_DAYS_OF_A_YEAR: Final = 100.0


_MOST_NAMED: Final = 32
"""Days, and years, that count in a question: one that names more is a list, and every one costs a look at all that is
stored."""


@dataclass(frozen=True, slots=True)
class Days:
    """Days that a question names, UTC, both ends included; ``fade`` is how slowly the bonus fades after them."""

    start: datetime
    end: datetime
    fade: float = _LATE_DAYS


def says_when(text: str) -> tuple[bool, bool]:
    """Return whether the text says when ("last week", a month, a year), and whether at least roughly ("recently")."""
    small = text.lower()
    exactly = bool(_SAYS_WHEN.search(small))
    return exactly, exactly or bool(_VAGUELY.search(small))


def days_asked(question: str, now: datetime, first: datetime, last: datetime) -> tuple[Days, ...]:
    """Return the spans of days that a question names.

    A month without a year stands for that month of every year between ``first`` and ``last``, the times of the oldest
    and newest message; relative expressions count back from ``now``.
    """
    question = question.lower()
    exact = (_day(match) for pattern in (_ISO, _DOTTED) for match in pattern.finditer(question))
    spans = _first(Days(day, day) for day in exact if day is not None)
    if not spans:
        years = _first(int(year) for year in _YEAR.findall(question))
        named = _first((match["month"], match["before"] or match["after"]) for match in _DATE.finditer(question))
        dated = (_named(*date, year) for date in named for year in years or _years(first, last))
        spans = _first(span for span in dated if span is not None)
        spans += () if named else tuple(_year(year) for year in years)
    return spans + _first(_relative(question, now))


def date_bonus(said_at: npt.NDArray[np.float64], spans: tuple[Days, ...]) -> npt.NDArray[np.float32]:
    """Return 0..1 per time (seconds since 1970): 1 inside a span, fading over days before and after it."""
    bonus = np.zeros(len(said_at), dtype=np.float32)
    for span in spans:
        before = (span.start.timestamp() - said_at) / _DAY_S
        after = (said_at - span.end.timestamp()) / _DAY_S - 1
        fade = np.where(before > 0, np.exp(-np.maximum(before, 0) / _EARLY_DAYS), 1.0)
        fade *= np.where(after > 0, np.exp(-np.maximum(after, 0) / span.fade), 1.0)
        np.maximum(bonus, fade.astype(np.float32), out=bonus)
    return bonus


def _first(named: Iterable[_Named]) -> tuple[_Named, ...]:
    """Return the first of what a question names, each once."""
    return tuple(itertools.islice(dict.fromkeys(named), _MOST_NAMED))


def _years(first: datetime, last: datetime) -> range:
    return range(max(first.year, last.year - 20), last.year + 1)


def _year(year: int) -> Days:
    return Days(datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC), _LATE_DAYS_OF_A_YEAR)


def _named(name: str, day: str | None, year: int) -> Days | None:
    month = _month_number(name)
    start = datetime(year, month, 1, tzinfo=UTC)
    following = (start + timedelta(days=32)).replace(day=1)
    if day is None:
        return Days(start, following - timedelta(days=1))
    exact = start + timedelta(days=int(day) - 1)
    return Days(exact, exact) if int(day) > 0 and exact < following else None


def _month_number(name: str) -> int:
    known = MONTHS.get(name)
    if known is not None:
        return known
    return max((len(stem), place) for place, stem in enumerate(RUSSIAN_MONTHS, 1) if name.startswith(stem))[1]


def _day(match: re.Match[str]) -> datetime | None:
    try:
        return datetime(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=UTC)
    except ValueError:  # 31.02.2024: not a date, so it names no day
        return None


def _relative(question: str, now: datetime) -> Iterator[Days]:
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    spans = [DAYS_AGO[match.group()] for match in _RELATIVE.finditer(question)]
    for match in _AGO.finditer(question):
        count = match["count"]
        number = _COUNTS.get(count) or min(int(count), 36_500)
        days = min(number * _UNIT_DAYS[match["unit"]], 36_500)
        spans.append((days + days // 4, days - days // 4))
    return (Days(today - timedelta(days=begin), today - timedelta(days=end)) for begin, end in spans)
