"""What ended or changed since it was told, through the receiver: both are found, the newer is told first."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.embedding.e5 import E5Embedder
from harness.application import run_chats


@pytest.mark.parametrize(
    ("language", "told", "changed", "asked"),
    [
        ("en", "My sister Vera lives in Porto.", "Vera moved to Lisbon.", "Where does my sister live?"),
        ("de", "Meine Schwester Vera wohnt in Porto.", "Vera ist nach Lissabon gezogen.", "Wo wohnt meine Schwester?"),
        ("ru", "Моя сестра Вера живёт в Порту.", "Вера переехала в Лиссабон.", "Где живёт моя сестра?"),
    ],
)
async def test_the_newer_is_told_first(
    tmp_path: Path, model: E5Embedder, language: str, told: str, changed: str, asked: str
) -> None:
    """Over /new, and /why names it."""
    settings = {"rag": {"enabled": False}, "language": language}
    async with run_chats(tmp_path, settings, model) as chats:
        await chats.say(0, told)
        await chats.say(0, changed)
        await chats.say(0, "/new")
        answer = await chats.say(0, asked)
        why = await chats.say(0, "/why")

    assert changed[-9:-1] in answer.splitlines()[0]
    assert told[-6:-1] not in answer.splitlines()[0]
    assert changed in why


@pytest.mark.parametrize(
    ("language", "told", "beside", "asked"),
    [
        ("en", "I work at Meyer as a bookkeeper.", "I quit smoking.", "Where do I work?"),
        ("en", "I work at Meyer as a bookkeeper.", "I left my umbrella on the train.", "Where do I work?"),
        ("de", "Ich arbeite bei Meyer als Buchhalter.", "Ich hab mit dem Rauchen aufgehört.", "Wo arbeite ich?"),
        ("de", "Ich bin in Jena geboren.", "Ich hab den Hausarzt gewechselt.", "Wo bin ich geboren?"),
        ("ru", "Мой врач — Соколова.", "Уборщица теперь приходит по пятницам.", "Кто мой врач?"),
        ("ru", "У нас две кошки.", "Код сигнализации в магазине 7730, запомни.", "Сколько у нас кошек?"),
    ],
)
async def test_what_is_about_another_matter_is_not_told(
    tmp_path: Path, model: E5Embedder, language: str, told: str, beside: str, asked: str
) -> None:
    """Who ends a habit has no other job, and what begins elsewhere changes nothing here."""
    async with run_chats(tmp_path, {"rag": {"enabled": False}, "language": language}, model) as chats:
        for message in (told, beside, "/new"):
            await chats.say(0, message)
        answer = await chats.say(0, asked)

    assert told[-8:-1] in answer
    assert beside[-9:-1] not in answer


async def test_a_new_number_of_the_same_thing_holds(tmp_path: Path, model: E5Embedder) -> None:
    """On the same day, and in other words: the older one is told as what was before, if at all."""
    async with run_chats(tmp_path, {"rag": {"enabled": False}}, model) as chats:
        await chats.say(0, "The rent of our flat is 1150 a month.")
        await chats.say(0, "The rent went up to 1240.")
        await chats.say(0, "/new")
        answer = await chats.say(0, "How much is the rent?")

    assert "1240" in answer.splitlines()[0]
    assert "1150" not in answer.splitlines()[0]
