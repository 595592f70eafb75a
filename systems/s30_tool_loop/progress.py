"""Progress of a turn and its bounds: the state that must survive its being cut off at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.memory.prompt.fencing import hold_back_mark, remove_mark
from bot.ports.chat_model import ChatMessage, Completed
from bot.turn import ToolCall, ToolRun
from bot.usage import Usage

_SHORT_OUTPUT_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class ToolLoopLimits:
    """Bounds of one turn.

    ``model_calls`` and ``tool_runs`` count; ``wall_s`` and ``tool_s`` are seconds for the whole loop and for one tool
    run; ``output_chars`` and ``answer_chars`` cut one tool's result and the answer; ``context_tokens`` is what the
    model can read: the oldest history is left out beyond three quarters of it.
    """

    model_calls: int = 8
    tool_runs: int = 16
    wall_s: float = 120.0
    output_chars: int = 20_000
    tool_s: float = 30.0
    answer_chars: int = 100_000
    context_tokens: int = 16_000


class Ending(StrEnum):
    """Why the loop ended."""

    ANSWERED = "answered"
    CUT_SHORT = "cut short"
    EMPTY = "empty answer"
    STOPPED = "stopped by the user"
    OUT_OF_TIME = "time limit"
    OUT_OF_CALLS = "model call limit"
    FAILED = "model failed"


@dataclass(slots=True)
class Progress:
    """The state of one loop.

    ``rounds`` are the assistant and tool messages after the opening; ``waiting`` the calls that have no result yet.
    ``mark`` is that of the session's fences: it is taken out of everything that the model writes.
    """

    mark: str = ""

    rounds: list[ChatMessage] = field(default_factory=list)
    waiting: list[ToolCall] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    empty: int = 0
    shortened: int = 0
    """How often everything together was too long for the model."""
    left_out: int = 0
    unseen: bool = False
    """Pictures did not reach the model."""
    _pieces: list[str] = field(default_factory=list)
    _earlier: str = ""
    _open: bool = False

    def text(self) -> str:
        """Return the answer so far: of the call that runs, or else of the last one that said something."""
        return remove_mark("".join(self._pieces) or self._earlier, self.mark)

    def shown(self) -> str:
        """Return the same while it is being written: without an end that may be the beginning of the mark."""
        return hold_back_mark("".join(self._pieces) or self._earlier, self.mark)

    def begin_call(self) -> None:
        """A model call starts: what the one before said is no longer the answer, unless this one stays silent."""
        self._earlier = self.text()
        self._pieces.clear()
        self.calls += 1
        self._open = True

    def add(self, piece: str) -> None:
        """A piece of the answer arrived."""
        self._pieces.append(piece)

    def end_call(self, completed: Completed) -> None:
        """A model call ended as it should."""
        self._open = False
        self.usage += completed.usage
        self.unseen = self.unseen or completed.unseen
        if completed.text != "".join(self._pieces):  # what came may have turned out to be no answer
            self._pieces[:] = [completed.text]
        if completed.tool_calls:
            calls = tuple(_unique(completed.tool_calls, self.calls, self.mark))
            self.rounds.append(ChatMessage("assistant", remove_mark(completed.text, self.mark), tool_calls=calls))
            self.waiting.extend(calls)

    def abort_call(self) -> None:
        """A model call ended otherwise: it was paid for, though nobody says how much."""
        if self._open:
            self._open = False
            self.usage += Usage(calls=1)

    def answer_call(self, run: ToolRun, hint: str = "") -> None:
        """A tool call got its result."""
        self.waiting.remove(run.call)
        output = f"{run.output}\n\n{hint}" if hint else run.output
        self.rounds.append(ChatMessage("tool", output, tool_call_id=run.call.id))

    def shorten(self) -> None:
        """Make the results of tools short, because everything together was too long."""
        self.shortened += 1
        self.rounds = [
            replace(message, content=f"{message.content[:_SHORT_OUTPUT_CHARS]}\n[cut]")
            if message.role == "tool" and len(message.content) > _SHORT_OUTPUT_CHARS
            else message
            for message in self.rounds
        ]


def _unique(calls: tuple[ToolCall, ...], round_no: int, mark: str) -> list[ToolCall]:
    """Give calls ids of their own where a server gave none, or the same one twice; none holds the mark."""
    seen: set[str] = set()
    unique = []
    for number, call in enumerate(calls):
        own = call if call.id and call.id not in seen else replace(call, id=f"call_{round_no}_{number}")
        seen.add(own.id)
        unique.append(replace(own, arguments=remove_mark(own.arguments, mark)))
    return unique
