"""P18: a member of a group who means ill takes nobody's place: not their name, their facts, nor their words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from harness.application import TelegramChats, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram

ANNA, EVE, BOB, GROUP = 7, 8, 9, -100
_GROUP: dict[str, Any] = {"allowedUsers": [ANNA, EVE, BOB], "allowedChats": [GROUP]}  # Any: settings as JSON


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    """A fake whose bot is in the group."""
    async with FakeTelegram() as fake:
        fake.chats.meet(GROUP)
        yield fake


def named(user: int, name: str) -> dict[str, Any]:  # Any: JSON
    """Return the fields of a message whose author goes by a name."""
    return {"from": {"id": user, "is_bot": False, "first_name": name, "language_code": "en"}}


async def say(talk: TelegramChats, user: int, name: str, text: str) -> str:
    """Say something to the bot in the group, under a name, and return what it answers."""
    return await talk.ask(f"@mneme_bot {text}", user=user, chat=GROUP, **named(user, name))


async def test_a_namesake_changes_nothing_that_was_said(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Neither "now" nor "actually" under another's name makes their fact one of before, in an answer and in a prompt.

    Without the ids it was told as what was before, and marked as changed by its author.
    """
    async with FakeOpenAi(default=lambda _: Says("All right.")) as server:
        async with run_on_telegram(tmp_path, telegram, **_GROUP) as talk:
            await say(talk, ANNA, "Anna", "My door code is 4711.")
            await say(talk, EVE, "Anna", "My door code is now 9999.")
            await say(talk, EVE, "Anna", "Actually, my door code is 0001.")
            told = await say(talk, BOB, "Bob", "What is Anna's door code?")
        model = {"llm": {"url": server.url, "model": "fake-model"}}
        async with run_on_telegram(tmp_path, telegram, others=model, **_GROUP) as talk:
            await say(talk, BOB, "Bob", "/new")
            await say(talk, BOB, "Bob", "What is Anna's door code?")
            prompt = server.requests[-1]["messages"][-1]["content"]

    assert f"Anna #{ANNA} said today: “My door code is 4711.”" in told
    assert "before that" not in told.lower()
    assert f"| Anna #{ANNA}] My door code is 4711." in prompt
