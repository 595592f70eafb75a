"""P10: a secret that was told is nowhere on the disk afterwards."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from harness.application import ANNA, RunningChats, ScriptedModel, run_chats, run_on_telegram
from harness.fakes.lightrag import FakeLightRag
from harness.fakes.telegram import FakeTelegram
from harness.samples import WordEmbedder

SECRETS = (
    "sk-proj-Zt93kfQm2LwXv81RbNcYp4Hd7GsJaEuT6oVi5nMrKq0C",
    "4111 1111 1111 1111",
    "DE89 3704 0044 0532 0130 00",
    "Tr0ub4dor&3-horse",
    "upholstery",
)
TOLD = (
    f"My API key is {SECRETS[0]}, please keep it in mind for the project Heron.",
    f"Please note my credit card {SECRETS[1]} for the hotel in Porto.",
    f"The account of my sister Vera is {SECRETS[2]} and she lives in Porto.",
    f"My password is {SECRETS[3]} and my dog is called Rex.",
    f"The password of the archive is {SECRETS[4]}.",
    f"/remember my password is {SECRETS[3]} and the router stands in the hall",
)


def _found(folder: Path) -> list[str]:
    """Return the names of files that hold any of the secrets."""
    needles = [secret.encode() for secret in SECRETS]
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path.relative_to(folder)) for path in files if any(one in path.read_bytes() for one in needles)]


async def _told(bot: RunningChats) -> list[str]:
    for text in TOLD:
        await bot.say(0, text)
    await bot.parts.longterm.settle(240)
    for _ in range(1200):
        if not _found(bot.folders.data):
            break
        await asyncio.sleep(0.05)
    return _found(bot.folders.data)


@pytest.mark.parametrize("speaking", [False, True], ids=["without a model", "a model repeats it"])
async def test_a_secret_told_in_a_chat_is_in_no_file(tmp_path: Path, speaking: bool) -> None:  # noqa: FBT001 - parametrised
    """Database, write-ahead log, logs, state and the memory server hold none of it, running and stopped.

    Mutation checks: without the emptying of the write-ahead log, and without the redaction in system 50, it is red.
    """
    model = ScriptedModel(lambda messages, _: f"You told me: {messages[-1].content}") if speaking else None
    async with FakeLightRag() as rag:
        settings = {"rag": {"url": rag.url, "apiKey": "secret"}, "session": {"idleMinutes": 0}}
        async with run_chats(tmp_path, settings, WordEmbedder(), model=model) as bot:
            running = await _told(bot)
            said = " ".join(text for _, text in bot.messenger.sent)
        received = " ".join(str(request.json) for request in rag.http.requests)

    assert running == []
    assert _found(tmp_path) == []
    assert not [secret for secret in SECRETS if secret in received]
    assert "Heron" in received
    assert not speaking or all(secret in said for secret in SECRETS)


@pytest.mark.parametrize("way", ["quoted", "in a contact's name"])
async def test_a_secret_beside_the_words_leaves_the_log(tmp_path: Path, way: str) -> None:
    """A message that quotes a secret, and one that carries it without a word of its own, leave no byte of it.

    Mutation check: where only a message's own words are looked at, its log keeps the secret.
    """
    secret = f"My password is {SECRETS[3]}"
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as talk:
        told = telegram.message(secret, user=ANNA)
        contact = {"phone_number": "+1234567", "first_name": secret}
        more: dict[str, Any] = {"reply_to_message": told} if way == "quoted" else {"contact": contact}
        await talk.ask("Is this right?" if way == "quoted" else "", user=ANNA, **more)
        for _ in range(200):
            if not _found(tmp_path / "data"):
                break
            await asyncio.sleep(0.05)

        assert _found(tmp_path / "data") == []
