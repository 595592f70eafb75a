"""Documents and workspaces in PostgreSQL: LightRAG's pipeline behind an acknowledgement that is durable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from lightrag.exceptions import PipelineBackpressureError, PipelineReservationConflictError

from adapters.memory_server.chunking import clean
from adapters.memory_server.inbox import document_id
from adapters.memory_server.options import workspace_name
from adapters.memory_server.postgres import PostgresWorkspaces, bound
from adapters.memory_server.routes.bodies import validated
from adapters.memory_server.routes.lightrag_api import LightragApi
from bot.ports.embedder import Embedder

Answer = dict[str, Any]  # Any: JSON in LightRAG's shapes


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
        router.add_api_route("/documents/delete_document", self.delete, methods=["DELETE"])
        router.add_api_route("/health", self.health, methods=["GET"])
        router.add_api_route("/workspaces", self.names, methods=["GET"])
        router.add_api_route("/workspaces/{name}", self.drop, methods=["DELETE"])
        return router

    async def insert_text(self, request: Request) -> Answer:
        """Accept one text: in the database when this answers 200."""
        asked = await validated(request, self.api.text_request)
        if not self.api.valid_source(asked.file_source):
            raise HTTPException(400, "A valid file_source is required for text insertion")
        rag, text = bound(), clean(asked.text)
        if not text:
            raise HTTPException(422, "the text is empty once control characters are removed")
        known = await rag.doc_status.get_by_id(document_id(asked.file_source))
        if known is not None:
            raise HTTPException(
                409, f"Document storage already contains '{asked.file_source}' (Status: {known['status']})."
            )
        track_id = self.api.track_id("insert")
        try:
            await rag.apipeline_enqueue_documents([text], file_paths=[asked.file_source], track_id=track_id)
        except PipelineBackpressureError as error:
            raise HTTPException(429, "too many documents are waiting", headers={"Retry-After": "10"}) from error
        except PipelineReservationConflictError as error:
            raise HTTPException(409, str(error)) from error
        self.workspaces.wake(rag.workspace)
        message = "Text successfully received. Processing will continue in background."
        return {"status": "success", "message": message, "track_id": track_id}

    async def delete(self, request: Request) -> Answer:
        """Erase documents with what was cached of them, one after another."""
        asked = await validated(request, self.api.delete_request)
        rag = bound()
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
            return {"status": "healthy", "mneme": {}}
        whole = {"workspaces": True}
        return {"status": "healthy", "mneme": whole, "embedding_model": self.embedder.model, "storage": "postgres"}

    async def names(self) -> Answer:
        """List the workspaces."""
        return {"workspaces": await self.workspaces.names()}

    async def drop(self, name: str) -> Answer:
        """Remove a workspace's rows and answer with a receipt."""
        if workspace_name(name) is None:
            raise HTTPException(400, "a workspace name is 1 to 64 letters, digits and underscores")
        existed = await self.workspaces.drop(name)
        residue = [name] if name in await self.workspaces.names() else []
        return {"status": "success", "workspace": name, "existed": existed, "residue": residue}
