"""Asks model servers what they have: the models, those of this machine too, and how many tokens a model can read."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

import httpx

from adapters.llm.endpoint import build_error, read_body, read_object, read_refusal, translate_faults
from adapters.llm.openai import OpenAiChat
from adapters.llm.usage import FallbackChat
from bot.errors import MnemeError, ModelUnavailable
from bot.ports.chat_model import ChatModel, ToldWindow

Json = dict[str, Any]  # Any: JSON of a foreign server
_BODY_BYTES: Final = 8_000_000
"""OpenRouter's list is about one megabyte; llama.cpp's /props holds a chat template."""
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
            async with asyncio.timeout(limit_s):
                status, body = await _fetch(chat, "GET", place.models_url, limit_s=limit_s)
        if status in _NO_LIST:
            return ModelHealth("degraded", f"{place.host} answers but does not list its models", chat.model)
        if status != HTTPStatus.OK:
            raise build_error(read_refusal(status, body), place.host, place.settings)
    except MnemeError as error:
        return ModelHealth("down", str(error), chat.model)
    names = read_model_names(body)
    if names is None:
        return ModelHealth("degraded", f"{place.host} does not answer like a model server", chat.model)
    if not any(_is_named(chat, name) for name in names):
        return ModelHealth("degraded", f"{place.host} does not list {place.settings}.model {chat.model!r}", chat.model)
    return ModelHealth("ok", "", chat.model)


async def _fetch(
    chat: OpenAiChat, method: str, url: str, body: Json | None = None, *, limit_s: float
) -> tuple[int, bytes]:
    """Return status and body.  Raises httpx's errors, :class:`~bot.errors.ModelUnavailable` for a body without end."""
    async with chat.http.stream(
        method, url, headers=chat.endpoint.headers, json=body, timeout=limit_s, follow_redirects=False
    ) as response:
        return response.status_code, await read_body(response, _BODY_BYTES)


def _is_named(chat: OpenAiChat, listed: object) -> bool:
    """Return whether a listed name is the model's: Ollama adds ``:latest``, Gemini lists ``models/…``."""
    if not isinstance(listed, str):
        return False
    return chat.model in {listed, listed.removesuffix(":latest"), listed.removeprefix("models/")}


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
    ports: Mapping[int, str] = USUAL_PORTS, *, limit_s: float = 0.3
) -> tuple[LocalServer, ...]:
    """Return the servers that answered within ``limit_s`` seconds, in the order of ``ports``; never raises.

    Only loopback is asked, only at ports where such servers usually listen, and only ``GET /v1/models`` is sent.
    A server without a chat model is returned with no models: it runs, but has nothing to offer yet.
    """
    transport = httpx.AsyncHTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))  # plain HTTP: no CA is loaded
    async with httpx.AsyncClient(transport=transport, trust_env=False, timeout=limit_s) as http:
        asked = [_ask_server(http, name, f"http://127.0.0.1:{port}/v1", limit_s) for port, name in ports.items()]
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
    value = read_object(body) or {}
    rows = value.get("data")
    if rows is None and value.get("object") == "list":
        rows = []  # Ollama without a model says null
    if not isinstance(rows, list):
        return None
    return tuple(row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str))


_LIMIT_S: Final = 10.0
_LEAST: Final = 256
"""Fewer tokens are no window of a chat model: a 0 or 1 stands for "unknown"."""
_LISTED: Final = ("max_model_len", "context_length", "context_window", "max_context_length")
_OLLAMA_DEFAULT: Final = 4096
"""What Ollama gives a model that is not told otherwise (https://docs.ollama.com/context-length)."""
_PASSING: Final = frozenset({408, 425, 429, 502, 503, 504})
_REFUSED: Final = frozenset({401, 403})
_NUM_CTX: Final = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
_VENDORS: Final = re.compile(
    r"(?:^|\.)(?:openai\.com|anthropic\.com|googleapis\.com|mistral\.ai|deepseek\.com|x\.ai|openrouter\.ai|groq\.com"
    r"|cohere\.(?:ai|com)|together\.(?:ai|xyz)|fireworks\.ai|azure\.com)$"
)
"""Hosts that only have the list of models; nothing else is asked of them."""


async def ask_window(chat: OpenAiChat) -> ToldWindow | None:
    """Return what the server says of its model's window, ``None`` if it says nothing.

    Raises :class:`~bot.errors.ModelUnavailable` (it cannot be reached, or not in time) and
    :class:`~bot.errors.ModelRefused`.
    """
    place = chat.endpoint
    server = _Server(chat)
    with translate_faults(place):
        async with asyncio.timeout(_LIMIT_S):
            row = await server.find_row()
            # A list may say what the model was made for; who can say what it runs with is asked first.
            if not _VENDORS.search(place.host.partition(":")[0].lower()):
                for ask in _order_by_owner(server, str(row.get("owned_by", ""))):
                    if (told := await ask()) is not None:
                        return told
            tokens = _read_row(row)
    return ToldWindow(tokens, lasting=True) if tokens else None


def _order_by_owner(server: _Server, owner: str) -> tuple[Callable[[], Awaitable[ToldWindow | None]], ...]:
    """Return whom to ask beyond the list: the server that an entry names itself, else all of them."""
    named: dict[str, tuple[Callable[[], Awaitable[ToldWindow | None]], ...]] = {
        "llamacpp": (server.ask_llama_cpp,),
        "library": (server.ask_ollama,),
        "organization_owner": (server.ask_lm_studio,),
        "vllm": (),
        "sglang": (),
    }
    return named.get(owner, (server.ask_llama_cpp, server.ask_lm_studio, server.ask_ollama, server.ask_litellm))


@dataclass(frozen=True, slots=True)
class _Server:
    """The routes of one server; those beside its OpenAI interface hang on the same root."""

    chat: OpenAiChat

    async def find_row(self) -> Json:
        """Return the model's entry in the list, {} without one."""
        listed = _list_rows(await self._ask("GET", self.chat.endpoint.models_url, must=True), "data")
        named = [row for row in listed if self._is_ours(row.get("id"), row.get("name"))]
        # llama.cpp serves one model under whatever name it is asked for.
        return named[0] if named else listed[0] if len(listed) == 1 and listed[0].get("owned_by") == "llamacpp" else {}

    async def ask_llama_cpp(self) -> ToldWindow | None:
        answer = await self._ask("GET", f"{self._root}/props")
        settings = answer.get("default_generation_settings")
        tokens = _count(settings.get("n_ctx")) if isinstance(settings, dict) else 0
        return ToldWindow(tokens) if tokens else None

    async def ask_lm_studio(self) -> ToldWindow | None:
        for row in _list_rows(await self._ask("GET", f"{self._root}/api/v0/models"), "data"):
            if self._is_ours(row.get("id")):
                loaded, most = _count(row.get("loaded_context_length")), _count(row.get("max_context_length"))
                return ToldWindow(loaded) if loaded else ToldWindow(most, passing=True) if most else None
        return None

    async def ask_ollama(self) -> ToldWindow | None:
        for row in _list_rows(await self._ask("GET", f"{self._root}/api/ps"), "models"):
            if self._is_ours(row.get("name"), row.get("model")) and (tokens := _count(row.get("context_length"))):
                return ToldWindow(tokens)
        shown = await self._ask("POST", f"{self._root}/api/show", {"model": self.chat.model})
        parameters, info = shown.get("parameters"), shown.get("model_info")
        set_to = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
        if set_to and (tokens := _count(int(set_to[1]))):
            return ToldWindow(tokens, passing=True)
        lengths = info.items() if isinstance(info, dict) else ()
        most = next((_count(value) for name, value in lengths if name.endswith(".context_length")), 0)
        return ToldWindow(min(most, _OLLAMA_DEFAULT), passing=True) if most else None

    async def ask_litellm(self) -> ToldWindow | None:
        for row in _list_rows(await self._ask("GET", f"{self._root}/model/info"), "data"):
            info = row.get("model_info") if self._is_ours(row.get("model_name")) else None
            if isinstance(info, dict) and (tokens := _count(info.get("max_input_tokens"))):
                return ToldWindow(tokens, lasting=True)
        return None

    @property
    def _root(self) -> str:
        return re.sub(r"/v\d+(?:beta)?$", "", self.chat.endpoint.base)

    def _is_ours(self, *names: object) -> bool:
        return any(_is_named(self.chat, name) for name in names)

    async def _ask(self, method: str, url: str, body: Json | None = None, *, must: bool = False) -> Json:
        """Return a route's JSON object; {} where there is none, unless it ``must`` be there for a model to answer."""
        try:
            status, content = await _fetch(self.chat, method, url, body, limit_s=_LIMIT_S)
        except ModelUnavailable:
            return {}
        if status in _PASSING or (must and status in _REFUSED):
            place = self.chat.endpoint
            raise build_error(read_refusal(status, content), place.host, place.settings)
        return (read_object(content) or {}) if status == HTTPStatus.OK else {}


def _list_rows(answer: Json, name: str) -> list[Json]:
    rows = answer.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _read_row(row: Json) -> int:
    meta = row.get("meta")
    own = _count(meta.get("n_ctx")) if isinstance(meta, dict) else 0
    return own or next((tokens for name in _LISTED if (tokens := _count(row.get(name)))), 0)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= _LEAST else 0
