"""How much a model can read, as each kind of server says it."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.llm.health import ask_window
from adapters.llm.openai import OpenAiChat
from bot.errors import ModelRefused, ModelUnavailable
from bot.ports.chat_model import ToldWindow
from harness.fakes.openai import FakeOpenAi
from tests.cases import each_row

NAME = "fake-model"
Pages = dict[str, Any]  # Any: JSON


def listed(**fields: Any) -> Pages:  # Any: JSON
    """A list of two models, ours with these fields."""
    rows = [{"id": "another", "max_model_len": 512, "context_length": 512}, {"id": NAME, **fields}]
    return {"/v1/models": {"object": "list", "data": rows}}


PROPS: Pages = {"/props": {"default_generation_settings": {"n_ctx": 8192, "params": {}}, "total_slots": 4}}
LOADED = {"id": NAME, "state": "loaded", "max_context_length": 131072, "loaded_context_length": 12000}
RUNNING = {"name": f"{NAME}:latest", "model": f"{NAME}:latest", "context_length": 4096}
SHOWN = {"model_info": {"llama.context_length": 131072, "llama.block_count": 32}, "parameters": 'stop "<|eot|>"'}
MODELFILE = {**SHOWN, "parameters": 'num_ctx                        24576\nstop "<|eot|>"'}
LIBRARY = {"owned_by": "library"}
LITELLM = {"model_name": NAME, "model_info": {"max_input_tokens": 128000, "max_tokens": 4096}}

SERVERS: dict[str, tuple[Pages, ToldWindow | None]] = {
    "vllm": (listed(owned_by="vllm", max_model_len=32768), ToldWindow(32768, lasting=True)),
    "openrouter": (listed(context_length=200000), ToldWindow(200000, lasting=True)),
    "groq": (listed(context_window=131072), ToldWindow(131072, lasting=True)),
    "llama.cpp": (listed(owned_by="llamacpp", meta={"n_ctx_train": 131072}) | PROPS, ToldWindow(8192)),
    "llama.cpp without props": (
        listed(owned_by="llamacpp", meta={"n_ctx_train": 131072, "n_ctx": 4096}),
        ToldWindow(4096, lasting=True),
    ),
    "llama.cpp that only tells what the model was made for": (
        listed(owned_by="llamacpp", meta={"n_ctx_train": 131072}),
        None,
    ),
    "llama.cpp under a name of one's own": (
        {"/v1/models": {"data": [{"id": "/models/m.gguf", "owned_by": "llamacpp"}]}} | PROPS,
        ToldWindow(8192),
    ),
    "lm studio": (
        listed(owned_by="organization_owner") | {"/api/v0/models": {"data": [LOADED]}},
        ToldWindow(12000),
    ),
    "lm studio, not loaded": (
        listed() | {"/api/v0/models": {"data": [{"id": NAME, "state": "not-loaded", "max_context_length": 32768}]}},
        ToldWindow(32768, passing=True),
    ),
    "ollama, loaded": (
        listed(**LIBRARY) | {"/api/ps": {"models": [RUNNING]}, "/api/show": SHOWN},
        ToldWindow(4096),
    ),
    "ollama, not loaded": (
        listed(**LIBRARY) | {"/api/ps": {"models": []}, "/api/show": SHOWN},
        ToldWindow(4096, passing=True),
    ),
    "ollama, told how much": (
        listed(**LIBRARY) | {"/api/ps": {"models": None}, "/api/show": MODELFILE},
        ToldWindow(24576, passing=True),
    ),
    "litellm": (listed() | {"/model/info": {"data": [LITELLM]}}, ToldWindow(128000, lasting=True)),
    "openai": (listed(owned_by="openai"), None),
    "nonsense": (
        listed(max_model_len="many", context_length=True, context_window=1) | {"/props": [], "/api/ps": 500},
        None,
    ),
    "no list": ({"/v1/models": 404}, None),
}


@each_row("kind", SERVERS)
async def test_each_server_is_understood(kind: str) -> None:
    """What a model runs with counts before what it was made for.

    Mutation check: with the list read before ``/props`` and ``/api/ps`` nothing here changes for vLLM, and an entry of
    llama.cpp that holds both would win over its slots.
    """
    pages, expected = SERVERS[kind]
    async with FakeOpenAi(pages=pages) as server:
        chat = OpenAiChat(server.url, "", NAME)
        told = await ask_window(chat)
        await chat.aclose()

    assert told == expected


async def test_one_that_names_itself_is_asked_its_own_way_alone() -> None:
    """Nobody logs a dozen refused requests."""
    async with FakeOpenAi(pages=listed(owned_by="vllm", max_model_len=32768)) as server:
        chat = OpenAiChat(server.url, "", NAME)
        await ask_window(chat)
        await chat.aclose()

    assert server.asked == ["/v1/models"]


async def test_faults_are_raised() -> None:
    """Who asks tries again: a server that is down or busy, and a key that is wrong."""
    async with FakeOpenAi(pages={"/v1/models": 503}) as server:
        chat = OpenAiChat(server.url, "", NAME)
        with pytest.raises(ModelUnavailable):
            await ask_window(chat)
    with pytest.raises(ModelUnavailable):
        await ask_window(chat)
    await chat.aclose()
    async with FakeOpenAi(api_key="right") as server:
        wrong = OpenAiChat(server.url, "wrong", NAME)
        with pytest.raises(ModelRefused):
            await ask_window(wrong)
        await wrong.aclose()
