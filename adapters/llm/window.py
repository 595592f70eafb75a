"""Asks a model server how many tokens the model can read, by each server's own way of saying it.

What counts is what the server runs the model with, which is often far less than the model was made for: llama.cpp and
Ollama are asked for the former first.

- ``GET /v1/models``: ``max_model_len`` (vLLM, SGLang), ``context_length`` (OpenRouter, Together), ``context_window``
  (Groq), ``max_context_length`` (Mistral), ``meta.n_ctx`` (llama.cpp)
- llama.cpp: ``GET /props``, ``default_generation_settings.n_ctx``, the tokens of one slot
- LM Studio: ``GET /api/v0/models``, ``loaded_context_length``, else ``max_context_length``
- Ollama: ``GET /api/ps``, ``context_length`` of a loaded model; else ``POST /api/show``: ``num_ctx`` of its parameters,
  or the ``context_length`` of ``model_info``, but no more than what Ollama begins with by default
- LiteLLM's proxy: ``GET /model/info``, ``max_input_tokens``
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import httpx

from adapters.llm.endpoint import Endpoint
from adapters.llm.errors import build_error, read_body, read_refusal, translate_faults
from adapters.llm.openai import OpenAiChat
from bot.errors import ModelUnavailable
from bot.ports.chat_model import ToldWindow

_LIMIT_S: Final = 10.0
_LEAST: Final = 256
"""Fewer tokens are no window of a chat model: a 0 or 1 stands for "unknown"."""
_LISTED: Final = ("max_model_len", "context_length", "context_window", "max_context_length")
_OLLAMA_DEFAULT: Final = 4096
"""What Ollama gives a model that is not told otherwise (https://docs.ollama.com/context-length)."""
_NUM_CTX: Final = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
_VENDORS: Final = re.compile(
    r"(?:^|\.)(?:openai\.com|anthropic\.com|googleapis\.com|mistral\.ai|deepseek\.com|x\.ai|openrouter\.ai|groq\.com"
    r"|cohere\.(?:ai|com)|together\.(?:ai|xyz)|fireworks\.ai|azure\.com)$"
)
"""Hosts that only have the list of models; nothing else is asked of them."""
Json = dict[str, Any]  # Any: JSON of a foreign server


async def ask_window(chat: OpenAiChat, *, limit_s: float = _LIMIT_S) -> ToldWindow | None:
    """Return what the server says of its model's window, ``None`` if it says nothing.

    Raises :class:`~bot.errors.ModelUnavailable` (it cannot be reached, or not within ``limit_s`` seconds) and
    :class:`~bot.errors.ModelRefused`.
    """
    place = chat.endpoint
    server = _Server(chat, place)
    with translate_faults(place):
        async with asyncio.timeout(limit_s):
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
    place: Endpoint

    async def find_row(self) -> Json:
        """Return the model's entry in the list, {} without one."""
        answer = await self._ask("GET", self.place.models_url, must=True)
        rows = answer.get("data")
        listed = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        named = [row for row in listed if self._is_ours(row.get("id")) or self._is_ours(row.get("name"))]
        # llama.cpp serves one model under whatever name it is asked for.
        return named[0] if named else listed[0] if len(listed) == 1 and listed[0].get("owned_by") == "llamacpp" else {}

    async def ask_llama_cpp(self) -> ToldWindow | None:
        answer = await self._ask("GET", f"{self._root}/props")
        settings = answer.get("default_generation_settings")
        tokens = _count(settings.get("n_ctx")) if isinstance(settings, dict) else 0
        return ToldWindow(tokens) if tokens else None

    async def ask_lm_studio(self) -> ToldWindow | None:
        answer = await self._ask("GET", f"{self._root}/api/v0/models")
        rows = answer.get("data")
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and self._is_ours(row.get("id")):
                loaded, most = _count(row.get("loaded_context_length")), _count(row.get("max_context_length"))
                return ToldWindow(loaded) if loaded else ToldWindow(most, passing=True) if most else None
        return None

    async def ask_ollama(self) -> ToldWindow | None:
        running = (await self._ask("GET", f"{self._root}/api/ps")).get("models")
        for row in running if isinstance(running, list) else ():
            if not isinstance(row, dict) or not (self._is_ours(row.get("name")) or self._is_ours(row.get("model"))):
                continue
            if tokens := _count(row.get("context_length")):
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
        rows = (await self._ask("GET", f"{self._root}/model/info")).get("data")
        for row in rows if isinstance(rows, list) else ():
            info = row.get("model_info") if isinstance(row, dict) else None
            if not isinstance(info, dict) or not self._is_ours(row.get("model_name")):
                continue
            if tokens := _count(info.get("max_input_tokens")):
                return ToldWindow(tokens, lasting=True)
        return None

    @property
    def _root(self) -> str:
        return re.sub(r"/v\d+(?:beta)?$", "", self.place.base)

    def _is_ours(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        return self.chat.model in {name, name.removesuffix(":latest"), name.removeprefix("models/")}

    async def _ask(self, method: str, url: str, body: Json | None = None, *, must: bool = False) -> Json:
        """Return a route's JSON object; {} where there is none, unless it ``must`` be there for a model to answer."""
        request = self.chat.http.build_request(
            method, url, headers=self.place.headers, json=body, timeout=httpx.Timeout(_LIMIT_S)
        )
        response = await self.chat.http.send(request, stream=True, follow_redirects=False)
        try:
            content, status = await read_body(response, _BODY_BYTES), response.status_code
        except ModelUnavailable:
            return {}
        finally:
            await response.aclose()
        if status in _PASSING or (must and status in _REFUSED):
            raise build_error(read_refusal(status, content), self.place.host, self.place.settings)
        try:
            value = json.loads(content) if status == HTTPStatus.OK else None
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


_BODY_BYTES: Final = 8_000_000
"""OpenRouter's list is about one megabyte; /props holds a chat template."""
_PASSING: Final = frozenset({408, 425, 429, 502, 503, 504})
_REFUSED: Final = frozenset({401, 403})


def _read_row(row: Json) -> int:
    meta = row.get("meta")
    own = _count(meta.get("n_ctx")) if isinstance(meta, dict) else 0
    return own or next((tokens for name in _LISTED if (tokens := _count(row.get(name)))), 0)


def _count(value: object) -> int:
    """Return a number of tokens, 0 for what cannot be one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= _LEAST else 0
