"""The two sides: this server through its own ASGI interface, and LightRAG's pipeline on its default storages.

The peer gets a language model that costs nothing: the same extraction, written in LightRAG's answer format.  Its
inserts and deletes are called in process, without HTTP, which favours it; questions go through its own route.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import httpx
from fastapi import FastAPI
from lightrag.lightrag import LightRAG
from lightrag.utils import EmbeddingFunc

from harness.memory_server.exchanges import Said
from harness.memory_server.figures import DIMENSION, WordEmbedder
from memory_server.api import lightrag_api
from memory_server.api.app import MemoryServer, create_server
from memory_server.chunking import tokenizer
from memory_server.extraction import Extractor
from memory_server.indexing.ingest import document_id
from memory_server.indexing.instances import STORES
from memory_server.language_model import RuleModel
from memory_server.options import ServerOptions

WORKSPACE = "bench"
Found = dict[str, Any]  # Any: the answer of /query/data


class Side(Protocol):
    """Something that can be filled and asked; ``window`` is how many inserts show what one costs."""

    window: int

    async def insert(self, said: Said) -> None:
        """Store an exchange and return when it is indexed."""
        ...

    async def query(self, said: Said, mode: str) -> Found:
        """Ask for data, with the client's keywords."""
        ...

    async def delete(self, said: Said) -> None:
        """Remove an exchange."""
        ...

    async def settle(self) -> None:
        """Do the writing that was put off."""
        ...

    async def fill(self, said: Said) -> None:
        """Store an exchange whose cost is not measured."""
        ...

    async def filled(self) -> None:
        """Be as if every exchange had been inserted."""
        ...


class Ours:
    """This server."""

    window = 500

    def __init__(self, http: httpx.AsyncClient, server: MemoryServer) -> None:
        self._http, self._server = http, server

    async def insert(self, said: Said) -> None:
        """Post and wait for the worker."""
        answer = await self._http.post("/documents/text", json={"text": said.text, "file_source": said.source})
        answer.raise_for_status()
        await self._server.worker.wait_until_idle()

    async def query(self, said: Said, mode: str) -> Found:
        """Ask over HTTP."""
        asked = {"query": said.question, "mode": mode, "ll_keywords": said.keywords, "hl_keywords": said.keywords[:2]}
        answer = await self._http.post("/query/data", json=asked)
        answer.raise_for_status()
        found: Found = answer.json()
        return found

    async def delete(self, said: Said) -> None:
        """Erase over HTTP."""
        asked = {"doc_ids": [document_id(said.source)]}
        answer = await self._http.request("DELETE", "/documents/delete_document", json=asked)
        answer.raise_for_status()

    async def fill(self, said: Said) -> None:
        """Store it as any other."""
        await self.insert(said)

    async def filled(self) -> None:
        """Do nothing: it is."""

    async def settle(self) -> None:
        """Copy the log home."""
        async with self._server.workspaces.lease(WORKSPACE) as workspace:
            await workspace.checkpoint()


class Peer:
    """LightRAG's own pipeline."""

    window = 50

    def __init__(self, rag: LightRAG, http: httpx.AsyncClient) -> None:
        self._rag, self._http = rag, http

    async def insert(self, said: Said) -> None:
        """Enqueue and process."""
        await self._rag.apipeline_enqueue_documents([said.text], file_paths=[said.source])
        await self._rag.apipeline_process_enqueue_documents()

    async def query(self, said: Said, mode: str) -> Found:
        """Ask over HTTP, LightRAG's own route."""
        asked = {"query": said.question, "mode": mode, "ll_keywords": said.keywords, "hl_keywords": said.keywords[:2]}
        answer = await self._http.post("/query/data", json=asked | {"enable_rerank": False})
        answer.raise_for_status()
        found: Found = answer.json()
        return found

    async def delete(self, said: Said) -> None:
        """Delete with its cached extraction, as a person who wants it gone would."""
        await self._rag.adelete_by_doc_id(document_id(said.source), delete_llm_cache=True)

    async def settle(self) -> None:
        """Do nothing: every insert writes everything."""

    async def fill(self, said: Said) -> None:
        """Insert without rewriting the files."""
        for store in self._stores():
            store.index_done_callback = _unsaved
        await self.insert(said)

    async def filled(self) -> None:
        """Write the files once."""
        for store in self._stores():
            store.__dict__.pop("index_done_callback", None)
            await store.index_done_callback()

    def _stores(self) -> list[Any]:  # Any: LightRAG's untyped storages
        return [self._rag.doc_status, *(getattr(self._rag, name) for name in STORES)]


async def _unsaved() -> None:
    """Leave the files as they are."""


@asynccontextmanager
async def ours(folder: Path) -> AsyncIterator[Ours]:
    """Run this server in process."""
    options = ServerOptions(data_dir=folder, api_key="bench")
    server = create_server(options, WordEmbedder())
    headers = {"X-API-Key": "bench", "LIGHTRAG-WORKSPACE": WORKSPACE}
    transport = httpx.ASGITransport(server.asgi)
    async with (
        server.running(),
        httpx.AsyncClient(transport=transport, base_url="http://bench", headers=headers) as http,
    ):
        yield Ours(http, server)


@asynccontextmanager
async def peer(folder: Path, *, bare: bool) -> AsyncIterator[Peer]:
    """Run LightRAG on its default storages; ``bare`` without gleaning and caches, as our own settings are."""
    embedder = WordEmbedder()

    async def embed(texts: list[str], **_: Any) -> Any:  # Any: LightRAG's hints, and numpy to it
        return await embedder.embed(texts)

    settings: dict[str, Any] = {}  # Any: LightRAG's settings
    if bare:
        settings = {
            "entity_extract_max_gleaning": 0,
            "enable_llm_cache": False,
            "enable_llm_cache_for_entity_extract": False,
        }
    rag = LightRAG(
        working_dir=str(folder),
        workspace=WORKSPACE,
        embedding_func=EmbeddingFunc(embedding_dim=DIMENSION, func=embed, model_name="words"),
        llm_model_func=RuleModel(Extractor()).complete,
        tokenizer=tokenizer(),
        **settings,
    )
    app = FastAPI()
    app.include_router(lightrag_api.load().query.create_query_routes(rag, None))
    await rag.initialize_storages()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bench") as http:
        yield Peer(rag, http)
    await rag.finalize_storages()
