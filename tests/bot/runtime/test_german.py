"""German from end to end: what is told is learnt as an item, corrected, and found again after /new."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.application import run_console


@pytest.mark.parametrize(
    "later", ["Meine Schwester Vera ist nach Lissabon gezogen.", "Vera ist nach Lissabon gezogen."]
)
async def test_a_german_fact_is_kept_and_corrected(tmp_path: Path, later: str) -> None:
    """The application's own composition; the question shares no word with the answer but the sister."""
    async with run_console(tmp_path) as chat:
        await chat.say("Meine Schwester Vera wohnt in Porto.")
        await chat.say("/new")
        first = await chat.say("Wo wohnt meine Schwester?")
        await chat.say(later)
        await chat.say("/new")
        second = await chat.say("Wo wohnt meine Schwester Vera?")

    assert "Porto" in first
    assert "Lissabon" in second
