"""The three ways to store LightRAG's data: one SQLite file per workspace, LightRAG's own files, PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from lightrag.lightrag import LightRAG
from lightrag.utils import EmbeddingFunc

from memory_server.chunking import tokenizer
from memory_server.indexing.instances import CLASSES, register
from memory_server.storage.workspace import Tenant, Workspace, act_for
from tests.memory_server.word_embedder import WordEmbedder
from tests.postgres import PostgresServer

KINDS = ("sqlite", "files", "postgres")
_CLASSES = {
    "sqlite": tuple(name for name, _ in CLASSES.values()),
    "files": ("JsonKVStorage", "NanoVectorDBStorage", "NetworkXStorage", "JsonDocStatusStorage"),
    "postgres": ("PGKVStorage", "PGVectorStorage", "PGTableGraphStorage", "PGDocStatusStorage"),
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


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Iterator[None]:
    """A PostgreSQL with pgvector: the one named by POSTGRES_HOST, or the one of this run."""
    if os.environ.get("POSTGRES_HOST"):
        yield
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    server.run("CREATE EXTENSION IF NOT EXISTS vector")
    settings = {"HOST": server.folder, "USER": "postgres", "PASSWORD": "none", "DATABASE": "postgres", "PORT": "5432"}
    os.environ.update({f"POSTGRES_{key}": value for key, value in settings.items()})
    yield
    for key in settings:
        os.environ.pop(f"POSTGRES_{key}", None)


@asynccontextmanager
async def stores(kind: str, folder: Path) -> AsyncIterator[Stores]:
    """Open stores of a kind for a workspace of their own."""
    register()
    embedder = WordEmbedder()

    async def embed(texts: list[str], **_: Any) -> Any:  # Any: LightRAG's hints, and numpy to it
        return np.asarray(await embedder.embed(texts))

    async def no_model(*_: Any, **__: Any) -> str:  # Any: never called
        raise AssertionError("storages call no model")

    name = f"w{uuid4().hex[:12]}"
    kv, vector, graph, status = _CLASSES[kind]
    with ThreadPoolExecutor(2) as threads, ExitStack() as stack:
        if kind == "sqlite":
            workspace = Workspace(name, folder / f"{name}.sqlite3", "words/64", threads)
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
