"""What people ask to be reminded of: understood, stored, and told back exactly as it was stored.

A message that is run again after a crash, or edited, makes no second reminder: what it makes is named by the message.

Of a time that hangs on an event ("an hour before the dentist") what its author said last counts, if that tells exactly
one time to come.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.choices import read_choice
from bot.core.shown import choose
from bot.memory.answering.agenda import tells_past
from bot.memory.answering.changes import find_changes
from bot.memory.answering.evidence import Evidence, find_aliases
from bot.memory.answering.recollection import recall_said
from bot.memory.answering.utterances import list_statements, list_utterances
from bot.memory.concepts import STOP_WORDS, find_concept, is_alike, list_concepts
from bot.memory.items import Recalled
from bot.memory.learning.kinds import SentenceKind, decide_kind
from bot.memory.learning.speech_acts import strip_greeting, wants_reminder
from bot.memory.patterns import bound_repetitions
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import redact
from bot.messages import ChatKind, InboundMessage
from bot.ports.memory_store import Timeline
from bot.ports.reminders import Reminder, Reminders, apply_plan, name_message
from bot.ports.tickets import Asked, TicketKind, Tickets
from bot.ports.when import Clock, Plan, WhenProblem, WhenReader, WhenReading
from language import languages
from language.patterns import compile_at_use
from language.words import split_words

LONGEST: Final = 1_000
"""Characters of a reminder's text."""
_FEW: Final = 3
"""Words of an answer that only names a day or a part of it."""
_QUESTION_LASTS_S: Final = 600.0
_NOON: Final = 12
_LAST: Final = time(23, 59)


@dataclass(frozen=True, slots=True)
class Zone:
    """The time zone of a chat as an IANA name; ``known`` says that the chat has set it."""

    name: str
    known: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody's wish to be reminded; ``number`` counts those of one message, ``exchange`` is what the turn makes."""

    message: InboundMessage
    scope: Scope
    language: str
    number: int = 0
    exchange: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a request: a reminder, or why there is none.

    ``masked`` are the kinds of secrets that were left out of the text.  ``first`` says that it is the scope's first, so
    that its zone is worth telling.
    """

    text: str
    zone: Zone
    reminder: Reminder | None = None
    problem: WhenProblem | None = None
    options: tuple[Plan, ...] = ()
    past: datetime | None = None
    assumed: bool = False
    masked: tuple[str, ...] = ()
    first: bool = False
    full: bool = False
    exchange: str = ""


@dataclass(frozen=True, slots=True)
class ReminderRequests:
    """Turns words into reminders; ``zone`` tells a message's, ``wake`` is told that something new is to come."""

    store: Reminders
    tickets: Tickets
    reader: WhenReader
    zone: Callable[[InboundMessage], Zone]
    clock: Clock
    wake: Callable[[], None] = field(default=lambda: None)

    def read(self, text: str, request: Request) -> WhenReading:
        """Return what a text says, seen from when and where its message was written."""
        return self.reader.read(strip_greeting(text), self._now(request), _languages(request))

    def read_said(self, text: str, said_at: datetime, request: Request) -> WhenReading:
        """Return what a text says that the author of a request wrote at another time."""
        return self.reader.read(text, said_at.astimezone(self._now(request).tzinfo), _languages(request))

    def find_today(self, request: Request) -> date:
        """Return the day on which a request was written, where it was."""
        return self._now(request).date()

    def read_alone(self, text: str, request: Request) -> WhenReading | None:
        """Return what a text says that is nothing but a time."""
        return self.reader.read_alone(text, self._now(request), _languages(request))

    async def keep(self, reading: WhenReading, request: Request) -> Outcome:
        """Store what was understood; where nothing was, ask: the next message of the same person may answer."""
        zone = self.zone(request.message)
        redacted = redact(clean(reading.text).strip()[:LONGEST])
        outcome = Outcome(redacted.text, zone, masked=redacted.kinds, exchange=request.exchange)
        if reading.plan is None:
            if reading.problem is not WhenProblem.NEVER and redacted.text:
                await self._ask(redacted.text, reading.options, request)
            return replace(outcome, problem=reading.problem, options=reading.options, past=reading.past)
        return await self.store_plan(reading.plan, replace(outcome, assumed=reading.plan.assumed), request)

    async def store_plan(self, plan: Plan, outcome: Outcome, request: Request) -> Outcome:
        """Store a plan for the text of ``outcome``."""
        message = request.message
        place = replace(message.address, reply_to=None)
        drafted = Reminder(
            scope=request.scope,
            address=place,
            asker_id=message.author.id,
            asker_name=message.author.name,
            text=outcome.text,
            due_at=None,
            start=plan.local,
            zone=outcome.zone.name,
            language=request.language,
            direct=message.chat_kind is ChatKind.DIRECT,
            exchange=outcome.exchange or request.exchange,
            origin=_name_origin(request),
            made_at=self.clock.now(),
        )
        reminder = await self.store.keep(apply_plan(drafted, plan, outcome.zone.name, message.sent_at))
        if reminder is None:
            return replace(outcome, full=True)
        self.wake()
        return replace(outcome, reminder=reminder, first=reminder.number == 1)

    async def answer_question(self, text: str, request: Request, find_time: Callable[[str], str]) -> Outcome | None:
        """Return what comes of a message that answers when, ``None`` if nobody asked or it is no answer.

        ``find_time`` returns the time in a text that says nothing else, "" for any other.
        """
        asked = _ask_author(request)
        question = await self.tickets.find(TicketKind.QUESTION, asked, self.clock.now())
        if question is None:
            return None
        wanted, exchange, *offered = question
        reading = self._read_answer(text, tuple(map(datetime.fromisoformat, offered)), request)
        reading = reading or self._read_answer(find_time(text), tuple(map(datetime.fromisoformat, offered)), request)
        if reading is None:
            await self.tickets.withdraw(TicketKind.QUESTION, asked)
            return None
        outcome = await self.keep(replace(reading, text=wanted), replace(request, exchange=exchange))
        if outcome.reminder is not None:
            await self.tickets.withdraw(TicketKind.QUESTION, asked)
        return outcome

    async def find_question(self, request: Request) -> Outcome | None:
        """Return what somebody wants to be reminded of and has not said when, with what that may be; or ``None``."""
        question = await self.tickets.find(TicketKind.QUESTION, _ask_author(request), self.clock.now())
        if question is None:
            return None
        text, exchange, *offered = question
        options = tuple(Plan(datetime.fromisoformat(each)) for each in offered)
        return Outcome(text, self.zone(request.message), options=options, exchange=exchange)

    async def drop_question(self, request: Request, is_it: Callable[[str, str], bool]) -> str | None:
        """Ask no more for the time of what somebody wants to be reminded of, and return that; ``None`` for nothing.

        ``is_it`` is told what that is and in which exchange it was wanted.
        """
        asked = _ask_author(request)
        question = await self.tickets.find(TicketKind.QUESTION, asked, self.clock.now())
        if question is None or not is_it(question[0], question[1]):
            return None
        await self.tickets.withdraw(TicketKind.QUESTION, asked)
        return str(question[0])

    def _read_answer(self, text: str, offered: Sequence[datetime], request: Request) -> WhenReading | None:
        """Return what a text says that is nothing but a time, of the times ``offered`` the one that it chooses.

        "In the morning" means their day, where they have but one.
        """
        choice = read_choice(text) if offered else None
        chosen = choose(tuple(offered), choice.places) if choice is not None else ()
        hours = {place % _NOON for place in choice.places} if choice is not None else set()
        if len(chosen) == 1 and hours.isdisjoint(each.hour % _NOON for each in offered):  # "2" of 2:00 and 14:00
            return _choose(chosen)
        reading = self.read_alone(text, request)
        plans = list_plans(reading)
        if not offered:
            return reading
        if not plans:
            few = 0 < len(text.split()) <= _FEW
            fits = [each for each in offered if few and self._completes(text, each, request)]
            return _choose(fits) if fits else reading
        day = offered[0].date()
        undated = self.names_no_day(text, day, request)
        if not undated:
            fits = [each for each in offered if any(_is_meant(each, plan) for plan in plans)]
            if not fits and all(plan.assumed for plan in plans):  # another day, at the hour that was said
                fits = [datetime.combine(plan.local, hour) for plan in plans for hour in _list_hours(offered)]
        elif plans[0].assumed:
            fits = [each for each in offered if (each.hour < _NOON) is (plans[0].local.hour < _NOON)]
        else:
            fits = [each for each in offered if any(each.time() == plan.local.time() for plan in plans)]
        if len(fits) == 1 or len(_list_hours(fits)) > 1 or (undated and fits):
            return _choose(fits)
        near = [at for each in offered if undated and (at := self._find_near(text, each, request)) is not None]
        return _choose(near) if near else reading

    def _find_near(self, text: str, offered: datetime, request: Request) -> datetime | None:
        """Return what an hour means on the day of a time that was offered, next to that; ``None`` where it is over."""
        plans = list_plans(self._read_from(text, offered.date(), request))
        now = self._now(request).replace(tzinfo=None)
        coming = [plan.local for plan in plans if plan.local > now and is_on(offered.date(), plan)]
        return min(coming, key=lambda at: abs(at - offered), default=None)

    def _completes(self, text: str, offered: datetime, request: Request) -> bool:
        """Whether a text that is no time of its own is one with the hour that was offered: "today", "pm"."""
        day = self.read_alone(f"{text} {offered:%H:%M}", request)
        part = self._read_from(f"{offered:%I} {text}", offered.date(), request)
        return any(plan.local == offered for plan in (*list_plans(day), *list_plans(part)))

    def names_no_day(self, text: str, day: date, request: Request) -> bool:
        """Whether a text names an hour or a part of the day alone: seen from any day it means that day.

        At its end the next: "today at nine" would be over.
        """
        days = (day + timedelta(days=number) for number in range(2))
        seen = [(each, list_plans(self._read_from(text, each, request))) for each in days]
        alone = all(plans and all(is_on(each, plan) for plan in plans) for each, plans in seen)
        return alone and bool(list_plans(self._read_from(text, day, request, _LAST)))

    def _read_from(self, text: str, day: date, request: Request, at: time = time()) -> WhenReading | None:
        """Return what a text says that is nothing but a time, seen from an hour of a day."""
        zone = ZoneInfo(self.zone(request.message).name)
        return self.reader.read_alone(text, datetime.combine(day, at, zone), _languages(request))

    async def _ask(self, text: str, options: Sequence[Plan], request: Request) -> None:
        once = [each.local.isoformat() for each in options if each.repetition is None and not each.passes]
        question = (text, request.exchange, *(once if len(once) == len(options) else ()))
        await self.tickets.issue(
            TicketKind.QUESTION, _ask_author(request), question, self.clock.now(), _QUESTION_LASTS_S
        )

    def _now(self, request: Request) -> datetime:
        return request.message.sent_at.astimezone(ZoneInfo(self.zone(request.message).name))


def _choose(fits: Sequence[datetime]) -> WhenReading:
    """Return the only time that fits, or those that may be meant."""
    first, *others = plans = tuple(map(Plan, dict.fromkeys(fits)))
    return WhenReading("", problem=WhenProblem.AMBIGUOUS, options=plans) if others else WhenReading("", first)


def _list_hours(times: Sequence[datetime]) -> tuple[time, ...]:
    return tuple(dict.fromkeys(each.time() for each in times))


def is_request(sentence: str, reading: WhenReading) -> bool:
    """Return whether a sentence asks for a reminder: by its words alone, or by those that ask and words of time.

    An event with its time orders nothing: "weekly meeting at 9:15".  Without words that ask, the kind must be sure, and
    more than one word be left beside the time.
    """
    if reading.asked:
        timed = reading.problem is not WhenProblem.NO_TIME or reading.vague
        return timed or wants_reminder(sentence) or decide_kind(sentence) is SentenceKind.REMINDER
    return wants_reminder(sentence) and len(reading.text.split()) > 1


def list_plans(reading: WhenReading | None) -> tuple[Plan, ...]:
    """Return what a reading may mean, () for nothing."""
    if reading is None:
        return ()
    return (reading.plan,) if reading.plan is not None else reading.options


def _is_meant(offered: datetime, plan: Plan) -> bool:
    """Whether a plan with a day is a time that was offered, on its day alone where nobody said an hour."""
    return offered.date() == plan.local.date() and (plan.assumed or offered == plan.local)


def is_on(day: date, plan: Plan) -> bool:
    """Return whether a plan names a time of a day, and no length of time."""
    return plan.local.date() == day and not plan.passes


def _ask_author(request: Request) -> Asked:
    return Asked(request.scope, request.message.address, request.message.author.id)


def _languages(request: Request) -> tuple[str, ...]:
    return tuple(filter(None, (request.language, request.message.language[:2].lower())))


def _name_origin(request: Request) -> str:
    message = request.message
    return f"{name_message(message.address, message.message_id)}:{request.number}" if message.message_id else ""


_MOST_WORDS: Final = 5
"""Of an event's name, articles included."""
_CLAUSE: Final = re.compile(r"[,;:]\s")
_AT_ONCE: Final = 100
_PAGES: Final = 5
"""What was told of an event more than 500 messages ago is not looked for."""


@dataclass(frozen=True, slots=True)
class EventTimes:
    """Reads requests whose time hangs on an event."""

    timeline: Timeline
    requests: ReminderRequests

    async def read(self, sentence: str, reading: WhenReading, request: Request) -> WhenReading:
        """Return what a request says with the time of the event in it; unknown, it is the problem of the reading."""
        matches = ((pattern.search(sentence), said) for pattern, said in _compile())
        found, said = next(((match, said) for match, said in matches if match), (None, ""))
        if found is None:
            return reading
        told = await self._list_told(request)
        words, todo = found["event"].split(), found.groupdict().get("todo") or ""
        for most in range(min(_MOST_WORDS, len(words) - len(todo.split())), 0, -1):
            named = [find_concept(word) for word in split_words(" ".join(words[:most])) if word not in STOP_WORDS]
            ends = next(iter(split_words(words[most - 1])), "") in STOP_WORDS
            dated = None if ends or not named else self._find_dated(named, told, request)
            if dated is not None:
                plan = self._find_now(named, *dated, told, request)
                before = None if plan is None else self._read_before(sentence, found, said, most, plan, request)
                return before or replace(reading, plan=None, problem=WhenProblem.EVENT)
        return replace(reading, plan=None, problem=WhenProblem.EVENT)

    def _read_before(
        self, sentence: str, found: re.Match[str], said: str, most: int, event: Plan, request: Request
    ) -> WhenReading | None:
        """Return what a request says with the day of its event written in it, or the hour where it needs that."""
        behind, words = said.format(span=found["span"]), found["event"].split()
        for at in (f"{event.local:%Y-%m-%d}", "" if event.assumed else f"{event.local:%Y-%m-%d %H:%M}"):
            whole = f"{sentence[: found.start()]}{at}, {behind} {' '.join(words[most:])}"
            read = self.requests.read(whole, request)
            if at and read.plan is not None and read.plan.local < event.local and _names_day(read.plan, event, at):
                return replace(read, text=read.text or " ".join(words[:most]))
        return None

    def _find_dated(self, named: list[str], told: Sequence[Evidence], request: Request) -> tuple[Evidence, Plan] | None:
        """Return the last sentence that has all the words of an event and tells one time, with that."""
        for piece in told:
            clauses = [each for each in (*_CLAUSE.split(piece.text), piece.text) if _has_all(named, each)]
            if (plan := self._read_plan(clauses, piece, request)) is not None:
                return piece, plan
        return None

    def _find_now(
        self, named: list[str], piece: Evidence, plan: Plan, told: Sequence[Evidence], request: Request
    ) -> Plan | None:
        """Return when an event is to come by what has changed it since; ``None`` where that is over, or not known."""
        spoken = [each.source for each in told]
        later = find_changes(" ".join(named), (piece,), spoken, find_aliases(tuple(spoken))).get(0)
        now: Plan | None = plan
        if later is not None and later.perhaps:
            same = _has_all(named, later.piece.text)  # "the Harpers come on the 11th" may be of anything of theirs
            now = self._read_plan((later.piece.text,), later.piece, request) if same else None
        elif any(self._tells_other(each, named[:1], plan, request) for each in told if each.follows(piece)):
            now = None
        return now if now is not None and now.local.date() >= self.requests.find_today(request) else None

    def _tells_other(self, later: Evidence, named: list[str], plan: Plan, request: Request) -> bool:
        """Return whether what was said later names the same, and another day."""
        other = self._read_plan((later.text,), later, request) if _has_all(named, later.text) else None
        return other is not None and other.local.date() != plan.local.date()

    def _read_plan(self, texts: Sequence[str], piece: Evidence, request: Request) -> Plan | None:
        """Return the first time that any of these words of a message tells, seen from when that was said."""
        said_at = piece.source.said_at or request.message.sent_at
        plans = (self.requests.read_said(each, said_at, request).plan for each in texts)
        return next((each for each in plans if each and each.repetition is None and not each.passes), None)

    async def _list_told(self, request: Request) -> list[Evidence]:
        """Return what the author said that tells anything, sentence by sentence, the newest first."""
        theirs: list[Recalled] = []
        page = await self.timeline.read(request.scope, size=_AT_ONCE)
        for _ in range(_PAGES):
            theirs += [
                recall_said(
                    each.uid,
                    each.user_text,
                    each.author.id,
                    each.author.name,
                    each.said_at,
                    changing=page.changing.get(each.uid, {}),
                )
                for each in page.exchanges
                if each.author.id == request.message.author.id and each.user_text and not each.synthetic
            ]
            if page.older is None:
                break
            page = await self.timeline.read(request.scope, before=page.older, size=_AT_ONCE)
        spoken = list_utterances(tuple(theirs), request.message.find_reader(request.scope))
        stated = (Evidence(text, said) for said in spoken for text in list_statements(said))
        return [each for each in stated if not wants_reminder(each.text) and not tells_past(each.text)]


def _has_all(named: list[str], text: str) -> bool:
    there = list_concepts(text)
    return all(any(is_alike(one, other) for other in there) for one in named)


def _names_day(read: Plan, event: Plan, at: str) -> bool:
    """Whether a time before an event is of another day where only the day of the event was said."""
    return ":" in at or (read.local.date() < event.local.date() and read.local.time() != time())


@cache
def _compile() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (compile_at_use(rf"(?<!\w){bound_repetitions(pattern)}", re.IGNORECASE), said)
        for each in languages()
        for pattern, said in each.schedule.before_event.items()
    )
