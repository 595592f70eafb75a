"""Finding model servers on this machine, and checking a configured one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from adapters.llm.health import LocalServer, ModelHealth, check_models, find_local_servers
from adapters.llm.openai import OpenAiChat
from adapters.llm.usage import FallbackChat
from harness.fakes.openai import FakeOpenAi
from tests.adapters.llm.scripted import Scripted


@pytest.fixture
async def page() -> AsyncIterator[int]:
    """A web server that is no model server; gives its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
async def silence() -> AsyncIterator[int]:
    """A server that takes connections and says nothing; gives its port."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    for writer in writers:
        writer.close()
    server.close()


async def test_running_servers_are_found_and_others_passed_over(page: int, silence: int) -> None:
    """Model servers are listed in the order asked for, without models that cannot chat; others cost their limit."""
    async with FakeOpenAi(models=("llama3.2:3b", "nomic-embed-text", "qwen3")) as one, FakeOpenAi(models=()) as two:
        ports = {1: "nobody", page: "a page", two.port: "LM Studio", silence: "silence", one.port: "Ollama"}
        found = await asyncio.wait_for(find_local_servers(ports, limit_s=2.5), 60)

        assert found == (
            LocalServer("LM Studio", two.url, ()),
            LocalServer("Ollama", one.url, ("llama3.2:3b", "qwen3")),
        )


async def test_health_says_what_is_wrong(page: int) -> None:
    """Right model, wrong model, wrong key, nobody there, something else at the address: answers, no exceptions."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(FakeOpenAi(api_key="k", models=("llama3:latest", "models/gemini")))
        chats = {
            "right": OpenAiChat(server.url, "k", "llama3"),
            "other spelling": OpenAiChat(server.url, "k", "gemini"),
            "wrong model": OpenAiChat(server.url, "k", "gpt"),
            "wrong key": OpenAiChat(server.url, "x", "llama3"),
            "nobody": OpenAiChat("http://127.0.0.1:1", "", "m"),
            "a page": OpenAiChat(f"http://127.0.0.1:{page}", "", "m"),
            "no address": OpenAiChat("nonsense", "", "m"),
        }
        for chat in chats.values():
            stack.push_async_callback(chat.aclose)
        states = {name: (await check_models(chat))[0] for name, chat in chats.items()}

    assert {name: state.state for name, state in states.items()} == {
        "right": "ok",
        "other spelling": "ok",
        "wrong model": "degraded",
        "wrong key": "down",
        "nobody": "down",
        "a page": "degraded",
        "no address": "down",
    }
    assert "llm.model 'gpt'" in states["wrong model"].reason
    assert "LLM_API_KEY" in states["wrong key"].reason


async def test_every_model_of_a_fallback_is_checked() -> None:
    """One answer per model; a kind that cannot be checked says so."""
    nobody = OpenAiChat("http://127.0.0.1:1", "", "m")
    states = await check_models(FallbackChat((nobody, Scripted([]))))
    await nobody.aclose()

    assert [state.state for state in states] == ["down", "degraded"]
    assert states[1] == ModelHealth("degraded", "this kind of model cannot be checked", "Scripted")
