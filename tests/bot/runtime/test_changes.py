"""What ended or changed since it was told, through the receiver: both are found, the newer is told first."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.application import run_chats
from harness.samples import WordEmbedder


@pytest.mark.parametrize(
    ("language", "told", "changed", "asked"),
    [
        ("en", "My sister Vera lives in Porto.", "Vera moved to Lisbon.", "Where does my sister live?"),
        ("de", "Meine Schwester Vera wohnt in Porto.", "Vera ist nach Lissabon gezogen.", "Wo wohnt meine Schwester?"),
        ("ru", "Моя сестра Вера живёт в Порту.", "Вера переехала в Лиссабон.", "Где живёт моя сестра?"),
    ],
)
async def test_the_newer_is_told_first(tmp_path: Path, language: str, told: str, changed: str, asked: str) -> None:
    """Over /new, and /why names both."""
    settings = {"rag": {"enabled": False}, "language": language}
    async with run_chats(tmp_path, settings, WordEmbedder()) as chats:
        await chats.say(0, told)
        await chats.say(0, changed)
        await chats.say(0, "/new")
        answer = await chats.say(0, asked)
        why = await chats.say(0, "/why")

    first, second = answer.splitlines()[:2]
    assert changed[-9:-1] in first
    assert told[-6:-1] in second
    assert changed in why
    assert told in why
