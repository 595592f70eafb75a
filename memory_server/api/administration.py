"""Health, and workspaces as a whole."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

import psutil
from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel

from memory_server.api.lightrag_api import VERSIONS
from memory_server.errors import ConfigInvalid, DocumentRejected
from memory_server.indexing import consistency
from memory_server.indexing.reindex import begin_reindex, find_outdated, reindex_document
from memory_server.indexing.worker import Worker
from memory_server.indexing.workspaces import Workspaces
from memory_server.options import WORKSPACE_RULE, workspace_name
from memory_server.ports import Embedder
from memory_server.storage.records import count_statuses
from memory_server.storage.workspace import Workspace

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
