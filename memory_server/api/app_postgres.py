"""The memory server over PostgreSQL: the same gate and routers, LightRAG's own storages and pipeline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError

from memory_server.api import lightrag_routes as lightrag_api
from memory_server.api.app import add_common_routes, unavailable
from memory_server.api.middleware import Gate
from memory_server.api.pipeline import PipelineRoutes
from memory_server.api.stock import refused
from memory_server.errors import Temporary
from memory_server.extraction.extract import Extractor
from memory_server.extraction.language_model import EndpointModel, LanguageModel, NoModel
from memory_server.extraction.rule_model import RuleModel
from memory_server.options import ServerOptions
from memory_server.ports import Embedder
from memory_server.postgres.service import BoundPostgres, PostgresWorkspaces


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """The parts of a running server; ``asgi`` is what a web server calls."""

    asgi: Gate
    workspaces: PostgresWorkspaces
    app: FastAPI

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start and stop the server's background work without a web server."""
        async with self.app.router.lifespan_context(self.app):
            yield


def create_postgres_server(options: ServerOptions, embedder: Embedder) -> PostgresServer:
    """Join the parts.  Nothing runs until the ASGI lifespan starts; call it once per process."""
    http = httpx.AsyncClient()
    model: LanguageModel = EndpointModel(options.llm, http) if options.llm.url else NoModel()
    rules = Extractor()
    workspaces = PostgresWorkspaces(options, embedder, model, RuleModel(rules))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.background_tasks = set()
        resuming = asyncio.create_task(workspaces.resume())
        yield
        resuming.cancel()
        await asyncio.gather(resuming, return_exceptions=True)
        await workspaces.close()
        await http.aclose()

    app = FastAPI(title="Mneme memory server", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(Temporary, unavailable)
    app.add_exception_handler(RequestValidationError, refused)
    api, rag = lightrag_api.load(), BoundPostgres()
    app.include_router(PipelineRoutes(api, workspaces, embedder).router())
    app.include_router(api.document_routes(rag, api.document_manager(str(options.data_dir / "inputs")), None))
    app.include_router(api.query_routes(rag, None))
    app.include_router(api.graph_routes(rag, None))
    add_common_routes(app, api, rag, options)
    keywords = None if options.llm.url else rules.keywords
    return PostgresServer(Gate(app, options, workspaces, keywords), workspaces, app)
