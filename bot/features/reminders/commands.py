"""Reminders by command: /remind and /reminders, what buttons under reminders do, and the model's tool.

A model may name a time as the user said it or as ``2026-11-24 09:00``; what it means is decided here, and what is
stored is told to the user in our own words.  While the model reads text from outside, a reminder that the user's own
words do not ask for is a question.
"""

import re
from dataclasses import dataclass, replace
from datetime import MAXYEAR, datetime, timedelta
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from adapters.tools.requests import check_names, looks_pasted, read_integer, read_text, says_verbatim
from bot.commands.formatting import make_page, make_reply, turn_over
from bot.core.rights import May, Whose
from bot.errors import CommandInvalid
from bot.features.reminders.requests import LONGEST, Outcome, ReminderRequests, Request, is_request
from bot.features.reminders.wording import (
    list_snoozes,
    make_kept_reply,
    write_exactly,
    write_kept,
    write_line,
    write_text,
    write_when,
)
from bot.memory.secrets.redaction import redact
from bot.memory.speakers import ANOTHERS
from bot.messages import InboundMessage
from bot.ports.chat_model import ToolSpec
from bot.ports.reminders import Reminder, Reminders, apply_plan
from bot.ports.system import CommandCall
from bot.ports.tool import ConfirmationRequest, ToolResult
from bot.ports.when import Plan, WhenProblem, WhenReading, load_repetition, localise
from bot.turn import Reply, ReplyKind, Turn
from language.texts import Texts

_PAGE: Final = 6
_ALL: Final = 1_000
_DIGITS: Final = 3
"""Of the number of a page: there are no more."""
_ON_ONE: Final = re.compile(
    r"(cancel|done|show|snooze|move|edit)\s+#?(\d{1,10})(?:\s+(.*))?", re.IGNORECASE | re.DOTALL
)
_PAGED: Final = re.compile(r"(?:page|list)(?:\s+(\d{1,6}))?", re.IGNORECASE)
_EXACT: Final = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(?: (FREQ=[A-Z0-9=;,-]+))?(?: from=([a-z0-9]{1,32}))?(?: (.*))?", re.DOTALL
)
_LENGTHS: Final = {"10m": timedelta(minutes=10), "1h": timedelta(hours=1)}


@dataclass(frozen=True, slots=True)
class Remind:
    """Everything about reminders that is typed or pressed."""

    requests: ReminderRequests
    store: Reminders
    may: May

    name: ClassVar[str] = "remind"

    async def run(self, call: CommandCall) -> Reply:
        """Do what the argument says: nothing, a time with a text, or ``cancel|done|show|snooze|move`` a number."""
        texts = call.texts
        argument = " ".join(call.argument.split())
        if argument in ("help", "?"):
            return make_reply(texts.reminders.usage)
        if not argument:
            return await self.list_page(call, texts, 1)
        if match := _PAGED.fullmatch(argument):
            return await self.list_page(call, texts, int(match[1] or 1))
        if match := _ON_ONE.fullmatch(argument):
            return await self._change(call, texts, match[1].lower(), int(match[2]), match[3] or "")
        return await (self._cancel_all(call, texts) if argument == "cancel all" else self._keep(call, argument, texts))

    async def _keep(self, call: CommandCall, argument: str, texts: Texts) -> Reply:
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
            return make_reply(words.none, in_place=True)
        if not page.reminders:
            return await self.list_page(call, texts, pages)
        lines = "\n".join(write_line(each, texts) for each in page.reminders)
        where = texts.memory.page.format(page=number, pages=pages) if pages > 1 else ""
        buttons = [
            (words.open_button.format(number=each.number), f"/remind show {each.number}") for each in page.reminders
        ]
        buttons += turn_over(number, pages, lambda other: f"/remind page {other}")
        return make_page(words.head.format(total=page.total), lines, where, words.hint, buttons=tuple(buttons))

    async def _keep_exactly(self, match: re.Match[str], request: Request, texts: Texts) -> Reply:
        """Store what a button says: a wall-clock time of the chat, a rule, the text."""
        zone = self.requests.zone(request.message)
        redacted = redact(match[4] or "")
        outcome = Outcome(redacted.text, zone, masked=redacted.kinds, exchange=match[3] or "")
        plan = _load_plan(match, zone.name, request.message, texts)
        return make_reply(write_kept(await self.requests.store_plan(plan, outcome, request), texts))

    async def _cancel_all(self, call: CommandCall, texts: Texts) -> Reply:
        """Cancel the caller's own of this chat."""
        page = await self.store.page(call.scope, call.message.address, size=_ALL)
        own = [each for each in page.reminders if each.asker_id == call.author.id]
        gone = [each for each in own if await self.store.remove(each)]
        return make_reply(texts.reminders.cancelled_all.format(count=len(gone)), in_place=True)

    async def _change(self, call: CommandCall, texts: Texts, verb: str, number: int, rest: str) -> Reply:
        reminder = await self.store.find(call.scope, call.message.address, number)
        if reminder is None:
            raise CommandInvalid(texts.reminders.missing.format(number=number))
        if verb == "show":
            return self._show(reminder, texts)
        whose = Whose.OWN if reminder.asker_id == call.author.id else Whose.OTHERS
        if not await self.may(self.name, call.message, call.scope, whose):
            raise CommandInvalid(texts.reminders.not_yours)
        match verb:
            case "cancel":
                await self.store.remove(reminder)
                return make_reply(
                    texts.reminders.cancelled.format(text=write_text(reminder.text, texts)), in_place=True
                )
            case "done":
                return await self._finish(reminder, texts)
            case "snooze":
                return await self._snooze(call, reminder, texts, rest or "10m")
            case _:
                return await self._move(call, reminder, texts, rest)

    def _show(self, reminder: Reminder, texts: Texts) -> Reply:
        words, number = texts.reminders, reminder.number
        buttons = (
            (words.cancel_button, f"/remind cancel {number}"),
            *list_snoozes(number, texts),
            (words.back_button, "/remind page 1"),
        )
        hint = f"`/remind move {number} …`"
        return make_page(write_line(reminder, texts), f"{reminder.zone} · {hint}", buttons=buttons)

    async def _finish(self, reminder: Reminder, texts: Texts) -> Reply:
        """Close one that came once; of one that repeats only this time is done."""
        words = texts.reminders
        done = words.done.format(text=write_text(reminder.text, texts))
        if reminder.repetition is None or reminder.due_at is None:
            await self.store.remove(reminder)
            return make_reply(done, in_place=True)
        await self.store.replace(replace(reminder, snoozed_to=None))
        return make_reply(
            f"{done}\n{words.next.format(when=write_when(reminder.due_at, reminder.zone, texts))}", in_place=True
        )

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
        return make_reply(texts.reminders.snoozed.format(when=when, zone=reminder.zone, text=text), in_place=True)

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
        zone = self.requests.zone(call.message)
        match = _EXACT.fullmatch(rest)
        if match is not None:
            reading = WhenReading(match[4] or "", _load_plan(match, zone.name, call.message, texts))
        else:
            reading = self._read_plan(call, texts, rest)
        plan = reading.plan
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
        number = int(call.argument[:_DIGITS]) if call.argument.isdecimal() else 1
        return await self.remind.list_page(call, call.texts, number)


def _load_plan(match: re.Match[str], zone: str, message: InboundMessage, texts: Texts) -> Plan:
    """Return what a button says: a wall-clock time of the chat, and a rule."""
    try:
        local = datetime.fromisoformat(match[1])
        first = localise(local, zone)
    except (ValueError, OverflowError) as error:
        raise CommandInvalid(texts.reminders.never) from error
    plan = Plan(local, repetition=load_repetition(match[2] or ""))
    if (plan.repetition is None and match[2]) or local.year == MAXYEAR:  # its end is in no calendar elsewhere
        raise CommandInvalid(texts.reminders.never)
    if first <= message.sent_at and plan.repetition is None:
        when = texts.moment(local, weekday=True)
        raise CommandInvalid(texts.reminders.past.format(when=when, zone=zone))
    return plan


_SHOWN: Final = 30
_PROBLEMS: Final = {
    WhenProblem.NO_TIME: "no time could be read in it; write it like 2026-11-24 09:00 or as the user said it, or ask",
    WhenProblem.EVENT: "it hangs on an event; work out the time from what you know, or ask the user",
    WhenProblem.PAST: "that time is over; nothing was set; ask the user for a time to come",
    WhenProblem.NEVER: "there is no such time; nothing was set",
    WhenProblem.AMBIGUOUS: "it may mean several times; ask the user which, then call again with the exact one: ",
}


@dataclass(frozen=True, slots=True)
class RemindTool:
    """The tool ``remind``."""

    requests: ReminderRequests
    store: Reminders

    spec: ClassVar[ToolSpec] = ToolSpec(
        "remind",
        "Set, list or cancel reminders of this chat. They are sent at their time, also after a restart. Use it "
        "whenever the user wants to be reminded. The user is shown exactly what was set, below your answer.",
        {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["set", "list", "cancel"], "description": "set by default"},
                "when": {
                    "type": "string",
                    "description": "as the user said it (every Monday at 8 until June), or like 2026-11-24 09:00",
                },
                "text": {"type": "string", "description": "what to remind of, short, in the user's words"},
                "number": {"type": "integer", "description": "of the reminder to cancel, as listed"},
            },
            "additionalProperties": False,
        },
    )
    writes: ClassVar[bool] = True
    outside: ClassVar[bool] = False

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ToolResult | ConfirmationRequest:  # Any: JSON
        """Do it and return what was done."""
        match self._read_action(arguments):
            case "list":
                return await self._list(turn)
            case "cancel":
                return await self._cancel(turn, arguments)
            case _:
                return await self._set(turn, arguments)

    def is_requested(self, turn: Turn, arguments: dict[str, Any]) -> bool:  # Any: JSON
        """Return whether it only looks, or the user typed a request for a reminder of this text at this time."""
        action = self._read_action(arguments)
        if action == "list":
            return True
        typed = self.requests.read(turn.analysed, self._request(turn))
        if action == "cancel" or not is_request(turn.analysed, typed) or looks_pasted(turn):
            return False
        plan = self._read_when(turn, arguments).plan
        return says_verbatim(turn, self._read_text(arguments)) and plan is not None and plan == typed.plan

    async def ask(self, turn: Turn, arguments: dict[str, Any]) -> ConfirmationRequest:  # Any: JSON
        """Set nothing and return what the user is to be asked."""
        if self._read_action(arguments) != "set":
            raise CommandInvalid("the user cancels reminders with /reminders; nothing was changed")
        reading = self._read_when(turn, arguments)
        if reading.plan is None:
            raise CommandInvalid(_explain(reading))
        text = redact(self._read_text(arguments)).text
        texts, plan = turn.texts, reading.plan
        question = texts.reminders.ask_agreement.format(
            when=texts.moment(plan.local, weekday=True),
            zone=self.requests.zone(turn.message).name,
            text=write_text(text, texts),
        )
        command = f"/remind {write_exactly(plan, text)}"
        return ConfirmationRequest(text, command, question=question, agree=texts.reminders.agree_button)

    async def _set(self, turn: Turn, arguments: dict[str, Any]) -> ToolResult:  # Any: JSON
        reading = self._read_when(turn, arguments)
        if reading.plan is None:
            raise CommandInvalid(_explain(reading))
        exact = WhenReading(self._read_text(arguments), reading.plan)
        outcome = await self.requests.keep(exact, self._request(turn))
        if outcome.reminder is None:
            raise CommandInvalid("this chat has as many reminders as it may; nothing was set")
        said = write_kept(outcome, turn.texts)
        return ToolResult(
            f"Set as number {outcome.reminder.number}. The user reads below your answer, so do not repeat it: {said}",
            said=said,
        )

    async def _list(self, turn: Turn) -> ToolResult:
        page = await self.store.page(turn.scope, turn.address, size=_SHOWN)
        lines = [write_line(each, turn.texts) for each in page.reminders]
        more = f"\n… {page.total - _SHOWN} more" if page.total > _SHOWN else ""
        asker = turn.message.author.id
        others = any(each.asker_id != asker or each.text.startswith(ANOTHERS) for each in page.reminders)
        return ToolResult("\n".join(lines) + more if lines else "there are no reminders", outside=others)

    async def _cancel(self, turn: Turn, arguments: dict[str, Any]) -> ToolResult:  # Any: JSON
        number = read_integer(arguments, "number", default=0, least=1, most=2**32 - 1)
        reminder = await self.store.find(turn.scope, turn.address, number)
        if reminder is None or reminder.asker_id != turn.message.author.id:
            raise CommandInvalid(f"the user has no reminder {number}; look with action list")
        line = write_line(reminder, turn.texts)
        await self.store.remove(reminder)
        return ToolResult(f"Cancelled: {line}", said=f"✕ {line}")

    def _read_when(self, turn: Turn, arguments: dict[str, Any]) -> WhenReading:  # Any: JSON
        written = read_text(arguments, "when", most=300)
        request = self._request(turn)
        reading = self.requests.read_alone(written, request)
        return reading if reading is not None else WhenReading("", problem=WhenProblem.NO_TIME)

    def _read_text(self, arguments: dict[str, Any]) -> str:  # Any: JSON
        return read_text(arguments, "text", most=LONGEST)

    def _read_action(self, arguments: dict[str, Any]) -> str:  # Any: JSON
        check_names(arguments, "action", "when", "text", "number")
        action = read_text(arguments, "action", most=20, required=False) or "set"
        if action not in ("set", "list", "cancel"):
            raise CommandInvalid("action is set, list or cancel")
        return action

    def _request(self, turn: Turn) -> Request:
        before = sum(run.call.name == self.spec.name for run in turn.tool_runs)
        return Request(turn.message, turn.scope, turn.texts.language, 100 + before, turn.uid)


def _explain(reading: WhenReading) -> str:
    problem = reading.problem or WhenProblem.NO_TIME
    options = " or ".join(f"{each.local:%Y-%m-%d %H:%M}" for each in reading.options)
    return f"{_PROBLEMS[problem]}{options}"
