"""From the parts of a time to the time itself, seen from the moment and the zone of who says it.

What was not said is taken as people mean it, and told: a day without a time is its morning, "at 9" tomorrow is nine
in the morning.  Where people differ nothing is taken: the times that may be meant are returned instead.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from adapters.when.calendar import read_date
from adapters.when.parts import Cluster, Part
from adapters.when.patterns import Kind, Patterns
from bot.memory.reminders.repetition import Repetition, Unit
from bot.ports.when import Plan, WhenProblem

_HOURS: Final = {
    "morning": (9, range(12)),
    "forenoon": (10, range(6, 13)),
    "noon": (12, range(11, 15)),
    "afternoon": (15, range(12, 19)),
    "evening": (19, range(16, 24)),
    "night": (22, (20, 21, 22, 23, 0, 1, 2, 3, 4, 5)),
    "midnight": (0, (0,)),
}
"""Of each part of the day: the hour that stands for it, and the hours that it has."""
_USUAL: Final = 9
"""The hour of a day of which no time was said."""
_SMALL: Final = 7
"""From this hour on a time without more is one of the morning; below it may be either."""
_UNITS: Final = {
    "minute": Unit.MINUTE,
    "hour": Unit.HOUR,
    "day": Unit.DAY,
    "week": Unit.WEEK,
    "month": Unit.MONTH,
    "year": Unit.YEAR,
}
_MINUTES: Final = {"second": 1 / 60, "minute": 1, "hour": 60}
_MOST: Final = {
    "second": 1_000_000,
    "minute": 600_000,
    "hour": 100_000,
    "day": 20_000,
    "week": 3_000,
    "month": 600,
    "year": 50,
}
_LAST_DAY: Final = 31


class NotATime(Exception):
    """These parts make no time."""


@dataclass(slots=True)
class _Said:
    """What a group of parts says."""

    day: date | None = None
    today: bool = False
    month_day: int = 0
    weekday: int | None = None
    following: bool = False
    weeks: int = 0
    minutes: float | None = None
    clock: tuple[int, int] | None = None
    literal: bool = False
    half: str = ""
    """ "am" or "pm", where it was said."""
    part: str = ""
    unit: str = ""
    every: int = 1
    weekdays: tuple[int, ...] = ()
    until: date | None = None
    times: int | None = None
    dated: bool = False
    same_time: bool = False
    """Days from now: at the time of day that it is."""
    kinds: set[Kind] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Resolved:
    """The plans that may be meant: one, several, or none and why."""

    plans: tuple[Plan, ...] = ()
    problem: WhenProblem | None = None
    past: datetime | None = None


def resolve(cluster: Cluster, patterns: Patterns, now: datetime, *, morning: bool = False) -> Resolved:
    """Return what a group of parts means at ``now``, which is naive local time; raises :class:`NotATime`.

    ``morning`` says that an hour without more is one of the morning.
    """
    if cluster.has(Kind.EVENT):
        return Resolved(problem=WhenProblem.EVENT)
    if cluster.has(Kind.GONE):
        return Resolved(problem=WhenProblem.PAST)
    try:
        said = _collect(cluster, patterns, now)
        said.half = "am" if morning and not said.half and not said.part and said.clock is not None else said.half
        return _plan_repeated(said, now) if said.unit else _plan_once(said, now)
    except (ValueError, OverflowError):  # 31 February, the year 10000
        return Resolved(problem=WhenProblem.NEVER)


def _collect(cluster: Cluster, patterns: Patterns, now: datetime) -> _Said:
    said = _Said()
    ends = whole = False
    for part in cluster.parts:
        if part.kind is Kind.UNTIL:
            ends, whole = True, part.found.groupdict().get("end") is not None
        elif ends and said.until is None and part.kind is not Kind.TIMES:
            said.until = _read_end(part, patterns, now)
            said.until = _clip(said.until.year, said.until.month, _LAST_DAY) if whole else said.until
        elif part.kind is Kind.LASTING:
            length = _Said()
            _add_amount(length, part.found["amount"], patterns, now)
            said.until = length.day or now.date()
        else:
            _take(said, part, patterns, now)
            said.kinds.add(part.kind)
    return said


def _take(said: _Said, part: Part, patterns: Patterns, now: datetime) -> None:  # noqa: C901, PLR0912 - one case per kind
    found, value = part.found, part.form.value
    match part.kind:
        case Kind.AFTER | Kind.TIMER:
            _add_amount(said, found["amount"], patterns, now)
        case Kind.SPAN:
            said.minutes = int(value[0])
        case Kind.DATE | Kind.NUMERIC | Kind.ISO:
            said.day, said.dated = _read_day(part, patterns, now), True
            if part.kind is Kind.ISO and found["h"]:
                said.clock, said.literal = (int(found["h"]), int(found["m"])), True
        case Kind.DAY:
            said.day, said.today = now.date() + timedelta(days=int(value[0])), value[0] == 0
        case Kind.DAY_PART:
            said.day, said.today = now.date() + timedelta(days=int(value[0])), value[0] == 0
            said.part = str(value[1])
        case Kind.WEEKDAY:
            said.weekday = _index_of(found["weekday"], patterns)
            said.following = said.following or found["following"] is not None
        case Kind.NEXT:
            _add_next(said, str(value[0]), int(value[1]), now)
        case Kind.CLOCK:
            _read_clock(said, found, patterns)
        case Kind.PART:
            said.part = str(value[0])
        case Kind.EVERY:
            said.unit, said.every = str(value[0]), int(value[1])
        case Kind.EVERY_NUMBER:
            said.unit, said.every = _unit_of(found["unit"], patterns), _number_of(found["n"], patterns)
        case Kind.EVERY_PART:
            said.unit, said.part = "day", str(value[0])
        case Kind.EACH:
            days = {*said.weekdays, *_indexes_in(found["weekdays"], patterns)}
            said.unit, said.weekdays = said.unit or "week", tuple(sorted(days))
        case Kind.WORKDAYS:
            said.unit, said.weekdays = "week", (0, 1, 2, 3, 4)
        case Kind.WEEKENDS:
            said.unit, said.weekdays = "week", (5, 6)
        case Kind.OF_MONTH:
            said.unit, said.month_day = "month", _day_of(found, patterns)
        case Kind.DAY_OF_MONTH:
            said.month_day = _day_of(found, patterns)
        case Kind.TIMES:
            groups = found.groupdict()
            said.times = 2 if groups.get("twice") else _number_of(groups.get("n") or "", patterns)
        case _:
            raise NotATime


def _plan_once(said: _Said, now: datetime) -> Resolved:
    if said.minutes is not None and said.clock is None and said.day is None and said.weekday is None:
        return Resolved((Plan(now + timedelta(minutes=said.minutes), passes=True),))
    day = _find_day(said, now) or said.until
    named = day is not None
    hours, assumed = _list_hours(said, now)
    if said.today and assumed and not said.part:
        raise NotATime
    if day is None:
        if said.clock is None and not said.part:
            raise NotATime
        return _choose_undated(said, hours, now, assumed=assumed)
    times = [datetime.combine(day, each) for each in hours]
    coming = [at for at in times if at > now]
    if not coming:
        if said.weekday is not None and not said.dated and not said.today and named:
            coming = [at + timedelta(days=7) for at in times]
        else:
            return Resolved(problem=WhenProblem.PAST, past=times[-1])
    return _offer(coming, assumed=assumed)


def _choose_undated(said: _Said, hours: tuple[time, ...], now: datetime, *, assumed: bool) -> Resolved:
    """Return the next of these times of day; of two that are meant alike, the one of the same day or both."""
    today = [at for each in hours if (at := datetime.combine(now.date(), each)) > now]
    tomorrow = [datetime.combine(now.date() + timedelta(days=1), each) for each in hours]
    if len(hours) == 1:
        if said.part == "night" and now.hour < min(_HOURS["night"][1]) + 5 and today:
            return _offer(today, assumed=assumed)
        return _offer(today or tomorrow, assumed=assumed)
    early = hours[0]
    if len(today) == 1 and early.hour < _SMALL:
        return Resolved((Plan(today[0], assumed=assumed),))
    if len(today) == len(hours):
        return _offer(today, assumed=assumed)
    if len(today) == 1:
        return Resolved((Plan(today[0]), Plan(tomorrow[0])), WhenProblem.AMBIGUOUS)
    return _offer(tomorrow, assumed=assumed) if early.hour < _SMALL else Resolved((Plan(tomorrow[0]),))


def _offer(times: list[datetime], *, assumed: bool) -> Resolved:
    """Return one plan, or both where a small hour may be either."""
    if len(times) == 1 or times[0].hour >= _SMALL:
        return Resolved((Plan(times[0], assumed=assumed),))
    return Resolved(tuple(Plan(at) for at in times), WhenProblem.AMBIGUOUS)


def _plan_repeated(said: _Said, now: datetime) -> Resolved:
    unit = _UNITS.get(said.unit)
    if unit is None:  # seconds
        return Resolved(problem=WhenProblem.NEVER)
    if unit in (Unit.MINUTE, Unit.HOUR):
        return _plan_passing(said, unit, now)
    hours, assumed = _list_hours(said, now)
    weekdays = said.weekdays
    if unit is Unit.DAY and weekdays and said.every % 7 == 0:
        unit, said.every = Unit.WEEK, said.every // 7
    if unit is Unit.WEEK and not weekdays and said.weekday is not None:
        weekdays = (said.weekday,)
    day = _find_day(replace(said, weekday=None), now) if unit is not Unit.WEEK or said.dated or said.day else None
    plans = tuple(
        _make_repeated(said, unit, weekdays, day, at, now, assumed=assumed)
        for at in (hours if hours[0].hour < _SMALL else hours[:1])
    )
    if any(
        plan.repetition is not None and plan.repetition.until is not None and plan.repetition.until < plan.local.date()
        for plan in plans
    ):
        return Resolved(problem=WhenProblem.NEVER)
    return Resolved(plans, WhenProblem.AMBIGUOUS if len(plans) > 1 else None)


def _plan_passing(said: _Said, unit: Unit, now: datetime) -> Resolved:
    minutes = (1 if unit is Unit.MINUTE else 60) * said.every
    if minutes < _LEAST_MINUTES:
        return Resolved(problem=WhenProblem.NEVER)
    repetition = Repetition(unit, said.every, until=said.until, times=said.times)
    if said.clock is None:
        return Resolved((Plan(now + timedelta(minutes=minutes), passes=True, repetition=repetition),))
    first = _plan_once(replace(said, unit=""), now)
    return replace(first, plans=tuple(replace(plan, repetition=repetition) for plan in first.plans))


_LEAST_MINUTES: Final = 5
"""A reminder that comes more often is a nuisance, or a mistake."""


def _make_repeated(
    said: _Said, unit: Unit, weekdays: tuple[int, ...], day: date | None, at: time, now: datetime, *, assumed: bool
) -> Plan:
    first = day or now.date()
    month_day, month = 0, 0
    if unit is Unit.WEEK:
        weekdays = weekdays or (first.weekday(),)
        while first.weekday() not in weekdays or datetime.combine(first, at) <= now:
            first += timedelta(days=1)
    elif unit is Unit.DAY:
        if datetime.combine(first, at) <= now:
            first += timedelta(days=1)
    else:
        month_day = said.month_day or first.day
        if unit is Unit.YEAR:
            month = first.month
            first = first if datetime.combine(first, at) > now else _shift(first, 12)
        elif day is None or datetime.combine(first, at) <= now:
            first = _next_month_day(month_day, now, at)
    repetition = Repetition(
        unit, said.every, weekdays if unit is Unit.WEEK else (), month_day, month, said.until, said.times
    )
    return Plan(datetime.combine(first, at), repetition=repetition, assumed=assumed)


def _find_day(said: _Said, now: datetime) -> date | None:
    today = now.date()
    day = said.day
    if day is None and said.month_day and not said.weeks:
        return _next_month_day(said.month_day, now, time(23, 59))
    if day is None and said.weekday is not None:
        if said.weeks:
            monday = today - timedelta(days=today.weekday()) + timedelta(weeks=said.weeks)
            return monday + timedelta(days=said.weekday)
        ahead = (said.weekday - today.weekday()) % 7
        day = today + timedelta(days=ahead)
        if said.following and day.isocalendar().week == today.isocalendar().week and ahead >= 0:
            day += timedelta(days=7)
    if day is None and said.weeks:
        day = today - timedelta(days=today.weekday()) + timedelta(weeks=said.weeks)
    return day


def _list_hours(said: _Said, now: datetime) -> tuple[tuple[time, ...], bool]:
    """Return the times of day that may be meant, the earlier first, and whether nobody said one."""
    if said.clock is None:
        if said.same_time and not said.part:
            return (now.time().replace(second=0, microsecond=0),), True
        return (time(_HOURS[said.part][0] if said.part else _USUAL),), True
    hour, minute = said.clock
    if said.half and hour <= 12:  # noqa: PLR2004 - of a clock's face
        hour = hour % 12 + (12 if said.half == "pm" else 0)
        return (time(hour, minute),), False
    if said.part:
        within = _HOURS[said.part][1]
        options = [each for each in (hour, hour + 12) if each in within] if hour <= 12 else [hour]  # noqa: PLR2004 - of a clock's face
        if said.part == "night" and hour == 12:  # noqa: PLR2004 - midnight
            options = [0]
        return (time((options or [hour])[0] % 24, minute),), False
    if said.literal or hour >= 12 or hour == 0:  # noqa: PLR2004 - as above
        return (time(hour % 24, minute),), False
    return (time(hour, minute), time(hour + 12, minute)), False


def _read_clock(said: _Said, found: re.Match[str], patterns: Patterns) -> None:
    groups = found.groupdict()
    hour = 1 if groups.get("one") is not None else _number_of(groups.get("h") or "", patterns)
    minutes = groups.get("m") or groups.get("m2")
    minute = _number_of(minutes, patterns) if minutes else 0
    shift = sum(
        add
        for name, add in (
            ("half", 30),
            ("quarter", 15),
            ("less_half", -30),
            ("less_quarter", -15),
            ("before_quarter", -45),
        )
        if groups.get(name) is not None
    )
    shift += _number_of(groups["past"], patterns) if groups.get("past") else 0
    shift -= _number_of(groups["less"], patterns) if groups.get("less") else 0
    if hour > 24 or minute > 59:  # noqa: PLR2004 - of a clock
        raise NotATime
    total = (hour * 60 + minute + shift) % 1440
    written = groups.get("h") or ""
    said.clock = divmod(total, 60)
    if shift and said.clock[0] == 0 and hour == 12:  # noqa: PLR2004 - half to twelve at night is not meant
        said.clock = (12, said.clock[1])
    said.half = "am" if groups.get("am") else "pm" if groups.get("pm") else ""
    exact = groups.get("exact") is not None and hour >= _SMALL
    timed = groups.get("m") is not None and not patterns.twelve_hours
    said.literal = written.startswith("0") or exact or timed or hour > 12  # noqa: PLR2004 - as above


def _add_amount(said: _Said, written: str, patterns: Patterns, now: datetime) -> None:
    """Take in a length of time: minutes and hours pass, days and more are counted on the calendar."""
    minutes, day = 0.0, said.day
    for found in patterns.amount.finditer(written):
        unit, number = _unit_of(found["unit"], patterns), _number_of(found["n"], patterns) if found["n"] else 1
        if number > _MOST[unit]:
            raise OverflowError
        if unit in _MINUTES:
            minutes += number * _MINUTES[unit]
        else:
            start = day or now.date()
            day = (
                _shift(start, number * (12 if unit == "year" else 1))
                if unit in ("month", "year")
                else start + (timedelta(days=number * (7 if unit == "week" else 1)))
            )
    if minutes and day is None:
        said.minutes = minutes
    elif day is not None:
        said.day = day
        said.same_time = True
        if minutes:
            raise NotATime


def _add_next(said: _Said, unit: str, number: int, now: datetime) -> None:
    if unit == "week":
        said.weeks = number
        return
    months = number * (12 if unit == "year" else 1)
    first = _shift(now.date().replace(day=1), months)
    said.day = first.replace(month=1) if unit == "year" else first
    if said.month_day:
        said.day = _clip(said.day.year, said.day.month, said.month_day)


def _read_day(part: Part, patterns: Patterns, now: datetime) -> date:
    """Return the date that is named; without a year the next one, today included."""
    groups = part.found.groupdict()
    if part.kind is Kind.ISO:
        return date(int(groups["year"]), int(groups["month"]), int(groups["day"]))
    if groups.get("numeric"):
        written = groups["numeric"]
        has_year = len(re.findall(r"\d+", written)) > 2  # noqa: PLR2004 - day and month
    else:
        written = f"{int(groups['day'])} {groups['month']} {groups.get('year') or ''}".strip()
        has_year = bool(groups.get("year"))
    yesterday = datetime.combine(now.date() - timedelta(days=1), time(23, 59))
    found = read_date(written.rstrip(".") if not has_year else written, patterns.code, yesterday)
    if found is None:
        raise ValueError("no such day")
    if not has_year and found.date() < now.date():
        found = found.replace(year=found.year + 1)
    return found.date()


def _read_end(part: Part, patterns: Patterns, now: datetime) -> date:
    groups = part.found.groupdict()
    match part.kind:
        case Kind.DATE | Kind.NUMERIC | Kind.ISO:
            return _read_day(part, patterns, now)
        case Kind.MONTH:
            month = next(number for number, each in enumerate(patterns.months, 1) if each.fullmatch(groups["month"]))
            year = int(groups["year"]) if groups.get("year") else now.year + (month <= now.month)
            return date(year, month, 1)
        case Kind.WEEKDAY:
            return now.date() + timedelta(days=(_index_of(groups["weekday"], patterns) - now.weekday()) % 7)
        case Kind.DAY:
            return now.date() + timedelta(days=int(part.form.value[0]))
        case Kind.DAY_OF_MONTH:
            return _next_month_day(_day_of(part.found, patterns), now, time(23, 59))
        case Kind.NEXT:
            said = _Said()
            _add_next(said, str(part.form.value[0]), int(part.form.value[1]), now)
            return _find_day(said, now) or now.date()
        case _:
            raise NotATime


def _number_of(written: str, patterns: Patterns) -> int:
    if written.isdecimal():
        return int(written)
    found = next((value for pattern, value in patterns.numbers if pattern.fullmatch(written)), None)
    if found is None:
        raise NotATime
    return found


def _unit_of(written: str, patterns: Patterns) -> str:
    return next(unit for pattern, unit in patterns.units if pattern.fullmatch(written))


def _index_of(written: str, patterns: Patterns) -> int:
    return next(number for number, pattern in enumerate(patterns.weekdays) if pattern.fullmatch(written))


def _indexes_in(written: str, patterns: Patterns) -> set[int]:
    each = {number for number, pattern in enumerate(patterns.each_weekday) if pattern.search(written)}
    return each | {
        number
        for number, pattern in enumerate(patterns.weekdays)
        if re.search(rf"\b{pattern.pattern}", written, re.IGNORECASE)
    }


def _day_of(found: re.Match[str], patterns: Patterns) -> int:
    groups = found.groupdict()
    if groups.get("last") is not None:
        return _LAST_DAY
    digits = groups.get("d") or groups.get("D")
    day = int(digits) if digits else _number_of(groups.get("dw") or "", patterns)
    if not 1 <= day <= _LAST_DAY:
        raise NotATime
    return day


def _next_month_day(day: int, now: datetime, at: time) -> date:
    first = _clip(now.year, now.month, day)
    return first if datetime.combine(first, at) > now else _clip(*_next_month(now.year, now.month), day)


def _next_month(year: int, month: int) -> tuple[int, int]:
    return (year + 1, 1) if month == 12 else (year, month + 1)  # noqa: PLR2004 - December


def _clip(year: int, month: int, day: int) -> date:
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))


def _shift(day: date, months: int) -> date:
    whole = day.year * 12 + day.month - 1 + months
    return _clip(whole // 12, whole % 12 + 1, day.day)
