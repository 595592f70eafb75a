"""The memory server's parts, joined, and the routes outside any workspace: health, and workspaces as a whole."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

import psutil
import structlog
from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from memory_server.api.documents import DocumentRoutes
from memory_server.api.lightrag_api import (
    VERSIONS,
    LightragApi,
    add_pages,
    load,
    ollama_router,
    refuse_invalid_request,
    router_of,
)
from memory_server.api.middleware import AccountRoutes, WorkspaceMiddleware
from memory_server.chunking import Cutter, Limits
from memory_server.errors import ConfigInvalid, Corrupt, MemoryServerError, Temporary, locate_error
from memory_server.extraction import Extractor
from memory_server.indexing import consistency
from memory_server.indexing.consistency import begin_reindex, find_outdated, reindex_document
from memory_server.indexing.embedding_texts import finish_erase
from memory_server.indexing.ingest import Ingestor, Worker
from memory_server.indexing.instances import BoundRag, Instances
from memory_server.indexing.workspaces import DAMAGED, WorkspaceEntry, Workspaces, choose_home
from memory_server.language_model import ModelExtractor, choose_model, extract_by
from memory_server.options import NO_PLUGINS, WORKSPACE_RULE, Embedder, Plugins, ServerOptions, is_workspace_name
from memory_server.storage.records import count_statuses
from memory_server.storage.workspace import Workspace

THREADS = 6
Answer = dict[str, Any]  # Any: JSON


@dataclass(frozen=True, slots=True)
class MemoryServer:
    """A server that is joined; ``asgi`` is what a web server calls."""

    asgi: WorkspaceMiddleware
    app: FastAPI
    workspaces: Workspaces
    worker: Worker

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start and stop the server's background work without a web server (which does it by the ASGI lifespan)."""
        async with self.app.router.lifespan_context(self.app):
            yield

    async def resumed(self) -> None:
        """Return once every workspace found at the start has been looked into."""
        await self.app.state.resuming


def create_server(options: ServerOptions, embedder: Embedder, plugins: Plugins = NO_PLUGINS) -> MemoryServer:
    """Join the parts.  Nothing runs until the ASGI lifespan starts; call it once per process."""
    executor = ThreadPoolExecutor(THREADS, "memory")
    model, rules = choose_model(options.llm), Extractor()
    instances = Instances(options.data_dir, embedder, model, options.lightrag)
    workspaces = Workspaces(
        choose_home(options.data_dir, options.database_url),
        f"{embedder.model}/{embedder.dimension}",
        executor,
        memory_limit=options.memory_limit_mb * 1_000_000,
        most_open=options.most_open,
        on_close=instances.close,
    )
    limits = Limits(options.lightrag.chunk_tokens, options.lightrag.chunk_overlap)
    cutter = Cutter(embedder, limits, plugins.chunker)
    extract = ModelExtractor(instances.config).extract if options.llm.url else extract_by(rules)
    worker = Worker(workspaces, Ingestor(embedder, extract, cutter), attempts=options.attempts)
    workspaces.on_open = worker.wake

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.background_tasks = set()
        app.state.resuming = asyncio.create_task(_resume(workspaces, worker, embedder, cutter.version))
        yield
        app.state.resuming.cancel()
        await worker.stop()
        await workspaces.close()
        await model.close()
        executor.shutdown(wait=False)

    app, api = (
        FastAPI(title="Mneme memory server", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None),
        load(),
    )
    app.add_exception_handler(RequestValidationError, refuse_invalid_request)
    app.add_exception_handler(Temporary, _unavailable("the memory cannot be read or written now", 10))
    app.add_exception_handler(Corrupt, _unavailable(DAMAGED, 1))
    rag = BoundRag(instances)
    # The questions first: a request is compared with one route after another.
    app.include_router(api.query.create_query_routes(rag, None))
    app.include_router(
        WorkspaceRoutes(
            embedder, "postgres" if options.database_url else "sqlite", workspaces, worker, cutter.version
        ).router()
    )
    app.include_router(DocumentRoutes(api, worker, embedder, options, plugins.loaders).router())
    add_lightrag(app, api, rag, options)
    keywords = None if options.llm.url else rules.keywords
    gate = WorkspaceMiddleware(app, options, WorkspaceEntry(workspaces, instances.open), keywords)
    return MemoryServer(gate, app, workspaces, worker)


def add_lightrag(app: FastAPI, api: LightragApi, rag: Any, options: ServerOptions) -> None:  # Any: like a LightRAG
    """Add what is left to LightRAG behind our own routes, and what its other clients ask for."""
    # The key is checked at the gate; LightRAG's own check would refuse what it does not know.
    inputs = api.documents.DocumentManager(str(options.data_dir / "inputs"))
    app.include_router(api.documents.create_document_routes(rag, inputs, None))
    app.include_router(api.graph.create_graph_routes(rag, None))
    app.include_router(ollama_router(api, rag))
    app.include_router(AccountRoutes(app, options.api_key).router())
    app.include_router(api.customization.create_ui_customization_routes(None, None, None))
    add_pages(app)


def _unavailable(detail: str, seconds: int) -> Callable[[Request, Exception], Awaitable[JSONResponse]]:
    """Return what answers an error of ours by asking to come again after so many seconds."""

    async def refuse(_: Request, error: Exception) -> JSONResponse:
        structlog.get_logger().error("unavailable", cause=type(error).__name__, error=str(error))
        return JSONResponse({"detail": detail}, 503, {"Retry-After": str(seconds)})

    return refuse


async def _resume(workspaces: Workspaces, worker: Worker, embedder: Embedder, chunker: str) -> None:
    """Finish what a crash interrupted: erases first, then the documents that wait; all wait where the model changed.

    A workspace that cannot be opened, or embedded now, does not keep the others waiting.
    """
    await workspaces.sweep()
    for name in await workspaces.names():
        try:
            async with workspaces.lease(name, create=False, patient=False) as workspace:
                await workspace.verify()
                if workspace.stale:
                    await begin_reindex(workspace, chunker)
                await finish_erase(workspace, embedder)
        except MemoryServerError as error:
            structlog.get_logger().error("workspace_not_resumed", workspace=name, error=locate_error(error))
        worker.wake(name)


def _named(name: str) -> str:
    if not is_workspace_name(name):
        raise HTTPException(400, WORKSPACE_RULE)
    return name


@dataclass(frozen=True, slots=True)
class WorkspaceRoutes:
    """Routes about workspaces as a whole; ``chunker`` is the version that documents are cut by now."""

    embedder: Embedder
    storage: str
    workspaces: Workspaces
    worker: Worker
    chunker: str

    def router(self) -> APIRouter:
        """Return the routes."""
        return router_of(
            "administration",
            ("GET", "/health", self.health),
            ("GET", "/workspaces", self.names),
            ("GET", "/workspaces/{name}", self.state),
            ("DELETE", "/workspaces/{name}", self.drop),
            ("GET", "/workspaces/{name}/check", self.check),
            ("GET", "/workspaces/{name}/entities/{entity:path}", self.diagnose),
            ("POST", "/workspaces/{name}/reconcile", self.reconcile),
            ("POST", "/workspaces/{name}/reindex", self.reindex),
        )

    async def health(self, request: Request) -> Answer:
        """Answer that the server lives; with the key also how it fares."""
        if not request.scope["state"]["known"]:
            return {"status": "healthy", "mneme": {}} | VERSIONS
        return VERSIONS | {
            "status": "healthy",
            "mneme": {"workspaces": True},
            "embedding_model": self.embedder.model,
            "storage": self.storage,
            "pipeline_busy": bool(self.worker.indexing),
            "indexing": len(self.worker.indexing),
            "set_aside": await self.workspaces.list_set_aside(),
            "open_bytes": self.workspaces.nbytes,
            "rss_bytes": (await asyncio.to_thread(psutil.Process().memory_info)).rss,
        }

    async def names(self) -> Answer:
        """List the workspaces."""
        return {"workspaces": await self.workspaces.names()}

    async def state(self, name: str) -> Answer:
        """Count a workspace's documents per status; failed ones are dead letters."""
        async with self._lease(name) as workspace:
            found = await find_outdated(workspace, self.chunker)
            counts = await workspace.read(count_statuses)
            return {"workspace": name, "documents": counts, "outdated": asdict(found)}

    async def check(self, name: str) -> Answer:
        """Compare a workspace's documents, chunks, graph and vectors."""
        async with self._lease(name) as workspace:
            report = await consistency.check(workspace)
            workspace.damaged |= bool(report.damage)
            return consistency.as_json(report)

    async def diagnose(self, name: str, entity: str) -> Answer:
        """Say what an entity is made of."""
        async with self._lease(name) as workspace:
            found = await consistency.diagnose(workspace, entity)
        if found is None:
            raise HTTPException(404, "no such entity")
        return asdict(found)

    async def drop(self, name: str) -> Answer:
        """Remove a workspace and answer with a receipt: whether there was one, and what is left (nothing)."""
        existed = await self.workspaces.drop(_named(name))
        residue = [name] if await self.workspaces.exists(name) else []
        status = "partial" if residue else "success"
        return {"status": status, "workspace": name, "existed": existed, "residue": residue}

    async def reconcile(self, name: str) -> Answer:
        """Repair a workspace and report what is left."""
        async with self._lease(name) as workspace:
            report = await consistency.reconcile(workspace, self.embedder)
        self.worker.wake(name)
        return consistency.as_json(report)

    async def reindex(self, name: str, *, everything: bool = False, document: str = "") -> Answer:
        """Make outdated documents, or one by its id or source, wait to be indexed again."""
        answer: Answer = {"status": "reindexing", "workspace": name}
        async with self._lease(name) as workspace:
            if document:
                try:
                    found = await reindex_document(workspace, document)
                except ConfigInvalid as error:
                    raise HTTPException(409, str(error)) from error
                if found is None:
                    raise HTTPException(404, "no such document")
                answer |= {"documents": 1, "doc_id": found}
            else:
                answer["documents"] = await begin_reindex(workspace, self.chunker, everything=everything)
        self.worker.wake(name)
        return answer

    @asynccontextmanager
    async def _lease(self, name: str) -> AsyncIterator[Workspace]:
        if not await self.workspaces.exists(_named(name)):
            raise HTTPException(404, "no such workspace")
        async with self.workspaces.lease(name, create=False) as workspace:
            yield workspace
