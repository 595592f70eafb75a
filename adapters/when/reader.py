"""The port WhenReader: the language that explains most of a sentence's time reads it.

What was not said is taken as people mean it, and told: a day without a time is its morning, "at 9" tomorrow is nine
in the morning.  Where people differ nothing is taken: the times that may be meant are returned instead.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NoReturn
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from adapters.when.calendar import find_month_day, find_next_nth, find_zones, read_anything
from adapters.when.collecting import SMALL, NotATime, Said, Unclear, collect, name_month
from adapters.when.patterns import (
    Cluster,
    Kind,
    Part,
    Patterns,
    find_parts,
    group_parts,
    list_patterns,
    list_requests,
    list_unread,
)
from bot.memory.sanitise import remove_directions
from bot.ports.when import LEAST_MINUTES, Plan, Repetition, Unit, WhenProblem, WhenReading, localise

_HOURS_LEFT: Final = {
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
_AWAKE: Final = 5
"""Before this hour nobody is reminded of anything who does not say so, or is up at such an hour."""
_MORNING: Final = 6
_NOON: Final = 12
_DAY: Final = 24
_SATURDAY: Final = 5
_WEEK: Final = timedelta(days=7)
_FAR: Final = timedelta(days=400)
"""A date without a year that is farther away than this is hardly meant: 29 February."""
_MOST_YEARS: Final = 100
_LATE: Final = frozenset({"evening", "night"})
_UNITS: Final = {
    "minute": Unit.MINUTE,
    "hour": Unit.HOUR,
    "day": Unit.DAY,
    "week": Unit.WEEK,
    "month": Unit.MONTH,
    "year": Unit.YEAR,
}


@dataclass(frozen=True, slots=True)
class Resolved:
    """The plans that may be meant: one, several, or none and why."""

    plans: tuple[Plan, ...] = ()
    problem: WhenProblem | None = None
    past: datetime | None = None


def resolve(cluster: Cluster, patterns: Patterns, now: datetime, *, morning: bool = False) -> Resolved:
    """Return what a group of parts means at ``now``, which is aware; raises :class:`NotATime`.

    ``morning`` says that an hour without more is one of the morning.
    """
    if cluster.has(Kind.EVENT):
        return Resolved(problem=WhenProblem.EVENT)
    if cluster.has(Kind.GONE):
        return Resolved(problem=WhenProblem.PAST)
    local = now.replace(tzinfo=None)
    try:
        said = collect(cluster, patterns, now)
        if morning and not said.half and not said.part and said.clock is not None:
            said.half = "am"
        found = _place(said, now) if said.zones else _shift_earlier(said, _plan(said, local), local)
    except Unclear as unclear:
        found = Resolved(unclear.plans, WhenProblem.AMBIGUOUS)
    except (ValueError, OverflowError):  # 31 February, the year 10000
        return Resolved(problem=WhenProblem.NEVER)
    too_far = any(plan.local.year > local.year + _MOST_YEARS for plan in found.plans)
    return Resolved(problem=WhenProblem.NEVER) if too_far else found


def _plan(said: Said, now: datetime) -> Resolved:
    return _plan_repeated(said, now) if said.unit else _plan_once(said, now)


def _place(said: Said, now: datetime) -> Resolved:
    """Return what is said in another zone as times of the zone of ``now``; a repetition there is asked about."""
    home = now.tzinfo or UTC
    found: list[Plan] = []
    for zone in said.zones[:2]:
        there = now.astimezone(zone)
        resolved = _shift_earlier(said, _plan(said, there.replace(tzinfo=None)), there.replace(tzinfo=None))
        if not resolved.plans:
            return resolved
        found += [
            replace(plan, local=_make_aware(plan.local, zone).astimezone(home).replace(tzinfo=None))
            for plan in resolved.plans
        ]
    same = all(
        _make_aware(now.replace(tzinfo=None) + timedelta(days=days), zone).utcoffset()
        == (now + timedelta(days=days)).replace(fold=0).utcoffset()
        for zone in said.zones[:1]
        for days in (0, 91, 182, 273)
    )
    sure = len(found) == 1 and (not said.unit or same)
    return Resolved(tuple(dict.fromkeys(found)), None if sure else WhenProblem.AMBIGUOUS)


def _make_aware(local: datetime, zone: tzinfo) -> datetime:
    return localise(local, zone.key) if isinstance(zone, ZoneInfo) else local.replace(tzinfo=zone)


def _shift_earlier(said: Said, resolved: Resolved, now: datetime) -> Resolved:
    """Return the times by that much earlier: "at 2, remind me an hour before"."""
    if not said.earlier or not resolved.plans:
        return resolved
    plans = tuple(
        replace(
            plan,
            local=plan.local - said.earlier,
            repetition=None if plan.repetition is None else _shift_days(plan.repetition, plan, said.earlier),
        )
        for plan in resolved.plans
    )
    if any(plan.local <= now for plan in plans):
        return Resolved(problem=WhenProblem.PAST, past=plans[0].local)
    return replace(resolved, plans=plans)


def _shift_days(repetition: Repetition, plan: Plan, earlier: timedelta) -> Repetition:
    """Return a repetition on the days before; raises :class:`NotATime` where that is no such repetition."""
    days = plan.local.date().toordinal() - (plan.local - earlier).date().toordinal()
    if not days or repetition.passes or repetition.unit is Unit.DAY:
        return repetition
    if repetition.unit is Unit.WEEK:
        return replace(repetition, weekdays=tuple(sorted((day - days) % 7 for day in repetition.weekdays)))
    raise NotATime


def _plan_once(said: Said, now: datetime) -> Resolved:
    if said.minutes is not None:
        if said.clock is not None or said.day is not None or said.weekday is not None:
            raise NotATime
        at = now + timedelta(minutes=said.minutes)
        return Resolved((Plan(at, passes=True),)) if said.minutes else Resolved(problem=WhenProblem.PAST, past=at)
    hours, assumed = _list_hours(said, now)
    if said.vague and said.day is None and not said.month_day:
        _ask_which([datetime.combine(day, hours[0]) for day in said.vague], now, assumed=True)
    days = _find_days(said, now) or ((said.until,) if said.until else ())
    if said.ends_day or (said.today and said.part == "midnight"):
        days = tuple(day + timedelta(days=1) for day in days)
    if (said.today and assumed and not said.part) or (not days and said.clock is None and not said.part):
        raise NotATime
    if not days:
        return _choose_undated(said, hours, now, assumed=assumed)
    if len(days) > 1:
        usual = hours[:1] if hours[0].hour >= SMALL else hours
        _ask_which([datetime.combine(day, each) for day in days for each in usual], now, assumed=assumed)
    day = _find_night(said, days[0], hours[0], now)
    times = [datetime.combine(day, each) for each in hours]
    coming = [at for at in times if at > now]
    _ask_about_day(said, day, times, now, assumed=assumed)
    if not coming and (said.weekday is None or said.dated or said.today):
        return Resolved(problem=WhenProblem.PAST, past=times[-1])
    return _offer(coming or [at + _WEEK for at in times], assumed=assumed)


def _ask_which(times: Iterable[datetime], now: datetime, *, assumed: bool) -> NoReturn:
    """Raise :class:`Unclear` with those times that are to come."""
    raise Unclear(*(Plan(at, assumed=assumed) for at in times if at > now))


def _find_night(said: Said, day: date, at: time, now: datetime) -> date:
    """Return the day on which a small hour of the night or evening of ``day`` is: "tonight at 1" is tomorrow."""
    if said.part not in _LATE or said.clock is None or at.hour >= _MORNING or now.hour < _MORNING:
        return day
    if not said.today and said.part == "night" and said.day is not None:
        _ask_which([datetime.combine(day + timedelta(days=more), at) for more in (0, 1)], now, assumed=False)
    return day + timedelta(days=1)


def _ask_about_day(said: Said, day: date, times: Sequence[datetime], now: datetime, *, assumed: bool) -> None:
    """Raise :class:`Unclear` for a midnight at either end of a day, today's own name, a date in more than a year."""
    first = times[0]
    if said.part == "midnight" and not said.today:
        _ask_which([first, first + timedelta(days=1)], now, assumed=False)
    unsaid = said.weekday is not None and not said.dated and not said.today
    if unsaid and day == now.date() and times[-1] > now:
        coming = next(at for at in times if at > now)
        _ask_which([coming, first + _WEEK], now, assumed=assumed)
    if said.dated and not said.kinds & {Kind.ISO, Kind.NUMERIC} and day > now.date() + _FAR:
        _ask_which(times, now, assumed=assumed)


def _choose_undated(said: Said, hours: tuple[time, ...], now: datetime, *, assumed: bool) -> Resolved:
    """Return the next of these times of day; of two that are meant alike, the one of the same day or both."""
    today = [at for each in hours if (at := datetime.combine(now.date(), each)) > now]
    tomorrow = [datetime.combine(now.date() + timedelta(days=1), each) for each in hours]
    if len(hours) == 1:
        if hours[0] == time(_NOON) and not today and not said.part and not said.half:
            raise Unclear(Plan(datetime.combine(tomorrow[0].date(), time(0))), Plan(tomorrow[0]))
        if said.part == "night" and now.hour < min(_HOURS_LEFT["night"][1]) + 5 and today:
            return _offer(today, assumed=assumed)
        return _offer(today or tomorrow, assumed=assumed)
    early = hours[0]
    if len(today) == 1 and early.hour < SMALL:
        return Resolved((Plan(today[0], assumed=assumed),))
    if len(today) == len(hours):
        return _offer(today, assumed=assumed)
    if len(today) == 1:
        return Resolved((Plan(today[0]), Plan(tomorrow[0])), WhenProblem.AMBIGUOUS)
    return _offer(tomorrow, assumed=assumed) if early.hour < SMALL else Resolved((Plan(tomorrow[0]),))


def _offer(times: list[datetime], *, assumed: bool) -> Resolved:
    """Return one plan, or both where a small hour may be either."""
    if len(times) == 1 or times[0].hour >= SMALL:
        return Resolved((Plan(times[0], assumed=assumed),))
    return Resolved(tuple(Plan(at) for at in times), WhenProblem.AMBIGUOUS)


def _plan_repeated(said: Said, now: datetime) -> Resolved:
    unit = _UNITS.get(said.unit)
    if unit is None or said.every == 0 or said.times == 0:  # it counts seconds, or never comes
        return Resolved(problem=WhenProblem.NEVER)
    if unit in (Unit.MINUTE, Unit.HOUR):
        return _plan_passing(said, unit, now)
    if said.ends_day and unit is not Unit.DAY:
        raise NotATime
    hours, assumed = _list_hours(said, now)
    anchored = said.day or said.weekday is not None or said.weekdays or said.month_day or said.nth
    if unit is not Unit.DAY and not anchored:
        today = _make_repeated(said, unit, None, hours[0], now, assumed=assumed)
        first = now.date().replace(day=1)
        raise Unclear(today, _make_repeated(replace(said, weekdays=(0,)), unit, first, hours[0], now, assumed=assumed))
    unit, weekdays = _choose_weekdays(said, unit)
    said = replace(said, weekdays=weekdays, weekday=said.weekday if unit is not Unit.WEEK else None)
    days = _find_days(said, now) if unit is not Unit.WEEK or said.dated or said.day else ()
    if len(days) > 1 or said.vague or (said.nth and days):
        raise NotATime
    day = days[0] if days else None
    plans = tuple(
        _make_repeated(said, unit, day, at, now, assumed=assumed)
        for at in (hours if hours[0].hour < SMALL else hours[:1])
    )
    if said.often:
        once = replace(plans[0], repetition=None)
        raise Unclear(plans[0], replace(plans[0], local=plans[0].local + _WEEK) if said.every > 1 else once)
    if any(_ends_before(plan) for plan in plans):
        return Resolved(problem=WhenProblem.NEVER)
    return Resolved(plans, WhenProblem.AMBIGUOUS if len(plans) > 1 else None)


def _choose_weekdays(said: Said, unit: Unit) -> tuple[Unit, tuple[int, ...]]:
    """Return what is counted and on which days of the week; raises :class:`NotATime` where they do not fit."""
    weekdays = said.weekdays
    if said.without:
        if (unit is not Unit.DAY and not (unit is Unit.WEEK and weekdays)) or said.every != 1:
            raise NotATime
        return Unit.WEEK, tuple(day for day in weekdays or range(7) if day not in said.without)
    if unit is Unit.DAY and weekdays and said.every % 7 == 0:
        said.every //= 7
        return Unit.WEEK, weekdays
    if unit is Unit.WEEK:
        return unit, weekdays or (() if said.weekday is None else (said.weekday,))
    if (weekdays and not said.nth) or (unit is Unit.DAY and said.weekday is not None):
        raise NotATime
    return unit, weekdays


def _ends_before(plan: Plan) -> bool:
    until = plan.repetition.until if plan.repetition is not None else None
    return until is not None and until < plan.local.date()


def _plan_passing(said: Said, unit: Unit, now: datetime) -> Resolved:
    minutes = (1 if unit is Unit.MINUTE else 60) * said.every
    if minutes < LEAST_MINUTES:
        return Resolved(problem=WhenProblem.NEVER)
    if said.weekdays or said.part or said.without:
        raise NotATime
    until = now.date() + said.lasting if said.lasting else said.until
    repetition = Repetition(unit, said.every, until=until, times=said.times)
    if said.clock is None:
        if said.day is not None or said.weekday is not None or said.month_day:
            raise NotATime
        return Resolved((Plan(now + timedelta(minutes=minutes), passes=True, repetition=repetition),))
    first = _plan_once(replace(said, unit=""), now)
    return replace(first, plans=tuple(replace(plan, repetition=repetition) for plan in first.plans))


def _make_repeated(said: Said, unit: Unit, day: date | None, at: time, now: datetime, *, assumed: bool) -> Plan:
    first, weekdays = day or now.date(), said.weekdays
    month_day, month = 0, 0
    if unit is Unit.WEEK:
        weekdays = weekdays or (first.weekday(),)
        while first.weekday() not in weekdays or datetime.combine(first, at) <= now:
            first += timedelta(days=1)
    elif unit is Unit.DAY:
        if datetime.combine(first, at) <= now:
            first += timedelta(days=1)
    elif said.nth:
        first = find_next_nth(said.nth, weekdays, now, at)
    else:
        month_day = said.month_day or first.day
        if unit is Unit.YEAR:
            month = first.month
            first = first if datetime.combine(first, at) > now else first + relativedelta(years=1)
        elif day is None or datetime.combine(first, at) <= now:
            first = find_month_day(month_day, now, at)
    until = first + said.lasting - timedelta(days=1) if said.lasting else said.until
    repetition = Repetition(
        unit,
        said.every,
        weekdays if unit is Unit.WEEK or said.nth else (),
        month_day,
        month,
        until,
        said.times,
        nth=said.nth,
    )
    return Plan(datetime.combine(first, at), repetition=repetition, assumed=assumed)


def _find_days(said: Said, now: datetime) -> tuple[date, ...]:
    """Return the day that is meant, both where it may be either, none where none is named."""
    today = now.date()
    if len(said.either) > 1:
        return said.either
    day = said.day
    if day is None and said.month_day and not said.weeks:
        if said.month:
            day = name_month(said, today) + relativedelta(day=said.month_day)
        else:
            day = find_month_day(said.month_day, now, time(23, 59))
        if day.day != said.month_day and not said.unit:
            raise NotATime
    if day is None:
        return _find_weekday(said, today)
    if said.weekday is None or day.weekday() == said.weekday:
        return (day + timedelta(days=said.more_days),)
    if not said.dated and not said.month_day:
        raise NotATime
    return tuple(sorted({_find_next(said.weekday, today), day}))


def _find_weekday(said: Said, today: date) -> tuple[date, ...]:
    """Return the next such day of the week; both where "next" may be this week's, or the weekend has begun."""
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=said.weeks)
    if said.weekday is None:
        return (monday, monday + timedelta(days=4)) if said.weeks else ()
    if said.weeks:
        return (monday + timedelta(days=said.weekday),)
    day = _find_next(said.weekday, today)
    if said.more_days:
        return (day + _WEEK, day + 2 * _WEEK) if day == today else (day + _WEEK,)
    if said.weekend and today.weekday() >= _SATURDAY:
        return today, day if day > today else day + _WEEK
    if said.following:
        this_week = day < monday + _WEEK
        return (day + _WEEK,) if day == today else (day, day + _WEEK) if this_week else (day,)
    return (day,)


def _find_next(weekday: int, today: date) -> date:
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def _list_hours(said: Said, now: datetime) -> tuple[tuple[time, ...], bool]:
    """Return the times of day that may be meant, the earlier first, and whether nobody said one."""
    if said.clock is None:
        if said.same_time and not said.part:
            return (now.time().replace(second=0, microsecond=0),), True
        return (time(_HOURS_LEFT[said.part][0] if said.part else _USUAL),), True
    hour, minute = said.clock
    if said.half and hour <= _NOON:
        hour = hour % _NOON + (_NOON if said.half == "pm" else 0)
        return (time(hour, minute),), False
    if said.part:
        within = _HOURS_LEFT[said.part][1]
        options = [each for each in (hour, hour + _NOON) if each in within] if hour <= _NOON else [hour]
        if said.part in _LATE and hour == _NOON:  # midnight
            options = [0]
        if not options and said.part in _LATE:
            options = [hour]
        if not options or (said.part in ("noon", "midnight") and hour not in within):
            raise NotATime
        return (time(options[0] % _DAY, minute),), False
    if said.literal or hour >= _NOON:
        return (time(hour % _DAY, minute),), False
    early, late = time(hour, minute), time(hour + _NOON, minute)
    return ((late,) if hour < _AWAKE <= now.hour else (early, late)), False  # "tomorrow at 3" is the afternoon


_LOOKED_AT: Final = 600
"""Characters of a sentence: who says when does so briefly."""
_HOURS: Final = frozenset(("", *map(str, range(1, 24))))
"""Of a day in figures, without a zero before them."""
_SPACES: Final = re.compile(r"\s+")
_DIGIT: Final = re.compile(r"\d")
_CLAUSE: Final = re.compile(r"[,;.!?:–—]|(?<=\s)-(?=\s)")
_READ_ALONE: Final = 8
"""Parts of which every run is tried: a sentence that asks for one reminder has fewer."""
_WORD_BEGINS: Final = re.compile(r"(?<!\S)\S")
_OFFERED: Final = 2
"""Times that are offered where a sentence may mean several."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a language knows of a line: the words that ask, "" for none, and the parts of a time in the ``rest``."""

    patterns: Patterns
    request: str
    rest: str
    asked: bool
    parts: tuple[Part, ...]

    @property
    def covered(self) -> int:
        """The more characters, the better it knows the words."""
        return len(self.request) + sum(part.end - part.start for part in self.parts)


class LanguageWhenReader:
    """Reads with the words of every language that is installed."""

    def may_ask(self, text: str) -> bool:
        """Return whether the words of a request stand in ``text``: a look that costs next to nothing."""
        return any(
            each.asks.search(text) or each.orders.search(text) or (each.tail.search(text) and each.whom.search(text))
            for each in list_requests()
        )

    def read(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading:
        """Return the reading of the language that knows most of the words; ``languages`` win a tie, in order."""
        line = _SPACES.sub(" ", remove_directions(text[:_LOOKED_AT])).strip()
        found = [_find(line, patterns, now) for patterns in _order(languages)]
        best = max(found, key=lambda one: one.covered, default=None)
        return WhenReading(line, problem=WhenProblem.NO_TIME) if best is None else _read(best, now)

    def find_zone(self, name: str, now: datetime, language: str) -> tzinfo | None:
        """Return the zone of a city that stands for one in the tz database, or in CLDR under its name."""
        return next(iter(find_zones(name, language, now)), None)

    def read_alone(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading | None:
        reading = self.read(text, now, languages)
        over = reading if reading.problem is WhenProblem.PAST and reading.past is None and not reading.text else None
        if reading.problem is not WhenProblem.NO_TIME and over is None:
            return reading if not reading.text else None
        line = _SPACES.sub(" ", remove_directions(text[:_LOOKED_AT])).strip(" .!")
        if line.isascii() and line.isdecimal():  # an hour, or nothing: no month, and no year
            return self.read(f"{line}:00", now, languages) if line.lstrip("0") in _HOURS else None
        local = now.replace(tzinfo=None)
        if _DIGIT.search(line) is None and over is None:
            return None
        for patterns in _order(languages):
            if (at := read_anything(line, patterns.code, local)) is not None:
                return WhenReading("", Plan(at)) if at > local else WhenReading("", problem=WhenProblem.PAST, past=at)
        return over


def _order(languages: Sequence[str]) -> list[Patterns]:
    every = list_patterns()
    return [*dict.fromkeys([*(each for code in languages for each in every if each.code == code), *every])]


def _find(line: str, patterns: Patterns, now: datetime) -> _Found:
    line = patterns.compounds.sub(lambda found: f"{found[0]} ", line)
    request, rest, asked = _split_request(line, patterns, now)
    timer, repeating = (each.search(request) is not None for each in (patterns.timers, patterns.repeating))
    return _Found(patterns, request, rest, asked, find_parts(rest, patterns, now, timer=timer, repeating=repeating))


def _read(found: _Found, now: datetime) -> WhenReading:
    patterns, rest, parts = found.patterns, found.rest, found.parts
    resolved = _resolve(rest, parts, patterns, now, morning=patterns.wakes.search(found.request) is not None)
    if resolved is None:
        vague = bool(parts) or next(list_unread(rest, parts, patterns), None) is not None
        return WhenReading(_strip(rest, patterns), problem=WhenProblem.NO_TIME, asked=found.asked, vague=vague)
    unsure = resolved.problem in (WhenProblem.EVENT, WhenProblem.AMBIGUOUS)
    groups = group_parts(rest, parts, patterns) if unsure else ()
    left = _strip(rest if len(groups) > 1 else _cut(rest, parts, patterns), patterns)
    return replace(_tell(resolved, left), asked=found.asked and patterns.told.match(left) is None)


def _resolve(rest: str, parts: Sequence[Part], patterns: Patterns, now: datetime, *, morning: bool) -> Resolved | None:
    """Return what all parts say together; where they do not agree, or something is left, the times to choose from.

    ``None`` where nothing tells a time.
    """
    together = Cluster(tuple(parts))
    if not together.tells:
        return None
    try:
        resolved = resolve(together, patterns, now, morning=morning)
    except NotATime:
        return _offer_each(group_parts(rest, parts, patterns), patterns, now, morning=morning)
    if resolved.problem is None and next(list_unread(rest, parts, patterns), None) is not None:
        return replace(resolved, problem=WhenProblem.AMBIGUOUS)
    return resolved


def _offer_each(clusters: Sequence[Cluster], patterns: Patterns, now: datetime, *, morning: bool) -> Resolved | None:
    """Return what the groups say one by one, as times to choose from; ``None`` where none says any."""
    plans: list[Plan] = []
    for cluster in clusters:
        taken: set[Part] = set()
        for alone in _list_runs(cluster.parts):
            if taken.isdisjoint(alone.parts) and alone.tells:
                try:
                    found = resolve(alone, patterns, now, morning=morning).plans
                except NotATime:
                    continue
                plans += found
                taken |= set(alone.parts)
    chosen = tuple(dict.fromkeys(plans))[:_OFFERED]
    return Resolved(chosen, WhenProblem.AMBIGUOUS) if chosen else None


def _list_runs(parts: Sequence[Part]) -> Iterator[Cluster]:
    """Yield the parts that stand beside each other, the longest runs first."""
    few = parts[:_READ_ALONE]
    for length in range(len(few), 0, -1):
        for start in range(len(few) - length + 1):
            yield Cluster(tuple(few[start : start + length]))


def _split_request(line: str, patterns: Patterns, now: datetime) -> tuple[str, str, bool]:
    """Return the words that ask for a reminder, "" for none, the rest of the sentence, and whether it asks.

    Words that stand in the middle of a sentence ask only in the imperative, or behind a time: "I told her to remind me"
    asks for nothing.
    """
    words = patterns.request
    if lead := patterns.lead.match(line):
        return lead["asked"], line[lead.end() :], patterns.told.match(line[lead.end() :].lstrip(" ,")) is None
    polite = patterns.polite.match(line)
    if (tail := words.tail.search(line)) and polite and words.whom.search(polite[0]):
        return tail[0], line[polite.end() :], True
    if inner := words.imperative.search(line):
        before, after = line[: inner.start()], line[inner.end() :]
        asked = words.hinders.search(before) is None and patterns.told.match(after.lstrip(" ,")) is None
        return inner[0], f"{_cut_polite(before, patterns)} {after.lstrip()}", asked
    if (inner := words.asks.search(line)) and _is_time(line[: inner.start()], patterns, now):
        after = line[inner.end() :]
        return inner[0], f"{line[: inner.start()]}{after}", patterns.told.match(after.lstrip(" ,")) is None
    if order := words.orders.search(line):
        clause = _CLAUSE.split(line[: order.start()])[-1]
        return order[0], f"{line[: order.start()]}{line[order.end() :]}", words.subjects.search(clause) is None
    return "", line, False


def _cut_polite(before: str, patterns: Patterns) -> str:
    """Return what stands before a request without "could you please" at its end."""
    starts = (found.start() for found in _WORD_BEGINS.finditer(before))
    return next((before[:at].rstrip() for at in starts if patterns.polite.fullmatch(before, at)), before)


def _is_time(text: str, patterns: Patterns, now: datetime) -> bool:
    """Whether a text is a time from its beginning to its end: what stands before a request that is one."""
    clusters = group_parts(text, find_parts(text, patterns, now), patterns)
    return (
        len(clusters) == 1
        and patterns.fillers.fullmatch(text, 0, clusters[0].parts[0].start) is not None
        and patterns.fillers.fullmatch(text, clusters[0].parts[-1].end) is not None
    )


def _tell(resolved: Resolved, text: str) -> WhenReading:
    if resolved.problem is WhenProblem.AMBIGUOUS:
        return WhenReading(text, problem=resolved.problem, options=resolved.plans)
    if resolved.problem is not None or not resolved.plans:
        return WhenReading(text, problem=resolved.problem or WhenProblem.NO_TIME, past=resolved.past)
    return WhenReading(text, resolved.plans[0])


def _cut(rest: str, parts: Sequence[Part], patterns: Patterns) -> str:
    """Return the sentence without the time, and without the words that tie it to the rest."""
    kept, at = "", 0
    for part in parts:
        between = rest[at : part.start]
        if at and patterns.fillers.fullmatch(between):
            between = ""
        kept = f"{kept.rstrip()} {between.lstrip()}" if kept.strip() and between else kept + between
        at = part.end
    return f"{kept.rstrip()} {rest[at:].lstrip()}" if kept.strip() else rest[at:]


def _strip(text: str, patterns: Patterns) -> str:
    """Return what is to be done: without the words that tie it to the request, courtesies and loose signs."""
    text = patterns.request.tail.sub(" ", text)
    text = patterns.courtesies.sub("", text)
    found = patterns.links.match(text)
    text = text[found.end() :] if found else text
    return patterns.courtesies.sub("", _SPACES.sub(" ", text)).strip(" ,;:–—-\"'«»“”„")
