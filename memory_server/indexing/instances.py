"""One LightRAG per open workspace, on the SQLite storages and shared models, and the object that its routers are given.

LightRAG rebuilds its whole configuration by a deep copy at every query, and wraps the embedding function into queue
workers of its own; both are made for one instance per process.  Here the configuration is kept and the embedder, which
queues for all workspaces at once, is called directly.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from lightrag.lightrag import LightRAG
from lightrag.utils import EmbeddingFunc

from memory_server.chunking import tokenizer
from memory_server.embedding import embed_windows
from memory_server.language_model import Answer, LanguageModel, add_fallbacks, record_rule_answers
from memory_server.options import USUAL_VARIABLES, Embedder, LightRagVariables
from memory_server.storage.workspace import Tenant, Workspace, act_for, current, note_question


class Instance(LightRAG):  # type: ignore[misc]  # LightRAG has no type information
    """LightRAG with its configuration built once."""

    def settings(self) -> dict[str, Any]:  # Any: LightRAG's settings
        """Return the configuration that LightRAG hands to its functions."""
        return self._build_global_config()

    async def aquery_llm(self, query: str, *given: Any, **options: Any) -> dict[str, Any]:  # Any: LightRAG's own
        """Return LightRAG's answer; one that was made by rules does not pass for a model's."""
        with record_rule_answers() as by_rule:
            answer: dict[str, Any] = await super().aquery_llm(query, *given, **options)  # Any: as above
        if by_rule:
            answer["llm_response"]["llm_generated"] = False
        return answer

    def _build_global_config(self) -> dict[str, Any]:  # Any: LightRAG's settings
        if not self.__dict__.get("_complete"):
            return self._built_config()
        if "_kept_config" not in self.__dict__:
            self.__dict__["_kept_config"] = self._built_config()
        return dict(self.__dict__["_kept_config"])

    def _built_config(self) -> dict[str, Any]:  # Any: LightRAG's settings
        built: dict[str, Any] = super()._build_global_config()  # Any: as above
        if "role_llm_funcs" in built and "asked_model" in self.__dict__:
            built["role_llm_funcs"] = add_fallbacks(built["role_llm_funcs"], self.__dict__["asked_model"])
        return built


class Instances:
    """LightRAG objects by workspace, made when first asked for; all share one embedder and one model."""

    def __init__(
        self, working_dir: Path, embedder: Embedder, model: LanguageModel, tuning: LightRagVariables = USUAL_VARIABLES
    ) -> None:
        self._make = partial(detached_instance, working_dir, embedder, model, tuning=tuning)
        self._instances: dict[Workspace, Instance] = {}
        self._opening = asyncio.Lock()
        self._detached: Instance | None = None

    async def open(self, workspace: Workspace) -> Instance:
        """Return the LightRAG of an open workspace."""
        if (known := self._instances.get(workspace)) is not None:
            return known
        async with self._opening:
            if workspace not in self._instances:
                with act_for(Tenant(workspace)):
                    self._instances[workspace] = await open_storages(self._make(workspace=workspace.name))
            return self._instances[workspace]

    async def close(self, workspace: Workspace) -> None:
        """Let go of the LightRAG of a workspace that is about to be closed."""
        if (instance := self._instances.pop(workspace, None)) is not None:
            with act_for(Tenant(workspace)):
                await instance.finalize_storages()
            # Queue workers that its model calls started.
            for wrapped in instance.role_llm_funcs.values():
                if shutdown := getattr(wrapped, "shutdown", None):
                    await shutdown()

    async def config(self) -> dict[str, Any]:  # Any: LightRAG's settings
        """Return LightRAG's settings for calls that touch no storage, the model's functions among them."""
        if self._detached is None:
            self._detached = self._make()
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


STORES = (
    "llm_response_cache", "text_chunks", "full_docs", "full_entities", "full_relations", "entity_chunks",
    "relation_chunks", "chunk_entity_relation_graph", "entities_vdb", "relationships_vdb", "chunks_vdb",
)  # fmt: skip


async def open_storages(instance: Instance) -> Instance:
    """Return a LightRAG with its storages open; call it with its workspace bound, as they look there."""
    await instance.initialize_storages()
    instance.__dict__["_complete"] = True
    return instance


def detached_instance(
    working_dir: Path,
    embedder: Embedder,
    model: LanguageModel,
    workspace: str = "settings",
    tuning: LightRagVariables = USUAL_VARIABLES,
) -> Instance:
    """Return a LightRAG on the SQLite storages that are not open yet."""
    register()
    classes = tuple(name for name, _ in CLASSES.values())
    return lightrag_for(
        workspace, working_dir, embedder, model, classes, tuning, enable_llm_cache_for_entity_extract=False
    )


def lightrag_for(
    workspace: str,
    working_dir: Path,
    embedder: Embedder,
    model: LanguageModel,
    classes: tuple[str, ...],
    tuning: LightRagVariables = USUAL_VARIABLES,
    **more: Any,  # Any: LightRAG's settings
) -> Instance:
    """Return a LightRAG on storages of these classes (key-value, vector, graph, status), with our settings."""

    async def embed(
        texts: list[str], *, beyond: bool = False, context: str = "document", **_: Any
    ) -> npt.NDArray[np.float32]:  # Any: LightRAG's hints
        # LightRAG expects a vector per text: that of the first window.  Our own storage asks for the others too.
        part = slice(1, None) if beyond else slice(1)
        rows = (await embed_windows(embedder, texts, topics=False, part=part))[1]
        if context == "query":
            note_question(rows[0])  # the question stands before its keywords
        return rows

    function = EmbeddingFunc(
        embedding_dim=embedder.dimension, func=embed, model_name=embedder.model, supports_asymmetric=True
    )
    kv, vector, graph, status = classes
    instance = Instance(
        working_dir=str(working_dir),
        workspace=workspace,
        kv_storage=kv,
        vector_storage=vector,
        graph_storage=graph,
        doc_status_storage=status,
        embedding_func=function,
        llm_model_func=wrap_model(model),
        llm_model_name=model.name,
        tokenizer=tokenizer(),
        enable_llm_cache=False,
        source_ids_limit_method="FIFO",
        entity_extract_max_gleaning=0,
        cosine_better_than_threshold=tuning.least_cosine,
        addon_params={"language": tuning.language},
        **more,
    )
    instance.__dict__["asked_model"] = model
    instance.embedding_func = function
    for name in STORES:
        getattr(instance, name).embedding_func = function
    return instance


def wrap_model(model: LanguageModel) -> Callable[..., Awaitable[Answer]]:
    """Return the model as a plain function: LightRAG copies its settings deeply, connections of a bound object too."""

    async def complete(prompt: str, system_prompt: str | None = None, **hints: Any) -> Answer:  # Any: LightRAG's hints
        return await model.complete(prompt, system_prompt, **hints)

    return complete


CLASSES = {
    "KV_STORAGE": ("SqliteKVStorage", "memory_server.storage.kv"),
    "VECTOR_STORAGE": ("SqliteVectorStorage", "memory_server.storage.vector"),
    "GRAPH_STORAGE": ("SqliteGraphStorage", "memory_server.storage.graph"),
    "DOC_STATUS_STORAGE": ("SqliteDocStatusStorage", "memory_server.storage.records"),
}


def register() -> None:
    """Add the four classes; safe to repeat."""
    kg = import_module("lightrag.kg")
    for kind, (name, module) in CLASSES.items():
        known = kg.STORAGE_IMPLEMENTATIONS[kind]["implementations"]
        if name not in known:
            known.append(name)
        kg.STORAGES[name] = module
        kg.STORAGE_ENV_REQUIREMENTS[name] = []
