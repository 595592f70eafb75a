"""Erase documents, and prove it.

A document's chunks, mentions, sentences and vectors are rows of its own, so they go with it.  What it leaves behind is
in vectors of entities that others mention too: these are embedded anew from what is left.  Freed pages are overwritten
(``secure_delete``) and the log is emptied, so that the bytes are gone as well.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from memory_server.indexing import embedding_texts
from memory_server.indexing.embedding_texts import Forgotten
from memory_server.ports import Embedder
from memory_server.storage import kv
from memory_server.storage.statements import for_each_table
from memory_server.storage.workspace import Transaction, Workspace

PENDING = "re-embed"

_NAMESPACES = (
    "WITH RECURSIVE found (ns) AS (SELECT min(ns) FROM kv UNION ALL "
    "SELECT (SELECT min(ns) FROM kv WHERE ns > found.ns) FROM found WHERE found.ns IS NOT NULL) "
    "SELECT ns FROM found WHERE ns IS NOT NULL"
)
"""SELECT DISTINCT would read every text of the workspace."""

_WRITTEN = for_each_table("SELECT no, data FROM TABLE WHERE data IS NOT NULL AND data LIKE ?", ("nodes", "edges"))
_REWRITE = for_each_table("UPDATE TABLE SET data = ? WHERE no = ?", ("nodes", "edges"))
_RESIDUE_OF_CHUNKS = {
    **for_each_table(
        "SELECT 1 FROM TABLE WHERE chunk IN (SELECT value FROM json_each(?)) LIMIT 1",
        ("mentions", "edge_mentions", "texts"),
    ),
    "vectors_chunks": "SELECT 1 FROM vectors_chunks WHERE no IN (SELECT value FROM json_each(?)) LIMIT 1",
}


@dataclass(frozen=True, slots=True)
class EraseReceipt:
    """What an erase removed and changed, and what a search for it finds afterwards (nothing)."""

    documents: int = 0
    chunks: int = 0
    mentions: int = 0
    entities_removed: int = 0
    relations_removed: int = 0
    entities_changed: int = 0
    relations_changed: int = 0
    residue: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:  # Any: numbers and a list
        """Return the receipt for a reply."""
        return asdict(self)


async def erase(workspace: Workspace, doc_ids: Sequence[str], embedder: Embedder) -> EraseReceipt:
    """Remove documents with all they contributed; unknown ids are ignored.

    The rows are gone with the first commit; a crash before the vectors are made anew is repaired by
    :func:`finish_erase` when the workspace is opened.  Raises what the embedder raises.
    """
    async with workspace.mutating:
        found, gone = await workspace.write(lambda tx: _remove(tx, doc_ids))
        if found:
            await _embed_again(workspace, embedder)
        residue = await workspace.read(lambda db: _residue(db, doc_ids, gone.chunks))
    return EraseReceipt(
        documents=found,
        chunks=len(gone.chunks),
        mentions=gone.mentions,
        entities_removed=gone.entities,
        relations_removed=gone.relations,
        entities_changed=len(gone.kept_nodes),
        relations_changed=len(gone.kept_edges),
        residue=residue,
    )


async def finish_erase(workspace: Workspace, embedder: Embedder) -> None:
    """Do what an interrupted erase left to be done."""
    if await workspace.read(_pending) is not None:
        async with workspace.mutating:
            await _embed_again(workspace, embedder)


async def _embed_again(workspace: Workspace, embedder: Embedder) -> None:
    """Embed what the erased had a part in and empty the log; only then nothing is left to be done."""
    left = await workspace.read(_pending)
    nodes, links = left or ([], [])
    texts = await workspace.read(lambda db: embedding_texts.compose_current_texts(db, nodes, links))
    vectors = await embedder.embed([text for _, _, text in texts])

    def place(tx: Transaction) -> None:
        for (table, no, _), vector in zip(texts, vectors, strict=True):
            tx.put_vector(table, no, vector)

    await workspace.write(place)
    await workspace.checkpoint()
    await workspace.write(lambda tx: tx.db.execute("DELETE FROM meta WHERE key = ?", (PENDING,)))


def _pending(db: sqlite3.Connection) -> tuple[list[int], list[int]] | None:
    """Return the entities and relations that erases have left to be embedded, ``None`` after a finished one."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (PENDING,)).fetchone()
    if row is None:
        return None
    nodes, links = orjson.loads(row[0])
    return nodes, links


def _remove(tx: Transaction, doc_ids: Sequence[str]) -> tuple[int, Forgotten]:
    gone, found = Forgotten(), 0
    for doc_id in doc_ids:
        row = tx.db.execute("SELECT no FROM status WHERE id = ?", (doc_id,)).fetchone()
        if row is None:
            continue
        found += 1
        embedding_texts.forget_chunks(tx, row[0], gone)
        _forget_written(tx, doc_id, gone)
        kv.remove(tx, "full_docs", [doc_id])
        tx.db.execute("DELETE FROM status WHERE no = ?", (row[0],))
    if not found:
        return 0, gone
    exists = "SELECT 1 FROM {} WHERE no = ?"
    gone.kept_nodes = {no for no in gone.kept_nodes if tx.db.execute(exists.format("nodes"), (no,)).fetchone()}
    gone.kept_edges = {no for no in gone.kept_edges if tx.db.execute(exists.format("edges"), (no,)).fetchone()}
    nodes, links = _pending(tx.db) or ([], [])
    waiting = orjson.dumps([sorted({*gone.kept_nodes, *nodes}), sorted({*gone.kept_edges, *links})]).decode()
    tx.db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (PENDING, waiting))
    return found, gone


def _forget_written(tx: Transaction, doc_id: str, gone: Forgotten) -> None:
    """Take a document out of what LightRAG's interface wrote (imports): its rows, and texts with it in them."""
    for (namespace,) in tx.db.execute(_NAMESPACES).fetchall():
        inside = (namespace, f"{doc_id}-chunk-", f"{doc_id}-chunk.")
        tx.db.execute("DELETE FROM kv WHERE ns = ? AND key > ? AND key < ?", inside)
        tx.db.execute("DELETE FROM kv WHERE ns = ? AND key = ?", (namespace, doc_id))
    ask = (
        "SELECT no FROM vectors_chunks WHERE meta IS NOT NULL "
        "AND (id LIKE ? OR json_extract(meta, '$.full_doc_id') = ?)"
    )
    for (no,) in tx.db.execute(ask, (f"{doc_id}-chunk-%", doc_id)).fetchall():
        tx.drop_vector("chunks", no)
    for table, vectors in (("nodes", "entities"), ("edges", "relationships")):
        for no, data in tx.db.execute(_WRITTEN[table], (f"%{doc_id}-chunk-%",)).fetchall():
            if _forget_in(tx, table, vectors, no, orjson.loads(data), doc_id):
                (gone.kept_nodes if table == "nodes" else gone.kept_edges).add(no)


def _forget_in(
    tx: Transaction, table: str, vectors: str, no: int, data: dict[str, Any], doc_id: str
) -> bool:  # Any: JSON
    """Take a document out of attributes that were written; ``True`` if the thing is still there, without a vector."""
    sources = [part for part in str(data.get("source_id", "")).split("<SEP>") if part]
    left = [part for part in sources if not part.startswith(f"{doc_id}-chunk-")]
    tx.drop_vector(vectors, no)
    if left:
        # The description was merged from several documents and cannot be taken apart: it goes as a whole.
        data |= {"source_id": "<SEP>".join(left), "description": "", "file_path": "unknown_source"}
        tx.db.execute(_REWRITE[table], (orjson.dumps(data).decode(), no))
        return True
    tx.db.execute(_REWRITE[table], (None, no))
    drop = embedding_texts.drop_if_unmentioned if table == "nodes" else embedding_texts.drop_edge_if_unmentioned
    return not drop(tx, no)


def _residue(db: sqlite3.Connection, doc_ids: Sequence[str], chunks: Sequence[int]) -> tuple[str, ...]:
    """Return where any of the documents can still be found."""
    asks = {
        "status": "SELECT 1 FROM status WHERE id = ?1",
        "texts": "SELECT 1 FROM kv WHERE ns IN ('full_docs', 'text_chunks') AND key >= ?1 AND key < ?1 || '.'",
        "chunks": "SELECT 1 FROM chunks WHERE id > ?1 || '-' AND id < ?1 || '.'",
        "vectors": "SELECT 1 FROM vectors_chunks WHERE meta IS NOT NULL AND id LIKE ?1 || '%'",
        "entities": "SELECT 1 FROM nodes WHERE data IS NOT NULL AND data LIKE '%' || ?1 || '%'",
        "relations": "SELECT 1 FROM edges WHERE data IS NOT NULL AND data LIKE '%' || ?1 || '%'",
    }
    found = [
        f"{doc_id}: {place}"
        for doc_id in doc_ids
        for place, ask in asks.items()
        if db.execute(f"{ask} LIMIT 1", (doc_id,)).fetchone()
    ]
    numbers = orjson.dumps(list(chunks)).decode()
    for table, ask in _RESIDUE_OF_CHUNKS.items():
        found += [table] if db.execute(ask, (numbers,)).fetchone() else []
    ask = "SELECT 1 FROM json_each(?) c JOIN vectors_windows w ON w.no > c.value << 16 AND w.no < (c.value + 1) << 16"
    found += ["vectors_windows"] if db.execute(f"{ask} LIMIT 1", (numbers,)).fetchone() else []
    return tuple(found)
