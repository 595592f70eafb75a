"""Several questions in one message, without a model: each is searched for and answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.application import run_console


@pytest.mark.parametrize(
    ("message", "heads"),
    [
        (
            "Where does my sister live and what is my locker code?",
            ("1. Where does my sister live?", "2. What is my locker code?"),
        ),
        (
            "Where does my sister live? What is my blood type? What is my locker code?",
            ("1. Where does my sister live?", "2. What is my blood type?\nI don't know", "3. What is my locker code?"),
        ),
    ],
)
async def test_each_question_is_searched_for_and_answered(tmp_path: Path, message: str, heads: tuple[str, ...]) -> None:
    """One reading each, from the store to the chat."""
    async with run_console(tmp_path) as talk:
        for fact in ("My sister Vera lives in Porto.", "My locker code is A77-B.", "I like green tea.", "Max is tall."):
            await talk.say(fact)
        answer = await talk.say(message)

    assert [head for head in heads if head not in answer] == []
    assert "Porto" in answer.split("2. ")[0]
    assert "A77-B" in answer.split(heads[-1])[1]


async def test_a_statement_beside_questions_is_learnt(tmp_path: Path) -> None:
    """It is found later."""
    async with run_console(tmp_path) as talk:
        await talk.say("My cat is called Tom. Where do I live? What is my blood type?")
        answer = await talk.say("What is my cat called?")

    assert "Tom" in answer
