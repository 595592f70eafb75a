"""Summaries of long sessions."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from adapters.llm.asking import LlmSummary, ask_model
from adapters.llm.openai import OpenAiChat
from bot.errors import ModelUnavailable
from bot.memory.scope import Scope
from bot.messages import Author
from bot.turn import Exchange
from harness.fakes.openai import FakeOpenAi, Hangs
from tests.adapters.llm.scripted import Scripted
from tests.cases import each_row

WHEN = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)


def exchange(user: str, assistant: str = "Noted.") -> Exchange:
    return Exchange(Scope("tu42"), "a1", 1, Author(42, "Anna"), user, assistant, WHEN)


async def test_the_summary_continues_the_one_before() -> None:
    """The model sees the earlier summary and what was said since, as data."""
    model = Scripted([" Vera lives in Porto. \u200b"])
    summary = await LlmSummary(model).summarise((exchange("My sister Vera lives in Porto."),), "Anna has a sister.")
    shown = json.loads(model.asked[0][1].content)

    assert summary == "Vera lives in Porto."
    assert shown["previous"] == "Anna has a sister."
    assert shown["exchanges"][0]["user"] == "My sister Vera lives in Porto."


async def test_a_long_session_is_summarised_piece_by_piece() -> None:
    """Each piece continues the summary of the pieces before it."""
    model = Scripted(["one", "two", "three"])
    summary = await LlmSummary(model).summarise(tuple(exchange("word " * 1000) for _ in range(250)), "")

    assert summary == "three"
    assert [json.loads(asked[1].content)["previous"] for asked in model.asked] == ["", "one", "two"]


async def test_nothing_new_needs_no_model() -> None:
    """Without exchanges the summary stays as it is."""
    assert await LlmSummary(Scripted([])).summarise((), "as before") == "as before"


@each_row("bad", ["", "   ", "\u200b", "x" * 20_000])
async def test_what_cannot_be_a_summary_is_refused(bad: str) -> None:
    """The caller then keeps everything."""
    with pytest.raises(ModelUnavailable):
        await LlmSummary(Scripted([bad])).summarise((exchange("Hello"),), "")


async def test_half_a_summary_is_refused() -> None:
    """An answer cut by its token limit would lose the end of the conversation."""
    with pytest.raises(ModelUnavailable, match="cut off"):
        await LlmSummary(Scripted(["Half of"], cut=True)).summarise((exchange("Hello"),), "")


async def test_work_behind_the_scenes_has_a_deadline() -> None:
    """A model that hangs in the middle does not hold the upkeep for ever."""
    async with FakeOpenAi() as server:
        server.script.append(Hangs("Half"))
        model = OpenAiChat(server.url, "", "m")
        with pytest.raises(ModelUnavailable, match=r"within 0\.1 s"):
            await ask_model(model, "Summarise.", "text", max_tokens=10, deadline_s=0.1)
        await model.aclose()
