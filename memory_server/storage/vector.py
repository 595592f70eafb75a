"""LightRAG's vector storage: exact search per workspace, records composed from what the vectors belong to."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from lightrag.base import BaseVectorStorage
from lightrag.utils import compute_mdhash_id

from memory_server.errors import ConfigInvalid
from memory_server.storage import embedded
from memory_server.storage.tenancy import tenant_of
from memory_server.storage.vectors import Vector
from memory_server.storage.workspace import VECTOR_TABLES, Transaction

Row = dict[str, Any]  # Any: LightRAG's records are JSON objects of its own making


@dataclass
class SqliteVectorStorage(BaseVectorStorage):  # type: ignore[misc]  # LightRAG has no type information
    """The vectors of the bound workspace.  Every write is committed, and visible to queries, when it returns."""

    def __post_init__(self) -> None:
        self._validate_embedding_func()
        if self.namespace not in VECTOR_TABLES:
            raise ConfigInvalid(f"unknown vector namespace {self.namespace!r}")
        given = self.global_config.get("vector_db_storage_cls_kwargs", {}).get("cosine_better_than_threshold")
        if given is not None:
            self.cosine_better_than_threshold = float(given)

    async def query(self, query: str, top_k: int, query_embedding: list[float] | Vector | None = None) -> list[Row]:
        """Return the ``top_k`` nearest records above the threshold, best first; ``distance`` is the cosine."""
        tenant = tenant_of(self.workspace)
        if query_embedding is None:
            query_embedding = (await self.embedding_func([query], context="query"))[0]
        vectors = np.asarray(query_embedding, dtype=np.float32)[np.newaxis]
        if self.namespace == "chunks":
            # A long question is read window by window, as documents are: LightRAG embeds its beginning only.
            beyond = await self.embedding_func.func([query], beyond=True)
            vectors = np.concatenate([vectors, np.asarray(beyond, dtype=np.float32)])
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)

        def search(db: sqlite3.Connection) -> list[Row]:
            allowed = embedded.allowed(db, self.namespace, tenant.documents)
            nearest = embedded.nearest(db, tenant.workspace.index, self.namespace, vectors, top_k, allowed)
            good = [(no, cosine) for no, cosine in nearest if cosine > self.cosine_better_than_threshold]
            found = embedded.records(db, self.namespace, [no for no, _ in good])
            return [found[no] | {"distance": cosine} for no, cosine in good if no in found]

        return await tenant.workspace.read(search)

    async def upsert(self, data: dict[str, Row]) -> None:
        """Embed the contents and insert or replace their rows."""
        if not data:
            return
        workspace = tenant_of(self.workspace, write=True).workspace
        contents = [row["content"] for row in data.values()]
        vectors = np.asarray(await self.embedding_func(contents, context="document"), dtype=np.float32)

        def put(tx: Transaction) -> None:
            for (key, row), vector in zip(data.items(), vectors, strict=True):
                self._put(tx, key, row, vector)

        await workspace.write(put)

    async def delete(self, ids: list[str]) -> None:
        """Remove rows by id; unknown ids are ignored."""

        def drop(tx: Transaction) -> None:
            for no in embedded.numbers(tx.db, self.namespace, ids).values():
                tx.drop_vector(self.namespace, no)

        await tenant_of(self.workspace, write=True).workspace.write(drop)

    async def delete_entity(self, entity_name: str) -> None:
        """Remove an entity's row."""
        await self.delete([compute_mdhash_id(entity_name, prefix="ent-")])

    async def delete_entity_relation(self, entity_name: str) -> None:
        """Remove the rows of every relation of an entity."""

        def drop(tx: Transaction) -> None:
            for no in embedded.relations_of(tx.db, entity_name):
                tx.drop_vector("relationships", no)

        await tenant_of(self.workspace, write=True).workspace.write(drop)

    async def get_by_id(self, id: str) -> Row | None:  # noqa: A002 - LightRAG's name
        """Return one record without its vector, ``None`` if there is none."""
        return (await self.get_by_ids([id]))[0]

    async def get_by_ids(self, ids: list[str]) -> list[Row | None]:
        """Return records in the order of ``ids``, ``None`` where there is none."""

        def fetch(db: sqlite3.Connection) -> list[Row | None]:
            numbers = embedded.numbers(db, self.namespace, ids)
            found = embedded.records(db, self.namespace, list(numbers.values()))
            return [found.get(numbers[key]) if key in numbers else None for key in ids]

        return await tenant_of(self.workspace).workspace.read(fetch)

    async def get_vectors_by_ids(self, ids: list[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors of the ids that exist; of a chunk that of the window nearest to what the request asks.

        LightRAG orders the chunks of entities by them.
        """
        tenant = tenant_of(self.workspace)
        asked = tenant.asked[0] if tenant.asked and self.namespace == "chunks" else None
        return await tenant.workspace.read(lambda db: embedded.vectors(db, self.namespace, ids, asked))

    async def index_done_callback(self) -> None:
        """Do nothing: writes are committed when they return."""

    async def drop(self) -> dict[str, str]:
        """Remove every row of the namespace."""

        def clear(tx: Transaction) -> None:
            for (no,) in tx.db.execute(f"SELECT no FROM vectors_{self.namespace}").fetchall():  # noqa: S608 - checked above
                tx.drop_vector(self.namespace, no)

        await tenant_of(self.workspace, write=True).workspace.write(clear)
        return {"status": "success", "message": "data dropped"}

    def _put(self, tx: Transaction, key: str, row: Row, vector: Vector) -> None:
        no = embedded.number_for(tx.db, self.namespace, key, row)
        kept = {name: row[name] for name in self.meta_fields if name in row} | {"created_at": int(time.time())}
        tx.put_vector(self.namespace, no, vector, row_id=key, meta=orjson.dumps(kept).decode())
