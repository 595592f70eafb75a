"""One LightRAG per open workspace, and the object that LightRAG's routers take for theirs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from memory_server.extraction.language_model import LanguageModel
from memory_server.indexing.instance import USUAL, Instance, Tuning, close_instance, detached_instance, open_instance
from memory_server.ports import Embedder
from memory_server.storage.tenancy import Tenant, acting_for, current
from memory_server.storage.workspace import Workspace


class Instances:
    """LightRAG objects by workspace, made when first asked for; all share one embedder and one model."""

    def __init__(self, working_dir: Path, embedder: Embedder, model: LanguageModel, tuning: Tuning = USUAL) -> None:
        self._working_dir, self._embedder, self._model, self._tuning = working_dir, embedder, model, tuning
        self._instances: dict[Workspace, Instance] = {}
        self._opening = asyncio.Lock()
        self._detached: Instance | None = None

    async def open(self, workspace: Workspace) -> Instance:
        """Return the LightRAG of an open workspace."""
        if (known := self._instances.get(workspace)) is not None:
            return known
        async with self._opening:
            if workspace not in self._instances:
                with acting_for(Tenant(workspace)):
                    made = await open_instance(
                        workspace.name, self._working_dir, self._embedder, self._model, self._tuning
                    )
                self._instances[workspace] = made
            return self._instances[workspace]

    async def close(self, workspace: Workspace) -> None:
        """Let go of the LightRAG of a workspace that is about to be closed."""
        if (instance := self._instances.pop(workspace, None)) is not None:
            with acting_for(Tenant(workspace)):
                await close_instance(instance)

    async def config(self) -> dict[str, Any]:  # Any: LightRAG's settings
        """Return LightRAG's settings for calls that touch no storage, the model's functions among them."""
        if self._detached is None:
            self._detached = detached_instance(self._working_dir, self._embedder, self._model, tuning=self._tuning)
        return self._detached.settings()

    def bound(self) -> Instance:
        """Return the LightRAG of the workspace that the running request is for."""
        return self._instances[current().workspace]


class BoundRag:
    """Looks like a LightRAG to its routers; every attribute is that of the bound workspace's."""

    def __init__(self, instances: Instances) -> None:
        self._instances = instances

    def __getattr__(self, name: str) -> Any:  # Any: whatever LightRAG has under this name
        return getattr(self._instances.bound(), name)
