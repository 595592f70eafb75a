"""Token counts in the shapes of many servers, and whose conversation they are noted for."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from adapters.llm.openai import OpenAiChat
from adapters.llm.usage import MeteredChat
from bot.errors import ModelUnavailable
from bot.memory.scope import Scope
from bot.ports.chat_model import ChatMessage, Completed
from bot.turn import Usage, UsageKind, charged_to
from harness.fakes.openai import Breaks, FakeOpenAi, Says
from tests.cases import each_row

ASKED = (ChatMessage("user", "Where does Vera live?"),)
COUNTED = {"prompt_tokens": 100, "completion_tokens": 20}
SHAPES: dict[str, tuple[dict[str, Any], Usage]] = {
    "openai": (
        {
            "usage": {
                **COUNTED,
                "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 12},
            }
        },
        Usage(100, 20, 1, 64, 12),
    ),
    "vllm without details": ({"usage": {**COUNTED, "prompt_tokens_details": None}}, Usage(100, 20, 1)),
    "deepseek": (
        {"usage": {**COUNTED, "prompt_cache_hit_tokens": 90, "prompt_cache_miss_tokens": 10}},
        Usage(100, 20, 1, 90),
    ),
    "moonshot": ({"usage": {**COUNTED, "cached_tokens": 30}}, Usage(100, 20, 1, 30)),
    "anthropic": (
        {
            "usage": {
                "input_tokens": 10,
                "output_tokens": 20,
                "cache_read_input_tokens": 80,
                "cache_creation_input_tokens": 10,
            }
        },
        Usage(100, 20, 1, 80, cache_writes=10),
    ),
    "openai's newer names": (
        {
            "usage": {
                "input_tokens": 100,
                "input_tokens_details": {"cached_tokens": 64},
                "output_tokens": 20,
                "output_tokens_details": {"reasoning_tokens": 12},
                "total_tokens": 120,
            }
        },
        Usage(100, 20, 1, 64, 12),
    ),
    "anthropic by way of litellm": (
        {"usage": {**COUNTED, "cache_read_input_tokens": 80, "prompt_tokens_details": {"cached_tokens": 80}}},
        Usage(100, 20, 1, 80),
    ),
    "llama.cpp": ({"timings": {"cache_n": 70, "prompt_n": 30, "predicted_n": 20}}, Usage(100, 20, 1, 70)),
    "llama.cpp with both": (
        {"usage": COUNTED, "timings": {"cache_n": 70, "prompt_n": 30, "predicted_n": 20}},
        Usage(100, 20, 1, 70),
    ),
    "openrouter": ({"usage": {**COUNTED, "cost": 0.00014, "is_byok": False}}, Usage(100, 20, 1, cost=140_000)),
    "openrouter with a key of one's own, which also pays the provider": (
        {
            "usage": {
                **COUNTED,
                "cost": 0.0005,
                "is_byok": True,
                "cost_details": {"upstream_inference_cost": 0.01},
                "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 100},
            }
        },
        Usage(100, 20, 1, cost=10_500_000, cache_writes=100),
    ),
    "openrouter with a key of one's own, of which it knows its fee alone": (
        {"usage": {**COUNTED, "cost": 0, "is_byok": True, "cost_details": {"upstream_inference_cost": None}}},
        Usage(100, 20, 1),
    ),
    "openrouter, whose cost includes the provider's": (
        {"usage": {**COUNTED, "cost": 0.01, "is_byok": False, "cost_details": {"upstream_inference_cost": 0.01}}},
        Usage(100, 20, 1, cost=10_000_000),
    ),
    "perplexity": (
        {
            "usage": {
                **COUNTED,
                "total_tokens": 120,
                "reasoning_tokens": 700,
                "cost": {"input_tokens_cost": 0.1, "request_cost": 0.3, "total_cost": 0.4},
            }
        },
        Usage(100, 720, 1, reasoning=700, cost=400_000_000),
    ),
    "gemini, which leaves the thoughts to the sum": (
        {"usage": {**COUNTED, "total_tokens": 420}},
        Usage(100, 320, 1, reasoning=300),
    ),
    "xai": (
        {
            "usage": {
                "prompt_tokens": 10120,
                "completion_tokens": 1499,
                "total_tokens": 14428,
                "prompt_tokens_details": {"cached_tokens": 128},
                "completion_tokens_details": {"reasoning_tokens": 2809},
                "cost_in_usd_ticks": 232856000,
            }
        },
        Usage(10120, 4308, 1, 128, 2809, 23_285_600),
    ),
    "thoughts inside, with a sum": (
        {"usage": {**COUNTED, "total_tokens": 120, "reasoning_tokens": 12}},
        Usage(100, 20, 1, reasoning=12),
    ),
    "a cost that is none": ({"usage": {**COUNTED, "cost": "free"}}, Usage(100, 20, 1)),
    "a cost beyond belief": ({"usage": {**COUNTED, "cost": 1e300}}, Usage(100, 20, 1)),
    "groq": ({"x_groq": {"usage": COUNTED}}, Usage(100, 20, 1)),
    "in the choice": ({"choices": [{"index": 0, "delta": {}, "usage": COUNTED}]}, Usage(100, 20, 1)),
    "more kept than read": (
        {"usage": {**COUNTED, "cached_tokens": 90, "cache_creation_input_tokens": 900}},
        Usage(100, 20, 1, 90, cache_writes=10),
    ),
    "more cached than read": ({"usage": {**COUNTED, "cached_tokens": 900}}, Usage(100, 20, 1, 100)),
    "nonsense": ({"usage": {"prompt_tokens": -5, "completion_tokens": True}, "timings": [1]}, Usage(0, 0, 1)),
}


@each_row("way", ["streamed", "whole"])
@each_row("shape", SHAPES)
async def test_each_servers_counts_are_read(shape: str, way: str) -> None:
    """Streamed and whole."""
    report, expected = SHAPES[shape]
    if way == "whole" and "choices" in report:
        pytest.skip("a chunk of a stream")
    async with FakeOpenAi(streams=way == "streamed") as server:
        server.script.append(Says("In Porto.", report=tuple(report.items())))
        chat = OpenAiChat(server.url, "", "fake-model", thinks_first=False)
        completed = await complete(chat)
        await chat.aclose()

    assert completed.usage == expected


async def complete(chat: OpenAiChat | MeteredChat) -> Completed:
    return await complete_with(chat, ASKED)


async def complete_with(chat: OpenAiChat | MeteredChat, messages: tuple[ChatMessage, ...]) -> Completed:
    """Return the end of one call."""
    async with aclosing(chat.stream(messages)) as pieces:
        return [piece async for piece in pieces if isinstance(piece, Completed)][-1]


async def test_calls_are_charged_to_the_conversation_they_are_made_for() -> None:
    """Also in tasks begun for it, side by side; outside of any nothing is noted.

    A call that broke off while it was answering counts, its tokens unknown.
    """
    noted: list[tuple[str, UsageKind, str, Usage]] = []
    async with FakeOpenAi(default=lambda _: Says("In Porto.", usage=(21, 8))) as server:
        chat = OpenAiChat(server.url, "", "fake-model", thinks_first=False)
        metered = MeteredChat(
            chat, UsageKind.SUMMARY, lambda scope, kind, model, used: noted.append((scope.tag, kind, model, used))
        )

        async def charged(tag: str) -> None:
            with charged_to(Scope(tag)):
                await asyncio.create_task(complete(metered))

        await complete(metered)
        await asyncio.gather(charged("tu1"), charged("tu2"))
        server.script.append(Breaks("In "))
        with pytest.raises(ModelUnavailable), charged_to(Scope("tu3")):
            await complete(metered)
        await chat.aclose()

    assert sorted(noted) == [
        ("tu1", UsageKind.SUMMARY, "fake-model", Usage(21, 8, 1)),
        ("tu2", UsageKind.SUMMARY, "fake-model", Usage(21, 8, 1)),
        ("tu3", UsageKind.SUMMARY, "", Usage(calls=1)),
    ]
