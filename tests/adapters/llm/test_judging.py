"""Verdicts on answers."""

from __future__ import annotations

import pytest

from adapters.llm.asking import LlmJudge, WordJudge
from bot.errors import ModelUnavailable
from bot.memory.items import Channel, Recalled
from bot.ports.chat_model import Verdict
from tests.adapters.llm.scripted import Scripted
from tests.cases import each_row

VERA = Recalled("turn:v:user", "My sister Vera lives in Porto.", Channel.TURN, 2.0)
BUS = Recalled("turn:t:user", "The bus was late again.", Channel.TURN, 1.0)
ASKED = "Where does Vera live?"


@each_row(
    ("answer", "faithfulness"),
    [
        ("Vera lives in Porto.", 1.0),
        ("Vera lives in Lisbon.", 0.0),
        ("Vera lives in Porto. She moved there in 1987.", 0.5),
        ("Shall I look it up?", 1.0),
    ],
)
async def test_words_bear_an_answer_out_or_do_not(answer: str, faithfulness: float) -> None:
    """Names and numbers must stand in the memories; half of these two has to do with the question."""
    verdict = await WordJudge().judge(ASKED, answer, (VERA, BUS), "")

    assert verdict.faithfulness == faithfulness
    assert verdict.relevance == 0.5


async def test_what_was_said_in_the_conversation_counts() -> None:
    """A memory is not the only thing an answer may know."""
    verdict = await WordJudge().judge(ASKED, "She lives in Lisbon now.", (VERA,), "No, she lives in Lisbon now.")

    assert verdict.faithfulness == 1


async def test_a_model_names_statements_and_memories_by_number() -> None:
    """Numbers that stand for nothing do not count."""
    model = Scripted(['{"relevant": [0, 7], "unsupported": [1, 9, "x"]}'])
    verdict = await LlmJudge(model).judge(ASKED, "Vera lives in Porto. She is a pilot.", (VERA, BUS), "")

    assert verdict == Verdict(0.5, 0.5)


@each_row("answer", ["All good.", '{"relevant": 1, "unsupported": []}'])
async def test_a_verdict_of_another_shape_is_none(answer: str) -> None:
    """Nobody is accused on the strength of it."""
    with pytest.raises(ModelUnavailable):
        await LlmJudge(Scripted([answer])).judge(ASKED, "Vera lives in Porto.", (VERA,), "")
