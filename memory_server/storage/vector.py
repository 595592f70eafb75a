"""LightRAG's vector storage: exact search per workspace, records composed from what the vectors belong to.

Rows made by this server's own indexing carry no id and no record: both follow from the chunk, entity or relation.
Rows written through LightRAG's interface carry theirs.
"""

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import orjson
from lightrag.base import BaseVectorStorage
from lightrag.utils import compute_mdhash_id

from memory_server.errors import ConfigInvalid
from memory_server.storage import composition, kv
from memory_server.storage.graph import find_node_number
from memory_server.storage.kv import Row, Stored
from memory_server.storage.vector_index import Numbers, Vector, VectorIndex
from memory_server.storage.workspace import (
    VECTOR_NUMBERS,
    VECTOR_TABLES,
    WINDOW_BITS,
    WINDOWS,
    Transaction,
    for_each_table,
    tenant_of,
)


@dataclass
class SqliteVectorStorage(Stored, BaseVectorStorage):  # type: ignore[misc]  # LightRAG has no type information
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
            allowed = find_allowed_numbers(db, self.namespace, tenant.documents)
            nearest = find_nearest(db, tenant.workspace.index, self.namespace, vectors, top_k, allowed)
            good = [(no, cosine) for no, cosine in nearest if cosine > self.cosine_better_than_threshold]
            found = read_records(db, self.namespace, [no for no, _ in good])
            return [found[no] | {"distance": cosine} for no, cosine in good if no in found]

        return await tenant.workspace.read(search)

    async def upsert(self, data: dict[str, Row]) -> None:
        """Embed the contents and insert or replace their rows."""
        if not data:
            return
        tenant_of(self.workspace, write=True)  # refused before anything is embedded
        contents = [row["content"] for row in data.values()]
        vectors = np.asarray(await self.embedding_func(contents, context="document"), dtype=np.float32)

        def put(tx: Transaction) -> None:
            for (key, row), vector in zip(data.items(), vectors, strict=True):
                self._put(tx, key, row, vector)

        await self._write(put)

    async def delete(self, ids: list[str]) -> None:
        def drop(tx: Transaction) -> None:
            for no in find_numbers(tx.db, self.namespace, ids).values():
                tx.drop_vector(self.namespace, no)

        await self._write(drop)

    async def delete_entity(self, entity_name: str) -> None:
        await self.delete([compute_mdhash_id(entity_name, prefix="ent-")])

    async def delete_entity_relation(self, entity_name: str) -> None:
        def drop(tx: Transaction) -> None:
            for no in find_relations_of(tx.db, entity_name):
                tx.drop_vector("relationships", no)

        await self._write(drop)

    async def get_vectors_by_ids(self, ids: list[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors of the ids that exist; of a chunk that of the window nearest to what the request asks.

        LightRAG orders the chunks of entities by them.
        """
        tenant = tenant_of(self.workspace)
        asked = tenant.asked[0] if tenant.asked and self.namespace == "chunks" else None
        return await tenant.workspace.read(lambda db: read_vectors(db, self.namespace, ids, asked))

    def _find(self, db: sqlite3.Connection, ids: list[str]) -> dict[str, Row]:
        numbers = find_numbers(db, self.namespace, ids)
        found = read_records(db, self.namespace, list(numbers.values()))
        return {key: found[no] for key, no in numbers.items() if no in found}

    def _clear(self, tx: Transaction) -> None:
        for (no,) in tx.db.execute(VECTOR_NUMBERS[self.namespace]).fetchall():
            tx.drop_vector(self.namespace, no)

    def _put(self, tx: Transaction, key: str, row: Row, vector: Vector) -> None:
        no = choose_number(tx.db, self.namespace, key, row)
        kept = {name: row[name] for name in self.meta_fields if name in row} | {"created_at": int(time.time())}
        tx.put_vector(self.namespace, no, vector, row_id=key, meta=orjson.dumps(kept).decode())


_ENDS = (
    "SELECT e.no, s.name, t.name FROM edges e JOIN nodes s ON s.no = CASE WHEN e.flip = 1 THEN e.b ELSE e.a END "
    "JOIN nodes t ON t.no = CASE WHEN e.flip = 1 THEN e.a ELSE e.b END WHERE e.no IN "
)
_EMBEDDED_ENDS = f"{_ENDS} (SELECT no FROM vectors_relationships)"  # noqa: S608 - our own texts
_CHOSEN_ENDS = f"{_ENDS} (SELECT value FROM json_each(?))"  # noqa: S608 - our own texts
_WRITTEN = for_each_table("SELECT no, id, meta FROM vectors_TABLE WHERE meta IS NOT NULL", VECTOR_TABLES)
_RECORDS = for_each_table(
    "SELECT no, id, meta FROM vectors_TABLE WHERE no IN (SELECT value FROM json_each(?))", VECTOR_TABLES
)
_VECTORS = for_each_table(
    "SELECT no, v FROM vectors_TABLE WHERE no IN (SELECT value FROM json_each(?))", (*VECTOR_TABLES, WINDOWS)
)


def find_nearest(
    db: sqlite3.Connection,
    index: Callable[[str], VectorIndex],
    table: str,
    queries: Vector,
    count: int,
    allowed: Numbers | None,
) -> list[tuple[int, float]]:
    """Return the ``count`` rows nearest to any of the queries (one per row) with their exact cosine, best first.

    A chunk is as near as the nearest of its windows.  Ties stand in the order of their numbers.
    """
    best: dict[int, float] = {}
    for query in queries:
        found = _compute_cosines(db, table, index(table).candidates(query, count, allowed), query)
        if table == "chunks":
            beyond = _compute_cosines(db, WINDOWS, _find_in_windows(index(WINDOWS), query, count, allowed), query)
            found += [(no >> WINDOW_BITS, cosine) for no, cosine in beyond]
        for no, cosine in found:
            best[no] = max(cosine, best.get(no, -1.0))
    return sorted(best.items(), key=lambda row: (-row[1], row[0]))[:count]


def _find_in_windows(index: VectorIndex, query: Vector, count: int, allowed: Numbers | None) -> Numbers:
    """Return candidates of at least ``count`` chunks, if as many have further windows: one chunk may have hundreds."""
    wanted, before = count, -1
    while True:
        numbers = index.candidates(query, wanted, allowed, bits=WINDOW_BITS)
        if len(numbers) == before or len(set((numbers >> WINDOW_BITS).tolist())) >= count:
            return numbers
        wanted, before = wanted * 4, len(numbers)


def _compute_cosines(db: sqlite3.Connection, table: str, numbers: Numbers, query: Vector) -> list[tuple[int, float]]:
    rows = _read_blobs(db, table, numbers.tolist())
    if not rows:
        return []
    matrix = np.frombuffer(b"".join(blob for _, blob in rows), np.float16).reshape(len(rows), -1).astype(np.float32)
    cosines = matrix @ query / np.maximum(np.linalg.norm(matrix, axis=1), 1e-12)
    return [(no, float(cosine)) for (no, _), cosine in zip(rows, cosines, strict=True)]


def find_allowed_numbers(db: sqlite3.Connection, table: str, documents: frozenset[str] | None) -> Numbers | None:
    """Return the sorted numbers of the rows that some documents contribute to; ``None`` allows every row."""
    if documents is None:
        return None
    view = composition.build_view(db, documents)
    ask = {
        "chunks": "SELECT value FROM json_each(?)",
        "entities": "SELECT m.node FROM json_each(?) c JOIN mentions_recent m ON m.chunk = c.value "
        "UNION SELECT m.node FROM json_each(?1) c JOIN mentions_settled m ON m.chunk = c.value",
        "relationships": composition.MENTIONED_EDGES,
    }[table]
    found = {no for (no,) in db.execute(ask, (view.chunks,))}
    written = db.execute(_WRITTEN[table])
    for no, row_id, meta in written:
        sources = {row_id} if table == "chunks" else set(str(orjson.loads(meta).get("source_id", "")).split("<SEP>"))
        if sources and sources <= view.ids:
            found.add(no)
    return np.array(sorted(found), dtype=np.int64)


def read_records(db: sqlite3.Connection, table: str, numbers: list[int]) -> dict[int, Row]:
    """Return LightRAG's records of rows, by number."""
    chosen = orjson.dumps(numbers).decode()
    rows = db.execute(_RECORDS[table], (chosen,)).fetchall()
    found = {no: orjson.loads(meta) | {"id": key} for no, key, meta in rows if meta is not None}
    own = [no for no, _, meta in rows if meta is None]
    makers = {"chunks": _chunk_records, "entities": _entity_records, "relationships": _relation_records}
    return found | makers[table](db, own)


def find_numbers(db: sqlite3.Connection, table: str, ids: list[str]) -> dict[str, int]:
    """Return the row numbers of the ids that exist."""
    chosen = orjson.dumps(ids).decode()
    known = "SELECT id, no FROM vector_ids WHERE ns = ? AND id IN (SELECT value FROM json_each(?))"
    found: dict[str, int] = dict(db.execute(known, (table, chosen)).fetchall())
    missing = [key for key in ids if key not in found]
    if not missing:
        return found
    if table == "chunks":
        ask = "SELECT id, no FROM chunks WHERE id IN (SELECT value FROM json_each(?))"
        return found | dict(db.execute(ask, (orjson.dumps(missing).decode(),)).fetchall())
    # Asked only by LightRAG's editing of single entities, so a scan is good enough.
    return found | _scan_for_numbers(db, table, set(missing))


def choose_number(db: sqlite3.Connection, table: str, key: str, row: Row) -> int:
    """Return the row number that a record written through LightRAG's interface belongs to."""
    if (known := find_numbers(db, table, [key]).get(key)) is not None:
        return known
    no: int | None = None
    if table == "entities":
        no = find_node_number(db, str(row.get("entity_name", "")))
    elif table == "relationships":
        edge = composition.find_edge(db, str(row.get("src_id", "")), str(row.get("tgt_id", "")))
        no = edge[0] if edge else None
    taken = no is not None and db.execute("SELECT 1 FROM vector_ids WHERE ns = ? AND no = ?", (table, no)).fetchone()
    if no is None or taken:
        (lowest,) = db.execute("SELECT min(no) FROM vector_ids WHERE ns = ?", (table,)).fetchone()
        no = min(lowest or 0, 0) - 1
    db.execute("INSERT INTO vector_ids (ns, id, no) VALUES (?, ?, ?)", (table, key, no))
    return no


def find_relations_of(db: sqlite3.Connection, name: str) -> list[int]:
    """Return the row numbers of every relation of an entity."""
    written = db.execute("SELECT no, meta FROM vectors_relationships WHERE meta IS NOT NULL").fetchall()
    told = ((no, orjson.loads(meta)) for no, meta in written)
    found = {no for no, row in told if name in (row.get("src_id"), row.get("tgt_id"))}
    ask = "SELECT edge FROM adjacency WHERE node = (SELECT no FROM nodes WHERE name = ?)"
    return sorted(found | {no for (no,) in db.execute(ask, (name,))})


def read_vectors(
    db: sqlite3.Connection, table: str, ids: list[str], asked: Vector | None
) -> dict[str, npt.NDArray[np.float32]]:
    """Return the stored vectors of the ids that exist; with ``asked``, of a chunk's windows the nearest to it."""
    places = find_numbers(db, table, ids)
    found = {no: _decode_vector(blob) for no, blob in _read_blobs(db, table, list(places.values()))}
    if asked is not None:
        ask = (
            "SELECT c.value, w.v FROM json_each(?) c "  # noqa: S608 - a number
            f"JOIN vectors_windows w ON w.no > c.value << {WINDOW_BITS} AND w.no < (c.value + 1) << {WINDOW_BITS}"
        )
        for no, blob in db.execute(ask, (orjson.dumps(list(found)).decode(),)):
            found[no] = max(found[no], _decode_vector(blob), key=lambda vector: float(vector @ asked))
    return {key: found[no] for key, no in places.items() if no in found}


def _decode_vector(blob: bytes) -> Vector:
    return np.frombuffer(blob, np.float16).astype(np.float32)


def _read_blobs(db: sqlite3.Connection, table: str, chosen: list[int]) -> list[tuple[int, bytes]]:
    return db.execute(_VECTORS[table], (orjson.dumps(chosen).decode(),)).fetchall()


def _scan_for_numbers(db: sqlite3.Connection, table: str, missing: set[str]) -> dict[str, int]:
    if table == "entities":
        named = db.execute("SELECT name, no FROM nodes WHERE no IN (SELECT no FROM vectors_entities)")
        pairs = ((compute_mdhash_id(name, prefix="ent-"), no) for name, no in named)
        return {key: no for key, no in pairs if key in missing}
    found: dict[str, int] = {}
    for no, source, target in db.execute(_EMBEDDED_ENDS):
        for key in (_relation_id(source, target), _relation_id(target, source)):
            if key in missing:
                found[key] = no
    return found


def _relation_id(source: str, target: str) -> str:
    return str(compute_mdhash_id(source + target, prefix="rel-"))


def _chunk_records(db: sqlite3.Connection, chosen: list[int]) -> dict[int, Row]:
    ask = "SELECT no, id, at FROM chunks WHERE no IN (SELECT value FROM json_each(?))"
    rows = db.execute(ask, (orjson.dumps(chosen).decode(),)).fetchall()
    texts = kv.fetch(db, "text_chunks", [key for _, key, _ in rows])
    return {
        no: {
            "id": key,
            "content": texts[key]["content"],
            "full_doc_id": texts[key].get("full_doc_id"),
            "file_path": texts[key].get("file_path", "unknown_source"),
            "created_at": at,
        }
        for no, key, at in rows
        if key in texts
    }


def _entity_records(db: sqlite3.Connection, chosen: list[int]) -> dict[int, Row]:
    ask = (
        "SELECT n.no, n.name, c.at FROM nodes n "
        "LEFT JOIN (SELECT node, max(chunk) AS chunk FROM mentions_recent GROUP BY node) r ON r.node = n.no "
        "LEFT JOIN chunks c ON c.no = COALESCE(r.chunk, (SELECT max(chunk) FROM mentions_settled WHERE node = n.no)) "
        "WHERE n.no IN (SELECT value FROM json_each(?))"
    )
    return {
        no: {"id": compute_mdhash_id(name, prefix="ent-"), "entity_name": name, "created_at": at}
        for no, name, at in db.execute(ask, (orjson.dumps(chosen).decode(),))
    }


def _relation_records(db: sqlite3.Connection, chosen: list[int]) -> dict[int, Row]:
    rows = db.execute(_CHOSEN_ENDS, (orjson.dumps(chosen).decode(),))
    return {
        no: {"id": _relation_id(source, target), "src_id": source, "tgt_id": target, "created_at": None}
        for no, source, target in rows
    }
