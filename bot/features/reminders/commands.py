"""Reminders by words: /remind and /reminders, and sentences that ask for one without a command and without a model.

Of sentences, only what the author typed asks for anything.  A message that says more than that is left to the model
where there is one, which has the same reminders as a tool; so is a time that hangs on something only memory may know.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

import structlog

from bot.commands.language import Voice, make_reply
from bot.core.rights import May, Whose
from bot.errors import CommandInvalid, MnemeError
from bot.features.reminders.requests import Outcome, ReminderRequests, Request, is_request
from bot.features.reminders.wording import list_snoozes, make_kept_reply, write_kept, write_line, write_text, write_when
from bot.memory.learning.correction import find_corrected_value
from bot.memory.learning.speech_acts import is_trivial, manages_reminders, wants_reminder
from bot.memory.secrets.redaction import redact
from bot.messages import MessageKind
from bot.ports.command import CommandCall
from bot.ports.reminders import Reminder, Reminders, apply_plan
from bot.ports.turn_store import TurnStore
from bot.ports.when import Plan, WhenProblem, WhenReading, load_repetition, localise
from bot.turn import PAGING_LASTS_S, Reply, ReplyKind, Turn
from language.sentences import split_sentences
from language.texts import Texts

_PAGE: Final = 6
_PREVIOUS, _NEXT = "‹", "›"
_ON_ONE: Final = re.compile(
    r"(cancel|done|show|snooze|move|edit)\s+#?(\d{1,10})(?:\s+(.*))?", re.IGNORECASE | re.DOTALL
)
_PAGED: Final = re.compile(r"(?:page|list)(?:\s+(\d{1,6}))?", re.IGNORECASE)
_EXACT: Final = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(?: (FREQ=[A-Z0-9=;,-]+))?(?: from=([a-z0-9]{1,32}))?(?: (.*))?", re.DOTALL
)
_LENGTHS: Final = {"10m": timedelta(minutes=10), "1h": timedelta(hours=1)}
_MOST: Final = 5
"""Reminders that one message may ask for."""
_LOOKED_AT: Final = 12
"""Sentences of a message: who asks to be reminded does so early."""
_ANSWER_CHARS: Final = 120
"""An answer to "when?" is short."""


@dataclass(frozen=True, slots=True)
class Remind:
    """Everything about reminders that is typed or pressed."""

    texts: Voice
    requests: ReminderRequests
    store: Reminders
    may: May

    name: ClassVar[str] = "remind"

    async def run(self, call: CommandCall) -> Reply:
        """Do what the argument says: nothing, a time with a text, or ``cancel|done|show|snooze|move`` a number."""
        texts = self.texts(call.message)
        argument = " ".join(call.argument.split())
        if argument in ("help", "?"):
            return make_reply(texts.reminders.usage)
        if not argument:
            return await self.list_page(call, texts, 1)
        if match := _PAGED.fullmatch(argument):
            return await self.list_page(call, texts, int(match[1] or 1))
        if match := _ON_ONE.fullmatch(argument):
            return await self._change(call, texts, match[1].lower(), int(match[2]), match[3] or "")
        request = Request(call.message, call.scope, texts.language)
        if match := _EXACT.fullmatch(argument):
            return await self._keep_exactly(match, request, texts)
        reading = self.requests.read(argument, request)
        return make_kept_reply(await self.requests.keep(reading, request), texts, ReplyKind.COMMAND)

    async def list_page(self, call: CommandCall, texts: Texts, number: int) -> Reply:
        """Return a page of the chat's reminders, the next to come first, each with a button that opens it."""
        page = await self.store.page(call.scope, call.message.address, offset=(max(number, 1) - 1) * _PAGE, size=_PAGE)
        words, pages = texts.reminders, (page.total + _PAGE - 1) // _PAGE
        if not page.total:
            return replace(make_reply(words.none), in_place=_pressed(call))
        if not page.reminders:
            return await self.list_page(call, texts, pages)
        lines = "\n".join(write_line(each, texts) for each in page.reminders)
        where = texts.memory.page.format(page=number, pages=pages) if pages > 1 else ""
        buttons = [
            (words.open_button.format(number=each.number), f"/remind show {each.number}") for each in page.reminders
        ]
        beside = ((_PREVIOUS, number - 1), (_NEXT, number + 1))
        buttons += [(label, f"/remind page {other}") for label, other in beside if 0 < other <= pages]
        reply = make_reply(words.head.format(total=page.total), lines, where, words.hint, buttons=tuple(buttons))
        return replace(reply, buttons_last_s=PAGING_LASTS_S, in_place=_pressed(call))

    async def _keep_exactly(self, match: re.Match[str], request: Request, texts: Texts) -> Reply:
        """Store what a button says: a wall-clock time of the chat, a rule, the text."""
        try:
            local = datetime.fromisoformat(match[1])
        except ValueError as error:
            raise CommandInvalid(texts.reminders.never) from error
        zone = self.requests.zone(request.message)
        redacted = redact(match[4] or "")
        outcome = Outcome(redacted.text, zone, masked=redacted.kinds, exchange=match[3] or "")
        plan = Plan(local, repetition=load_repetition(match[2] or ""))
        if localise(local, zone.name) <= request.message.sent_at and plan.repetition is None:
            when = texts.moment(local, weekday=True)
            raise CommandInvalid(texts.reminders.past.format(when=when, zone=zone.name))
        return make_reply(write_kept(await self.requests.store_plan(plan, outcome, request), texts))

    async def _change(self, call: CommandCall, texts: Texts, verb: str, number: int, rest: str) -> Reply:
        reminder = await self.store.find(call.scope, call.message.address, number)
        if reminder is None:
            raise CommandInvalid(texts.reminders.missing.format(number=number))
        if verb == "show":
            return self._show(call, reminder, texts)
        whose = Whose.OWN if reminder.asker_id == call.author.id else Whose.OTHERS
        if not await self.may(self.name, call.message, call.scope, whose):
            raise CommandInvalid(texts.reminders.not_yours)
        match verb:
            case "cancel":
                await self.store.remove(reminder)
                return _told(call, texts.reminders.cancelled.format(text=write_text(reminder.text, texts)))
            case "done":
                return await self._finish(call, reminder, texts)
            case "snooze":
                return await self._snooze(call, reminder, texts, rest or "10m")
            case _:
                return await self._move(call, reminder, texts, rest)

    def _show(self, call: CommandCall, reminder: Reminder, texts: Texts) -> Reply:
        words, number = texts.reminders, reminder.number
        buttons = (
            (words.cancel_button, f"/remind cancel {number}"),
            *list_snoozes(number, texts),
            (words.back_button, "/remind page 1"),
        )
        hint = f"`/remind move {number} …`"
        reply = make_reply(write_line(reminder, texts), f"{reminder.zone} · {hint}", buttons=buttons)
        return replace(reply, buttons_last_s=PAGING_LASTS_S, in_place=_pressed(call))

    async def _finish(self, call: CommandCall, reminder: Reminder, texts: Texts) -> Reply:
        """Close one that came once; of one that repeats only this time is done."""
        words = texts.reminders
        done = words.done.format(text=write_text(reminder.text, texts))
        if reminder.repetition is None or reminder.due_at is None:
            await self.store.remove(reminder)
            return _told(call, done)
        await self.store.replace(replace(reminder, snoozed_to=None))
        return _told(call, f"{done}\n{words.next.format(when=write_when(reminder.due_at, reminder.zone, texts))}")

    async def _snooze(self, call: CommandCall, reminder: Reminder, texts: Texts, rest: str) -> Reply:
        to = self._read_snooze(call, reminder, texts, rest)
        changed = replace(reminder, snoozed_to=to, waits_to=None)
        if reminder.repetition is None:
            changed = replace(changed, due_at=None)
        if not await self.store.replace(changed):
            raise CommandInvalid(texts.reminders.missing.format(number=reminder.number))
        self.requests.wake()
        text = write_text(reminder.text, texts)
        when = write_when(to, reminder.zone, texts)
        return _told(call, texts.reminders.snoozed.format(when=when, zone=reminder.zone, text=text))

    def _read_snooze(self, call: CommandCall, reminder: Reminder, texts: Texts, rest: str) -> datetime:
        """Return until when: some minutes from now, the same time tomorrow, or a time in words."""
        if rest in _LENGTHS:
            return call.now + _LENGTHS[rest]
        zone = ZoneInfo(reminder.zone)
        if rest == "1d":
            told = reminder.due_at or reminder.fired_due or call.now
            day = call.now.astimezone(zone).date() + timedelta(days=1)
            return localise(datetime.combine(day, told.astimezone(zone).time()), reminder.zone)
        plan = self._read_plan(call, texts, rest).plan
        if plan is None or plan.repetition is not None:
            raise CommandInvalid(texts.reminders.usage)
        return apply_plan(reminder, plan, reminder.zone, call.message.sent_at).due_at or call.now

    async def _move(self, call: CommandCall, reminder: Reminder, texts: Texts, rest: str) -> Reply:
        """Give a reminder another time, and another text if one is named."""
        reading = self._read_plan(call, texts, rest)
        plan, zone = reading.plan, self.requests.zone(call.message)
        if plan is None:
            raise CommandInvalid(texts.reminders.usage)
        redacted = redact(reading.text or reminder.text)
        moved = apply_plan(replace(reminder, text=redacted.text), plan, zone.name, call.message.sent_at)
        if not await self.store.replace(moved):
            raise CommandInvalid(texts.reminders.missing.format(number=reminder.number))
        self.requests.wake()
        outcome = Outcome(redacted.text, zone, moved, assumed=plan.assumed, masked=redacted.kinds)
        return make_reply(texts.reminders.changed, write_kept(outcome, texts))

    def _read_plan(self, call: CommandCall, texts: Texts, rest: str) -> WhenReading:
        request = Request(call.message, call.scope, texts.language)
        reading = self.requests.read(rest, request)
        if reading.plan is None:
            outcome = Outcome(
                reading.text,
                self.requests.zone(call.message),
                problem=reading.problem,
                options=reading.options,
                past=reading.past,
            )
            raise CommandInvalid(write_kept(outcome, texts))
        return reading


@dataclass(frozen=True, slots=True)
class ListReminders:
    """The list under a name of its own."""

    remind: Remind

    name: ClassVar[str] = "reminders"

    async def run(self, call: CommandCall) -> Reply:
        """List them."""
        number = int(call.argument) if call.argument.isdecimal() else 1
        return await self.remind.list_page(call, self.remind.texts(call.message), number)


def _pressed(call: CommandCall) -> bool:
    return call.message.kind is MessageKind.BUTTON


def _told(call: CommandCall, text: str) -> Reply:
    """Return what a button has done in the place of the message that it stood under."""
    return replace(make_reply(text), in_place=_pressed(call))


@dataclass(frozen=True, slots=True)
class SentenceReminders:
    """Answers messages that ask for reminders; ``alone`` says that there is no language model."""

    texts: Voice
    requests: ReminderRequests
    turns: TurnStore
    alone: Callable[[], bool]
    listing: ListReminders

    async def answer(self, turn: Turn) -> Reply | None:
        """Return the reply to a request, or to the answer to our question; ``None`` for any other message.

        Who asks about those that are set, or wants one ended or moved, is shown the list, each with what does that:
        words may mean any of them.
        """
        if not turn.is_own:
            return None
        if self.alone() and manages_reminders(turn.analysed, any_set=True):
            set_here = await self.requests.store.page(turn.scope, turn.address, size=1)
            if set_here.total or manages_reminders(turn.analysed, any_set=False):
                now = self.requests.clock.now()
                call = CommandCall(self.listing.name, "", turn.message, turn.scope, turn.session, now)
                return await self.listing.run(call)
        texts = self.texts(turn.message)
        request = Request(turn.message, turn.scope, texts.language, exchange=turn.uid)
        try:
            outcomes = await self._keep_all(turn, request)
        except MnemeError as error:
            structlog.get_logger().warning("reminder not kept", cause=type(error).__name__)
            return Reply(texts.notice.command_failed, ReplyKind.NOTICE)
        if not outcomes:
            return None
        replies = [make_kept_reply(outcome, texts, ReplyKind.NOTED) for outcome in outcomes]
        text = "\n\n".join(reply.text for reply in replies)
        return Reply(text, ReplyKind.NOTED, tuple(button for reply in replies for button in reply.buttons))

    async def _keep_all(self, turn: Turn, request: Request) -> list[Outcome]:
        typed = turn.analysed.strip()
        if len(typed) <= _ANSWER_CHARS:
            answered = await self.requests.answer_question(typed, request)
            if answered is not None:
                return [answered]
            corrected = await self._correct(typed, request)
            if corrected is not None:
                return [corrected]
        if not wants_reminder(typed) and not self.requests.reader.may_ask(typed):
            return []
        readings = self._list_asked(typed, request)
        if not self.alone() and any(map(_is_unclear, readings)):
            return []
        numbered = [
            Request(request.message, request.scope, request.language, number, request.exchange)
            for number in range(len(readings))
        ]
        return [await self.requests.keep(*each) for each in zip(readings, numbered, strict=True)]

    async def _correct(self, typed: str, request: Request) -> Outcome | None:
        """Return what comes of "sorry, at 10" behind the message that asked for a reminder."""
        value = find_corrected_value(typed)
        last = await self.turns.last(request.message.address) if value else None
        return None if last is None else await self.requests.correct(value, last.exchange, request)

    def _list_asked(self, typed: str, request: Request) -> list[WhenReading]:
        """Return what the sentences say that ask for a reminder; none if a model had better read the message."""
        sentences = split_sentences(typed)[:_LOOKED_AT]
        read = [(sentence, self.requests.read(sentence, request)) for sentence in sentences]
        asked = [reading for sentence, reading in read if is_request(sentence, reading)]
        others = [each for each, reading in read if not is_request(each, reading) and not is_trivial(each)]
        if len(asked) > _MOST or (others and not self.alone()):
            return []
        return self._read_whole(typed, asked, request) if len(asked) == 1 < len(sentences) else asked

    def _read_whole(self, typed: str, asked: list[WhenReading], request: Request) -> list[WhenReading]:
        """Return what the sentences say together, where the one that asks leaves the time to another."""
        whole = self.requests.read(typed, request) if asked[0].plan is None and len(typed) <= _ANSWER_CHARS else None
        return asked if whole is None or whole.plan is None else [whole]


def _is_unclear(reading: WhenReading) -> bool:
    return reading.problem in (WhenProblem.NO_TIME, WhenProblem.EVENT)
