"""Memories said in fewer words."""

from __future__ import annotations

import json

import pytest

from adapters.llm.asking import LlmCompression
from bot.errors import ModelUnavailable
from bot.memory.items import Channel, Recalled
from tests.adapters.llm.scripted import Scripted

FILL = "The weather was fine that day and nobody had anything to complain about, which was rare. " * 4
VERA = Recalled("turn:v:user", FILL + "My sister Vera lives in Porto.", Channel.TURN, 2.0)
TOM = Recalled("turn:t:user", FILL + "Tom drives a bus.", Channel.TURN, 1.0)


async def test_what_fits_is_left_alone() -> None:
    """No call is made."""
    assert await LlmCompression(Scripted([])).compress("Where does Vera live?", (VERA, TOM), 4000) == (VERA, TOM)


async def test_shorter_texts_take_the_place_of_long_ones() -> None:
    """What does not help goes; the rest keeps author, date and key."""
    model = Scripted([json.dumps({"0": "Vera lives in Porto", "1": ""})])
    (short,) = await LlmCompression(model).compress("Where does Vera live?", (VERA, TOM), 150)

    assert (short.key, short.text) == (VERA.key, "Vera lives in Porto")


async def test_an_invented_text_is_not_taken() -> None:
    """Without the grounding check this test finds Lisbon in a memory."""
    model = Scripted([json.dumps({"0": "Vera lives in Lisbon", "1": ""})])

    assert await LlmCompression(model).compress("Where does Vera live?", (VERA, TOM), 150) == (VERA,)


async def test_an_answer_of_another_shape_is_refused() -> None:
    """The caller leaves sentences out instead."""
    with pytest.raises(ModelUnavailable):
        await LlmCompression(Scripted(["Vera lives in Porto"])).compress("Where?", (VERA, TOM), 150)
