"""The words of a language as compiled patterns: one list of what a time consists of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from language import languages
from language.language import Language

_ISO: Final = r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:[T ](?P<h>\d{2}):(?P<m>\d{2})(?::\d{2})?)?"
_DIGITS: Final = r"\d{1,4}"


class Kind(StrEnum):
    """What a part of a time says."""

    EVENT = "event"
    AFTER = "after"
    SPAN = "span"
    TIMER = "timer"
    LASTING = "lasting"
    GONE = "gone"
    DATE = "date"
    NUMERIC = "numeric"
    ISO = "iso"
    MONTH = "month"
    DAY = "day"
    DAY_PART = "day_part"
    WEEKDAY = "weekday"
    NEXT = "next"
    CLOCK = "clock"
    PART = "part"
    EVERY = "every"
    EVERY_NUMBER = "every_number"
    EVERY_PART = "every_part"
    EACH = "each"
    WORKDAYS = "workdays"
    WEEKENDS = "weekends"
    OF_MONTH = "of_month"
    DAY_OF_MONTH = "day_of_month"
    UNTIL = "until"
    TIMES = "times"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say a part; ``value`` is what the language's data say about it."""

    kind: Kind
    pattern: re.Pattern[str]
    value: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Patterns:
    """What a language knows of times."""

    code: str
    forms: tuple[Form, ...]
    amount: re.Pattern[str]
    units: tuple[tuple[re.Pattern[str], str], ...]
    weekdays: tuple[re.Pattern[str], ...]
    each_weekday: tuple[re.Pattern[str], ...]
    numbers: tuple[tuple[re.Pattern[str], int], ...]
    """Numbers and ordinals in words."""
    lead: re.Pattern[str]
    asks: re.Pattern[str]
    """The same words wherever they stand."""
    repeating: re.Pattern[str]
    wakes: re.Pattern[str]
    polite: re.Pattern[str]
    whom: re.Pattern[str]
    timers: re.Pattern[str]
    tail: re.Pattern[str]
    told: re.Pattern[str]
    links: re.Pattern[str]
    courtesies: re.Pattern[str]
    fillers: re.Pattern[str]
    compounds: re.Pattern[str]
    months: tuple[re.Pattern[str], ...]
    twelve_hours: bool


@cache
def list_patterns() -> tuple[Patterns, ...]:
    """Return the patterns of every language that has words for times."""
    return tuple(_compile(each) for each in languages() if each.schedule.units)


def _compile(language: Language) -> Patterns:
    words, calendar = language.schedule, language.calendar
    number_words = _any(words.numbers)
    hours = rf"(?:\d{{1,2}}|{number_words})"
    number = rf"(?:{_DIGITS}|{_any((*words.numbers, words.articles))})"
    units = _any(words.units)
    ordinal = _any(words.ordinals)
    day = rf"(?P<d>[0-3]?\d)(?:{words.ordinal_ending or '(?!)'})?|(?P<dw>{ordinal})"
    join = rf"(?:,? (?:{words.joins or '(?!)'}) |,? ?)"
    single = rf"(?:(?:{number}) ?)?{units}" if words.bare_units else rf"(?:{number}) ?{units}"
    amount = rf"{single}\b(?:{join}{single}\b)?"
    weekday = _any(words.weekdays)
    on, months, of = rf"(?:(?:{words.on or '(?!)'}) )?", _any(calendar.months), calendar.of
    year = rf"(?:,? (?P<year>\d{{4}})(?: (?:{calendar.year_word or '(?!)'}))?\b)?"
    ending = rf"(?:{calendar.day_ending or '(?!)'})?"
    named = rf"{on}(?P<day>[0-3]?\d){ending} ?(?:{of or '(?!)'})? ?(?P<month>{months})\b\.?{year}"
    month_named = rf"{on}(?:the )?(?P<month>{months})\b\.? (?P<day>[0-3]?\d){ending}(?!\d|[:.]\d){year}"
    numeric = (
        rf"{on}(?P<numeric>[0-3]?\d\.[01]?\d\.(?:\d{{4}}|\d{{2}})?|[0-3]?\d\.[01]\d(?!\d|\.)|"
        r"[0-3]?\d/[0-3]?\d(?:/(?:\d{4}|\d{2}))?)(?!\d)"
    )
    alone = {
        "n": number,
        "h": hours,
        "o": _any(words.ordinal_hours),
        "d": f"(?:{day})",
        "D": rf"(?P<D>[0-3]?\d)(?:{words.ordinal_ending or '(?!)'})",
        "unit": units,
        "amount": rf"(?P<amount>{amount})",
        "weekday": weekday,
    }

    def fill(pattern: str) -> str:
        return re.sub(r"\{(n|h|o|d|D|unit|amount|weekday)\}", lambda found: alone[found[1]], pattern)

    counted = {**alone, "n": f"(?P<n>{number})", "unit": f"(?P<unit>{units})"}

    def count(pattern: str) -> str:
        return re.sub(r"\{(n|unit)\}", lambda found: counted[found[1]], pattern)

    before_day = rf"(?:(?:(?P<following>{words.following or '(?!)'})|{_any((words.coming, words.on))}) )*"
    listed = rf"(?:,? (?:{words.joins or '(?!)'}) |, ?|/)"
    several = rf"{weekday}\b(?:{listed}(?:{_any((words.on, words.each))} )?{weekday}\b)*"
    each = _any(words.each_weekday)
    eachs = rf"(?:{_any((words.on,))} )?{each}\b(?:{listed}(?:{each}|{weekday})\b)*"
    made: list[tuple[Kind, str, tuple[str | int, ...]]] = [(Kind.EVENT, fill(words.before), ())]
    made += [(Kind.AFTER, fill(each_after), ()) for each_after in words.after]
    made += [(Kind.SPAN, pattern, (minutes,)) for pattern, minutes in words.spans.items()]
    made += [(Kind.TIMER, fill(words.timer), ()), (Kind.LASTING, fill(words.lasting), ())]
    made += [(Kind.ISO, f"{on}{_ISO}", ()), (Kind.GONE, fill(words.gone), ())]
    made += [(Kind.DATE, named, ()), (Kind.DATE, month_named, ())] if calendar.months else []
    made += [(Kind.NUMERIC, numeric, ())]
    made += [(Kind.MONTH, rf"(?P<month>{months})\b{year}", ())] if calendar.months else []
    made += [(Kind.DAY, on_day(words.on, pattern), (offset,)) for pattern, offset in words.days.items()]
    made += [(Kind.DAY_PART, pattern, value) for pattern, value in words.day_parts.items()]
    made += [(Kind.WEEKDAY, rf"{before_day}(?P<weekday>{weekday})", ())]
    made += [(Kind.NEXT, pattern, value) for pattern, value in words.next_units.items()]
    made += [(Kind.CLOCK, fill(pattern), ()) for pattern in words.clocks]
    made += [(Kind.PART, pattern, (value,)) for pattern, value in words.parts.items()]
    made += [(Kind.EVERY, pattern, value) for pattern, value in words.every.items()]
    made += [(Kind.EVERY_NUMBER, count(pattern), ()) for pattern in words.every_number]
    made += [(Kind.EVERY_PART, pattern, (value,)) for pattern, value in words.every_part.items()]
    made += (
        [(Kind.EACH, rf"(?:(?:{words.on or '(?!)'}) )?(?:{words.each}) (?P<weekdays>{several})", ())]
        if words.each
        else []
    )
    made += [(Kind.EACH, rf"(?P<weekdays>{eachs})", ())] if words.each_weekday else []
    made += [(Kind.WORKDAYS, words.workdays, ()), (Kind.WEEKENDS, words.weekends, ())]
    made += [(Kind.OF_MONTH, fill(pattern), ()) for pattern in words.of_month]
    made += [(Kind.DAY_OF_MONTH, fill(words.day_of_month), ())]
    made += [(Kind.UNTIL, words.until, ()), (Kind.TIMES, count(words.times), ())]
    return Patterns(
        language.code,
        tuple(Form(kind, _whole(pattern), value) for kind, pattern, value in made if pattern),
        re.compile(rf"(?:(?P<n>{number}) ?)?(?P<unit>{units})(?!\w)", re.IGNORECASE),
        tuple((_exact(pattern), unit) for pattern, unit in words.units.items()),
        tuple(map(_exact, words.weekdays)),
        tuple(map(_exact, words.each_weekday)),
        tuple(
            (_exact(pattern), value)
            for pattern, value in (
                *words.numbers.items(),
                *words.ordinals.items(),
                *words.ordinal_hours.items(),
                (words.articles or "(?!)", 1),
            )
        ),
        re.compile(rf"{language.reminders.polite}(?P<asked>{words.lead or '(?!)'})(?!\w)", re.IGNORECASE),
        _whole(words.lead or "(?!)"),
        _whole(words.repeating or "(?!)"),
        _whole(words.wakes or "(?!)"),
        re.compile(language.reminders.polite, re.IGNORECASE),
        _whole(words.whom or "(?!)"),
        _whole(words.timers or "(?!)"),
        _whole(words.tail or "(?!)"),
        _whole(words.told or "(?!)"),
        re.compile(rf"(?:(?:{words.links or '(?!)'})(?!\w)|[\s,;:.–—-])+", re.IGNORECASE),
        re.compile(rf"(?:[\s,;.!?–—-]+(?:{words.courtesies or '(?!)'})(?!\w))*[\s,;.!?–—-]*$", re.IGNORECASE),
        re.compile(rf"(?:[\s,;]|(?:{words.fillers or '(?!)'})(?!\w))*", re.IGNORECASE),
        re.compile(words.compounds or "(?!)", re.IGNORECASE),
        tuple(map(_exact, calendar.months)),
        words.twelve_hours,
    )


def on_day(on: str, pattern: str) -> str:
    """Return the pattern of a day, with what may stand before it."""
    return rf"(?:(?:{on or '(?!)'}) )?(?:{pattern})"


def _any(patterns: Iterable[str]) -> str:
    given = [pattern for pattern in patterns if pattern]
    return f"(?:{'|'.join(given)})" if given else "(?!)"


def _whole(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of whole words; a space in it stands for any white space."""
    return re.compile(rf"(?<![\w.:/])(?:{pattern})(?![\w/])", re.IGNORECASE)


def _exact(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})\b", re.IGNORECASE)
