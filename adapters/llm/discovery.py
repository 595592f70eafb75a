"""Finds model servers that already run on this machine, so that the first start can offer one.

Only loopback is asked, only at ports where such servers usually listen, and nothing is sent but ``GET /v1/models``.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import httpx

from adapters.llm.faults import whole
from bot.errors import ModelUnavailable

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

    A server without a chat model is returned with no models: it runs, but has nothing to offer yet.
    """
    transport = httpx.AsyncHTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))  # plain HTTP: no CA is loaded
    async with httpx.AsyncClient(transport=transport, trust_env=False, timeout=limit_s) as http:
        asked = [_ask(http, name, f"http://{host}:{port}/v1", limit_s) for port, name in ports.items()]
        return tuple(server for server in await asyncio.gather(*asked) if server is not None)


async def _ask(http: httpx.AsyncClient, name: str, url: str, limit_s: float) -> LocalServer | None:
    try:
        async with asyncio.timeout(limit_s), http.stream("GET", f"{url}/models") as response:
            if not response.is_success:
                return None
            models = model_names(await whole(response, _MAX_LIST_BYTES))
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, ModelUnavailable):
        return None  # nobody there, or nobody who speaks HTTP: the usual case, not an error
    if models is None:
        return None
    return LocalServer(name, url, tuple(model for model in models if not _NOT_FOR_CHAT.search(model)))


def model_names(body: bytes) -> tuple[str, ...] | None:
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
