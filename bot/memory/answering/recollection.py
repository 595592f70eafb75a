"""Answers what somebody told at a time, whatever it was about: "what did I tell you yesterday?".

The words of such a question name nothing that was said, so that no search finds its answer: everything of that time is
it, in the order in which it was said, without what holds no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, Literal

from dateutil.relativedelta import relativedelta

from bot.memory.answering.changes import find_changes, put_behind_news
from bot.memory.answering.evidence import Evidence, find_aliases
from bot.memory.answering.phrasing import format_lines
from bot.memory.answering.utterances import list_statements, list_utterances
from bot.memory.concepts import mend_opening
from bot.memory.items import Channel, Recalled, Trust, name_words
from bot.memory.learning.speech_acts import strip_greeting
from bot.memory.patterns import bound_repetitions, compile_bounded
from bot.memory.speakers import Reader
from language import Language, alternatives, languages
from language.patterns import compile_at_use
from language.texts import AnswerPhrases

_LONGEST: Final = 120
_MOST: Final = 12
"""Sentences of a list that a person reads in a chat."""
THEN: Final = "then"
"""Name of the signal that something was said in the time that was asked about."""


@dataclass(frozen=True, slots=True)
class ToldThen:
    """A question for what was told from ``start`` on and before ``end``; ``newest`` asks for the last thing alone."""

    start: datetime
    end: datetime
    newest: bool = False


def find_told_then(message: str, now: datetime, read_day: Callable[[str], date | None]) -> ToldThen | None:
    """Return the time of which a message asks what was told, ``None`` if it asks anything else.

    ``read_day`` reads words that say nothing but a date.
    """
    plain = normalise_question(message)
    if any(_compile_last(language).fullmatch(plain) for language in languages()):
        return ToldThen(now - timedelta(days=36500), now + timedelta(days=1), newest=True)
    for language, when in match_with_time(message, "asks"):
        if (days := _read_days(when, language, now.date(), read_day)) is not None:
            start, end = (datetime.combine(day, time(), now.tzinfo) for day in days)
            return ToldThen(start, end)
    return None


def match_with_time(message: str, form: Literal["asks", "plans"]) -> Iterator[tuple[Language, str]]:
    """Yield the words of a time in a message that is such a question, with the language that it is asked in."""
    plain = normalise_question(message)
    for language in languages():
        for found in filter(None, (pattern.fullmatch(plain) for pattern in _compile(language, form))):
            yield language, found["when"].strip()


@lru_cache(maxsize=64)
def normalise_question(message: str) -> str:
    """Return a message as the patterns read it, "" where it is longer than any such question."""
    plain = strip_greeting(" ".join(message.split())).strip(" ?!.…")
    return mend_opening(plain) if len(plain) <= _LONGEST else ""


def tell_then(
    asked: ToldThen, said: Sequence[Recalled], reader: Reader, now: datetime, phrases: AnswerPhrases
) -> tuple[str, tuple[Recalled, ...]]:
    """Return the answer and the memories that it quotes; ``said`` is all of that time, oldest first."""
    spoken = tuple(each for each in list_utterances(tuple(said), reader) if each.mine)
    pieces = [Evidence(text, each) for each in spoken for text in list_statements(each)]
    changes = find_changes("", pieces, spoken, find_aliases(spoken))
    held, over = put_behind_news(pieces, changes)
    if not held:
        return phrases.told_nothing, ()
    newest = max((place for place in range(len(held)) if place not in over), default=0)
    shown = held[newest : newest + 1] if asked.newest else held[-_MOST:]
    text = format_lines(shown, now, phrases, replaced=[held[place] for place in over])
    if len(held) > _MOST and not asked.newest:
        text = f"{text}\n{phrases.told_more.format(count=len(held) - _MOST)}"
    return text, tuple({piece.source.memory.key: piece.source.memory for piece in shown}.values())


def recall_said(
    exchange: str,
    text: str,
    author_id: int,
    author: str,
    said_at: datetime,
    *,
    trust: Trust = Trust.FILE,
    before: str = "",
    signal: str = THEN,
    changing: Mapping[str, float] = MappingProxyType({}),
) -> Recalled:
    """Return what somebody said in an exchange as a memory that was found by a ``signal``."""
    return Recalled(
        name_words(exchange),
        text,
        Channel.TURN,
        1.0,
        author,
        author_id,
        role="user",
        said_at=said_at,
        exchange=exchange,
        signals=MappingProxyType({signal: 1.0}),
        trust=trust,
        before=before,
        changing=changing,
    )


@cache
def _compile(language: Language, form: Literal["asks", "plans"]) -> tuple[re.Pattern[str], ...]:
    when = r"(?P<when>\S.{0,40}?)"
    return tuple(
        compile_at_use(bound_repetitions(each).replace("{when}", when), re.IGNORECASE)
        for each in getattr(language.told, form)
    )


@cache
def _compile_last(language: Language) -> re.Pattern[str]:
    return compile_at_use(bound_repetitions(alternatives((language.told.last,))), re.IGNORECASE)


def _read_days(
    when: str, language: Language, today: date, read_day: Callable[[str], date | None]
) -> tuple[date, date] | None:
    """Return the first day of a time, and the first after it."""
    if (span := read_span(when, language, today)) is not None:
        return span
    named = (
        _read_named(found, each, today) for found, each, rest in _list_times(when) if each is language and not rest
    )
    if " " in when and (days := next(filter(None, named), None)) is not None:  # "in June 2025"
        return days
    if (days_ago := _count_days_ago(when, language)) is not None:
        return _count_back(today, "day", days_ago)
    for place, weekday in enumerate(language.schedule.weekdays):
        pattern = language.told.weekday.replace("{weekday}", f"(?:{weekday})")
        if pattern and re.fullmatch(pattern, when, re.IGNORECASE):
            start = today - timedelta(days=(today.weekday() - place) % 7 or 7)
            return start, start + timedelta(days=1)
    day = read_day(when) if any(map(str.isdigit, when)) else None
    if day is None:
        return None
    start = day if day <= today else day - relativedelta(years=1)  # what was told is over
    return start, start + timedelta(days=1)


def read_span(when: str, language: Language, today: date) -> tuple[date, date] | None:
    """Return the first day of a time that has a name of its own ("last week"), and the first after it."""
    for pattern, (unit, ago) in language.told.spans.items():
        if re.fullmatch(alternatives((pattern,)), when, re.IGNORECASE):
            return _count_back(today, unit, ago)
    return None


@dataclass(frozen=True, slots=True)
class PastSpan:
    """The days of a question's time, from ``start`` on and before ``end``, and what else it says."""

    start: date
    end: date
    rest: str


def find_past_span(asked: str, today: date) -> PastSpan | None:
    """Return the time that a question names, and that has begun: "in October", "since Monday", "so far this year"."""
    for found, language, rest in _list_times(asked):
        days = _read_named(found, language, today)
        if days is not None and days[0] <= today:
            return PastSpan(*days, rest)
    return None


def find_year(asked: str, today: date) -> int:
    """Return the year that a question names, "next year" as well, 0 where it names none, or this one."""
    written = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", asked)
    units = ((span, ago) for each in languages() for span, (unit, ago) in each.told.spans.items() if unit == "year")
    named = (today.year - ago for span, ago in units if re.search(rf"(?<!\w)(?:{span})(?!\w)", asked, re.IGNORECASE))
    year = int(written[0]) if written else next(named, 0)
    return 0 if year == today.year else year


def turn_to_time(named: str, asked: str) -> str | None:
    """Return a question asked of the time that words ``named``, ``None`` where they name anything else.

    "And in November?" after "how much did I spend in October?".
    """
    if not any(not rest.strip(" ?!.,") for _, _, rest in _list_times(named)):
        return None
    return f"{next((rest for _, _, rest in _list_times(asked)), asked).rstrip(' ?!.')} {named.strip(' ?!.')}"


def _list_times(text: str) -> Iterator[tuple[re.Match[str], Language, str]]:
    """Yield the times that a text names, each with its language and the text without it."""
    for language in languages():
        for found in filter(None, (pattern.search(text) for pattern in _compile_spans(language))):
            yield found, language, " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())


@cache
def _compile_spans(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of times since which something is so, and of those that have a name or are in a month."""
    told = language.told
    ending = alternatives((language.calendar.day_ending or "(?!)", r"\."))
    of = rf"(?:{language.calendar.of}\s)?" if language.calendar.of else ""
    month = rf"(?:(?P<day>\d{{1,2}}){ending}?\s{of})?(?P<month>{alternatives(language.calendar.months)})"
    month = rf"{month}(?:\s(?P<year>(?:19|20)\d\d))?"
    named = alternatives((*told.spans, *told.whole, *language.schedule.weekdays))
    since = rf"(?<!\w)(?P<since>{told.since})\s(?:(?P<name>{named})|{month})(?!\w)"
    return tuple(  # type: ignore[return-value]  # of a generator no length is known
        compile_bounded(each, re.IGNORECASE)
        for each in (since, rf"(?<!\w)(?:(?P<name>{alternatives(told.spans)})|{told.in_month}{month})(?!\w)")
    )


def _read_named(found: re.Match[str], language: Language, today: date) -> tuple[date, date] | None:
    """Return the first day of a time, and the first after it, that is tomorrow where it is one since which it is so."""
    since = "since" in found.groupdict()
    after = today + timedelta(days=1)
    if (name := found["name"]) is not None:
        span = read_span(name, language, today)
        units = (unit for each, unit in language.told.whole.items() if re.fullmatch(each, name, re.IGNORECASE))
        span = span or next((_count_back(today, unit, 0) for unit in units), None)
        ago = next(
            (
                (today.weekday() - place) % 7 or 7
                for place, each in enumerate(language.schedule.weekdays)
                if re.fullmatch(each, name, re.IGNORECASE)
            ),
            0,
        )
        span = span or (today - timedelta(days=ago), after)
        return (span[0], after) if since else span
    months = enumerate(language.calendar.months, 1)
    month = next(place for place, each in months if re.search(rf"\b(?:{each})(?!\w)", found[0], re.IGNORECASE))
    year = int(found["year"] or today.year - (month > today.month))
    try:
        start = date(year, month, int(found["day"] or 1))
    except ValueError:  # the 31st of June
        return None
    end = start + (timedelta(days=1) if found["day"] else relativedelta(months=1))
    return start, after if since else end


def _count_days_ago(when: str, language: Language) -> int | None:
    """Return how many days ago "three days ago" is, ``None`` for any other time."""
    calendar = language.calendar
    count = rf"(?P<count>\d{{1,4}}|{alternatives(calendar.counts)})"
    pattern = calendar.ago.replace("{count}", count).replace("{unit}", f"(?P<unit>{alternatives(calendar.units)})")
    found = re.fullmatch(pattern, when.lower()) if pattern else None
    if found is None:
        return None
    said = found["count"] or ""
    number = int(said) if said.isdecimal() else calendar.counts.get(said, 1)
    return number * next(days for unit, days in calendar.units.items() if re.fullmatch(unit, found["unit"]))


def _count_back(today: date, unit: str, ago: int) -> tuple[date, date]:
    if unit == "day":
        start, length = today - timedelta(days=ago), relativedelta(days=1)
    elif unit == "week":
        start, length = today - timedelta(days=today.weekday() + 7 * ago), relativedelta(days=7)
    elif unit == "weekend":
        start, length = today - timedelta(days=today.weekday() - 5 + 7 * ago), relativedelta(days=2)
    elif unit == "year":
        start, length = today.replace(month=1, day=1) - relativedelta(years=ago), relativedelta(years=1)
    else:
        start, length = today.replace(day=1) - relativedelta(months=ago), relativedelta(months=1)
    return start, start + length
