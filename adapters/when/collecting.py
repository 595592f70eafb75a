"""What the parts of a time say together: a day, an hour, a repetition, and what two of them contradict."""

import re
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

from dateutil.relativedelta import relativedelta

from adapters.when.calendar import LAST_DAY, find_holiday, find_month_day, find_nth, is_month_first, read_date
from adapters.when.patterns import REPEATS, Cluster, Kind, Part, Patterns
from bot.ports.when import Plan

_NOON: Final = 12
_DAY: Final = 24
_SATURDAY: Final = 5
SMALL: Final = 8
"""From this hour on a time without more is one of the morning; below it may be either."""
FEW: Final = 2
"""Days of the week in a list that may be meant once or every week; more are said of every week."""
_LITTLE: Final = 5
"""Before this hour people may call the day that has begun "tomorrow"."""
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
_WHICH: Final = frozenset(
    {Kind.DATE, Kind.NUMERIC, Kind.ISO, Kind.DAY, Kind.DAY_PART, Kind.NTH, Kind.MONTH_END, Kind.HOLIDAY}
)
_ALONE: Final = (
    frozenset({Kind.CLOCK}),
    frozenset({Kind.TIMER, Kind.CLOCK}),
    frozenset({Kind.AFTER}),
    frozenset({Kind.OF_MONTH, Kind.DAY_OF_MONTH}),
    REPEATS - {Kind.EACH, Kind.EVERY, Kind.EVERY_PART},
)


class NotATime(Exception):
    """These parts make no time."""


class Unclear(Exception):
    """These parts say several things: ``plans`` are those that may be meant."""

    def __init__(self, *plans: Plan) -> None:
        super().__init__()
        self.plans = plans


@dataclass(slots=True)
class Said:
    """What a group of parts says."""

    day: date | None = None
    today: bool = False
    month_day: int = 0
    month: int = 0
    year: int = 0
    weekday: int | None = None
    following: bool = False
    weekend: bool = False
    weeks: int = 0
    more_days: int = 0
    minutes: float | None = None
    clock: tuple[int, int] | None = None
    literal: bool = False
    ends_day: bool = False
    """At 24:00, which is the end of the day that is named (ISO 8601)."""
    half: str = ""
    """ "am" or "pm", where it was said."""
    part: str = ""
    unit: str = ""
    every: int = 1
    weekdays: tuple[int, ...] = ()
    nth: tuple[int, ...] = ()
    without: frozenset[int] = frozenset()
    until: date | None = None
    lasting: timedelta = timedelta()
    """From its first day on."""
    times: int | None = None
    dated: bool = False
    same_time: bool = False
    """Days from now: at the time of day that it is."""
    vague: tuple[date, ...] = ()
    """The days that may be meant where only a week, month or year was named."""
    either: tuple[date, ...] = ()
    """The dates that numbers may mean."""
    often: bool = False
    """Days of the week that may be meant once or every week."""
    earlier: timedelta = timedelta()
    zones: tuple[tzinfo, ...] = ()
    kinds: set[Kind] = field(default_factory=set)


def collect(cluster: Cluster, patterns: Patterns, now: datetime) -> Said:
    """Return what parts say together, seen from ``now``, which is aware; :class:`NotATime` where they contradict."""
    said, local = Said(), now.replace(tzinfo=None)
    ends = False
    for part in cluster.parts:
        if part.kind is Kind.UNTIL:
            ends = True
        elif ends and said.until is None and part.kind is not Kind.TIMES:
            said.until = _read_end(part, patterns, now)
        elif part.kind is Kind.LASTING:
            _, day = _read_amount(part.found["amount"], patterns, local.date())
            said.lasting, said.until = (day or local.date()) - local.date(), None if day else local.date()
        else:
            _check(said, part)
            _take(said, part, patterns, now)
            said.kinds.add(part.kind)
    if ends and said.until is None:
        raise NotATime
    if Kind.MONTH in said.kinds and not said.month_day and not said.nth:
        if said.day is not None or said.weekday is not None or said.minutes is not None:
            raise NotATime
        first = name_month(said, local.date())
        said.vague = (max(first, local.date() + timedelta(days=1)), first.replace(day=15))
    return said


def _check(said: Said, part: Part) -> None:
    """Raise :class:`NotATime` where a part says again, and otherwise, what one before it has said."""
    kind, before = part.kind, said.kinds
    if any(kind in group and before & group for group in _ALONE):
        raise NotATime
    if kind in _WHICH and before & _WHICH and {kind, *before} & _WHICH != {Kind.DAY, Kind.DAY_PART}:
        raise NotATime
    if kind is Kind.AFTER and before & (_WHICH | {Kind.WEEKDAY, Kind.NEXT}):
        raise NotATime
    if Kind.AFTER in before and kind in (_WHICH | {Kind.WEEKDAY, Kind.NEXT}):
        raise NotATime
    if kind in before and kind not in (Kind.EACH, Kind.PART, Kind.UNTIL):
        raise NotATime


def _take(said: Said, part: Part, patterns: Patterns, now: datetime) -> None:  # noqa: C901, PLR0912, PLR0915 - one case per kind
    found, value, local = part.found, part.value, now.replace(tzinfo=None)
    groups = found.groupdict()
    match part.kind:
        case Kind.AFTER | Kind.TIMER:
            written = groups.get("amount") or f"{found['n']} {found['unit']}"
            minutes, day = _read_amount(written, patterns, said.day or local.date())
            said.minutes = minutes if minutes or day is None else said.minutes
            said.day, said.same_time = day or said.day, said.same_time or day is not None
        case Kind.EARLIER:
            minutes, day = _read_amount(found["amount"], patterns, local.date())
            said.earlier = timedelta(minutes=minutes) if minutes else (day or local.date()) - local.date()
        case Kind.DAYS_EARLIER:
            said.earlier, said.part = timedelta(days=int(value[0])), str(value[1]) or said.part
        case Kind.DATE | Kind.NUMERIC | Kind.ISO:
            said.either = _read_numeric(found["numeric"], patterns, now) if part.kind is Kind.NUMERIC else ()
            said.day, said.dated = said.either[0] if said.either else _read_day(part, patterns, now), True
            if part.kind is Kind.ISO and found["h"]:
                said.clock, said.literal = (int(found["h"]), int(found["m"])), True
        case Kind.HOLIDAY:
            said.day, said.dated = _read_holiday(part, local), True
        case Kind.MONTH_END:
            said.day, said.dated = _read_month_end(part, patterns, local), True
        case Kind.NTH:
            _take_nth(said, part, patterns, local)
        case Kind.DAY:
            said.day, said.today = local.date() + timedelta(days=int(value[0])), value[0] == 0
            if value[0] == 1 and local.hour < _LITTLE:
                said.either = (local.date(), said.day)
        case Kind.DAY_PART:
            said.day, said.today = local.date() + timedelta(days=int(value[0])), value[0] == 0
            _take_part(said, str(value[1]))
        case Kind.WEEKDAY:
            said.weekday = _index_of(found["weekday"], patterns)
            said.weekend = said.weekday == 5 and patterns.weekend.search(found["weekday"]) is not None  # noqa: PLR2004 - Saturday
            said.following = said.following or found["following"] is not None
        case Kind.WEEKDAY_AFTER:
            said.more_days = 7
            if groups.get("tomorrow") is not None:
                said.day = local.date() + timedelta(days=1)
            else:
                (said.weekday,) = _indexes_in(found[0], patterns) or {-1}
        case Kind.NEXT:
            _add_next(said, str(value[0]), int(value[1]), local)
        case Kind.MONTH:
            month = _read_month(part, patterns, local)
            said.year, said.month = month.year, month.month
        case Kind.CLOCK:
            _read_clock(said, found, patterns)
        case Kind.PART:
            _take_part(said, str(value[0]))
        case Kind.ZONE:
            said.zones = part.zones
        case Kind.EVERY:
            if said.unit and (said.unit, int(value[1])) != ("week", 1) and not said.weekdays:
                raise NotATime
            if not said.weekdays or (str(value[0]), int(value[1])) != ("week", 1):
                said.unit, said.every = str(value[0]), int(value[1])
        case Kind.EVERY_NUMBER:
            said.unit, said.every = _unit_of(found["unit"], patterns), _count_of(found["n"], patterns)
        case Kind.EVERY_PART:
            said.unit = said.unit or "day"
            _take_part(said, str(value[0]))
        case Kind.EACH_DATE:
            said.unit, said.day, said.dated = "year", _read_day(part, patterns, now), True
        case Kind.EACH:
            days = {*said.weekdays, *_indexes_in(found["weekdays"], patterns)}
            said.unit, said.weekdays = said.unit or "week", tuple(sorted(days))
        case Kind.SECOND:
            said.unit, said.every, said.weekdays = "week", 2, tuple(sorted(_indexes_in(found["weekdays"], patterns)))
            said.often = groups.get("both") is not None or patterns.weekend.search(found["weekdays"]) is not None
        case Kind.LIST:
            said.weekdays = tuple(sorted(_indexes_in(found["weekdays"], patterns)))
            said.often = len(said.weekdays) <= FEW and not said.unit
            said.unit = said.unit or "week"
        case Kind.RANGE:
            first, last = (_index_of(found[name], patterns) for name in ("first", "last"))
            said.unit = "week"
            said.weekdays = tuple(sorted((first + each) % 7 for each in range((last - first) % 7 + 1)))
        case Kind.WITHOUT:
            said.without = frozenset(_indexes_in(found["except"], patterns, weekend=True))
        case Kind.WORKDAYS:
            said.unit, said.weekdays = "week", (0, 1, 2, 3, 4)
        case Kind.WEEKENDS:
            said.unit, said.weekdays = "week", (5, 6)
        case Kind.OF_MONTH:
            said.unit, said.month_day = "month", _day_of(found, patterns)
        case Kind.DAY_OF_MONTH:
            said.month_day = _day_of(found, patterns)
        case Kind.TIMES:
            said.times = 2 if groups.get("twice") else _count_of(groups.get("n") or "", patterns)
        case _:
            raise NotATime


def _take_part(said: Said, part: str) -> None:
    """Take in a part of the day: said twice alike, or one within the other, it is the same."""
    if said.part and part != said.part:
        narrower = {frozenset({"morning", "forenoon"}): "forenoon", frozenset({"evening", "night"}): "night"}
        if {said.part, part} & {"midnight", "noon"} and said.clock is None:
            part = part if part in ("midnight", "noon") else said.part
        elif (both := narrower.get(frozenset({said.part, part}))) is not None:
            part = both
        else:
            raise NotATime
    said.part = part


def _take_nth(said: Said, part: Part, patterns: Patterns, now: datetime) -> None:
    """Take in "the first and third Friday of the month": every month, or the next such day."""
    groups = part.found.groupdict()
    ordinals = sorted(
        {value for pattern, value in patterns.nth for _ in pattern.finditer(groups["nths"])}, key=lambda nth: nth % 9
    )
    weekdays = tuple(sorted(_indexes_in(groups["weekdays"], patterns)))
    if groups.get("every"):
        said.unit, said.weekdays, said.nth = "month", weekdays, tuple(ordinals)
        return
    if len(ordinals) != 1 or len(weekdays) != 1:
        raise NotATime
    if groups.get("month"):
        months = [_read_month(part, patterns, now)]
    else:
        first = now.date().replace(day=1)
        months = [*([] if groups.get("coming") else [first]), first + relativedelta(months=1)]
    days = [day for month in months if (day := find_nth(month, ordinals[0], weekdays[0])) is not None]
    coming = [day for day in days if day >= now.date()]
    if not coming:
        raise NotATime
    said.day, said.dated = coming[0], True


def _read_clock(said: Said, found: re.Match[str], patterns: Patterns) -> None:
    groups = found.groupdict()
    hour = 1 if groups.get("one") is not None else 12 if groups.get("noon") else 0 if groups.get("midnight") else -1
    named = hour in (0, 12)
    hour = _count_of(groups.get("h") or "", patterns) if hour < 0 else hour
    minutes = groups.get("m") or groups.get("m2")
    minute = _count_of(minutes, patterns) if minutes else 0
    shift = sum(
        add
        for name, add in (
            ("half", 30),
            ("quarter", 15),
            ("less_half", -30),
            ("less_quarter", -15),
            ("before_quarter", -45),
            ("before_hour", -60),
        )
        if groups.get(name) is not None
    )
    shift += sum(_count_of(groups[name], patterns) for name in ("past", "into") if groups.get(name))
    shift -= _count_of(groups["less"], patterns) if groups.get("less") else 0
    if hour > _DAY or minute > 59:  # noqa: PLR2004 - of a clock
        raise NotATime
    total = (hour * 60 + minute + shift) % 1440
    said.ends_day = hour * 60 + minute + shift >= _DAY * 60
    written = groups.get("h") or ""
    said.clock = divmod(total, 60)
    said.half = "am" if groups.get("am") else "pm" if groups.get("pm") else ""
    exact = groups.get("exact") is not None and hour >= SMALL
    timed = groups.get("m") is not None and not patterns.twelve_hours
    said.literal = written.startswith("0") or exact or timed or hour > _NOON or named


def _read_amount(written: str, patterns: Patterns, start: date) -> tuple[float, date | None]:
    """Return a length of time: as minutes, which pass, or as the day that it leads to on the calendar."""
    minutes, day, counted = 0.0, start, False
    if (short := next((each for pattern, each in patterns.fractions if pattern.fullmatch(written)), None)) is not None:
        return short, None
    for found in patterns.amount.finditer(written):
        unit = _unit_of(found["unit"], patterns)
        number = patterns.read_number(found["n"]) if found["n"] else 1
        if number is None:
            raise NotATime
        if number > _MOST[unit]:
            raise OverflowError
        if unit in _MINUTES:
            minutes += number * _MINUTES[unit]
            continue
        if number != int(number):
            raise NotATime
        day, counted = day + relativedelta(**{f"{unit}s": int(number)}), True
    if minutes and counted:
        raise NotATime
    return minutes, day if counted else None


def _add_next(said: Said, unit: str, number: int, now: datetime) -> None:
    if unit == "week":
        said.weeks = number
        return
    first = now.date() + relativedelta(day=1, **{f"{unit}s": number})
    first = first.replace(month=1) if unit == "year" else first
    if unit == "month":
        said.year, said.month = first.year, first.month
    said.vague = (first, first.replace(day=15))


def _read_month(part: Part, patterns: Patterns, now: datetime) -> date:
    groups = part.found.groupdict()
    month = next(number for number, each in enumerate(patterns.months, 1) if each.fullmatch(groups["month"]))
    return date(int(groups["year"]) if groups.get("year") else now.year + (month < now.month), month, 1)


def _read_month_end(part: Part, patterns: Patterns, now: datetime) -> date:
    named = part.found.groupdict().get("month")
    last: date = (_read_month(part, patterns, now) if named else now.date()) + relativedelta(day=LAST_DAY)
    return last


def name_month(said: Said, today: date) -> date:
    """Return the first day of the month that was named: the next such month to come."""
    return date(said.year or today.year + (said.month < today.month), said.month, 1)


def _read_holiday(part: Part, now: datetime) -> date:
    found = find_holiday(str(part.value[0]), now)
    if found is None:
        raise NotATime
    return found


def _read_day(part: Part, patterns: Patterns, now: datetime) -> date:
    """Return the date that is named; without a year the next one, today included."""
    groups, local = part.found.groupdict(), now.replace(tzinfo=None)
    if part.kind is Kind.ISO:
        return date(int(groups["year"]), int(groups["month"]), int(groups["day"]))
    written = f"{int(groups['day'])} {groups['month']} {groups.get('year') or ''}".strip()
    yesterday = datetime.combine(local.date() - timedelta(days=1), time(23, 59))
    found = read_date(written, patterns.code, yesterday)
    if found is None:
        raise ValueError("no such day")
    if not groups.get("year") and found.date() < local.date():
        found = found.replace(year=found.year + 1)
    return found.date()


def _read_numeric(written: str, patterns: Patterns, now: datetime) -> tuple[date, ...]:
    """Return a date in numbers; both where the order of day and month differs between those who write so.

    The order is that of English in the territory of the zone (CLDR), and of its own elsewhere.
    """
    numbers = [int(number) for number in re.findall(r"\d+", written)]
    (first, second), year = numbers[:2], numbers[2] if len(numbers) > FEW else None
    orders = [(first, second)]
    if patterns.month_first and "/" in written and first != second:
        month_first = is_month_first(getattr(now.tzinfo, "key", ""))
        both = [(first, second), (second, first)]
        orders = both if month_first is None else [both[month_first]]
        orders = [(day, month) for day, month in orders if month <= _NOON] or both
        orders = [(day, month) for day, month in orders if month <= _NOON]
    days: list[date] = []
    for day, month in orders:
        named = date(now.year if year is None else year + (2000 if year < 100 else 0), month, day)  # noqa: PLR2004 - two digits of a year
        days.append(named.replace(year=named.year + 1) if year is None and named < now.date() else named)
    return tuple(sorted(set(days)))


def _read_end(part: Part, patterns: Patterns, now: datetime) -> date:  # noqa: PLR0911 - one case per kind
    groups, local = part.found.groupdict(), now.replace(tzinfo=None)
    match part.kind:
        case Kind.NUMERIC if len(days := _read_numeric(part.found["numeric"], patterns, now)) == 1:
            return days[0]
        case Kind.DATE | Kind.ISO:
            return _read_day(part, patterns, now)
        case Kind.HOLIDAY:
            return _read_holiday(part, local)
        case Kind.MONTH_END:
            return _read_month_end(part, patterns, local)
        case Kind.MONTH:
            month = _read_month(part, patterns, local)
            return month.replace(year=month.year + (not groups.get("year") and month.month == local.month))
        case Kind.WEEKDAY:
            return local.date() + timedelta(days=(_index_of(groups["weekday"], patterns) - local.weekday()) % 7)
        case Kind.DAY:
            return local.date() + timedelta(days=int(part.value[0]))
        case Kind.DAY_OF_MONTH:
            return find_month_day(_day_of(part.found, patterns), local, time(23, 59))
        case _:
            raise NotATime


def _count_of(written: str, patterns: Patterns) -> int:
    found = patterns.read_number(written)
    if found is None or found != int(found):
        raise NotATime
    return int(found)


def _unit_of(written: str, patterns: Patterns) -> str:
    return next(unit for pattern, unit in patterns.units if pattern.fullmatch(written))


def _index_of(written: str, patterns: Patterns) -> int:
    """Return the day of the week that is named; an abbreviation may need what follows it in the sentence."""
    return next(iter(sorted(_indexes_in(f"{written} 1", patterns))))


def _indexes_in(written: str, patterns: Patterns, *, weekend: bool = False) -> set[int]:
    """Return the days of the week in a text; ``weekend`` says that a word for the weekend means both its days."""
    each = {number for number, pattern in enumerate(patterns.each_weekday) if pattern.search(written)}
    days = each | {
        number
        for number, pattern in enumerate(patterns.weekdays)
        if re.search(rf"(?<!\w){pattern.pattern}", f"{written} 1", re.IGNORECASE)
    }
    if weekend and patterns.weekend.search(written):
        days.add(_SATURDAY + 1)
    return days


def _day_of(found: re.Match[str], patterns: Patterns) -> int:
    groups = found.groupdict()
    if groups.get("last") is not None:
        return LAST_DAY
    digits = groups.get("d") or groups.get("D")
    day = int(digits) if digits else _count_of(groups.get("dw") or "", patterns)
    if not 1 <= day <= LAST_DAY:
        raise NotATime
    return day
