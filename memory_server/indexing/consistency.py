"""Consistency of documents, chunks, graph and vectors: find what disagrees, repair it, index again, look closer.

Indexing and erasing are single transactions, so that disagreement means a bug or a damaged file; imports and edits
through LightRAG's interface are several writes and may stop in between.
A reindex, after a change of the embedding model or of the chunker, throws away in one transaction what the old versions
made and makes the documents wait; from then on it is ordinary indexing, durable and resumable, questions are answered
from what is done, and vectors of two models never stand in one table.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory_server.errors import ConfigInvalid
from memory_server.indexing import embedding_texts
from memory_server.indexing.ingest import document_id
from memory_server.options import Embedder
from memory_server.storage import composition, graph, kv, records
from memory_server.storage.workspace import DROP_VECTORS, VECTOR_NUMBERS, WINDOW_BITS, Transaction, Workspace

SAMPLE = 5

CHECKS: Mapping[str, str] = {
    "processed documents without chunks": "SELECT s.id FROM status s WHERE s.status = 'processed' AND s.id IN "
    "(SELECT key FROM kv WHERE ns = 'full_docs') AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.doc = s.no) "
    "AND NOT EXISTS (SELECT 1 FROM kv WHERE ns = 'text_chunks' AND key > s.id || '-' AND key < s.id || '.')",
    "waiting documents without text": "SELECT id FROM status WHERE status IN ('pending', 'processing') "
    "AND id NOT IN (SELECT key FROM kv WHERE ns = 'full_docs')",
    "texts without document": "SELECT key FROM kv WHERE ns = 'full_docs' AND key NOT IN (SELECT id FROM status)",
    "chunks without document": "SELECT no FROM chunks WHERE doc NOT IN (SELECT no FROM status)",
    "chunks without text": "SELECT no FROM chunks WHERE id NOT IN (SELECT key FROM kv WHERE ns = 'text_chunks')",
    "chunks without vector": "SELECT no FROM chunks WHERE no NOT IN (SELECT no FROM vectors_chunks)",
    "vectors without chunk": "SELECT no FROM vectors_chunks WHERE meta IS NULL AND no NOT IN (SELECT no FROM chunks)",
    "windows without chunk": "SELECT no FROM vectors_windows WHERE no >> 16 NOT IN (SELECT no FROM vectors_chunks)",
    "mentions without chunk": "SELECT DISTINCT chunk FROM mentions WHERE chunk NOT IN (SELECT no FROM chunks) UNION "
    "SELECT DISTINCT chunk FROM edge_mentions WHERE chunk NOT IN (SELECT no FROM chunks) UNION "
    "SELECT DISTINCT chunk FROM texts WHERE chunk NOT IN (SELECT no FROM chunks)",
    "entities without mention": "SELECT no FROM nodes WHERE data IS NULL AND no NOT IN (SELECT node FROM mentions)",
    "entities without vector": embedding_texts.ENTITIES_WITHOUT_VECTOR,
    "vectors without entity": "SELECT no FROM vectors_entities WHERE meta IS NULL AND no NOT IN (SELECT no FROM nodes)",
    "relations without ends": "SELECT no FROM edges WHERE a NOT IN (SELECT no FROM nodes) OR b NOT IN "
    "(SELECT no FROM nodes) OR (SELECT count(*) FROM adjacency WHERE edge = no AND node IN (a, b)) "
    "!= CASE WHEN a = b THEN 1 ELSE 2 END",
    "relations without mention": "SELECT no FROM edges WHERE data IS NULL AND no NOT IN "
    "(SELECT edge FROM edge_mentions)",
    "relations without vector": embedding_texts.RELATIONS_WITHOUT_VECTOR,
    "vectors without relation": "SELECT no FROM vectors_relationships WHERE meta IS NULL AND no NOT IN "
    "(SELECT no FROM edges)",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What was found: per finding how many and a few examples; ``damage`` is SQLite's own verdict, "" if it is well."""

    workspace: str
    findings: dict[str, tuple[int, tuple[str, ...]]]
    damage: str = ""

    @property
    def clean(self) -> bool:
        """Whether everything agrees."""
        return not self.findings and not self.damage


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One entity: what it is made of.  ``vector`` says whether it can be found by meaning."""

    name: str
    attributes: dict[str, Any]  # Any: LightRAG's graph attributes
    chunks: tuple[str, ...]
    documents: tuple[str, ...]
    relations: tuple[str, ...]
    vector: bool


async def check(workspace: Workspace) -> Report:
    """Compare everything with everything; nothing is changed."""

    def compare(db: sqlite3.Connection) -> Report:
        found: dict[str, tuple[int, tuple[str, ...]]] = {}
        for name, ask in CHECKS.items():
            rows = [str(row[0]) for row in db.execute(ask)]
            if rows:
                found[name] = (len(rows), tuple(rows[:SAMPLE]))
        return Report(workspace.name, found, workspace.find_damage(db))

    return await workspace.read(compare)


async def reconcile(workspace: Workspace, embedder: Embedder) -> Report:
    """Remove what belongs to nothing, index again what lost its parts, embed what lacks a vector; report the rest."""
    async with workspace.mutating:
        await workspace.write(_prune)
        await embedding_texts.embed_missing(workspace, embedder)
    return await check(workspace)


async def diagnose(workspace: Workspace, name: str) -> Diagnosis | None:
    """Return what an entity is made of, ``None`` if there is none of this name."""

    def look(db: sqlite3.Connection) -> Diagnosis | None:
        row = db.execute("SELECT no, data FROM nodes WHERE name = ?", (name,)).fetchone()
        attributes = composition.entity(db, row[0], name, row[1]) if row else None
        if row is None or attributes is None:
            return None
        ask = (
            "SELECT c.id, s.id FROM mentions m JOIN chunks c ON c.no = m.chunk LEFT JOIN status s ON s.no = c.doc "
            "WHERE m.node = ? ORDER BY c.no"
        )
        sources = db.execute(ask, (row[0],)).fetchall()
        pairs = graph.list_node_edges(db, name, composition.EVERYTHING, None) or []
        vector = db.execute("SELECT 1 FROM vectors_entities WHERE no = ?", (row[0],)).fetchone() is not None
        return Diagnosis(
            name,
            attributes,
            tuple(chunk for chunk, _ in sources),
            tuple(dict.fromkeys(document for _, document in sources if document)),
            tuple(sorted(other for _, other in pairs)),
            vector,
        )

    return await workspace.read(look)


def _prune(tx: Transaction) -> None:
    found = {name: [row[0] for row in tx.db.execute(ask)] for name, ask in CHECKS.items()}
    for chunk in found["mentions without chunk"]:
        for statement in embedding_texts.DROP_CHUNK.values():
            tx.db.execute(statement, (chunk,))
    for doc in {row[0] for row in tx.db.execute("SELECT doc FROM chunks WHERE doc NOT IN (SELECT no FROM status)")}:
        embedding_texts.forget_chunks(tx, doc, embedding_texts.Forgotten())
    _index_again(tx.db, found)
    kv.remove(tx, "full_docs", found["texts without document"])
    for table, kind in (("chunks", "chunk"), ("entities", "entity"), ("relationships", "relation")):
        for no in found[f"vectors without {kind}"]:
            tx.drop_vector(table, no)
    for no in found["windows without chunk"]:
        tx.drop_vector("chunks", no >> WINDOW_BITS)
    for no in found["relations without ends"] + found["relations without mention"]:
        graph.drop_edge(tx, no)
    for (no,) in tx.db.execute(CHECKS["entities without mention"]).fetchall():
        embedding_texts.drop_if_unmentioned(tx, "nodes", no)


def _index_again(db: sqlite3.Connection, found: Mapping[str, list[Any]]) -> None:  # Any: numbers and ids
    again = set(found["processed documents without chunks"])
    for no in {*found["chunks without text"], *found["chunks without vector"]}:
        row = db.execute("SELECT s.id FROM chunks c JOIN status s ON s.no = c.doc WHERE c.no = ?", (no,)).fetchone()
        again |= {row[0]} if row else set()
    for doc_id in again:
        records.change(db, doc_id, {"status": "pending"})
    for doc_id in found["waiting documents without text"]:
        records.change(db, doc_id, {"status": "failed", "error_msg": "the text is missing"})


def as_json(report: Report) -> dict[str, Any]:  # Any: JSON
    """Return a report for a reply."""
    findings = {name: {"count": count, "examples": list(some)} for name, (count, some) in report.findings.items()}
    whole = {"workspace": report.workspace, "clean": report.clean, "findings": findings}
    return whole | ({"damage": report.damage} if report.damage else {})


@dataclass(frozen=True, slots=True)
class Outdated:
    """Why a workspace needs a reindex: another embedding model, documents cut by another chunker."""

    embedding: bool
    documents: int


async def find_outdated(workspace: Workspace, chunker: str) -> Outdated:
    """Compare the stored versions with the running ones; ``chunker`` is the version of the running one."""
    return Outdated(workspace.stale, len(await workspace.read(lambda db: _list_indexed(db, chunker))))


async def begin_reindex(workspace: Workspace, chunker: str, *, everything: bool = False) -> int:
    """Make outdated documents (or ``everything``) wait to be indexed again; return how many.

    Entities and relations that were written through LightRAG's interface keep their texts; the worker embeds them once
    no document waits (:func:`~memory_server.indexing.embedding_texts.finish_reindex`).
    """
    async with workspace.mutating:

        def begin(tx: Transaction) -> int:
            whole = everything or workspace.stale
            if whole:
                for table in VECTOR_NUMBERS:
                    for (no,) in tx.db.execute(VECTOR_NUMBERS[table]).fetchall():
                        tx.vectors.setdefault(table, {})[no] = None
                    tx.db.execute(DROP_VECTORS[table])
                tx.db.execute("DELETE FROM vector_ids")
                tx.note(embedding_texts.UNFINISHED, "")
                tx.db.execute("UPDATE meta SET value = ? WHERE key = 'embedding'", (workspace.embedding,))
            chosen = _list_indexed(tx.db, None if whole else chunker)
            for doc_id in chosen:
                records.change(tx.db, doc_id, {"status": "pending"})
            return len(chosen)

        count = await workspace.write(begin)
        workspace.renewed()
        return count


async def reindex_document(workspace: Workspace, named: str) -> str | None:
    """Make one document, named by its id or its source, wait to be indexed again; return its id, ``None`` without it.

    Raises :class:`ConfigInvalid` while the workspace holds another model's vectors: then all of it is to be indexed.
    """
    if workspace.stale:
        raise ConfigInvalid("the embedding model changed; the whole workspace has to be indexed again")

    def begin(tx: Transaction) -> str | None:
        for doc_id in (named, document_id(named)):
            if records.by_ids(tx.db, [doc_id]) and kv.fetch(tx.db, "full_docs", [doc_id]):
                records.change(tx.db, doc_id, {"status": "pending", "error_msg": None})
                return doc_id
        return None

    async with workspace.mutating:
        return await workspace.write(begin)


def _list_indexed(db: sqlite3.Connection, but_by: str | None) -> list[str]:
    """Return the documents that are indexed, but those cut by this version of a chunker."""
    ask = "SELECT id FROM status WHERE status = 'processed' AND id IN (SELECT key FROM kv WHERE ns = 'full_docs')"
    if but_by is None:
        return [row[0] for row in db.execute(ask)]
    other = " AND COALESCE(json_extract(data, '$.metadata.chunker'), '') != ?"
    return [row[0] for row in db.execute(ask + other, (but_by,))]
