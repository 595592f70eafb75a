"""The time, the date, what day another date is, and how many days lie between."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Final

from dateutil.relativedelta import relativedelta

from bot.memory.patterns import bound_repetitions
from language import Language, alternatives

_YEAR: Final = re.compile(r"(.*?)(?:,? ((?:19|20)\d\d))?", re.DOTALL)
_DATE: Final = r"(?P<date>\S.{0,40}?)"


class Asked(StrEnum):
    """What is asked of the calendar or the clock."""

    TIME = "time"
    TODAY = "today"
    DAY_OF = "day of"
    YEAR = "year"
    WEEK = "week"
    DAYS_SINCE = "days since"
    DAYS_UNTIL = "days until"


@dataclass(frozen=True, slots=True)
class CalendarQuestion:
    """A question to the calendar; ``day`` is the date that it names."""

    asked: Asked
    day: date | None = None


def find_question(
    sentence: str, language: Language, today: date, read_day: Callable[[str], date | None]
) -> CalendarQuestion | None:
    """Return what a sentence without its mark and courtesies asks in a language, ``None`` for anything else.

    ``read_day`` reads words that say nothing but a day.
    """
    for asked, patterns in _compile(language):
        for pattern in patterns:
            found = pattern.fullmatch(sentence)
            if found is None:
                continue
            if "date" not in pattern.groupindex:
                return CalendarQuestion(asked)
            words = found["date"]
            first, _, rest = words.partition(" ")
            bare = rest if first.casefold() in language.learning.articles else words
            day = _find_named(bare, language, today) or read_day(words) or (read_day(bare) if bare != words else None)
            if day is not None:
                over = asked is Asked.DAYS_SINCE and day > today and not re.search(r"\d{4}", found["date"])
                return CalendarQuestion(asked, day - relativedelta(years=1) if over else day)
    return None


@cache
def _compile(language: Language) -> tuple[tuple[Asked, tuple[re.Pattern[str], ...]], ...]:
    words = language.abilities
    sources = (
        (Asked.TIME, (words.time,)),
        (Asked.TODAY, (words.today,)),
        (Asked.YEAR, (words.year,)),
        (Asked.WEEK, (words.week,)),
        (Asked.DAYS_SINCE, words.days_since),
        (Asked.DAYS_UNTIL, words.days_until),
        (Asked.DAY_OF, words.day_of),
    )
    return tuple((asked, tuple(_compile_one(source) for source in given if source)) for asked, given in sources)


def _compile_one(source: str) -> re.Pattern[str]:
    return re.compile(bound_repetitions(source).replace("{date}", _DATE), re.IGNORECASE)


def _find_named(words: str, language: Language, today: date) -> date | None:
    """Return the next day of a name, or that of a year: "Christmas", "Christmas 2027"."""
    told = _YEAR.fullmatch(words.strip(" ,"))
    name, year = told.groups() if told else (words, "")
    for pattern, (month, day) in language.abilities.named_days.items():
        if re.fullmatch(alternatives((pattern,)), name, re.IGNORECASE):
            if year:
                return date(int(year), month, day)
            named = today.replace(month=month, day=day)
            return named if named >= today else named + relativedelta(years=1)
    return None
