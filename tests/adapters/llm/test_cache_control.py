"""Marks on what of a prompt stays the same, for endpoints that keep only what is marked."""

from __future__ import annotations

from adapters.llm.openai import OpenAiChat, takes_cache_control
from bot.ports.chat_model import ChatMessage
from harness.fakes.openai import Fails, FakeOpenAi, Json, Says
from tests.adapters.llm.test_usage import complete_with
from tests.cases import each_row

TALK = (
    ChatMessage("system", "You are a helper."),
    ChatMessage("user", "My sister is Vera."),
    ChatMessage("assistant", "Noted."),
    ChatMessage("user", "Where does she live?"),
)
MARK = {"type": "ephemeral"}


def marked(request: Json) -> list[str]:
    """Return the texts that are marked."""
    return [
        part["text"]
        for message in request["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part.get("cache_control") == MARK
    ]


async def ask(server: FakeOpenAi, *talks: tuple[ChatMessage, ...], cache_control: str = "on") -> list[Json]:
    chat = OpenAiChat(server.url, "", "fake-model", thinks_first=False, cache_control=cache_control)
    for talk in talks:
        await complete_with(chat, talk)
    await chat.aclose()
    return server.requests


async def test_the_front_and_the_history_are_marked() -> None:
    """What is said in this turn is not, nor what a later system message says of it."""
    late = (*TALK[:3], ChatMessage("system", "It is Monday."), TALK[3])
    async with FakeOpenAi() as server:
        requests = await ask(server, TALK, TALK[:1] + TALK[3:], late)

    assert [marked(request) for request in requests] == [
        ["You are a helper.", "Noted."],
        ["You are a helper."],
        ["You are a helper.", "Noted."],
    ]
    assert requests[0]["messages"][3]["content"] == "Where does she live?"


@each_row(
    "refusal",
    [
        Fails(400, "Unrecognized request argument supplied: cache_control"),
        Fails(422, "messages.0.content: Input should be a valid string"),
    ],
)
async def test_a_refusal_is_learned_from(refusal: Fails) -> None:
    """Once, and then for good."""
    async with FakeOpenAi() as server:
        server.script.extend([refusal, Says("In Porto.")])
        requests = await ask(server, TALK, TALK)

    assert [bool(marked(request)) for request in requests] == [True, False, False]


async def test_nobody_else_is_sent_marks() -> None:
    """Unless it is switched on."""
    async with FakeOpenAi() as server:
        requests = await ask(server, TALK, cache_control="auto")

    assert marked(requests[0]) == []
    assert takes_cache_control("openrouter.ai", "anthropic/claude-sonnet-4.5")
    assert not takes_cache_control("openrouter.ai", "openai/gpt-5")
    assert not takes_cache_control("api.anthropic.com", "claude-sonnet-4-5")
