"""LightRAG's PostgreSQL vectors and graph, with what many chats in one database need.

Its vector tables hold every workspace and have one approximate index; a search asks the index for the nearest rows of
all chats and then keeps those of one, which for a small chat may be none.  Here a search reads the rows of its
workspace and is exact.  And a request may be limited to some documents: their chunks, the entities and relations they
mention, and no sentence of another document (a description that was merged from several is left out, as it cannot be
taken apart).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from lightrag.kg import postgres_impl
from lightrag.kg.pgtable_impl import PGTableGraphStorage

Row = dict[str, Any]  # Any: LightRAG's records are JSON objects of its own making

SEPARATOR = "<SEP>"
_COLUMNS = {
    "chunks": "id, content, file_path",
    "entities": "entity_name",
    "relationships": "source_id AS src_id, target_id AS tgt_id",
}
_WITHIN = {"chunks": "id = ANY($5)", "entities": "chunk_ids && $5", "relationships": "chunk_ids && $5"}
_SEEN: ContextVar[frozenset[str] | None] = ContextVar("postgres_chunks", default=None)


@contextmanager
def limit_to_chunks(chunks: frozenset[str] | None) -> Iterator[None]:
    """Let everything inside see these chunks (ids) only; ``None`` sees all."""
    token = _SEEN.set(chunks)
    try:
        yield
    finally:
        _SEEN.reset(token)


@dataclass
class PGVectorStorage(postgres_impl.PGVectorStorage):  # type: ignore[misc]  # LightRAG has no type information
    """Vectors searched exactly within the workspace, and within the chunks that may be seen.

    LightRAG knows from the name whether the database needs pgvector, so the name is its own.
    """

    async def query(self, query: str, top_k: int, query_embedding: Any = None) -> list[Row]:  # Any: a vector
        """Return the ``top_k`` nearest records above the threshold, best first."""
        if query_embedding is None:
            query_embedding = (await self.embedding_func([query], context="query"))[0]
        seen = _SEEN.get()
        half = getattr(self.db, "vector_index_type", None) == "HNSW_HALFVEC"
        distance = f"content_vector <=> $4::{'halfvec' if half else 'vector'}"
        within = "" if seen is None else f"AND {_WITHIN[self.namespace]}"
        # Zero is added so that no index can serve the order.
        ask = (
            f"SELECT {_COLUMNS[self.namespace]}, EXTRACT(EPOCH FROM create_time)::BIGINT AS created_at "  # noqa: S608 - LightRAG's own names
            f"FROM {self.table_name} WHERE workspace = $1 {within} AND {distance} < $2 "
            f"ORDER BY ({distance}) + 0 LIMIT $3"
        )
        values = [self.workspace, 1 - self.cosine_better_than_threshold, top_k, query_embedding]
        rows = await self.db.query(ask, params=values if seen is None else [*values, sorted(seen)], multirows=True)
        return list(rows or ())


@dataclass
class ScopedPgGraphStorage(PGTableGraphStorage):  # type: ignore[misc]  # LightRAG has no type information
    """The graph, as far as the chunks that may be seen have a part in it."""

    async def get_node(self, node_id: str) -> Row | None:
        """Return an entity's attributes, ``None`` if it does not exist or may not be seen."""
        return (await self.get_nodes_batch([node_id])).get(node_id)

    async def get_nodes_batch(self, node_ids: list[str]) -> dict[str, Row]:
        """Return the attributes of the entities that exist and may be seen."""
        found = await super().get_nodes_batch(node_ids)
        return {name: row for name, stored in found.items() if (row := _seen(stored, name)) is not None}

    async def get_edge(self, source_node_id: str, target_node_id: str) -> Row | None:
        """Return a relation's attributes, ``None`` if it does not exist or may not be seen."""
        stored = await super().get_edge(source_node_id, target_node_id)
        return None if stored is None else _seen(stored, "")

    async def get_edges_batch(self, pairs: list[dict[str, str]]) -> dict[tuple[str, str], Row]:
        """Return the attributes of the relations that exist and may be seen, by the pair as it was asked."""
        found = await super().get_edges_batch(pairs)
        return {pair: row for pair, stored in found.items() if (row := _seen(stored, "")) is not None}


def register() -> None:
    """Put both classes into LightRAG's registry; safe to repeat."""
    kg = import_module("lightrag.kg")
    graph = ScopedPgGraphStorage.__name__
    known = kg.STORAGE_IMPLEMENTATIONS["GRAPH_STORAGE"]["implementations"]
    if graph not in known:
        known.append(graph)
    kg.STORAGE_ENV_REQUIREMENTS[graph] = kg.STORAGE_ENV_REQUIREMENTS[PGTableGraphStorage.__name__]
    kg.STORAGES[graph] = kg.STORAGES[PGVectorStorage.__name__] = __name__


def _seen(stored: Row, name: str) -> Row | None:
    """Return attributes as they may be seen: without the text if another document has a part in it."""
    seen = _SEEN.get()
    if seen is None:
        return stored
    sources = [source for source in str(stored.get("source_id", "")).split(SEPARATOR) if source]
    inside = [source for source in sources if source in seen]
    if not inside:
        return None
    if len(inside) == len(sources):
        return stored
    return stored | {
        "description": name,
        "keywords": "",
        "source_id": SEPARATOR.join(inside),
        "file_path": "unknown_source",
    }
