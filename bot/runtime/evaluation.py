"""Measures every n-th live answer, behind the conversation: do the memories fit, does the answer keep to them."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.core.stages import Policy, Stage
from bot.errors import MnemeError
from bot.ports.events import AnswerProduced, Event
from bot.ports.judging import Judge, Verdict
from bot.turn import ReplyKind, Turn


class Evaluation:
    """A subscriber to :class:`~bot.ports.events.AnswerProduced`.

    ``every`` and ``judge`` are asked anew at each answer, so that a change of settings acts at once; 0 means never.
    """

    def __init__(self, every: Callable[[], int], judge: Callable[[], Judge]) -> None:
        self._every = every
        self._judge = judge
        self._seen = 0
        self._sampled = 0
        self._sums = (0.0, 0.0)

    async def __call__(self, event: Event) -> None:
        """Count a model's answer that memories stood behind (one without a model quotes them); maybe evaluate it."""
        if not isinstance(event, AnswerProduced) or not (every := self._every()):
            return
        turn = event.turn
        if turn.reply is None or turn.reply.kind is not ReplyKind.ANSWER or not turn.trace.memories:
            return
        self._seen += 1
        if self._seen % every:
            return
        # Nobody waits for it, so a judge that is busy is asked again.
        stage = Stage("evaluation", Policy.RETRY, self._judged)
        try:
            await stage((turn, None))
        except MnemeError as error:
            structlog.get_logger().warning("answer not evaluated", cause=type(error).__name__)

    @property
    def means(self) -> tuple[int, float, float]:
        """Number of samples, mean relevance and mean faithfulness, 0..1."""
        count = max(self._sampled, 1)
        return self._sampled, self._sums[0] / count, self._sums[1] / count

    async def _judged(self, asked: tuple[Turn, Verdict | None]) -> tuple[Turn, Verdict | None]:
        turn, _ = asked
        said = "\n".join(text for each in turn.history for text in each.texts)
        answer = turn.reply.text if turn.reply is not None else ""
        verdict = await self._judge().judge(turn.text, answer, turn.trace.memories, said)
        self._sampled += 1
        self._sums = (self._sums[0] + verdict.relevance, self._sums[1] + verdict.faithfulness)
        count, relevance, faithfulness = self.means
        structlog.get_logger().info(
            "answer evaluated",
            entry=turn.accepted[0].id,
            relevance=round(verdict.relevance, 2),
            faithfulness=round(verdict.faithfulness, 2),
            samples=count,
            mean_relevance=round(relevance, 3),
            mean_faithfulness=round(faithfulness, 3),
        )
        return turn, verdict
