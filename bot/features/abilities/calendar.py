"""What is asked of the clock or the calendar: which day, how many days until it; and what sums are shown as."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Final

from dateutil.relativedelta import relativedelta

from bot.features.abilities.arithmetic import Sum
from bot.memory.learning.speech_acts import strip_greeting
from bot.memory.patterns import bound_repetitions, compile_bounded
from language import Language, alternatives, languages
from language.patterns import compile_at_use
from language.texts import Texts

_ENDS: Final = " ?!.…"
_YEAR: Final = compile_at_use(r"(.*?)(?:,? ((?:19|20)\d\d))?", re.DOTALL)
_DATE: Final = r"(?P<date>\S.{0,40}?)"
_THEN: Final = r"(?P<then>\S.{0,40})"
_PLACE: Final = r"(?P<place>[^\W\d_][^,;?!]{1,39})"


class Asked(StrEnum):
    """What is asked of the calendar or the clock."""

    TIME = "time"
    TIME_IN = "time in"
    TODAY = "today"
    DAY_OF = "day of"
    YEAR = "year"
    WEEK = "week"
    DAYS_SINCE = "days since"
    DAYS_UNTIL = "days until"
    DAYS_BETWEEN = "days between"


@dataclass(frozen=True, slots=True)
class CalendarQuestion:
    """A question to the calendar; ``day`` is the date that it names, ``then`` a second one, ``place`` the city."""

    asked: Asked
    day: date | None = None
    then: date | None = None
    place: str = ""


def find_question(
    sentence: str, language: Language, today: date, read_day: Callable[[str], date | None]
) -> CalendarQuestion | None:
    """Return what a sentence without its mark and courtesies asks in a language, ``None`` for anything else.

    ``read_day`` reads words that say nothing but a day.
    """

    def read(words: str) -> date | None:
        first, _, rest = words.partition(" ")
        bare = rest if first.casefold() in language.learning.articles else words
        named = _find_named(bare, language, today) or read_day(words)
        return named or (read_day(bare) if bare != words else None) or _read_shifted(words, language, read)

    for asked, patterns in _compile(language):
        for pattern in patterns:
            found = pattern.fullmatch(sentence)
            if found is None:
                continue
            if "date" not in pattern.groupindex:
                return CalendarQuestion(asked, place=found.groupdict().get("place", ""))
            day = read(found["date"])
            if day is not None and asked is Asked.DAYS_BETWEEN:
                then = read(found["then"])
                return None if then is None else CalendarQuestion(asked, *_put_in_order(day, then, found["date"]))
            if day is not None:
                over = asked is Asked.DAYS_SINCE and day > today and not _names_year(found["date"])
                return CalendarQuestion(asked, day - relativedelta(years=1) if over else day)
    shifted = _read_shifted(sentence, language, read)
    return None if shifted is None else CalendarQuestion(Asked.DAY_OF, shifted)


def _names_year(words: str) -> bool:
    return re.search(r"\d{4}", words) is not None


def _put_in_order(first: date, last: date, named: str) -> tuple[date, date]:
    """Return two days, of which each is the next of its date, so that the first is before the last.

    The first is of the year before where it was ``named`` without a year.
    """
    over = first > last and not _names_year(named)
    first = first - relativedelta(years=1) if over else first
    return min(first, last), max(first, last)


def _read_shifted(words: str, language: Language, read: Callable[[str], date | None]) -> date | None:
    """Return the day that lies a span after or before another, which ``read`` tells: "3 weeks before Christmas"."""
    for pattern, sign in _compile_shifts(language):
        found = pattern.fullmatch(words) if any(map(str.isdecimal, words)) else None
        day = read(found["date"]) if found is not None else None
        if found is not None and day is not None:
            spans = language.abilities.spans.items()
            span = next(name for form, name in spans if re.fullmatch(form, found["span"], re.IGNORECASE))
            try:
                shifted: date = day + relativedelta(**{span: sign * int(found["count"])})
            except (OverflowError, ValueError):  # no calendar goes that far
                return None
            return shifted
    return None


@cache
def _compile_shifts(language: Language) -> tuple[tuple[re.Pattern[str], int], ...]:
    span = rf"(?P<count>\d{{1,4}}) (?P<span>{alternatives(language.abilities.spans)})"
    return tuple(
        (_compile_one(source.replace("{spans}", span)), sign) for source, sign in language.abilities.shifts.items()
    )


@cache
def _compile(language: Language) -> tuple[tuple[Asked, tuple[re.Pattern[str], ...]], ...]:
    words = language.abilities
    sources = (
        (Asked.TIME, (words.time,)),
        (Asked.TIME_IN, (words.time_in,)),
        (Asked.TODAY, (words.today,)),
        (Asked.YEAR, (words.year,)),
        (Asked.WEEK, (words.week,)),
        (Asked.DAYS_BETWEEN, words.days_between),
        (Asked.DAYS_SINCE, words.days_since),
        (Asked.DAYS_UNTIL, words.days_until),
        (Asked.DAY_OF, words.day_of),
    )
    return tuple((asked, tuple(_compile_one(source) for source in given if source)) for asked, given in sources)


def _compile_one(source: str) -> re.Pattern[str]:
    plain = bound_repetitions(source).replace("{then}", _THEN)
    return compile_at_use(plain.replace("{date}", _DATE).replace("{place}", _PLACE), re.IGNORECASE)


def _find_named(words: str, language: Language, today: date) -> date | None:
    """Return the day that "today" means, or the next one of a name, or that of a year: "Christmas 2027"."""
    for pattern, away in language.schedule.days.items():
        if re.fullmatch(alternatives((pattern,)), words, re.IGNORECASE):
            return today + timedelta(days=away)
    told = _YEAR.fullmatch(words.strip(" ,"))
    name, year = told.groups() if told else (words, "")
    for pattern, (month, day) in language.abilities.named_days.items():
        if re.fullmatch(alternatives((pattern,)), name, re.IGNORECASE):
            if year:
                return date(int(year), month, day)
            named = today.replace(month=month, day=day)
            return named if named >= today else named + relativedelta(years=1)
    return None


def read_plainly(sentence: str, first: str) -> tuple[list[tuple[Language, str, str]], bool]:
    """Return a sentence as each language reads it, the ``first`` before others, and whether it had a mark that asks.

    Each has it without its mark and courtesies, and without the words that say nothing in it: "then".
    """
    whole = strip_greeting(" ".join(sentence.split()))
    marked, plain = whole.rstrip(" !.…").endswith(("?", "=")), whole.strip(_ENDS)
    read = []
    for language in sorted(languages(), key=lambda each: each.code != first):
        begin, end = _compile_courtesies(language)
        said = end.sub("", begin.sub("", plain, count=1), count=1).strip(_ENDS)
        read.append((language, said, _compile_fillers(language).sub("", f" {said}").strip()))
    return read, marked


@cache
def _compile_courtesies(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    begins = rf"\A(?:{alternatives((language.abilities.polite,))}(?:[,:]? |[,:]|\Z)){{1,3}}"
    ends = rf"(?:,? {alternatives((language.abilities.ending,))}){{1,2}}\Z"
    return compile_bounded(begins, re.IGNORECASE), compile_bounded(ends, re.IGNORECASE)


@cache
def _compile_fillers(language: Language) -> re.Pattern[str]:
    return compile_bounded(rf",? {alternatives((language.abilities.fillers or '(?!)',))}(?=[ ,]|\Z)", re.IGNORECASE)


def tell_day(question: CalendarQuestion, now: datetime, texts: Texts) -> str:
    """Return the answer to a question to the calendar, in words."""
    words, named = texts.abilities, question.day or now.date()
    away = (named - now.date()).days
    weekday, day = texts.dates.weekdays[named.weekday()], texts.day(datetime.combine(named, now.timetz()))
    if question.asked is Asked.TIME:
        return words.time.format(time=f"{now:%H:%M}", weekday=weekday, day=day)
    if question.asked in (Asked.YEAR, Asked.WEEK):
        week = words.week.format(week=now.isocalendar().week, weekday=weekday, day=day)
        return week if question.asked is Asked.WEEK else words.year.format(year=now.year)
    if question.then is not None:
        then = texts.day(datetime.combine(question.then, now.timetz()))
        return words.between.format(count=(question.then - named).days, day=day, then=then)
    if question.asked is Asked.DAY_OF and away:
        return words.day.format(weekday=weekday, day=day)
    if not away:
        return words.today.format(weekday=weekday, day=day)
    return (words.until if away > 0 else words.since).format(count=abs(away), weekday=weekday, day=day)


def show_sum(made: Sum, texts: Texts) -> str:
    """Return a sum with what it makes."""
    words = texts.abilities
    return (words.sum if made.exact else words.rounded).format(sum=made.text, result=made.result)
