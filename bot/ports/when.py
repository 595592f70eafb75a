"""When something is to happen, from how people say it, and how it repeats, as a small part of RFC 5545.

Days, weeks, months and years are counted on the wall clock: 9:00 stays 9:00 when the clocks change.  Minutes and hours
are counted in time that passes.  A time that the clocks leave out comes right after the gap, one that they show twice
comes the first time.

Clock: time that tests can hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr


class Clock(Protocol):
    """Wall clock in the operator's time zone, and a monotonic one for everything that is waited for."""

    def now(self) -> datetime:
        """Return the aware local time."""

    def monotonic(self) -> float:
        """Return seconds that never jump."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A time that was understood: ``local`` is the naive wall-clock time of the first one in the reader's zone.

    ``passes`` says that it is a length of time from the message on, which no change of a clock or zone moves: then
    ``local`` is what the clock showed, and that length added.
    ``assumed`` says that no time of day was given, and a usual one was taken.
    """

    local: datetime
    passes: bool = False
    repetition: Repetition | None = None
    assumed: bool = False

    def find_on(self, day: date) -> datetime | None:
        """Return the first time of it on a day, on the wall clock, ``None`` for none."""
        if self.repetition is None or self.repetition.passes or day <= self.local.date():
            return self.local if self.local.date() == day else None
        start = datetime.combine(day, time())
        found = find_next(self.repetition, self.local, "UTC", (start - timedelta(seconds=1)).replace(tzinfo=UTC))
        return found[1] if found is not None and found[1].date() == day else None


class WhenProblem(StrEnum):
    """Why no single time was understood."""

    NO_TIME = "no_time"
    PAST = "past"
    AMBIGUOUS = "ambiguous"
    EVENT = "event"
    """It is set by an event of which nothing is known: "10 minutes before the train"."""
    NEVER = "never"
    """Its end lies before its beginning, or no calendar has such a day."""


@dataclass(frozen=True, slots=True)
class WhenReading:
    """What a sentence says: ``text`` is what is left of it without the request and the time.

    Either ``plan`` is set or ``problem``; ``options`` are the times that an ambiguous one may mean.  ``past`` is the
    time that is over, for :attr:`WhenProblem.PAST`.
    """

    text: str
    plan: Plan | None = None
    problem: WhenProblem | None = None
    options: tuple[Plan, ...] = ()
    past: datetime | None = None
    asked: bool = False
    """Whether the words of a request for a reminder were there."""
    vague: bool = False
    """Whether words of time were there that no time fits: "in spring"."""


class WhenReader(Protocol):
    """Reads times in the languages that are installed."""

    def may_ask(self, text: str) -> bool:
        """Return whether words that ask for a reminder stand in a text: most texts need no reading."""

    def read(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading:
        """Return what ``text`` says, seen from ``now``, which is aware and in the zone that times are meant in.

        ``languages`` are codes of those to be tried first: of the message, of its author's client.
        """

    def read_alone(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading | None:
        """Return the same for a text that says nothing but a time, ``None`` for any other."""

    def find_zone(self, name: str, now: datetime, language: str) -> tzinfo | None:
        """Return the time zone of a city as a language names it, in any inflection, ``None`` if it is unknown."""


def find_day(reading: WhenReading | None) -> date | None:
    """Return the day that words say which name a day and nothing else, also one that is over."""
    if reading is None or (reading.plan is not None and (reading.plan.repetition or not reading.plan.assumed)):
        return None
    found = reading.plan.local if reading.plan is not None else reading.past
    return found.date() if found is not None else None


_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_SHORTEST_MONTH: Final = 28
_MOST_STEPS: Final = 100_000
"""Occurrences looked at for the next one: of a daily reminder, more than two centuries."""


class Unit(StrEnum):
    """What a repetition counts; the value is its name in RFC 5545."""

    MINUTE = "MINUTELY"
    HOUR = "HOURLY"
    DAY = "DAILY"
    WEEK = "WEEKLY"
    MONTH = "MONTHLY"
    YEAR = "YEARLY"


LEAST_MINUTES: Final = 5
"""A reminder that comes more often is a nuisance, or a mistake."""
_MOST_UNITS: Final = 9_999
_LONGEST_MONTH, _MONTHS, _MOST_WEEKS = 31, 12, 5
_PASSING: Final = {Unit.MINUTE: timedelta(minutes=1), Unit.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True)
class Repetition:
    """Every ``every`` units, on these days of the week (Monday is 0) or this day of the month.

    ``nth`` says which of these days of a month: 1 to 5, or -1 for the last.  A day that a month does not have is its
    last one.  ``until`` is the last local day on which it comes, ``times`` how often it comes at all; neither: for
    ever.
    """

    unit: Unit
    every: int = 1
    weekdays: tuple[int, ...] = ()
    day: int = 0
    """Of the month, for months and years."""
    month: int = 0
    """For years."""
    until: date | None = None
    times: int | None = None
    nth: tuple[int, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether time that passes is counted, and not days of a calendar."""
        return self.unit in _PASSING

    @property
    def rule(self) -> str:
        """The same as an ``RRULE`` without its end, which :attr:`until` and :attr:`times` are."""
        parts = [f"FREQ={self.unit.value}", f"INTERVAL={self.every}"]
        if self.weekdays:
            days = [f"{nth or ''}{_WEEKDAYS[day]}" for nth in self.nth or (0,) for day in self.weekdays]
            parts.append(f"BYDAY={','.join(days)}")
        if self.month:
            parts.append(f"BYMONTH={self.month}")
        if self.day > _SHORTEST_MONTH:
            parts.append(f"BYMONTHDAY={','.join(map(str, range(_SHORTEST_MONTH, self.day + 1)))};BYSETPOS=-1")
        elif self.day:
            parts.append(f"BYMONTHDAY={self.day}")
        return ";".join(parts)

    def dump(self) -> str:
        """Return it as one ``RRULE``, to be read by :func:`load_repetition` and by calendars."""
        ends = [f"UNTIL={self.until:%Y%m%d}"] if self.until is not None else []
        ends += [f"COUNT={self.times}"] if self.times is not None else []
        return ";".join((self.rule, *ends))


def load_repetition(rule: str) -> Repetition | None:
    """Return what :meth:`Repetition.dump` wrote, ``None`` for an empty or damaged rule.

    Anybody may type one: what no calendar has, or comes more often than :data:`LEAST_MINUTES`, is damaged.
    """
    parts = dict(part.partition("=")[::2] for part in rule.split(";") if part)
    try:
        until, times = parts.get("UNTIL"), parts.get("COUNT")
        days = parts.get("BYMONTHDAY", "0").split(",")
        named = [(day[:-2], day[-2:]) for day in parts.get("BYDAY", "").split(",") if day]
        read = Repetition(
            Unit(parts["FREQ"]),
            int(parts.get("INTERVAL", 1)),
            tuple(dict.fromkeys(_WEEKDAYS.index(day) for _, day in named)),
            int(days[-1]),
            int(parts.get("BYMONTH", 0)),
            datetime.strptime(until, "%Y%m%d").replace(tzinfo=UTC).date() if until else None,
            int(times) if times else None,
            tuple(dict.fromkeys(int(nth) for nth, _ in named if nth)),
        )
    except (KeyError, ValueError):
        return None
    return read if _is_possible(read) else None


def _is_possible(rule: Repetition) -> bool:
    within = 0 < rule.every <= _MOST_UNITS and 0 <= rule.day <= _LONGEST_MONTH and 0 <= rule.month <= _MONTHS
    often = rule.passes and _PASSING[rule.unit] * rule.every < timedelta(minutes=LEAST_MINUTES) if within else False
    comes = rule.times is None or rule.times > 0
    return within and comes and not often and all(-1 <= nth <= _MOST_WEEKS and nth for nth in rule.nth)


def localise(local: datetime, zone: str) -> datetime:
    """Return a naive wall-clock time as an aware one: right after a gap that it falls into, the first of two."""
    where = ZoneInfo(zone)
    aware = local.replace(tzinfo=where, fold=0)
    if aware.astimezone(UTC).astimezone(where).replace(tzinfo=None, fold=0) == local.replace(fold=0):
        return aware
    before, after = aware.utcoffset() or timedelta(), local.replace(tzinfo=where, fold=1).utcoffset() or timedelta()
    naive = local.replace(tzinfo=UTC, fold=0)
    low, high = naive - max(before, after), naive - min(before, after)
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        middle = middle.replace(microsecond=0) if middle.replace(microsecond=0) > low else middle
        if middle.astimezone(where).utcoffset() == high.astimezone(where).utcoffset():
            high = middle
        else:
            low = middle
    return high.replace(microsecond=0).astimezone(where)


def find_next(
    repetition: Repetition, start: datetime, zone: str, after: datetime
) -> tuple[datetime, datetime, Repetition] | None:
    """Return the first time after ``after`` as it is told and as its wall clock says, and what repeats from there on.

    ``start`` is the naive wall-clock time of the first one (of what passes, in UTC), which counts as one of ``times``.
    ``None`` when no more come.
    """
    if repetition.passes:
        return _find_passing(repetition, start, zone, after)
    rule = _parse(repetition.rule, start)
    for passed, local in enumerate(islice(rule, _MOST_STEPS)):
        if repetition.until is not None and local.date() > repetition.until:
            return None
        if repetition.times is not None and passed >= repetition.times:
            return None
        at = localise(local, zone)
        if at > after:
            left = None if repetition.times is None else repetition.times - passed
            return at, local, replace(repetition, times=left)
    return None


def count_between(repetition: Repetition, start: datetime, zone: str, upto: datetime) -> int:
    """Return how many times lie from ``start`` to ``upto``, both counted; at most 1000."""
    if repetition.passes:
        step = _PASSING[repetition.unit] * repetition.every
        return min(max(int((upto - start.replace(tzinfo=UTC)) / step) + 1, 0), 1000)
    count = 0
    for local in _parse(repetition.rule, start):
        if count == 1000 or localise(local, zone) > upto:  # noqa: PLR2004 - as documented
            break
        count += 1
    return count


def _find_passing(
    repetition: Repetition, start: datetime, zone: str, after: datetime
) -> tuple[datetime, datetime, Repetition] | None:
    first, step = start.replace(tzinfo=UTC), _PASSING[repetition.unit] * repetition.every
    passed = max(int((after - first) / step) + 1, 0) if after >= first else 0
    at = first + passed * step
    local = at.astimezone(ZoneInfo(zone))
    if repetition.until is not None and local.date() > repetition.until:
        return None
    if repetition.times is not None and passed >= repetition.times:
        return None
    left = None if repetition.times is None else repetition.times - passed
    return local, at.replace(tzinfo=None), replace(repetition, times=left)


@lru_cache(maxsize=64)
def _parse(rule: str, start: datetime) -> Iterable[datetime]:
    parsed: Iterable[datetime] = rrulestr(rule, dtstart=start)
    return parsed
