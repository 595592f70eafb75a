"""In the running bot, without a model: who asks whether somebody is known, and says it at once, asks nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.application import run_console


@pytest.mark.parametrize(
    ("told", "asked", "name"),
    [
        ("you know who's getting married? my cousin Rhys", "who is getting married?", "Rhys"),
        ("weißt du wer heiratet? mein cousin Rhys", "wer heiratet?", "Rhys"),
        ("знаешь кто женится? мой двоюродный брат Олег", "кто женится?", "Олег"),
    ],
)
async def test_who_says_at_once_who_it_is_asks_nothing(tmp_path: Path, told: str, asked: str, name: str) -> None:
    """Seen to fail: "noted", and "I don't know" below it."""
    async with run_console(tmp_path) as chat:
        heard = (await chat.say(told)).partition("\n\n")[0]
        answer = await chat.say(asked)

    assert "know" not in heard.replace(told, "")
    assert "weiß" not in heard.replace(told, "")
    assert "Не знаю" not in heard
    assert name in answer


async def test_who_asks_and_says_something_else_asks(tmp_path: Path) -> None:
    """What follows is no answer: it is the asker's own."""
    async with run_console(tmp_path) as chat:
        await chat.say("My aunt Vera called on Monday.")
        answer = await chat.say("do you know who called on monday? i was out")

    assert "Vera" in answer
