"""System 40: compare the model's answer with what it was based on.

Off unless the operator asks for it: it takes a model call (or only words) after the answer, and a streamed draft was
seen before it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from bot.core.pipeline import Policy, Stage
from bot.ports.chat_model import Judge
from bot.ports.system import OnError
from bot.turn import Reply, ReplyKind, Turn


class Consequence(StrEnum):
    """What happens to an answer that memory does not bear out."""

    FLAG = "flag"
    """A line below it says so."""
    REJECT = "reject"
    """What memory itself says stands in its place."""


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """Check answers that memories stood behind; others have nothing to be faithful to.

    An answer of which less than ``floor`` of the statements are borne out meets the ``consequence``; ``remembered``
    answers from memory alone.
    """

    judge: Judge
    consequence: Consequence
    remembered: Callable[[Turn], Turn]
    floor: float = 0.5
    deadline_s: float = 10.0

    order: ClassVar[int] = 40
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn, with its answer marked or replaced if it is not faithful."""
        reply, memories = turn.reply, turn.trace.memories
        if reply is None or reply.kind is not ReplyKind.ANSWER or not memories:
            return turn
        # An answer that cannot be judged stands as it is, and the trace says so.
        stage = Stage("answer check", Policy.SKIP, self._judged, deadline_s=self.deadline_s)
        turn, reason = await stage(turn)
        return replace(turn, trace=turn.trace.noting(reason)) if reason else turn

    async def _judged(self, turn: Turn) -> Turn:
        reply = turn.reply
        if reply is None:
            return turn
        said = "\n".join(text for each in turn.history for text in each.texts)
        tools = "\n".join(run.output for run in turn.tool_runs)
        verdict = await self.judge.judge(turn.text, reply.text, turn.trace.memories, f"{said}\n{tools}")
        trace = turn.trace.measuring(faithful_percent=round(100 * verdict.faithfulness))
        if verdict.faithfulness >= self.floor:
            return replace(turn, trace=trace)
        warning = turn.texts.notice.not_borne_out
        if self.consequence is Consequence.FLAG:
            # As an unfinished answer it is shown and never learned from.
            marked = replace(reply, text=f"{reply.text}\n\n{warning}", kind=ReplyKind.RECALLED)
            return replace(turn, reply=marked, trace=trace.noting("answer check: flagged"))
        known = self.remembered(replace(turn, reply=None))
        text = f"{known.reply.text}\n\n{warning}" if known.reply else warning
        trace = trace.noting("answer check: rejected").using(known.trace.memories)
        return replace(turn, reply=Reply(text, ReplyKind.RECALLED), trace=trace)
