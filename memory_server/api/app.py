"""The memory server's parts, joined: workspaces, worker, LightRAG's routers over the bound workspace, middleware."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import structlog
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from memory_server.api import lightrag_api
from memory_server.api.administration import AdministrationRoutes
from memory_server.api.documents import DocumentRoutes
from memory_server.api.lightrag_api import ollama_router, refuse_invalid_request
from memory_server.api.login import AccountRoutes
from memory_server.api.middleware import WorkspaceMiddleware
from memory_server.api.webui import add_pages
from memory_server.chunking.headings import Limits
from memory_server.chunking.strategies import Cutter
from memory_server.chunking.tokens import tokenizer
from memory_server.errors import Corrupt, MemoryServerError, Temporary, locate_error
from memory_server.extraction.extract import Extractor
from memory_server.extraction.extractors import ModelExtractor, RuleExtractor
from memory_server.extraction.language_model import EndpointModel, LanguageModel, NoModel
from memory_server.indexing.access import DAMAGED, SqliteEntry
from memory_server.indexing.erase import finish_erase
from memory_server.indexing.ingest import ChunkExtractor, Ingestor
from memory_server.indexing.instances import BoundRag, Instances, LightRagTuning
from memory_server.indexing.worker import Worker
from memory_server.indexing.workspaces import Workspaces
from memory_server.options import NO_PLUGINS, Plugins, ServerOptions
from memory_server.ports import Embedder

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
