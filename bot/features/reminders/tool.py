"""Lets the model set, list and cancel reminders: what is stored is told to the user in our own words, below the answer.

A model may name a time as the user said it or as ``2026-11-24 09:00``; what it means is decided here, and never by
the model.  While the model reads text from outside, a reminder that the user's own words do not ask for is a question.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from adapters.tools.requests import check_names, looks_pasted, read_integer, read_text, says_verbatim
from bot.commands.replied import ANOTHERS
from bot.errors import CommandInvalid
from bot.features.reminders.requests import LONGEST, ReminderRequests, Request, is_request
from bot.features.reminders.wording import write_exactly, write_kept, write_line, write_text
from bot.memory.secrets.redaction import redact
from bot.ports.chat_model import ToolSpec
from bot.ports.reminders import Reminders
from bot.ports.tool import ConfirmationRequest, ToolResult
from bot.ports.when import WhenProblem, WhenReading
from bot.turn import Turn

_SHOWN: Final = 30
_PROBLEMS: Final = {
    WhenProblem.NO_TIME: "no time could be read in it; write it like 2026-11-24 09:00 or as the user said it, or ask",
    WhenProblem.EVENT: "it hangs on an event; work out the time from what you know, or ask the user",
    WhenProblem.PAST: "that time is over; nothing was set; ask the user for a time to come",
    WhenProblem.NEVER: "there is no such time; nothing was set",
    WhenProblem.AMBIGUOUS: "it may mean several times; ask the user which, then call again with the exact one: ",
}


@dataclass(frozen=True, slots=True)
class Remind:
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
