"""A Telegram chat without a model, as a new user has it: orders are obeyed, and answers read like talk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[TelegramChats]:
    """A chat in which Anna has told a few things."""
    async with FakeTelegram() as telegram:
        telegram.chats.meet(ANNA)
        async with run_on_telegram(tmp_path, telegram) as running:
            await running.ask("The gate code is 4711.")
            await running.ask("My brother Tom is allergic to peanuts.")
            yield running


@pytest.mark.parametrize(
    "order",
    [
        "Can you delete the gate code?",
        "could you please forget the gate code",
        "Please delete the gate code",
        "Kannst du the gate code löschen?",
        "Можешь удалить gate code?",
    ],
)
async def test_an_order_to_forget_shows_what_would_go(talk: TelegramChats, order: str) -> None:
    """A list with buttons, in the form of a question or not; nothing is gone yet, and it is no answer."""
    answer = await talk.ask(order)

    assert "/forget" in answer
    assert "4711" in await talk.ask("What is the gate code?")


@pytest.mark.parametrize("order", ["could you remind me to call mum tomorrow at 9?", "Can you wake me at 7 tomorrow?"])
async def test_an_order_to_remind_makes_a_reminder(talk: TelegramChats, order: str) -> None:
    """In the form of a question."""
    assert (await talk.ask(order)).startswith("I will remind you")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("waht is the gate code", "The gate code is 4711. (You told me today.)"),
        ("What did I tell you today?", "• Your brother Tom is allergic to peanuts."),
        ("Am I allergic to peanuts?", "I don't know: nothing I was told here answers that."),
        ("What's 17 × 23?", "17 × 23 = 391"),
        ("what day is 3 May 2027", "That is Monday, 3 May 2027."),
    ],
)
async def test_questions_of_a_new_user(talk: TelegramChats, asked: str, told: str) -> None:
    """Through the receiver that production has."""
    assert told in await talk.ask(asked)
