"""Reading a question with a model."""

from __future__ import annotations

import json

import pytest

from adapters.llm.asking import LlmUnderstanding
from bot.errors import ModelUnavailable
from bot.ports.chat_model import Understood
from bot.ports.rag import QueryMode
from tests.adapters.llm.scripted import Scripted
from tests.cases import each_row

READ = json.dumps({"wordings": ["Vera's home?", 7, " "], "supposed": "Vera lives in Lisbon.", "mode": "local"})


async def test_everything_comes_of_one_call() -> None:
    """The message goes out as data; what is no text is left out."""
    model = Scripted([READ])
    understood = await LlmUnderstanding(model, wordings=True, supposed=True, mode=True).understand("Where is Vera?")

    assert understood == Understood(("Vera's home?",), "Vera lives in Lisbon.", QueryMode.LOCAL)
    assert json.loads(model.asked[0][1].content) == {"message": "Where is Vera?"}


async def test_only_what_is_switched_on_is_asked_for_and_taken() -> None:
    """A model that says more than it was asked changes nothing."""
    model = Scripted([READ])
    understood = await LlmUnderstanding(model, wordings=True).understand("Where is Vera?")

    assert understood == Understood(("Vera's home?",))
    assert "supposed" not in model.asked[0][0].content
    assert "mode" not in model.asked[0][0].content


@each_row("answer", ["Sure! Here you are.", "[1]", '{"wordings": ['])
async def test_an_answer_of_another_shape_is_no_reading(answer: str) -> None:
    """Nothing is guessed out of it."""
    with pytest.raises(ModelUnavailable):
        await LlmUnderstanding(Scripted([answer]), wordings=True).understand("Where is Vera?")


async def test_an_unknown_mode_is_none() -> None:
    """The configured one is used then."""
    model = Scripted(['{"mode": "turbo"}'])

    assert (await LlmUnderstanding(model, mode=True).understand("Where is Vera?")).mode is None


async def test_of_a_long_message_both_ends_are_read_and_the_rest_is_told() -> None:
    """The question may stand before or after what was pasted."""
    model = Scripted([READ])
    understood = await LlmUnderstanding(model, wordings=True).understand(f"First? {'x' * 9000} Last?")

    sent = json.loads(model.asked[0][1].content)["message"]
    assert sent.startswith("First?")
    assert sent.endswith("Last?")
    assert understood.note == "understood by 4000 of 9013 characters"
