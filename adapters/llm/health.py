"""Return whether a model would answer, without paying for an answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus

from adapters.llm.discovery import model_names
from adapters.llm.fallback import FallbackChat
from adapters.llm.faults import translated, whole
from adapters.llm.openai import OpenAiChat
from adapters.llm.refusals import error_for, read_refusal
from bot.errors import MnemeError
from bot.ports.chat_model import ChatModel

_NO_LIST = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED})


@dataclass(frozen=True, slots=True)
class ModelHealth:
    """``state`` is "ok", "degraded" or "down"; ``reason`` says why, "" when ok; ``model`` which model."""

    state: str
    reason: str
    model: str


async def health(model: ChatModel, *, limit_s: float = 5.0) -> tuple[ModelHealth, ...]:
    """Return the state of a model, or of each model of a fall-back, within ``limit_s`` seconds; never raises."""
    if isinstance(model, FallbackChat):
        states = await asyncio.gather(*(health(one, limit_s=limit_s) for one in model.models))
        return tuple(state for several in states for state in several)
    if isinstance(model, OpenAiChat):
        return (await _probe(model, limit_s),)
    return (ModelHealth("degraded", "this kind of model cannot be checked", type(model).__name__),)


async def _probe(chat: OpenAiChat, limit_s: float) -> ModelHealth:
    try:
        place = chat.endpoint
        with translated(place):
            async with (
                asyncio.timeout(limit_s),
                chat.http.stream(
                    "GET", place.models_url, headers=place.headers, timeout=limit_s, follow_redirects=False
                ) as response,
            ):
                body, status = await whole(response), response.status_code
        if status in _NO_LIST:
            return ModelHealth("degraded", f"{place.host} answers but does not list its models", chat.model)
        if status != HTTPStatus.OK:
            raise error_for(read_refusal(status, body), place.host, place.settings)
    except MnemeError as error:
        return ModelHealth("down", str(error), chat.model)
    names = model_names(body)
    if names is None:
        return ModelHealth("degraded", f"{place.host} does not answer like a model server", chat.model)
    if chat.model not in {spelling for name in names for spelling in _spellings(name)}:
        return ModelHealth("degraded", f"{place.host} does not list {place.settings}.model {chat.model!r}", chat.model)
    return ModelHealth("ok", "", chat.model)


def _spellings(name: str) -> tuple[str, ...]:
    """Return how a listed model may be called: Ollama adds ``:latest``, Gemini lists ``models/…``."""
    return (name, name.removesuffix(":latest"), name.removeprefix("models/"))
