"""Asks model servers for their models: checks a configured one, and finds those that run on this machine."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType

import httpx

from adapters.llm.errors import build_error, read_body, read_refusal, translate_faults
from adapters.llm.fallback import FallbackChat
from adapters.llm.openai import OpenAiChat
from bot.errors import MnemeError, ModelUnavailable
from bot.ports.chat_model import ChatModel

_NO_LIST = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED})


@dataclass(frozen=True, slots=True)
class ModelHealth:
    """``state`` is "ok", "degraded" or "down"; ``reason`` says why, "" when ok; ``model`` which model."""

    state: str
    reason: str
    model: str


async def check_models(model: ChatModel, *, limit_s: float = 5.0) -> tuple[ModelHealth, ...]:
    """Return the state of a model, or of each model of a fall-back, within ``limit_s`` seconds; never raises."""
    if isinstance(model, FallbackChat):
        states = await asyncio.gather(*(check_models(one, limit_s=limit_s) for one in model.models))
        return tuple(state for several in states for state in several)
    if isinstance(model, OpenAiChat):
        return (await _probe(model, limit_s),)
    return (ModelHealth("degraded", "this kind of model cannot be checked", type(model).__name__),)


async def _probe(chat: OpenAiChat, limit_s: float) -> ModelHealth:
    try:
        place = chat.endpoint
        with translate_faults(place):
            async with (
                asyncio.timeout(limit_s),
                chat.http.stream(
                    "GET", place.models_url, headers=place.headers, timeout=limit_s, follow_redirects=False
                ) as response,
            ):
                body, status = await read_body(response), response.status_code
        if status in _NO_LIST:
            return ModelHealth("degraded", f"{place.host} answers but does not list its models", chat.model)
        if status != HTTPStatus.OK:
            raise build_error(read_refusal(status, body), place.host, place.settings)
    except MnemeError as error:
        return ModelHealth("down", str(error), chat.model)
    names = read_model_names(body)
    if names is None:
        return ModelHealth("degraded", f"{place.host} does not answer like a model server", chat.model)
    if chat.model not in {spelling for name in names for spelling in _list_spellings(name)}:
        return ModelHealth("degraded", f"{place.host} does not list {place.settings}.model {chat.model!r}", chat.model)
    return ModelHealth("ok", "", chat.model)


def _list_spellings(name: str) -> tuple[str, ...]:
    """Return how a listed model may be called: Ollama adds ``:latest``, Gemini lists ``models/…``."""
    return (name, name.removesuffix(":latest"), name.removeprefix("models/"))


USUAL_PORTS: Mapping[int, str] = MappingProxyType({11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"})
"""Default ports by each project's documentation."""

_MAX_LIST_BYTES = 1_000_000
_NOT_FOR_CHAT = re.compile(r"embed|rerank|whisper|bge-|minilm|(?:^|[-_/])tts(?:[-_]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A model server on this machine: what usually listens at its port, its base URL and its chat models."""

    name: str
    url: str
    models: tuple[str, ...]


async def find_local_servers(
    ports: Mapping[int, str] = USUAL_PORTS, *, limit_s: float = 0.3, host: str = "127.0.0.1"
) -> tuple[LocalServer, ...]:
    """Return the servers that answered within ``limit_s`` seconds, in the order of ``ports``; never raises.

    Only loopback is asked, only at ports where such servers usually listen, and only ``GET /v1/models`` is sent.
    A server without a chat model is returned with no models: it runs, but has nothing to offer yet.
    """
    transport = httpx.AsyncHTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))  # plain HTTP: no CA is loaded
    async with httpx.AsyncClient(transport=transport, trust_env=False, timeout=limit_s) as http:
        asked = [_ask_server(http, name, f"http://{host}:{port}/v1", limit_s) for port, name in ports.items()]
        return tuple(server for server in await asyncio.gather(*asked) if server is not None)


async def _ask_server(http: httpx.AsyncClient, name: str, url: str, limit_s: float) -> LocalServer | None:
    try:
        async with asyncio.timeout(limit_s), http.stream("GET", f"{url}/models") as response:
            if not response.is_success:
                return None
            models = read_model_names(await read_body(response, _MAX_LIST_BYTES))
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, ModelUnavailable):
        return None  # nobody there, or nobody who speaks HTTP: the usual case, not an error
    if models is None:
        return None
    return LocalServer(name, url, tuple(model for model in models if not _NOT_FOR_CHAT.search(model)))


def read_model_names(body: bytes) -> tuple[str, ...] | None:
    """Return the names in a ``/models`` response, ``None`` if it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    rows = value.get("data") if isinstance(value, dict) else None
    if rows is None and isinstance(value, dict) and value.get("object") == "list":
        rows = []  # Ollama without a model says null
    if not isinstance(rows, list):
        return None
    return tuple(row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str))
