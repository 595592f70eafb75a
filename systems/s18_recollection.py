"""System 18: list what somebody told at the time that a message asks about, or what the day brings that it names.

Only where no language model answers: what is shown is everything of that time, which no search for its words finds.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import ClassVar, Final

from bot.memory.answering.agenda import ComingLine, find_days_asked, tell_days
from bot.memory.answering.evidence import Evidence
from bot.memory.answering.follow_ups import find_named, goes_on, resolve_follow_up
from bot.memory.answering.questions import list_references, split_questions
from bot.memory.answering.reckoning import asks_all_spent, asks_sum, tell_sum
from bot.memory.answering.recollection import PastSpan, ToldThen, find_past_span, find_told_then, recall_said, tell_then
from bot.memory.answering.utterances import list_utterances
from bot.memory.items import Recalled
from bot.memory.patterns import compile_bounded, cut_for_rules
from bot.messages import MessageKind
from bot.ports.memory_store import Timeline
from bot.ports.system import OnError
from bot.ports.when import Plan, Unit, WhenProblem, WhenReader, find_day
from bot.turn import Exchange, Reply, ReplyKind, Turn
from language import alternatives, languages

_AT_ONCE: Final = 100
_WEEK: Final = 7
_MONTH: Final = 31
"""Days in which what repeats comes once at least, or seldom."""
_OFTEN: Final = (Unit.DAY, Unit.WEEK)
_ENDS: Final = (time(), time(23, 59))
"""Of a day."""
_WEEKDAYS: Final = tuple(alternatives(each.schedule.weekdays) for each in languages())
_SPAN: Final = compile_bounded(
    alternatives(
        rf"(?<!\w){days}(?: (?:{each.schedule.weekday_range}) | ?[-–] ?){days}(?!\w)"
        for each, days in zip(languages(), _WEEKDAYS, strict=True)
    ),
    re.IGNORECASE,
)
_EACH: Final = compile_bounded(
    alternatives(
        rf"(?<!\w)(?:{one})(?!\w)" for each in languages() for one in (each.schedule.each, *each.schedule.each_weekday)
    ),
    re.IGNORECASE,
)
_PAGES: Final = 20
"""Pages of a time that are read: what is older than 2,000 messages is no more told."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """Answer from the timeline; ``wanted`` says that nobody else does.

    ``coming`` returns the reminders of the turn's chat that will come between two moments, ``recent`` the newest
    exchanges of its session, oldest first.
    """

    timeline: Timeline
    reader: WhenReader
    wanted: bool
    coming: Callable[[Turn, datetime, datetime], Awaitable[Sequence[ComingLine]]]
    recent: Callable[[Turn], Awaitable[Sequence[Exchange]]]

    order: ClassVar[int] = 18
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn, answered if it asks what was told then, or what a day brings."""
        message = turn.message
        if message.kind is MessageKind.BUTTON or turn.focus or not self.wanted:
            return turn
        now, said = turn.started_at, turn.analysed
        days = self._find_days(said, now)
        if not days and goes_on(said) and not list_references(said):  # no day is "it"
            own = await self._list_own(turn)
            said = resolve_follow_up(said, [(cut_for_rules(each.user_text), each.assistant_text) for each in own])
            days = self._find_days(said, now)
        days = days or await self._find_turned(turn, now)
        asked = find_told_then(said, now, lambda words: find_day(self.reader.read_alone(words, now)))
        reader, phrases = message.find_reader(turn.scope), turn.texts.answers
        if asked is not None:
            text, used = tell_then(asked, await self._read(turn, asked), reader, now, phrases)
        elif days:
            bounds = [datetime.combine(day, time(), now.tzinfo) for day in (days[0], days[-1] + timedelta(days=1))]
            coming = [one for one in await self.coming(turn, *bounds) if one.at.date() in days]
            told = await self._read(turn, ToldThen(now - timedelta(days=36500), now + timedelta(days=1)))
            text, used = tell_days(
                days,
                told,
                coming,
                lambda words, at: self._find_time(words, at, days, now),
                lambda words, at: self._names_no_day(words, at.astimezone(now.tzinfo)),
                reader,
                now,
                phrases,
            )
            if not (used or coming) and _WEEK < len(days) <= _MONTH:
                return turn  # "in July we are off to Denmark" names none of its days: it is searched for
        elif (summed := await self._sum(turn, said, now)) is not None:
            text, used = summed
        else:
            return turn
        return replace(turn, reply=Reply(text, ReplyKind.RECALLED), trace=turn.trace.using(used))

    async def _sum(self, turn: Turn, asked: str, now: datetime) -> tuple[str, tuple[Recalled, ...]] | None:
        """Return what was paid, or came in, in a time that a message names; ``None`` where it asks no such thing."""
        span = find_past_span(asked, now.date())
        whole = span is None and asks_all_spent(asked)
        span = PastSpan(date.min, date.max, asked) if whole else span
        if span is None or not split_questions(asked) or not asks_sum(span.rest, of_time=True):
            return None
        reader, phrases = turn.message.find_reader(turn.scope), turn.texts.answers
        told = await self._read(turn, ToldThen(now - timedelta(days=36500), now + timedelta(days=1)))

        def is_within(piece: Evidence, words: str = "") -> bool:
            said_at = (piece.source.said_at or now).astimezone(now.tzinfo)
            days = (self._find_past(each, said_at) for each in (words, piece.text))
            return span.start <= next(filter(None, days), said_at.date()) < span.end

        spoken = tuple(each for each in list_utterances(told, reader) if each.mine)
        if (summed := tell_sum(span.rest, spoken, now, phrases, is_within)) is not None:
            return summed
        counts = whole or any(
            any(map(str.isdigit, each.text)) and is_within(Evidence(each.text, each)) for each in spoken
        )
        return None if counts else (phrases.told_nothing, ())

    def _find_past(self, words: str, said_at: datetime) -> date | None:
        """Return the first day of the time that words name, and that had begun when they were said."""
        named, read = find_past_span(words, said_at.date()), self.reader.read(words, said_at).past
        return named.start if named is not None else read and read.date()

    async def _list_own(self, turn: Turn) -> list[Exchange]:
        return [each for each in await self.recent(turn) if each.author.id == turn.message.author.id]

    async def _find_turned(self, turn: Turn, now: datetime) -> tuple[date, ...]:
        """Return the day of "and on Friday" behind a question for what a day brings, () for any other message."""
        if not (days := self._read_days(find_named(turn.analysed), now)):
            return ()
        asked = reversed([each.user_text for each in await self._list_own(turn)])
        days_asked = ((self._find_days(each, now), self._read_days(find_named(each), now)) for each in asked)
        return days if next((whole for whole, named in days_asked if whole or not named), ()) else ()

    def _find_days(self, said: str, now: datetime) -> tuple[date, ...]:
        return find_days_asked(said, now, lambda words: self._read_days(words, now))

    def _read_days(self, words: str, now: datetime) -> tuple[date, ...]:
        """Return the day that words mean, or the several that they may mean, () where they say more or less."""
        reading = self.reader.read_alone(words, now)
        if reading is not None and reading.problem is WhenProblem.AMBIGUOUS:
            return tuple(dict.fromkeys(plan.local.date() for plan in reading.options if plan.repetition is None))
        day = find_day(reading)
        return () if day is None or day < now.date() else (day,)

    def _find_time(self, words: str, said_at: datetime, days: Sequence[date], now: datetime) -> datetime | None:
        """Return when something that was said then is on one of these days, as the clocks of ``now`` show it."""
        plans = self._read_plans(words, said_at.astimezone(now.tzinfo))
        # what is so every day is no news of any, and every week nothing that comes
        often = _OFTEN if len(days) > _MONTH else _OFTEN[:1]
        plans = tuple(plan for plan in plans if plan.repetition is None or plan.repetition.unit not in often)
        once = (plan.local for plan in plans if plan.repetition is None and plan.local.date() in days)
        named = _SPAN.search(words) is not None and _EACH.search(words) is None
        again = (
            at
            for day in days[:_MONTH]
            for plan in plans
            if plan.repetition and (at := plan.find_on(day))
            if not (named and _is_beyond(day, plan.repetition.weekdays, said_at.astimezone(now.tzinfo).date()))
        )
        return min(filter(None, (next(once, None), next(again, None))), default=None)

    def _names_no_day(self, words: str, said_at: datetime) -> bool:
        """Return whether words say a time of day and no day: at the end of a day it is of the next one."""
        early, late = (self._read_plans(words, datetime.combine(said_at, at, said_at.tzinfo)) for at in _ENDS)
        once = not any(plan.repetition or plan.passes for plan in (*early, *late))
        dates = [{plan.local.date() for plan in plans} for plans in (early, late)]
        return bool(early) and once and {day + timedelta(days=1) for day in dates[0]} == dates[1]

    def _read_plans(self, words: str, now: datetime) -> tuple[Plan, ...]:
        reading = self.reader.read(words, now)
        return reading.options if reading.plan is None else (reading.plan,)

    async def _read(self, turn: Turn, asked: ToldThen) -> tuple[Recalled, ...]:
        """Return what was typed then, oldest first; of a question for the newest, the last page."""
        said: list[Recalled] = []
        page = await self.timeline.read(turn.scope, until=asked.end, size=_AT_ONCE)
        for _ in range(_PAGES):
            within = [each for each in page.exchanges if each.said_at >= asked.start]
            said += [
                recall_said(
                    each.uid,
                    each.user_text,
                    each.author.id,
                    each.author.name,
                    each.said_at,
                    changing=page.changing.get(each.uid, {}),
                )
                for each in within
                if each.user_text and not each.synthetic and not _is_edited(each, turn)
            ]
            if page.older is None or len(within) < len(page.exchanges) or asked.newest:
                break
            page = await self.timeline.read(turn.scope, before=page.older, size=_AT_ONCE)
        return tuple(reversed(said))


def _is_beyond(day: date, weekdays: Sequence[int], said_on: date) -> bool:
    """Return whether a day is not of the days in a row that come next: "from Friday till Sunday" is no every week."""
    first = next((each for each in weekdays if (each - 1) % 7 not in weekdays), said_on.weekday())
    return not 0 <= (day - said_on).days - (first - said_on.weekday()) % 7 < len(weekdays)


def _is_edited(said: Exchange, turn: Turn) -> bool:
    """Return whether a turn answers the edit of what was said: its words hold until that is stored."""
    ids = {said.message_id, *(each.message_id for each in said.messages)}
    return turn.edited in ids - {0} and said.author.id == turn.message.author.id
