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
_DIGITS: Final = r"(?:\d{1,4} )?\d/\d(?: an?(?= ))?|\d{1,4}(?:[.,]\d{1,2}(?!\d)| ?[½¼¾])?|[½¼¾]"
_FRACTION: Final = re.compile(
    r"(?P<whole>\d{1,4}(?:\.\d{1,2})?)? ?(?:(?P<above>\d)/(?P<below>\d)(?: an?)?|(?P<sign>[½¼¾]))?"
)
_SIGNS: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_LEAST_STEM: Final = 6
_LONGEST_ENDING: Final = 3
_TENS: Final = 20
_ONES: Final = 10


class Kind(StrEnum):
    """What a part of a time says."""

    EARLIER = "earlier"
    DAYS_EARLIER = "days_earlier"
    EVENT = "event"
    AFTER = "after"
    TIMER = "timer"
    LASTING = "lasting"
    GONE = "gone"
    NTH = "nth"
    MONTH_END = "month_end"
    HOLIDAY = "holiday"
    DATE = "date"
    NUMERIC = "numeric"
    ISO = "iso"
    MONTH = "month"
    DAY = "day"
    DAY_PART = "day_part"
    WEEKDAY_AFTER = "weekday_after"
    WEEKDAY = "weekday"
    NEXT = "next"
    CLOCK = "clock"
    PART = "part"
    ZONE = "zone"
    EVERY = "every"
    EVERY_NUMBER = "every_number"
    EVERY_PART = "every_part"
    EACH_DATE = "each_date"
    EACH = "each"
    RANGE = "range"
    LIST = "list"
    SECOND = "second"
    WITHOUT = "without"
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
class RequestWords:
    """The words by which a language asks for a reminder, wherever they stand: ``asks``, or ``tail`` with ``whom``.

    ``imperative`` asks unless it stands behind what ``hinders``, ``orders`` in a clause without ``subjects``.
    """

    asks: re.Pattern[str]
    imperative: re.Pattern[str]
    hinders: re.Pattern[str]
    orders: re.Pattern[str]
    subjects: re.Pattern[str]
    tail: re.Pattern[str]
    whom: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Patterns:
    """What a language knows of times."""

    code: str
    forms: tuple[Form, ...]
    amount: re.Pattern[str]
    fractions: tuple[tuple[re.Pattern[str], int], ...]
    """Lengths of time that are no number with a unit, and their minutes."""
    long: re.Pattern[str]
    """A number of days or more."""
    units: tuple[tuple[re.Pattern[str], str], ...]
    weekdays: tuple[re.Pattern[str], ...]
    each_weekday: tuple[re.Pattern[str], ...]
    numbers: tuple[tuple[re.Pattern[str], int], ...]
    """Numbers and ordinals in words, articles last."""
    compound: re.Pattern[str]
    """A number of a ``ten`` and a ``one``."""
    nth: tuple[tuple[re.Pattern[str], int], ...]
    lead: re.Pattern[str]
    request: RequestWords
    repeating: re.Pattern[str]
    wakes: re.Pattern[str]
    polite: re.Pattern[str]
    timers: re.Pattern[str]
    told: re.Pattern[str]
    links: re.Pattern[str]
    courtesies: re.Pattern[str]
    fillers: re.Pattern[str]
    sounds: re.Pattern[str]
    relations: re.Pattern[str]
    each_time: re.Pattern[str]
    compounds: re.Pattern[str]
    months: tuple[re.Pattern[str], ...]
    weekend: re.Pattern[str]
    stems: tuple[str, ...]
    """What the words begin with that are known with a letter wrong."""
    twelve_hours: bool
    month_first: bool

    def read_number(self, written: str) -> float | None:
        """Return the number that digits, a fraction or words say; ``None`` for none."""
        written = written.strip().casefold().replace(",", ".")
        if written.isdecimal():
            return int(written)
        if found := _FRACTION.fullmatch(written):
            whole, above, below, sign = found["whole"], found["above"], found["below"], found["sign"]
            part = _SIGNS[sign] if sign else int(above) / max(int(below), 1) if above else 0
            return float(whole or 0) + part
        for pattern, value in self.numbers:
            if pattern.fullmatch(written):
                return value
        if found := self.compound.fullmatch(written):
            tens, ones = (self.read_number(found[name]) for name in ("ten", "one"))
            return None if tens is None or ones is None else tens + ones
        return None

    def is_misspelt(self, word: str) -> bool:
        """Whether a word is one of time but for one letter that is wrong, missing, twice or in another place."""
        word = word.casefold()
        return any(
            is_nearly(word[: len(stem) + more], stem)
            for stem in self.stems
            for more in (-1, 0, 1)
            if abs(len(word) - len(stem)) <= _LONGEST_ENDING
        )

    def is_number(self, word: str) -> bool:
        """Whether a word is a number, articles left out."""
        return any(pattern.fullmatch(word) for pattern, _ in self.numbers[:-1])


@cache
def list_requests() -> tuple[RequestWords, ...]:
    """Return the words of request of every language: what each message is looked through for."""
    return tuple(_compile_request(each) for each in languages() if each.schedule.units)


def _compile_request(language: Language) -> RequestWords:
    words = language.schedule
    return RequestWords(
        _whole(_any((words.lead, words.imperative))),
        _whole(words.imperative or "(?!)"),
        re.compile(rf"(?<![\w'’])(?:{words.hinders or '(?!)'})[\s,]*$", re.IGNORECASE),
        _whole(words.orders or "(?!)"),
        _whole(words.subjects or "(?!)"),
        _whole(words.tail or "(?!)"),
        _whole(words.whom or "(?!)"),
    )


@cache
def list_patterns() -> tuple[Patterns, ...]:
    """Return the patterns of every language that has words for times."""
    return tuple(_compile(each) for each in languages() if each.schedule.units)


def _compile(language: Language) -> Patterns:  # noqa: PLR0915 - a line per form
    words, calendar = language.schedule, language.calendar
    tens = _any(each for each, value in words.numbers.items() if value >= _TENS)
    ones = _any(each for each, value in words.numbers.items() if value < _ONES)
    compound = words.compound_number.format(ten=f"(?:{tens})", one=f"(?:{ones})") or "(?!)"
    number_words = _any((compound, *words.numbers))
    hours = rf"(?:\d{{1,2}}|{number_words})"
    number = rf"(?:{_DIGITS}|{_any((compound, *words.numbers, words.articles))})"
    units = _any(words.units)
    ordinal = _any(words.ordinals)
    day = rf"(?P<d>[0-3]?\d)(?:{words.ordinal_ending or '(?!)'})?|(?P<dw>{ordinal})"
    join = rf"(?:,? (?:{words.joins or '(?!)'}) |,? ?)"
    single = rf"(?:(?:{number}) ?)?{units}" if words.bare_units else rf"(?:{number}) ?{units}"
    amount = rf"(?:{_any(words.fractions)}|{single}\b(?:{join}{single}\b)?)"
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
        "nth": (nth := _any(words.nth)),
        "nths": rf"(?P<nths>{nth}(?:(?:,? (?:{words.joins or '(?!)'}) |, ?){nth}){{0,30}})",
        "days": rf"(?P<weekdays>{weekday})",
        "month": rf"(?P<month>{_any(calendar.months)})",
    }

    def fill(pattern: str) -> str:
        return re.sub(r"\{(n|h|o|d|D|unit|amount|weekday|nths?|days|month)\}", lambda found: alone[found[1]], pattern)

    counted = {**alone, "n": f"(?P<n>{number})", "unit": f"(?P<unit>{units})"}

    def count(pattern: str) -> str:
        return re.sub(r"\{(n|unit)\}", lambda found: counted[found[1]], pattern)

    before_day = rf"(?:(?:(?P<following>{words.following or '(?!)'})|{_any((words.coming, words.on))}) ){{0,4}}"
    listed = rf"(?:,? (?:{words.joins or '(?!)'}) |, ?|/)"
    several = rf"{weekday}\b(?:{listed}(?:{_any((words.on, words.each))} )?{weekday}\b)*"
    between = rf"(?: (?:{words.weekday_range or '(?!)'}) | ?[-–] ?)"
    named_each = _any(words.each_weekday)
    eachs = rf"(?:{_any((words.on,))} )?{named_each}\b(?:{listed}(?:{named_each}|{weekday})\b)*"
    made: list[tuple[Kind, str, tuple[str | int, ...]]] = [(Kind.EVENT, fill(words.before), ())]
    made += [(Kind.EARLIER, fill(words.earlier), ())]
    made += [(Kind.DAYS_EARLIER, pattern, value) for pattern, value in words.days_earlier.items()]
    made += [(Kind.NTH, fill(pattern), ()) for pattern in words.nth_weekday]
    made += [(Kind.MONTH_END, fill(pattern), ()) for pattern in words.month_end]
    made += [(Kind.HOLIDAY, on_day(words.on, words.year_end), ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31",))]
    made += [(Kind.HOLIDAY, on_day(words.on, pattern), (rule,)) for pattern, rule in words.holidays.items()]
    made += [(Kind.WEEKDAY_AFTER, fill(pattern), ()) for pattern in words.weekday_after]
    made += [(Kind.ZONE, r"(?-i:[A-Z]{2,5})", ()), (Kind.ZONE, words.zone_of, ())]
    made += [(Kind.ZONE, pattern, (zone,)) for pattern, zone in words.zones.items()]
    made += [
        (Kind.LIST, rf"(?:{_any((words.on,))} )?(?P<weekdays>{weekday}\b\.?(?:{listed}{weekday}\b\.?)+)", ()),
        (Kind.LIST, rf"(?P<weekdays>{weekday}(?:[ ,]{weekday}){{2,6}})", ()),
        (
            Kind.RANGE,
            rf"(?:{_any((words.on, words.each))} )?(?P<first>{weekday}){between}(?P<last>{weekday})",
            (),
        ),
        (Kind.WITHOUT, fill(words.without), ()),
        (Kind.SECOND, fill(words.every_second), ()),
    ]
    made += [(Kind.AFTER, (fill if "{amount}" in each else count)(each), ()) for each in words.after]
    made += [(Kind.TIMER, fill(words.timer), ()), (Kind.LASTING, fill(words.lasting), ())]
    made += [(Kind.ISO, f"{on}{_ISO}", ()), (Kind.GONE, fill(words.gone), ())]
    made += [(Kind.DATE, named, ()), (Kind.DATE, month_named, ())] if calendar.months else []
    if calendar.months and words.each:
        made += [(Kind.EACH_DATE, f"(?:{words.each}) {dated}", ()) for dated in (named, month_named)]
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
        tuple((_exact(pattern), minutes) for pattern, minutes in words.fractions.items()),
        _whole(
            rf"(?:{number}|{words.rough or '(?!)'}) ?"
            + _any(pattern for pattern, unit in words.units.items() if unit in ("day", "week", "month", "year"))
        ),
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
        _exact(words.compound_number.format(ten=rf"(?P<ten>{tens})", one=rf"(?P<one>{ones})") or "(?!)"),
        tuple((_exact(pattern), value) for pattern, value in words.nth.items()),
        re.compile(rf"{language.reminders.polite}(?P<asked>{words.lead or '(?!)'})(?!\w)", re.IGNORECASE),
        _compile_request(language),
        _whole(words.repeating or "(?!)"),
        _whole(words.wakes or "(?!)"),
        re.compile(language.reminders.polite, re.IGNORECASE),
        _whole(words.timers or "(?!)"),
        _whole(words.told or "(?!)"),
        re.compile(rf"(?:(?:{words.links or '(?!)'})(?!\w)|[\s,;:.–—-])+", re.IGNORECASE),
        re.compile(
            rf"(?:[\s,;.!?–—-]{{1,16}}+(?:{words.courtesies or '(?!)'})(?!\w)){{0,8}}[\s,;.!?–—-]{{0,16}}+$",
            re.IGNORECASE,
        ),
        re.compile(rf"(?:[\s,;]|(?:{words.fillers or '(?!)'})(?!\w))*", re.IGNORECASE),
        _whole(words.sounds or "(?!)"),
        _whole(words.relations or "(?!)"),
        _whole(words.each_time or "(?!)"),
        re.compile(words.compounds or "(?!)", re.IGNORECASE),
        tuple(map(_exact, calendar.months)),
        _exact(words.weekend or "(?!)"),
        _list_stems(language),
        words.twelve_hours,
        words.month_first,
    )


def _list_stems(language: Language) -> tuple[str, ...]:
    """Return the names of days and months in CLDR, without what a case may change, and the language's own words."""
    from babel import Locale  # noqa: PLC0415 - for those who use reminders

    locale = Locale.parse(language.code)
    names = (*locale.days["format"]["wide"].values(), *locale.months["format"]["wide"].values())
    stems = (*(name.casefold() for name in names), *language.schedule.near)
    return tuple(
        {cut for stem in stems if len(stem) >= _LEAST_STEM and (cut := stem.rstrip(language.schedule.case_endings))}
    )


def is_nearly(word: str, other: str) -> bool:
    """Whether two words differ, by one letter that is wrong, missing or too much, or by two that changed places."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    same = next((at for at, (one, two) in enumerate(zip(word, other, strict=False)) if one != two), len(other))
    rest, wanted = word[same:], other[same:]
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return rest[1:] in (wanted, wanted[1:]) or rest == wanted[1:] or (len(rest) > 1 and swapped == wanted)


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
