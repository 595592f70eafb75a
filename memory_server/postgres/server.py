"""The memory server over PostgreSQL: the same middleware and routers, LightRAG's own storages and pipeline.

Its routes put an acknowledgement that is durable before LightRAG's pipeline.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

import httpx
from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from lightrag.exceptions import PipelineBackpressureError, PipelineReservationConflictError
from lightrag.lightrag import LightRAG

from memory_server.api import lightrag_api
from memory_server.api.app import add_common_routes, refuse_for_now
from memory_server.api.lightrag_api import VERSIONS, LightragApi, read_body, refuse_invalid_request
from memory_server.api.middleware import WorkspaceMiddleware
from memory_server.chunking import clean
from memory_server.errors import Temporary
from memory_server.extraction import Extractor
from memory_server.indexing.consistency import SAMPLE, Diagnosis, Report, as_json
from memory_server.indexing.ingest import document_id
from memory_server.language_model import EndpointModel, LanguageModel, NoModel, RuleModel
from memory_server.options import WORKSPACE_RULE, Embedder, ServerOptions, workspace_name
from memory_server.postgres.service import BoundPostgres, PostgresWorkspaces, current_rag


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """The parts of a running server; ``asgi`` is what a web server calls."""

    asgi: WorkspaceMiddleware
    workspaces: PostgresWorkspaces
    app: FastAPI

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start and stop the server's background work without a web server."""
        async with self.app.router.lifespan_context(self.app):
            yield


def create_postgres_server(options: ServerOptions, embedder: Embedder) -> PostgresServer:
    """Join the parts.  Nothing runs until the ASGI lifespan starts; call it once per process."""
    http = httpx.AsyncClient() if options.llm.url else None  # making one reads all certificates: 25 ms
    model: LanguageModel = NoModel() if http is None else EndpointModel(options.llm, http)
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
        if http is not None:
            await http.aclose()

    app = FastAPI(title="Mneme memory server", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(Temporary, refuse_for_now)
    app.add_exception_handler(RequestValidationError, refuse_invalid_request)
    api, rag = lightrag_api.load(), BoundPostgres()
    app.include_router(PipelineRoutes(api, workspaces, embedder).router())
    app.include_router(api.document_routes(rag, api.document_manager(str(options.data_dir / "inputs")), None))
    app.include_router(api.query_routes(rag, None))
    app.include_router(api.graph_routes(rag, None))
    add_common_routes(app, api, rag, options)
    keywords = None if options.llm.url else rules.keywords
    return PostgresServer(WorkspaceMiddleware(app, options, workspaces, keywords), workspaces, app)


Answer = dict[str, Any]  # Any: JSON in LightRAG's shapes
STRATEGIES = frozenset({"fixed_token", "custom"})
"""What LightRAG's pipeline can cut with here; the others need LangChain there."""


@dataclass(frozen=True, slots=True)
class PipelineRoutes:
    """The routes that differ from LightRAG's own."""

    api: LightragApi
    workspaces: PostgresWorkspaces
    embedder: Embedder

    def router(self) -> APIRouter:
        """Return the routes; they are to be asked before LightRAG's."""
        router = APIRouter(tags=["documents"])
        router.add_api_route("/documents/text", self.insert_text, methods=["POST"])
        router.add_api_route("/documents/texts", self.insert_texts, methods=["POST"])
        router.add_api_route("/documents/supported_file_types", self.file_types, methods=["GET"])
        router.add_api_route("/documents/upload", self.upload, methods=["POST"])
        router.add_api_route("/documents/scan", self.scan, methods=["POST"])
        router.add_api_route("/documents/delete_document", self.delete, methods=["DELETE"])
        router.add_api_route("/health", self.health, methods=["GET"])
        router.add_api_route("/workspaces", self.names, methods=["GET"])
        router.add_api_route("/workspaces/{name}", self.state, methods=["GET"])
        router.add_api_route("/workspaces/{name}", self.drop, methods=["DELETE"])
        router.add_api_route("/workspaces/{name}/check", self.check, methods=["GET"])
        router.add_api_route("/workspaces/{name}/entities/{entity:path}", self.diagnose, methods=["GET"])
        return router

    async def insert_text(self, request: Request) -> Answer:
        """Accept one text: in the database when this answers 200."""
        asked = await read_body(request, self.api.text_request)
        return await self._accept({asked.file_source: asked.text}, asked.chunking)

    async def insert_texts(self, request: Request) -> Answer:
        """Accept several texts, all or none."""
        asked = await read_body(request, self.api.texts_request)
        sources = asked.file_sources or []
        if len(sources) != len(asked.texts) or len(set(sources)) != len(sources):
            raise HTTPException(400, "A unique file_source is required for each text")
        return await self._accept(dict(zip(sources, asked.texts, strict=True)), asked.chunking)

    async def file_types(self) -> Answer:
        """List no ending: nothing can be uploaded here."""
        return {"supported_extensions": [], "engines": {}}

    async def upload(self) -> Answer:
        """Refuse: LightRAG's own upload answers before anything is durable."""
        raise HTTPException(501, "Files are uploaded to the SQLite storage only; post their texts")

    async def scan(self) -> None:
        """Refuse, as on files: LightRAG's own answers before anything of its input folder is durable."""
        raise HTTPException(501, "This server has no input folder; post texts")

    async def _accept(self, texts: dict[str, str], chunking: Any) -> Answer:  # Any: LightRAG's model
        if not all(self.api.valid_source(source) for source in texts):
            raise HTTPException(400, "A valid file_source is required for text insertion")
        rag, cleaned = current_rag(), [clean(text) for text in texts.values()]
        if not all(cleaned):
            raise HTTPException(422, "the text is empty once control characters are removed")
        async with self.workspaces.accepting(rag.workspace):
            return await self._insert(rag, texts, cleaned, chunking)

    async def _insert(
        self, rag: LightRAG, texts: dict[str, str], cleaned: list[str], chunking: Any
    ) -> Answer:  # Any: LightRAG's model
        for source in texts:
            known = await rag.doc_status.get_by_id(document_id(source))
            if known is not None:
                raise HTTPException(409, f"Document storage already contains '{source}' (Status: {known['status']}).")
        if chunking is not None and chunking.strategy not in STRATEGIES:
            raise HTTPException(422, f"the chunking strategy {chunking.strategy} needs the SQLite storage")
        track_id = self.api.track_id("insert")
        try:
            process, options = self.api.chunking_of(chunking or self.api.chunking(strategy="custom"), rag)
            await rag.apipeline_enqueue_documents(
                cleaned, file_paths=list(texts), track_id=track_id, process_options=process, chunk_options=options
            )
        except ValueError as error:
            raise HTTPException(422, str(error)) from error
        except PipelineBackpressureError as error:
            raise HTTPException(429, "too many documents are waiting", headers={"Retry-After": "10"}) from error
        except PipelineReservationConflictError as error:
            raise HTTPException(409, str(error)) from error
        self.workspaces.wake(rag.workspace)
        message = "Text successfully received. Processing will continue in background."
        return {"status": "success", "message": message, "track_id": track_id}

    async def delete(self, request: Request) -> Answer:
        """Erase documents with what was cached of them, one after another."""
        asked = await read_body(request, self.api.delete_request)
        rag = current_rag()
        results = [await rag.adelete_by_doc_id(key, delete_llm_cache=True) for key in asked.doc_ids]
        left = [key for key in asked.doc_ids if await rag.doc_status.get_by_id(key) is not None]
        if any(result.status == "not_allowed" for result in results):
            return {"status": "busy", "message": "documents are being indexed", "doc_id": ", ".join(asked.doc_ids)}
        receipt = {"documents": sum(result.status == "success" for result in results), "residue": left}
        return {
            "status": "deletion_started",
            "message": f"Erased {receipt['documents']} of {len(results)} documents",
            "doc_id": ", ".join(asked.doc_ids),
            "receipt": receipt,
        }

    async def health(self, request: Request) -> Answer:
        """Answer that the server lives; with the key also what it runs on."""
        if not request.scope["state"]["known"]:
            return {"status": "healthy", "mneme": {}} | VERSIONS
        whole = {"workspaces": True}
        return VERSIONS | {
            "status": "healthy",
            "mneme": whole,
            "embedding_model": self.embedder.model,
            "storage": "postgres",
        }

    async def names(self) -> Answer:
        """List the workspaces."""
        return {"workspaces": await self.workspaces.names()}

    async def state(self, name: str) -> Answer:
        """Count a workspace's documents per status."""
        async with self._existing(name) as rag:
            counts = await rag.doc_status.get_status_counts()
        return {"workspace": name, "documents": {status: count for status, count in counts.items() if count}}

    async def check(self, name: str) -> Answer:
        """Compare a workspace's documents, chunks, graph and vectors."""
        async with self._existing(name) as rag:
            return as_json(await check(rag))

    async def diagnose(self, name: str, entity: str) -> Answer:
        """Say what an entity is made of."""
        async with self._existing(name) as rag:
            found = await diagnose(rag, entity)
        if found is None:
            raise HTTPException(404, "no such entity")
        return asdict(found)

    @asynccontextmanager
    async def _existing(self, name: str) -> AsyncIterator[LightRAG]:
        if workspace_name(name) is None:
            raise HTTPException(400, WORKSPACE_RULE)
        if name not in await self.workspaces.names():
            raise HTTPException(404, "no such workspace")
        async with self.workspaces.lease(name) as rag:
            yield rag

    async def drop(self, name: str) -> Answer:
        """Remove a workspace's rows and answer with a receipt."""
        if workspace_name(name) is None:
            raise HTTPException(400, WORKSPACE_RULE)
        dropped = await self.workspaces.drop(name)
        status = "partial" if dropped.residue else "success"
        return {"status": status, "workspace": name, "existed": dropped.existed, "residue": list(dropped.residue)}


_SEPARATOR = "<SEP>"
CHECKS = {
    "processed documents without chunks": "SELECT id FROM LIGHTRAG_DOC_STATUS s WHERE workspace = $1 AND "
    "status = 'processed' AND id NOT IN (SELECT full_doc_id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1)",
    "waiting documents without text": "SELECT id FROM LIGHTRAG_DOC_STATUS WHERE workspace = $1 AND status IN "
    "('pending', 'processing') AND id NOT IN (SELECT id FROM LIGHTRAG_DOC_FULL WHERE workspace = $1)",
    "texts without document": "SELECT id FROM LIGHTRAG_DOC_FULL WHERE workspace = $1 AND id NOT IN "
    "(SELECT id FROM LIGHTRAG_DOC_STATUS WHERE workspace = $1)",
    "chunks without document": "SELECT id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1 AND full_doc_id NOT IN "
    "(SELECT id FROM LIGHTRAG_DOC_STATUS WHERE workspace = $1)",
    "chunks without vector": "SELECT id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1 AND id NOT IN "
    "(SELECT id FROM {chunks} WHERE workspace = $1)",
    "vectors without chunk": "SELECT id FROM {chunks} WHERE workspace = $1 AND id NOT IN "
    "(SELECT id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1)",
    "entities without vector": "SELECT id FROM {nodes} AND id NOT IN "
    "(SELECT entity_name FROM {entities} WHERE workspace = $1)",
    "vectors without entity": "SELECT entity_name AS id FROM {entities} WHERE workspace = $1 AND entity_name NOT IN "
    "(SELECT id FROM {nodes})",
    "relations without ends": "SELECT src_id || ' - ' || tgt_id AS id FROM {edges} AND NOT (src_id IN "
    "(SELECT id FROM {nodes}) AND tgt_id IN (SELECT id FROM {nodes}))",
    "relations without vector": "SELECT src_id || ' - ' || tgt_id AS id FROM {edges} AND NOT EXISTS (SELECT 1 FROM "
    "{relations} v WHERE v.workspace = $1 AND LEAST(v.source_id, v.target_id) = LEAST(e.src_id, e.tgt_id) "
    "AND GREATEST(v.source_id, v.target_id) = GREATEST(e.src_id, e.tgt_id))",
    "vectors without relation": "SELECT v.id FROM {relations} v WHERE v.workspace = $1 AND NOT EXISTS (SELECT 1 FROM "
    "{edges} AND LEAST(v.source_id, v.target_id) = LEAST(e.src_id, e.tgt_id) "
    "AND GREATEST(v.source_id, v.target_id) = GREATEST(e.src_id, e.tgt_id))",
}


async def check(rag: LightRAG) -> Report:
    """Compare everything with everything; nothing is changed."""
    graph = rag.chunk_entity_relation_graph.namespace
    names = {
        "nodes": f"lightrag_graph_nodes WHERE workspace = $1 AND namespace = '{graph}'",
        "edges": f"lightrag_graph_edges e WHERE e.workspace = $1 AND e.namespace = '{graph}'",
        "chunks": rag.chunks_vdb.table_name,
        "entities": rag.entities_vdb.table_name,
        "relations": rag.relationships_vdb.table_name,
    }
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for finding, ask in CHECKS.items():
        rows: list[dict[str, Any]] = await rag.doc_status.db.query(  # Any: LightRAG's untyped client
            ask.format(**names), [rag.workspace], multirows=True
        )
        if rows:
            found[finding] = (len(rows), tuple(str(row["id"]) for row in rows[:SAMPLE]))
    return Report(rag.workspace, found)


async def diagnose(rag: LightRAG, name: str) -> Diagnosis | None:
    """Return what an entity is made of, ``None`` if there is none of this name."""
    attributes: dict[str, Any] | None = await rag.chunk_entity_relation_graph.get_node(name)  # Any: scalars
    if attributes is None:
        return None
    chunks = [part for part in str(attributes.get("source_id", "")).split(_SEPARATOR) if part]
    stored = [row for row in await rag.text_chunks.get_by_ids(chunks) if row]
    pairs = await rag.chunk_entity_relation_graph.get_node_edges(name) or []
    ask = f"SELECT 1 FROM {rag.entities_vdb.table_name} WHERE workspace = $1 AND entity_name = $2"  # noqa: S608 - LightRAG's table
    vector = await rag.doc_status.db.query(ask, [rag.workspace, name])
    return Diagnosis(
        name,
        attributes,
        tuple(chunks),
        tuple(dict.fromkeys(str(row["full_doc_id"]) for row in stored)),
        tuple(sorted(other for _, other in pairs)),
        bool(vector),
    )
