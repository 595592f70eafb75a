"""Several models as one."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from adapters.llm.endpoint import RetryPolicy
from adapters.llm.openai import OpenAiChat
from adapters.llm.usage import FallbackChat
from bot.errors import ContextTooLong, ModelRefused, ModelUnavailable
from bot.ports.chat_model import ChatMessage
from harness.fakes.openai import Breaks, FakeOpenAi
from tests.adapters.llm.scripted import Scripted

ASKED = (ChatMessage("user", "Hello"),)
DOWN, REFUSED = ModelUnavailable("first is down"), ModelRefused("second refuses: set llm.fallbacks[0].apiKey")


async def answer(chat: FallbackChat) -> str:
    async with aclosing(chat.stream(ASKED)) as pieces:
        return [piece.text async for piece in pieces][-1]


async def test_the_next_model_answers_when_the_first_cannot() -> None:
    """Down or refused, the user gets an answer from the next."""
    chat = FallbackChat((Scripted([DOWN]), Scripted([REFUSED]), Scripted(["hi"])))

    assert await answer(chat) == "hi"


async def test_a_failed_model_rests_and_is_asked_again_later() -> None:
    """For a minute, or as long as it asked for, turns do not wait for it first."""
    now = [0.0]
    first = Scripted([ModelUnavailable("busy", retry_after_s=90.0), "first again"])
    second = Scripted(["a", "b"])
    chat = FallbackChat((first, second), rest_s=60.0, monotonic=lambda: now[0])
    answers = []
    for now[0] in (0.0, 80.0, 91.0):
        answers.append(await answer(chat))

    assert answers == ["a", "b", "first again"]


async def test_when_all_rest_all_are_asked() -> None:
    """Resting is a preference, not a ban."""
    chat = FallbackChat((Scripted([DOWN, "back"]), Scripted([REFUSED])))
    with pytest.raises(ModelUnavailable):
        await answer(chat)

    assert await answer(chat) == "back"


async def test_when_all_fail_all_reasons_are_given() -> None:
    """Temporary if one of them is; each reason names its own setting."""
    with pytest.raises(ModelUnavailable, match=r"first is down; .*llm\.fallbacks\[0\]"):
        await answer(FallbackChat((Scripted([DOWN]), Scripted([REFUSED]))))
    with pytest.raises(ModelRefused):
        await answer(FallbackChat((Scripted([REFUSED]), Scripted([ModelRefused("no credit")]))))


async def test_a_context_that_is_too_long_is_the_callers_matter() -> None:
    """Another model is not asked: the caller shortens the conversation first."""
    second = Scripted(["hi"])
    with pytest.raises(ContextTooLong):
        await answer(FallbackChat((Scripted([ContextTooLong("long")]), second)))

    assert second.asked == []


async def test_text_of_two_models_is_never_mixed() -> None:
    """When the first breaks after it began, the break is reported and the second is not asked."""
    async with FakeOpenAi() as server:
        server.script.append(Breaks("Once upon"))
        first = OpenAiChat(server.url, "", "m", retries=RetryPolicy(count=0), thinks_first=False)
        second = Scripted(["hi"])
        with pytest.raises(ModelUnavailable):
            await answer(FallbackChat((first, second)))
        await first.aclose()

        assert second.asked == []


def test_no_models_are_no_fallback() -> None:
    """An empty list is a mistake of the caller."""
    with pytest.raises(ValueError, match="at least one"):
        FallbackChat(())
