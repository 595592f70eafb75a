"""The memory server over PostgreSQL: the same middleware and routers, LightRAG's own storages and pipeline.

Its routes put an acknowledgement that is durable before LightRAG's pipeline.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, FastAPI, HTTPException, Request
from lightrag.exceptions import PipelineBackpressureError, PipelineReservationConflictError
from lightrag.lightrag import LightRAG

from memory_server.api.app import Answer, Application, WorkspaceRoutes, add_lightrag, new_app
from memory_server.api.documents import TextRoutes, refuse_known, refuse_overload
from memory_server.api.lightrag_api import load, read_body, router_of
from memory_server.api.middleware import WorkspaceMiddleware
from memory_server.chunking import clean
from memory_server.extraction import Extractor
from memory_server.indexing.consistency import SAMPLE, Diagnosis, Report
from memory_server.indexing.ingest import EMPTY, document_id
from memory_server.indexing.postgres import BoundPostgres, PostgresWorkspaces, current_rag
from memory_server.language_model import RuleModel, choose_model
from memory_server.options import Embedder, ServerOptions
from memory_server.storage.composition import SEPARATOR


@dataclass(frozen=True, slots=True)
class PostgresServer(Application):
    """The server over a database."""

    workspaces: PostgresWorkspaces


def create_postgres_server(options: ServerOptions, embedder: Embedder) -> PostgresServer:
    """Join the parts.  Nothing runs until the ASGI lifespan starts; call it once per process."""
    model, rules = choose_model(options.llm), Extractor()
    workspaces = PostgresWorkspaces(options, embedder, model, RuleModel(rules))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.background_tasks = set()
        resuming = asyncio.create_task(workspaces.resume())
        yield
        resuming.cancel()
        await asyncio.gather(resuming, return_exceptions=True)
        await workspaces.close()
        await model.close()

    app, api, rag = new_app(lifespan), load(), BoundPostgres()
    app.include_router(api.query.create_query_routes(rag, None))
    app.include_router(TableRoutes(embedder, options.storage, workspaces).router())
    app.include_router(PipelineRoutes(api, workspaces).router())
    add_lightrag(app, api, rag, options)
    keywords = None if options.llm.url else rules.keywords
    return PostgresServer(WorkspaceMiddleware(app, options, workspaces, keywords), app, workspaces)


STRATEGIES = frozenset({"fixed_token", "custom"})
"""What LightRAG's pipeline can cut with here; the others need LangChain there."""


@dataclass(frozen=True, slots=True)
class PipelineRoutes(TextRoutes):
    """The routes about documents that differ from LightRAG's own."""

    workspaces: PostgresWorkspaces

    def router(self) -> APIRouter:
        """Return the routes; they are to be asked before LightRAG's."""
        return router_of(
            "documents",
            ("POST", "/documents/text", self.insert_text),
            ("POST", "/documents/texts", self.insert_texts),
            ("GET", "/documents/supported_file_types", self.file_types),
            ("POST", "/documents/upload", self.upload),
            ("POST", "/documents/scan", self.scan),
            ("DELETE", "/documents/delete_document", self.delete),
        )

    async def file_types(self) -> Answer:
        """List no ending: nothing can be uploaded here."""
        return {"supported_extensions": [], "engines": {}}

    async def upload(self) -> Answer:
        """Refuse: LightRAG's own upload answers before anything is durable."""
        raise HTTPException(501, "Files are uploaded to the SQLite storage only; post their texts")

    async def scan(self) -> None:
        """Refuse, as on files: LightRAG's own answers before anything of its input folder is durable."""
        raise HTTPException(501, "This server has no input folder; post texts")

    async def _accept(self, texts: dict[str, str], chunking: Any, track_id: str) -> None:  # Any: LightRAG's model
        rag, cleaned = current_rag(), [clean(text) for text in texts.values()]
        if not all(cleaned):
            raise HTTPException(422, EMPTY)
        async with self.workspaces.accepting(rag.workspace):
            for source in texts:
                known = await rag.doc_status.get_by_id(document_id(source))
                if known is not None:
                    raise refuse_known(source, known["status"])
            if chunking is not None and chunking.strategy not in STRATEGIES:
                raise HTTPException(422, f"the chunking strategy {chunking.strategy} needs the SQLite storage")
            lightrag = self.api.documents
            asked = chunking or lightrag.TextChunkingConfig(strategy="custom")
            try:
                # LightRAG's own route's step from request to pipeline.
                process, options = lightrag._resolve_text_chunking(asked, rag)  # noqa: SLF001 - see the line above
                await rag.apipeline_enqueue_documents(
                    cleaned, file_paths=list(texts), track_id=track_id, process_options=process, chunk_options=options
                )
            except ValueError as error:
                raise HTTPException(422, str(error)) from error
            except PipelineBackpressureError as error:
                raise refuse_overload("too many documents are waiting") from error
            except PipelineReservationConflictError as error:
                raise HTTPException(409, str(error)) from error
            self.workspaces.wake(rag.workspace)

    async def delete(self, request: Request) -> Answer:
        """Erase documents with what was cached of them, one after another."""
        asked = await read_body(request, self.api.documents.DeleteDocRequest)
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


@dataclass(frozen=True, slots=True)
class TableRoutes(WorkspaceRoutes):
    """Workspaces that are rows of shared tables."""

    workspaces: PostgresWorkspaces

    async def _listed(self) -> list[str]:
        return await self.workspaces.names()

    async def _state(self, name: str) -> Answer:
        async with self.workspaces.lease(name) as rag:
            counts = await rag.doc_status.get_status_counts()
        return {"documents": {status: count for status, count in counts.items() if count}}

    async def _check(self, name: str) -> Report:
        async with self.workspaces.lease(name) as rag:
            return await check(rag)

    async def _diagnose(self, name: str, entity: str) -> Diagnosis | None:
        async with self.workspaces.lease(name) as rag:
            return await diagnose(rag, entity)

    async def _drop(self, name: str) -> tuple[bool, list[str]]:
        return await self.workspaces.drop(name)


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
    chunks = [part for part in str(attributes.get("source_id", "")).split(SEPARATOR) if part]
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
