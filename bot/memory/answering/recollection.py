"""Answers what somebody told at a time, whatever it was about: "what did I tell you yesterday?".

The words of such a question name nothing that was said, so that no search finds its answer: everything of that time is
it, in the order in which it was said, without what holds no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

from dateutil.relativedelta import relativedelta

from bot.memory.answering.changes import find_changes
from bot.memory.answering.evidence import Evidence, find_aliases, list_statements, list_utterances
from bot.memory.answering.phrasing import format_lines
from bot.memory.concepts import mend_opening
from bot.memory.items import Channel, Recalled, Trust
from bot.memory.learning.speech_acts import strip_greeting
from bot.memory.patterns import bound_repetitions
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
    held = [piece for place, piece in enumerate(pieces) if place not in changes or not changes[place].sure]
    if not held:
        return phrases.told_nothing, ()
    shown = held[-1:] if asked.newest else held[-_MOST:]
    text = format_lines(shown, now, phrases)
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
) -> Recalled:
    """Return what somebody said in an exchange as a memory that was found by a ``signal``."""
    return Recalled(
        f"turn:{exchange}:user",
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
