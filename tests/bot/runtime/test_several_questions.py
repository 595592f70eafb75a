"""Several questions in one message, without a model: each is searched for and answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.memory.answering.questions import split_questions
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


_ANNOUNCED = (
    ("en", "guess who got into Edinburgh? me!!", "who got into Edinburgh", "don't know"),
    ("en", "you know what? I got the job at the bakery", "where did I get the job", "don't know"),
    ("en", "ok guess what! my sister Eva is pregnant", "who is pregnant", "don't know"),
    ("de", "rate mal, wer in München angenommen wurde? ich!!", "wer wurde in München angenommen", "weiß ich nicht"),
    ("de", "weißt du was? meine Schwester Eva ist schwanger", "wer ist schwanger", "weiß ich nicht"),
    ("ru", "угадай, кто поступил в Эдинбург? я!!", "кто поступил в Эдинбург", "Не знаю"),
    ("ru", "знаешь что? моя сестра Ева беременна", "кто беременна", "Не знаю"),
)


@pytest.mark.parametrize(("language", "told", "asked", "unknown"), _ANNOUNCED)
async def test_a_question_that_only_announces_asks_nothing(
    tmp_path: Path, language: str, told: str, asked: str, unknown: str
) -> None:
    """What follows it is told, and found; the same question with nothing behind it is asked."""
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": language}) as talk:
        reply = await talk.say(told)
        await talk.say("/new")
        found = await talk.say(asked)

    assert unknown not in reply
    assert told.rsplit(maxsplit=1)[-1].strip("!") in found
    assert unknown not in found


@pytest.mark.parametrize("asked", ["guess who called?", "rate mal, wer angerufen hat?", "угадай, кто звонил?"])
def test_a_riddle_without_its_answer_is_asked(asked: str) -> None:
    """So is what is asked behind an announcement."""
    assert [one.text for one in split_questions(asked)] == [asked]
    assert split_questions("you know what? where is my key?")
    assert split_questions("do you know what time it is? i am late")
