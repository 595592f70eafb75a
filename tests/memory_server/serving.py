"""A memory server in this process, asked through its ASGI interface."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from memory_server.api.app import MemoryServer, create_server
from memory_server.options import NO_PLUGINS, Embedder, Plugins, ServerOptions
from tests.memory_server.word_embedder import WordEmbedder

KEY = "test-key"


@dataclass(frozen=True, slots=True)
class Served:
    """A running server and a client that holds its key."""

    server: MemoryServer
    http: httpx.AsyncClient

    async def post(self, workspace: str, source: str, text: str) -> httpx.Response:
        """Post one text to a workspace."""
        body = {"text": text, "file_source": source}
        return await self.http.post("/documents/text", json=body, headers={"LIGHTRAG-WORKSPACE": workspace})

    async def ask(self, workspace: str, question: str, mode: str = "mix", **more: Any) -> dict[str, Any]:  # Any: JSON
        """Ask a workspace for data."""
        body = {"query": question, "mode": mode, **more}
        answer = await self.http.post("/query/data", json=body, headers={"LIGHTRAG-WORKSPACE": workspace})
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()  # Any: JSON
        return found

    async def erase(self, workspace: str, *doc_ids: str) -> dict[str, Any]:  # Any: JSON
        """Erase documents and return the receipt."""
        headers = {"LIGHTRAG-WORKSPACE": workspace}
        body = {"doc_ids": list(doc_ids)}
        answer = await self.http.request("DELETE", "/documents/delete_document", json=body, headers=headers)
        answer.raise_for_status()
        receipt: dict[str, Any] = answer.json()["receipt"]  # Any: JSON
        return receipt

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being indexed."""
        await asyncio.wait_for(self.server.worker.wait_until_idle(), 240)

    async def statuses(self, workspace: str) -> dict[str, int]:
        """Return how many documents have which status."""
        answer = await self.http.get("/documents/status_counts", headers={"LIGHTRAG-WORKSPACE": workspace})
        counts: dict[str, int] = answer.json()["status_counts"]
        return counts


@asynccontextmanager
async def served(
    folder: Path, embedder: Embedder | None = None, plugins: Plugins = NO_PLUGINS, **options: Any
) -> AsyncIterator[Served]:  # Any: options
    """Run a server on a folder."""
    settings = ServerOptions(data_dir=folder, api_key=KEY, **options)
    server = create_server(settings, embedder or WordEmbedder(), plugins)
    transport = httpx.ASGITransport(server.asgi)
    headers = {"X-API-Key": KEY}
    async with server.running(), httpx.AsyncClient(transport=transport, base_url="http://m", headers=headers) as http:
        yield Served(server, http)


def exchange(number: int, user: str, assistant: str = "Noted.", speaker: str = "Anna") -> str:
    """Return an exchange as the bot renders it."""
    return f"Ref: t-{number}\nDate: 2026-02-07 14:30 +01:00\nUser ({speaker}): {user}\nAssistant: {assistant}"


def texts_of(found: dict[str, Any]) -> str:  # Any: JSON
    """Return everything that an answer shows, as one string."""
    return str(found.get("data"))
