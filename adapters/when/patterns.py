"""The words of a language as compiled patterns, and the parts of a time that they find in a sentence.

Beside the parts stands which of them are read together, and what sounds like time besides.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from functools import cache
from typing import Final

from rapidfuzz.distance import OSA

from adapters.when.calendar import find_zones
from language import languages
from language.cldr import read_cldr
from language.language import Language
from language.patterns import compile_at_use

_ISO: Final = r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:[T ](?P<h>\d{2}):(?P<m>\d{2})(?::\d{2})?)?"
_DIGITS: Final = r"(?:\d{1,4} )?\d/\d(?: an?(?= ))?|\d{1,4}(?:[.,]\d{1,2}(?!\d)| ?[½¼¾])?|[½¼¾]"
_FRACTION: Final = compile_at_use(
    r"(?P<whole>\d{1,4}(?:\.\d{1,2})?)? ?(?:(?P<above>\d)/(?P<below>\d)(?: an?)?|(?P<sign>[½¼¾]))?"
)
_SIGNS: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_SLOT: Final = compile_at_use(r"\{(n|h|o|d|D|unit|amount|weekday|nths?|days|month)\}")
"""What the patterns of a language leave open."""
_NAMED: Final = re.compile(r"\(\?P<\w+>")
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
    """One way to say a part, written as ``source``; ``value`` is what the language's data say about it."""

    kind: Kind
    source: str
    pattern: re.Pattern[str]
    value: tuple[str | int, ...] = ()


class Request:
    """The words by which a language asks for a reminder, wherever they stand: ``asks``, or ``tail`` with ``whom``.

    ``imperative`` asks unless it stands behind what ``hinders``, ``orders`` in a clause without ``subjects``.
    """

    def __init__(self, language: Language) -> None:
        words = language.schedule
        self.asks = _whole(_any(words.lead, words.imperative))
        self.imperative = _whole(words.imperative)
        self.hinders = compile_at_use(rf"(?<![\w'’]){_any(words.hinders)}[\s,]*$", re.IGNORECASE)
        self.orders = _whole(words.orders)
        self.subjects = _whole(words.subjects)
        self.tail = _whole(words.tail)
        self.whom = _whole(words.whom)


class Patterns:
    """What a language knows of times.

    ``fractions`` are lengths of time that are no number with a unit, and their minutes; ``long`` is a number of days or
    more; ``numbers`` are those in words and ordinals, articles last.  ``any_form`` finds what any of ``forms`` does.
    """

    def __init__(self, language: Language) -> None:
        words, polite = language.schedule, language.reminders.polite
        tens = _any(*(each for each, value in words.numbers.items() if value >= _TENS))
        ones = _any(*(each for each, value in words.numbers.items() if value < _ONES))
        compound = words.compound_number.format(ten=tens, one=ones) or "(?!)"
        number = rf"(?:{_DIGITS}|{_any(compound, *words.numbers, words.articles)})"
        long = (pattern for pattern, unit in words.units.items() if unit in ("day", "week", "month", "year"))
        self.code = language.code
        self.forms = _list_forms(language, number, rf"(?:\d{{1,2}}|{_any(compound, *words.numbers)})")
        self.any_form = _whole(_NAMED.sub("(?:", _any(*(form.source for form in self.forms))))
        self.amount = compile_at_use(rf"(?:(?P<n>{number}) ?)?(?P<unit>{_any(*words.units)})(?!\w)", re.IGNORECASE)
        self.fractions = tuple((_exact(pattern), minutes) for pattern, minutes in words.fractions.items())
        self.long = _whole(rf"(?:{number}|{_any(words.rough)}) ?{_any(*long)}")
        self.units = tuple((_exact(pattern), unit) for pattern, unit in words.units.items())
        self.weekdays = tuple(map(_exact, words.weekdays))
        self.each_weekday = tuple(map(_exact, words.each_weekday))
        self.months = tuple(map(_exact, language.calendar.months))
        self.weekend = _exact(words.weekend)
        said = (*words.numbers.items(), *words.ordinals.items(), *words.ordinal_hours.items(), (words.articles, 1))
        self.numbers = tuple((_exact(pattern), value) for pattern, value in said)
        self._compound = _exact(words.compound_number.format(ten=f"(?P<ten>{tens})", one=f"(?P<one>{ones})"))
        self.nth = tuple((_exact(pattern), value) for pattern, value in words.nth.items())
        self.request = Request(language)
        self.lead = compile_at_use(rf"{polite}(?P<asked>{_any(words.lead)})(?!\w)", re.IGNORECASE)
        self.polite = compile_at_use(polite, re.IGNORECASE)
        self.repeating = _whole(words.repeating)
        self.wakes = _whole(words.wakes)
        self.timers = _whole(words.timers)
        self.told = _whole(words.told)
        self.sounds = _whole(words.sounds)
        self.relations = _whole(words.relations)
        self.each_time = _whole(words.each_time)
        self.compounds = compile_at_use(words.compounds or "(?!)", re.IGNORECASE)
        self.links = compile_at_use(rf"(?:{_any(words.links)}(?!\w)|[\s,;:.–—-])+", re.IGNORECASE)
        self.fillers = compile_at_use(rf"(?:[\s,;]|{_any(words.fillers)}(?!\w))*", re.IGNORECASE)
        self.courtesies = compile_at_use(
            rf"(?:[\s,;.!?–—-]{{1,16}}+{_any(words.courtesies)}(?!\w)){{0,8}}[\s,;.!?–—-]{{0,16}}+$", re.IGNORECASE
        )
        self.twelve_hours, self.month_first = words.twelve_hours, words.month_first
        self._stems = _list_stems(language)

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
        if found := self._compound.fullmatch(written):
            tens, ones = (self.read_number(found[name]) for name in ("ten", "one"))
            return None if tens is None or ones is None else tens + ones
        return None

    def is_misspelt(self, word: str) -> bool:
        """Whether a word is one of time but for one letter that is wrong, missing, twice or in another place."""
        word = word.casefold()
        near = (stem for stem in self._stems if abs(len(word) - len(stem)) <= _LONGEST_ENDING)
        return any(
            OSA.distance(word[: len(stem) + more], stem, score_cutoff=1) == 1 for stem in near for more in (-1, 0, 1)
        )

    def is_number(self, word: str) -> bool:
        return any(pattern.fullmatch(word) for pattern, _ in self.numbers[:-1])


@cache
def list_requests() -> tuple[Request, ...]:
    """Return the words of request of every language: what each message is looked through for."""
    return tuple(Request(each) for each in languages() if each.schedule.units)


@cache
def list_patterns() -> tuple[Patterns, ...]:
    """Return the patterns of every language that has words for times."""
    return tuple(Patterns(each) for each in languages() if each.schedule.units)


def _list_forms(language: Language, number: str, hours: str) -> tuple[Form, ...]:  # noqa: PLR0915 - a line per form
    """Return the ways to say the parts of a time; ``number`` and ``hours`` are patterns of numbers."""
    words, calendar = language.schedule, language.calendar
    units, weekday, nth, months = _any(*words.units), _any(*words.weekdays), _any(*words.nth), _any(*calendar.months)
    ordinal_ending, joins, on = _any(words.ordinal_ending), _any(words.joins), rf"(?:{_any(words.on)} )?"
    join = rf"(?:,? {joins} |,? ?)"
    single = rf"(?:(?:{number}) ?)?{units}" if words.bare_units else rf"(?:{number}) ?{units}"
    amount = rf"(?:{_any(*words.fractions)}|{single}\b(?:{join}{single}\b)?)"
    slots = {
        "n": number,
        "h": hours,
        "o": _any(*words.ordinal_hours),
        "d": rf"(?:(?P<d>[0-3]?\d)(?:{ordinal_ending})?|(?P<dw>{_any(*words.ordinals)}))",
        "D": rf"(?P<D>[0-3]?\d){ordinal_ending}",
        "unit": units,
        "amount": rf"(?P<amount>{amount})",
        "weekday": weekday,
        "nth": nth,
        "nths": rf"(?P<nths>{nth}(?:(?:,? {joins} |, ?){nth}){{0,30}})",
        "days": rf"(?P<weekdays>{weekday})",
        "month": rf"(?P<month>{months})",
    }
    counted = {**slots, "n": f"(?P<n>{number})", "unit": f"(?P<unit>{units})"}
    made: list[Form] = []

    def add(kind: Kind, *patterns: str, value: tuple[str | int, ...] = (), slots: dict[str, str] = slots) -> None:
        filled = (_SLOT.sub(lambda found: slots[found[1]], pattern) for pattern in patterns if pattern)
        made.extend(Form(kind, pattern, _whole(pattern), value) for pattern in filled)

    def add_each(kind: Kind, patterns: Mapping[str, object], before: str = "") -> None:
        for pattern, value in patterns.items():
            add(kind, f"{before}(?:{pattern})", value=value if isinstance(value, tuple) else (value,))

    behind = rf" ?$| ?[,.;:!?]| {_any(calendar.year_word, words.links)}\b"  # none is "am 1. Mai 5000 Euro"
    years = rf"(?P<year>(?:19|2[01])\d\d|(?:0\d|[3-9]\d)\d\d(?={behind}))"
    year = rf"(?:,? {years}(?: {_any(calendar.year_word)})?\b)?"
    ending = rf"(?:{_any(calendar.day_ending)})?"
    dates = (
        rf"{on}(?P<day>[0-3]?\d){ending} ?(?:{_any(calendar.of)})? ?(?P<month>{months})\b\.?{year}",
        rf"{on}(?:the )?(?P<month>{months})\b\.? (?P<day>[0-3]?\d){ending}(?!\d|[:.]\d){year}",
    )
    numeric = (
        rf"{on}(?P<numeric>[0-3]?\d\.[01]?\d\.(?:\d{{4}}|\d{{2}})?|[0-3]?\d\.[01]\d(?!\d|\.)|"
        r"[0-3]?\d/[0-3]?\d(?:/(?:\d{4}|\d{2}))?)(?!\d)"
    )
    each, named_each, on_each = _any(words.each), _any(*words.each_weekday), _any(words.on, words.each)
    listed = rf"(?:,? {joins} |, ?|/)"
    add(Kind.EVENT, words.before)
    add(Kind.EARLIER, words.earlier)
    add_each(Kind.DAYS_EARLIER, words.days_earlier)
    add(Kind.NTH, *words.nth_weekday)
    add(Kind.MONTH_END, *words.month_end)
    add_each(Kind.HOLIDAY, {words.year_end: "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31", **words.holidays}, on)
    add(Kind.WEEKDAY_AFTER, *words.weekday_after)
    add(Kind.ZONE, r"(?-i:[A-Z]{2,5})", words.zone_of)
    add_each(Kind.ZONE, words.zones)
    add(Kind.LIST, rf"{on}(?P<weekdays>{weekday}\b\.?(?:{listed}{weekday}\b\.?)+)")
    add(Kind.LIST, rf"(?P<weekdays>{weekday}(?:[ ,]{weekday}){{2,6}})")
    between = rf"(?: {_any(words.weekday_range)} | ?[-–] ?)"
    add(Kind.RANGE, rf"(?:{on_each} )?(?P<first>{weekday}){between}(?P<last>{weekday})")
    add(Kind.WITHOUT, words.without)
    add(Kind.SECOND, words.every_second)
    for after in words.after:
        add(Kind.AFTER, after, slots=slots if "{amount}" in after else counted)
    add(Kind.TIMER, words.timer)
    add(Kind.LASTING, words.lasting)
    add(Kind.ISO, f"{on}{_ISO}")
    add(Kind.GONE, words.gone)
    add(Kind.DATE, *dates)
    add(Kind.EACH_DATE, *(f"{each} {date}" for date in dates))
    add(Kind.NUMERIC, numeric)
    add(Kind.MONTH, rf"(?P<month>{months})\b{year}")
    add_each(Kind.DAY, words.days, on)
    add_each(Kind.DAY_PART, words.day_parts)
    following = rf"(?:(?:(?P<following>{_any(words.following)})|{_any(words.coming, words.on)}) ){{0,4}}"
    add(Kind.WEEKDAY, rf"{following}(?P<weekday>{weekday})")
    add_each(Kind.NEXT, words.next_units)
    add(Kind.CLOCK, *words.clocks)
    add_each(Kind.PART, words.parts)
    add_each(Kind.EVERY, words.every)
    add(Kind.EVERY_NUMBER, *words.every_number, slots=counted)
    add_each(Kind.EVERY_PART, words.every_part)
    add(Kind.EACH, rf"{on}{each} (?P<weekdays>{weekday}\b(?:{listed}(?:{on_each} )?{weekday}\b)*)")
    add(Kind.EACH, rf"(?P<weekdays>{on}{named_each}\b(?:{listed}(?:{named_each}|{weekday})\b)*)")
    add(Kind.WORKDAYS, words.workdays)
    add(Kind.WEEKENDS, words.weekends)
    add(Kind.OF_MONTH, *words.of_month)
    add(Kind.DAY_OF_MONTH, words.day_of_month)
    add(Kind.UNTIL, words.until)
    add(Kind.TIMES, words.times, slots=counted)
    return tuple(made)


def _list_stems(language: Language) -> tuple[str, ...]:
    """Return the names of days and months in CLDR, without what a case may change, and the language's own words."""
    names = read_cldr()["names"].get(language.code, ())
    stems = (*(name.casefold() for name in names), *language.schedule.near)
    return tuple(
        {cut for stem in stems if len(stem) >= _LEAST_STEM and (cut := stem.rstrip(language.schedule.case_endings))}
    )


def _any(*patterns: str) -> str:
    """Return the pattern of any of these, of nothing at all where none is given."""
    given = [pattern for pattern in patterns if pattern]
    return f"(?:{'|'.join(given)})" if given else "(?!)"


def _whole(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of whole words; a space in it stands for any white space."""
    return compile_at_use(rf"(?<![\w.:/])(?:{pattern or '(?!)'})(?![\w/])", re.IGNORECASE)


def _exact(pattern: str) -> re.Pattern[str]:
    return compile_at_use(rf"(?:{pattern or '(?!)'})\b", re.IGNORECASE)


_RANK: Final = {kind: place for place, kind in enumerate(Kind)}
_ENDS: Final = (Kind.UNTIL, Kind.TIMES, Kind.LASTING)
REPEATS: Final = frozenset(
    {
        Kind.EVERY,
        Kind.EVERY_NUMBER,
        Kind.EVERY_PART,
        Kind.EACH,
        Kind.EACH_DATE,
        Kind.RANGE,
        Kind.SECOND,
        Kind.WORKDAYS,
        Kind.WEEKENDS,
        Kind.OF_MONTH,
    }
)
_NEVER_ALONE: Final = frozenset({*_ENDS, Kind.MONTH, Kind.WITHOUT, Kind.ZONE, Kind.EARLIER})
_TIED: Final = 40
"""Characters beside a part in which words may stand that tie it to others."""
_WORD: Final = compile_at_use(r"[\w½¼¾]+(?:[-'’][\w]+)*")
_NUMBER: Final = compile_at_use(r"\d{1,4}|[½¼¾]")
_PLATE: Final = compile_at_use(r"(?<![\d.,:])\d{3} ?[^\W\d_]{2,3} ?\d{2,3}(?![\d:.])")
"""Letters between the numbers of a car's plate, which are no day of the week: "A 123 BC 71"."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a time and where it stands; ``zones`` are those that it names."""

    kind: Kind
    value: tuple[str | int, ...]
    found: re.Match[str]
    start: int
    end: int
    zones: tuple[tzinfo, ...] = ()
    rivalled: bool = False
    """Whether the same words may say that it repeats: "через день" is in a day, or every other day."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Parts that are read together, in order."""

    parts: tuple[Part, ...]

    def has(self, *kinds: Kind) -> bool:
        return any(part.kind in kinds for part in self.parts)

    @property
    def tells(self) -> bool:
        """Whether it says when: an end or a number of times alone does not, nor does a month."""
        return any(part.kind not in _NEVER_ALONE for part in self.parts)


def find_parts(
    text: str, patterns: Patterns, now: datetime, *, timer: bool = False, repeating: bool = False
) -> tuple[Part, ...]:
    """Return the parts of ``text`` that do not overlap: the longest first, then by kind.

    A ``timer`` has lengths, too: "for 10 minutes".  ``repeating`` says that more than one reminder is asked for: what
    may be a repetition then is one.  ``now`` is aware.
    """

    def rank(part: Part) -> tuple[int, bool, int, int]:
        return part.start - part.end, repeating and part.kind not in REPEATS, _RANK[part.kind], part.start

    found = [
        Part(form.kind, form.value, match, *match.span())
        for form in (patterns.forms if patterns.any_form.search(text) else ())  # a third of what asking each one takes
        if timer or form.kind is not Kind.TIMER
        for match in form.pattern.finditer(text)
        if match.end() > match.start()
    ]
    if plates := [plate.span() for plate in _PLATE.finditer(text)]:
        days = [part for part in found if part.kind is Kind.WEEKDAY]
        plated = [day for day in days if any(at <= day.start and day.end <= end for at, end in plates)]
        found = [part for part in found if part not in plated]
    if not any(part.kind in REPEATS for part in found):
        found = [part for part in found if part.kind not in (Kind.LASTING, Kind.WITHOUT)]
    found = [named for part in found if (named := _name_zone(part, text, found, patterns, now)) is not None]
    found.sort(key=rank)
    chosen: list[Part] = []
    for part in found:
        if all(part.end <= other.start or part.start >= other.end for other in chosen):
            rivals = [other for other in found if (other.start, other.end) == (part.start, part.end)]
            rivalled = not repeating and part.kind not in REPEATS and any(each.kind in REPEATS for each in rivals)
            chosen.append(replace(part, rivalled=rivalled))
    return tuple(sorted(chosen, key=lambda part: part.start))


def _name_zone(part: Part, text: str, found: Sequence[Part], patterns: Patterns, now: datetime) -> Part | None:
    """Return a part with the zones that it names; ``None`` for a name of none, or one that no time of day is before."""
    if part.kind is not Kind.ZONE:
        return part
    before = text[: part.start].rstrip(" (")
    if not any(other.kind in (Kind.CLOCK, Kind.PART, Kind.DAY_PART) and other.end == len(before) for other in found):
        return None
    name = str(part.value[0]) if part.value else part.found.groupdict().get("city") or part.found[0]
    zones = find_zones(name, patterns.code, now, iana=bool(part.value))
    return replace(part, zones=zones) if zones else None


def group_parts(text: str, parts: Sequence[Part], patterns: Patterns) -> list[Cluster]:
    """Return the groups of parts between which nothing else is said, in order."""
    groups: list[list[Part]] = []
    for part in parts:
        if groups and patterns.fillers.fullmatch(text, groups[-1][-1].end, part.start):
            groups[-1].append(part)
        else:
            groups.append([part])
    return [Cluster(tuple(group)) for group in groups]


def _begin_of(text: str, part: Part, patterns: Patterns) -> int:
    """Return where the words begin that tie a part to what is before it: "the first one on" before "Monday"."""
    starts = (found.start() for found in _WORD.finditer(text, max(part.start - _TIED, 0), part.start))
    return next((at for at in starts if patterns.fillers.fullmatch(text, at, part.start)), part.start)


def _end_of(text: str, part: Part, patterns: Patterns) -> int:
    ends = (found.end() for found in _WORD.finditer(text, part.end, part.end + _TIED))
    tied = [at for at in ends if patterns.fillers.fullmatch(text, part.end, at)]
    return tied[-1] if tied else part.end


def list_unread(text: str, parts: Sequence[Part], patterns: Patterns) -> Iterator[str]:
    """Yield the words of ``text`` that sound like time and are in none of its parts.

    Names of days, months and parts of the day do so wherever they stand, a number of days, too; numbers, units and
    words like "before" beside a part.
    """
    yield from (part.found[0] for part in parts if part.rivalled)
    taken = [(_begin_of(text, part, patterns), _end_of(text, part, patterns)) for part in parts]

    def is_free(start: int, end: int) -> bool:
        return all(end <= begin or start >= stop for begin, stop in taken)

    repeats = any(part.kind in REPEATS for part in parts)
    for pattern in (patterns.sounds, patterns.long, *(() if repeats else (patterns.each_time,))):
        for found in pattern.finditer(text):
            if is_free(found.start(), found.end()):
                yield found[0]
    for found in _WORD.finditer(text):
        if not is_free(found.start(), found.end()):
            continue
        counts = parts and (_NUMBER.fullmatch(found[0]) or patterns.is_number(found[0]))
        relates = parts and patterns.relations.fullmatch(found[0])
        beside = taken if counts else [(part.start, part.end) for part in parts] if relates else []
        if patterns.is_misspelt(found[0]) or any(
            (not text[end : found.start()].strip(" ,") and end <= found.start())
            or (not text[found.end() : start].strip(" ,") and found.end() <= start)
            for start, end in beside
        ):
            yield found[0]
