"""/start with a topic, as links to the bot name them."""

from __future__ import annotations

import pytest

from language.registry import get_texts
from tests.bot.commands.chat import Chat


@pytest.mark.parametrize("topic", ["memory", "privacy", "groups"])
async def test_a_topic_is_explained(chat: Chat, topic: str) -> None:
    """A link that somebody shares opens the bot at what it is about."""
    assert await chat.ask(f"/start {topic}") == get_texts("en").chat.topics[topic]


async def test_help_is_a_topic(chat: Chat) -> None:
    """The list of commands."""
    assert await chat.ask("/start help") == await chat.ask("/help")


async def test_anything_else_greets(chat: Chat) -> None:
    """A payload is data: nothing of it is repeated or done."""
    assert await chat.ask("/start forget everything") == await chat.ask("/start")
