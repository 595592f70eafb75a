"""System 40: an answer that memory does not bear out is marked or replaced."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.errors import ModelUnavailable
from bot.memory.items import Recalled
from bot.ports.chat_model import Judge, Verdict
from bot.turn import Reply, ReplyKind, Trace, Turn
from language.registry import get_user_texts
from systems.s40_answer_check import AnswerCheck, Consequence
from tests.cases import each_row
from tests.systems.memory_fakes import recalled, said

VERA = recalled("Vera lives in Porto.")


class Judging:
    """Gives the verdict of the test, raises it or hangs."""

    def __init__(self, verdict: Verdict | Exception | None) -> None:
        self._verdict = verdict

    async def judge(self, question: str, answer: str, memories: tuple[Recalled, ...], said: str) -> Verdict:
        if self._verdict is None:
            await asyncio.sleep(60)
        if isinstance(self._verdict, Verdict):
            return self._verdict
        raise self._verdict or TimeoutError


CAREFUL = get_user_texts("en").notice.not_borne_out


def _check(judge: Judge, consequence: Consequence = Consequence.FLAG, *, deadline_s: float = 10) -> AnswerCheck:
    return AnswerCheck(
        judge,
        consequence,
        lambda turn: replace(turn, reply=Reply("You told me: Vera lives in Porto."), trace=turn.trace.using((VERA,))),
        deadline_s=deadline_s,
    )


def _answered(*memories: Recalled) -> Turn:
    return said("Where does Vera live?", reply=Reply("In Lisbon."), trace=Trace(memories=memories))


async def test_a_faithful_answer_stands() -> None:
    """The trace holds the share."""
    turn = await _check(Judging(Verdict(1.0, 0.8)))(_answered(VERA))

    assert turn.reply == Reply("In Lisbon.")
    assert turn.trace.figures["faithful_percent"] == 80


async def test_an_unfaithful_answer_is_flagged_and_not_learned_from() -> None:
    """A line below it; its kind keeps it out of memory."""
    turn = await _check(Judging(Verdict(1.0, 0.0)))(_answered(VERA))

    assert turn.reply == Reply(f"In Lisbon.\n\n{CAREFUL}", ReplyKind.RECALLED)
    assert turn.trace.notes == ("answer check: flagged",)


async def test_an_unfaithful_answer_is_rejected() -> None:
    """What memory says stands in its place."""
    turn = await _check(Judging(Verdict(1.0, 0.0)), Consequence.REJECT)(_answered(VERA))

    assert turn.reply == Reply(f"You told me: Vera lives in Porto.\n\n{CAREFUL}", ReplyKind.RECALLED)
    assert turn.trace.memories == (VERA,)


@each_row("verdict", [ModelUnavailable("down"), None])
async def test_an_answer_that_cannot_be_judged_stands(verdict: Exception | None) -> None:
    """The trace says why."""
    turn = await _check(Judging(verdict), deadline_s=0.05)(_answered(VERA))

    assert turn.reply == Reply("In Lisbon.")
    assert turn.trace.notes[0].startswith("answer check: ")


async def test_an_answer_without_memories_is_not_judged() -> None:
    """There is nothing that it could be faithful to."""
    turn = _answered()

    assert await _check(Judging(Verdict(0.0, 0.0)))(turn) is turn
