"""Checks of the wire against one server: streaming, usage, tools, errors, and what it says of its window."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from adapters.llm.endpoint import RetryPolicy
from adapters.llm.health import ask_window, check_models
from adapters.llm.openai import OpenAiChat
from bot.errors import ContextTooLong, MnemeError, ModelRefused, ModelUnavailable
from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec

_ASKED: Final = (
    ChatMessage("system", "You are a helper who remembers."),
    ChatMessage("user", "Where does Vera live?"),
)
_TOOLS: Final = (ToolSpec("search", "Search memory.", {"type": "object", "properties": {"query": {"type": "string"}}}),)
_LONG: Final = "the memory of the party " * 20_000


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``seen`` is what came back."""

    name: str
    ok: bool
    seen: str


async def check_litellm(address: str, key: str) -> list[Check]:
    """LiteLLM's proxy with mock answers."""
    return [
        await _check("streams an answer", _answers(_chat(address, "mock", key), "Porto")),
        await _check("counts tokens", _counts(_chat(address, "mock", key))),
        await _check("takes tools", _answers(_chat(address, "mock", key), "", _TOOLS)),
        await _check("lists its models", _is_listed(_chat(address, "mock", key))),
        await _check("tells the window", _window(_chat(address, "mock", key), 24_000)),
        # Without a database of keys it says 400 where a provider says 401.
        await _check("refuses a wrong key", _fails(_chat(address, "mock", "sk-wrong"), ModelRefused, "")),
        await _check("refuses an unknown model", _fails(_chat(address, "nobody", key), ModelRefused, "llm.model")),
        await _check("limits a rate", _fails(_chat(address, "limited", key), ModelUnavailable, "rate")),
        await _check("tells of a context too long", _fails(_chat(address, "narrow", key), ContextTooLong, "")),
    ]


async def check_llama(address: str, model: str, window: int) -> list[Check]:
    """llama.cpp's own server."""
    return [
        await _check("streams an answer", _answers(_chat(address, model), "", tries=5)),
        await _check("counts tokens, and those it had cached", _caches(_chat(address, model))),
        await _check("takes tools", _answers(_chat(address, model), "", _TOOLS, tries=5)),
        await _check("stops when it is told to", _stops(_chat(address, model))),
        await _check("lists its model", _is_listed(_chat(address, model))),
        await _check("tells the window", _window(_chat(address, model), window)),
        await _check("tells of a context too long", _fails(_chat(address, model), ContextTooLong, "", _LONG)),
    ]


def _chat(address: str, model: str, key: str = "") -> OpenAiChat:
    return OpenAiChat(f"{address}/v1", key, model, max_tokens=200, retries=RetryPolicy(count=0), thinks_first=False)


async def _check(name: str, work: Awaitable[str]) -> Check:
    try:
        return Check(name, ok=True, seen=await work)
    except (AssertionError, MnemeError, TimeoutError) as error:
        return Check(name, ok=False, seen=f"{type(error).__name__}: {error}"[:200])


def _expect(*, holds: bool, seen: str) -> str:
    if not holds:
        raise AssertionError(seen)
    return seen


async def _complete(
    chat: OpenAiChat, messages: tuple[ChatMessage, ...] = _ASKED, tools: tuple[ToolSpec, ...] = ()
) -> tuple[int, Completed]:
    """Return how many pieces came, and the end."""
    pieces = 0
    try:
        async with asyncio.timeout(120), aclosing(chat.stream(messages, tools)) as stream:
            async for piece in stream:
                if isinstance(piece, Completed):
                    return pieces, piece
                pieces += 1
    finally:
        await chat.aclose()
    raise AssertionError("no end")


async def _answers(chat: OpenAiChat, expected: str, tools: tuple[ToolSpec, ...] = (), *, tries: int = 1) -> str:
    """Expect an answer in pieces; a model that answers by chance may say nothing, and is asked again."""
    pieces, done = await _complete(chat, tools=tools)
    for _ in range(tries - 1):
        if done.text:
            break
        pieces, done = await _complete(chat, tools=tools)
    seen = f"{pieces} pieces, {done.finish_reason}: {done.text[:40]!r}"
    return _expect(holds=pieces > 1 and expected in done.text and bool(done.text), seen=seen)


async def _counts(chat: OpenAiChat) -> str:
    _, done = await _complete(chat)
    return _expect(holds=done.usage.prompt > 0 and done.usage.completion > 0, seen=str(done.usage))


async def _caches(chat: OpenAiChat) -> str:
    await _complete(chat)
    _, done = await _complete(chat)
    holds = done.usage.completion > 0 and 0 < done.usage.cached <= done.usage.prompt
    return _expect(holds=holds, seen=str(done.usage))


async def _stops(chat: OpenAiChat) -> str:
    """Hang up after the first piece; the next question is answered at once, not behind the abandoned one."""
    async with aclosing(chat.stream(_ASKED)) as stream:
        async for piece in stream:
            if isinstance(piece, TextDelta):
                break
    _, done = await _complete(chat)
    return _expect(holds=bool(done.text), seen="answers the next one")


async def _is_listed(chat: OpenAiChat) -> str:
    (health,) = await check_models(chat)
    await chat.aclose()
    return _expect(holds=health.state == "ok", seen=health.reason or health.state)


async def _window(chat: OpenAiChat, expected: int) -> str:
    told = await ask_window(chat)
    await chat.aclose()
    return _expect(holds=told is not None and told.tokens == expected, seen=str(told))


async def _fails(chat: OpenAiChat, kind: type[MnemeError], words: str, said: str = "") -> str:
    try:
        _, done = await _complete(chat, (ChatMessage("user", said),) if said else _ASKED)
    except kind as error:
        return _expect(holds=words in str(error), seen=str(error))
    return _expect(holds=False, seen=f"answered {done.text[:60]!r}")
