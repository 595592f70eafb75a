"""The three ways to store LightRAG's data: a SQLite file or a PostgreSQL schema per workspace, LightRAG's own files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from lightrag.lightrag import LightRAG
from lightrag.utils import EmbeddingFunc

from memory_server.chunking import tokenizer
from memory_server.indexing.instances import CLASSES, register
from memory_server.indexing.workspaces import choose_home
from memory_server.storage.workspace import Tenant, Workspace, act_for
from tests.memory_server.word_embedder import WordEmbedder

KINDS = ("sqlite", "files", "postgres")
_CLASSES = {
    "sqlite": tuple(name for name, _ in CLASSES.values()),
    "files": ("JsonKVStorage", "NanoVectorDBStorage", "NetworkXStorage", "JsonDocStatusStorage"),
    "postgres": tuple(name for name, _ in CLASSES.values()),
}


@dataclass(frozen=True, slots=True)
class Stores:
    """One of each kind, open (Any: LightRAG's untyped classes)."""

    kv: Any
    chunks: Any
    entities: Any
    relationships: Any
    graph: Any
    status: Any
    kind: str

    async def commit(self) -> None:
        """Do what LightRAG's pipeline does after a batch."""
        for store in (self.kv, self.chunks, self.entities, self.relationships, self.graph, self.status):
            await store.index_done_callback()


@asynccontextmanager
async def stores(kind: str, folder: Path, url: str = "") -> AsyncIterator[Stores]:
    """Open stores of a kind for a workspace of their own; ``url`` is of the PostgreSQL."""
    register()
    embedder = WordEmbedder()

    async def embed(texts: list[str], **_: Any) -> Any:  # Any: LightRAG's hints, and numpy to it
        return np.asarray(await embedder.embed(texts))

    async def no_model(*_: Any, **__: Any) -> str:  # Any: never called
        raise AssertionError("storages call no model")

    name = f"w{uuid4().hex[:12]}"
    kv, vector, graph, status = _CLASSES[kind]
    with ThreadPoolExecutor(2) as threads, ExitStack() as stack:
        if kind != "files":
            home = choose_home(folder, url)
            workspace = Workspace(name, home.engine(name), "words/64", threads)
            if kind == "postgres":
                stack.callback(home.close)
                stack.callback(home.drop, name)
            stack.callback(workspace.close)
            stack.enter_context(act_for(Tenant(workspace)))
        rag = LightRAG(
            working_dir=str(folder),
            workspace=name,
            kv_storage=kv,
            vector_storage=vector,
            graph_storage=graph,
            doc_status_storage=status,
            embedding_func=EmbeddingFunc(embedding_dim=64, func=embed, model_name="words"),
            llm_model_func=no_model,
            tokenizer=tokenizer(),
        )
        await rag.initialize_storages()
        made = (rag.full_docs, rag.chunks_vdb, rag.entities_vdb, rag.relationships_vdb)
        yield Stores(*made, rag.chunk_entity_relation_graph, rag.doc_status, kind)
        await rag.finalize_storages()
        await rag.embedding_func.func.shutdown()
