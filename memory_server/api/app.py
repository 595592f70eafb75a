"""The memory server's parts, joined, and the routes outside any workspace: health, and workspaces as a whole."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import structlog
from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from memory_server.api import lightrag_api
from memory_server.api.documents import DocumentRoutes
from memory_server.api.lightrag_api import VERSIONS, add_pages, ollama_router, refuse_invalid_request
from memory_server.api.middleware import AccountRoutes, WorkspaceMiddleware
from memory_server.chunking import Cutter, Limits, tokenizer
from memory_server.errors import ConfigInvalid, Corrupt, DocumentRejected, MemoryServerError, Temporary, locate_error
from memory_server.extraction import Extractor
from memory_server.indexing import consistency
from memory_server.indexing.consistency import begin_reindex, find_outdated, reindex_document
from memory_server.indexing.embedding_texts import finish_erase
from memory_server.indexing.ingest import ChunkExtractor, Ingestor, Worker
from memory_server.indexing.instances import BoundRag, Instances, LightRagTuning
from memory_server.indexing.workspaces import DAMAGED, SqliteEntry, Workspaces
from memory_server.language_model import EndpointModel, LanguageModel, ModelExtractor, NoModel, RuleExtractor
from memory_server.options import NO_PLUGINS, WORKSPACE_RULE, Embedder, Plugins, ServerOptions, workspace_name
from memory_server.storage.records import count_statuses
from memory_server.storage.workspace import Workspace

THREADS = 6


@dataclass(frozen=True, slots=True)
class MemoryServer:
    """The parts of a running server; ``asgi`` is what a web server calls."""

    asgi: WorkspaceMiddleware
    workspaces: Workspaces
    worker: Worker
    app: FastAPI

    async def resumed(self) -> None:
        """Return once every workspace found at the start has been looked into."""
        await self.app.state.resuming

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start and stop the server's background work without a web server (which does it by the ASGI lifespan)."""
        async with self.app.router.lifespan_context(self.app):
            yield


def create_server(options: ServerOptions, embedder: Embedder, plugins: Plugins = NO_PLUGINS) -> MemoryServer:
    """Join the parts.  Nothing runs until the ASGI lifespan starts; call it once per process."""
    executor = ThreadPoolExecutor(THREADS, "memory")
    http = httpx.AsyncClient() if options.llm.url else None  # making one reads all certificates: 25 ms
    model: LanguageModel = NoModel() if http is None else EndpointModel(options.llm, http)
    instances = Instances(options.data_dir, embedder, model, LightRagTuning(options.least_cosine, options.language))
    workspaces = Workspaces(
        options.data_dir / "workspaces",
        f"{embedder.model}/{embedder.dimension}",
        executor,
        memory_limit=options.memory_limit_mb * 1_000_000,
        most_open=options.most_open,
        on_close=instances.close,
    )
    rules = Extractor()
    cutter = Cutter(tokenizer(), embedder, Limits(options.chunk_tokens, options.chunk_overlap), plugins.chunker)
    extractor: ChunkExtractor = ModelExtractor(instances.config) if options.llm.url else RuleExtractor(rules)
    ingestor = Ingestor(embedder, extractor, cutter)
    worker = Worker(workspaces, ingestor, attempts=options.attempts)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.background_tasks = set()
        app.state.resuming = asyncio.create_task(_resume(workspaces, worker, embedder))
        yield
        app.state.resuming.cancel()
        await worker.stop()
        await workspaces.close()
        if http is not None:
            await http.aclose()
        executor.shutdown(wait=False)

    app = FastAPI(title="Mneme memory server", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(Temporary, refuse_for_now)
    app.add_exception_handler(RequestValidationError, refuse_invalid_request)
    app.add_exception_handler(Corrupt, _damaged)
    api = lightrag_api.load()
    administration = AdministrationRoutes(workspaces, worker, embedder, options.storage, cutter.version)
    documents = DocumentRoutes(api, worker, embedder, options, plugins.loaders)
    _add_routes(app, api, (administration.router(), documents.router()), BoundRag(instances), options.data_dir)
    add_common_routes(app, api, BoundRag(instances), options)
    keywords = None if options.llm.url else rules.keywords
    return MemoryServer(
        WorkspaceMiddleware(app, options, SqliteEntry(workspaces, instances.open), keywords), workspaces, worker, app
    )


def _add_routes(
    app: FastAPI, api: lightrag_api.LightragApi, ours: Sequence[APIRouter], rag: BoundRag, data_dir: Path
) -> None:
    # The questions first: a request is compared with one route after another.
    app.include_router(api.query_routes(rag, None))
    for router in ours:
        app.include_router(router)
    # The key is checked at the gate; LightRAG's own check would refuse what it does not know.
    app.include_router(api.document_routes(rag, api.document_manager(str(data_dir / "inputs")), None))
    app.include_router(api.graph_routes(rag, None))


def add_common_routes(
    app: FastAPI, api: lightrag_api.LightragApi, rag: Any, options: ServerOptions
) -> None:  # Any: looks like a LightRAG
    """Add what other clients of LightRAG ask for: Ollama's interface, the login, the pages."""
    app.include_router(ollama_router(api, rag))
    app.include_router(AccountRoutes(app, options.api_key).router())
    app.include_router(api.customization_routes(None, None, None))
    add_pages(app)


async def refuse_for_now(_: Request, error: Exception) -> JSONResponse:
    """Answer that this may work later."""
    structlog.get_logger().error("unavailable", error=str(error))
    return JSONResponse({"detail": "the memory cannot be read or written now"}, 503, {"Retry-After": "10"})


async def _damaged(_: Request, error: Exception) -> JSONResponse:
    structlog.get_logger().error("workspace_damaged", error=str(error))
    return JSONResponse({"detail": DAMAGED}, 503, {"Retry-After": "1"})


async def _resume(workspaces: Workspaces, worker: Worker, embedder: Embedder) -> None:
    """Finish what a crash interrupted: erases first, then the documents that wait.

    A workspace that cannot be opened, or embedded now, does not keep the others waiting.
    """
    workspaces.sweep()
    for name in workspaces.names():
        try:
            async with workspaces.lease(name, create=False) as workspace:
                await workspace.verify()
                if not workspace.stale:
                    await finish_erase(workspace, embedder)
        except MemoryServerError as error:
            structlog.get_logger().error("workspace_not_resumed", workspace=name, error=locate_error(error))
        worker.wake(name)


Answer = dict[str, Any]  # Any: JSON


class NewName(BaseModel):
    """What a workspace is to be called."""

    to: str


@dataclass(frozen=True, slots=True)
class AdministrationRoutes:
    """Routes outside any workspace; ``chunker`` is the version that documents are cut by now."""

    workspaces: Workspaces
    worker: Worker
    embedder: Embedder
    storage: str
    chunker: str

    def router(self) -> APIRouter:
        """Return the routes."""
        router = APIRouter(tags=["administration"])
        router.add_api_route("/health", self.health, methods=["GET"])
        router.add_api_route("/workspaces", self.names, methods=["GET"])
        router.add_api_route("/workspaces/{name}", self.state, methods=["GET"])
        router.add_api_route("/workspaces/{name}", self.drop, methods=["DELETE"])
        router.add_api_route("/workspaces/{name}/rename", self.rename, methods=["POST"])
        router.add_api_route("/workspaces/{name}/check", self.check, methods=["GET"])
        router.add_api_route("/workspaces/{name}/reconcile", self.reconcile, methods=["POST"])
        router.add_api_route("/workspaces/{name}/reindex", self.reindex, methods=["POST"])
        router.add_api_route("/workspaces/{name}/entities/{entity:path}", self.diagnose, methods=["GET"])
        return router

    async def health(self, request: Request) -> Answer:
        """Answer that the server lives; with the key also how it fares."""
        if not request.scope["state"]["known"]:
            return {"status": "healthy", "mneme": {}} | VERSIONS
        memory = await asyncio.to_thread(lambda: psutil.Process(os.getpid()).memory_info().rss)
        return VERSIONS | {
            "status": "healthy",
            "mneme": {"workspaces": True},
            "pipeline_busy": bool(self.worker.indexing),
            "indexing": len(self.worker.indexing),
            "embedding_model": self.embedder.model,
            "storage": self.storage,
            "set_aside": self.workspaces.set_aside(),
            "open_bytes": self.workspaces.nbytes,
            "rss_bytes": memory,
        }

    async def names(self) -> Answer:
        """List the workspaces on disk."""
        return {"workspaces": self.workspaces.names()}

    async def state(self, name: str) -> Answer:
        """Count a workspace's documents per status; failed ones are dead letters."""
        async with self._existing(name) as workspace:
            found = await find_outdated(workspace, self.chunker)
            return {
                "workspace": name,
                "documents": dict(await workspace.read(count_statuses)),
                "outdated": {"embedding": found.embedding, "documents": found.documents},
            }

    async def check(self, name: str) -> Answer:
        """Compare a workspace's documents, chunks, graph and vectors."""
        async with self._existing(name) as workspace:
            report = await consistency.check(workspace)
            workspace.damaged |= bool(report.damage)
            return consistency.as_json(report)

    async def reconcile(self, name: str) -> Answer:
        """Repair a workspace and report what is left."""
        async with self._existing(name) as workspace:
            report = await consistency.reconcile(workspace, self.embedder)
        self.worker.wake(name)
        return consistency.as_json(report)

    async def reindex(self, request: Request, name: str, *, everything: bool = False, document: str = "") -> Answer:
        """Make outdated documents, or one by its id or source, wait to be indexed again."""
        if document:
            return await self._reindex_document(name, document)
        async with self._existing(name) as workspace:
            count = await begin_reindex(workspace, self.chunker, everything=everything)
        self.worker.wake(name)
        embedding = asyncio.create_task(self._embed_missing(name), name=f"embed {name}")
        request.app.state.background_tasks.add(embedding)
        embedding.add_done_callback(request.app.state.background_tasks.discard)
        return {"status": "reindexing", "workspace": name, "documents": count}

    async def _reindex_document(self, name: str, document: str) -> Answer:
        try:
            async with self._existing(name) as workspace:
                found = await reindex_document(workspace, document)
        except ConfigInvalid as error:
            raise HTTPException(409, str(error)) from error
        if found is None:
            raise HTTPException(404, "no such document")
        self.worker.wake(name)
        return {"status": "reindexing", "workspace": name, "documents": 1, "doc_id": found}

    async def diagnose(self, name: str, entity: str) -> Answer:
        """Say what an entity is made of."""
        async with self._existing(name) as workspace:
            found = await consistency.diagnose(workspace, entity)
        if found is None:
            raise HTTPException(404, "no such entity")
        return asdict(found)

    async def _embed_missing(self, name: str) -> None:
        """Embed what no document brings: entities written through LightRAG's interface."""
        async with self._existing(name) as workspace, workspace.mutating:
            await consistency.embed_missing(workspace, self.embedder)

    @asynccontextmanager
    async def _existing(self, name: str) -> AsyncIterator[Workspace]:
        if workspace_name(name) is None:
            raise HTTPException(400, WORKSPACE_RULE)
        if not self.workspaces.exists(name):
            raise HTTPException(404, "no such workspace")
        async with self.workspaces.lease(name, create=False) as workspace:
            yield workspace

    async def rename(self, name: str, asked: NewName) -> Answer:
        """Give a workspace another name; 409 when that is taken."""
        if workspace_name(name) is None or workspace_name(asked.to) is None:
            raise HTTPException(400, WORKSPACE_RULE)
        try:
            if not await self.workspaces.rename(name, asked.to):
                raise HTTPException(404, "no such workspace")
        except DocumentRejected as error:
            raise HTTPException(409, str(error)) from error
        self.worker.wake(asked.to)
        return {"status": "success", "workspace": asked.to}

    async def drop(self, name: str) -> Answer:
        """Delete a workspace's files and answer with a receipt: whether there was one, and what is left (nothing)."""
        if workspace_name(name) is None:
            raise HTTPException(400, WORKSPACE_RULE)
        existed = await self.workspaces.drop(name)
        residue = [name] if self.workspaces.exists(name) else []
        return {"status": "success", "workspace": name, "existed": existed, "residue": residue}
