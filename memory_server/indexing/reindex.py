"""Index a workspace again: after a change of the embedding model or of the chunker.

One transaction throws away what the old versions made and makes the documents wait; from then on it is ordinary
indexing, durable and resumable, and vectors of two models never stand in one table.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from memory_server.errors import ConfigInvalid
from memory_server.indexing.document_queue import document_id
from memory_server.storage import kv, records
from memory_server.storage.workspace import DROP_VECTORS, VECTOR_NUMBERS, Transaction, Workspace


@dataclass(frozen=True, slots=True)
class Outdated:
    """Why a workspace needs a reindex: another embedding model, documents cut by another chunker."""

    embedding: bool
    documents: int

    def __bool__(self) -> bool:
        return self.embedding or self.documents > 0


async def find_outdated(workspace: Workspace, chunker: str) -> Outdated:
    """Compare the stored versions with the running ones; ``chunker`` is the version of the running one."""
    count = await workspace.read(lambda db: len(_old_documents(db, chunker)))
    return Outdated(workspace.stale, count)


async def begin_reindex(workspace: Workspace, chunker: str, *, everything: bool = False) -> int:
    """Make outdated documents (or ``everything``) wait to be indexed again; return how many.

    Entities and relations that were written through LightRAG's interface keep their texts; their vectors are made
    anew by :func:`~memory_server.indexing.consistency.embed_missing`.
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
                tx.db.execute("UPDATE meta SET value = ? WHERE key = 'embedding'", (workspace.embedding,))
            chosen = _indexed(tx.db) if whole else _old_documents(tx.db, chunker)
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


def _indexed(db: sqlite3.Connection) -> list[str]:
    ask = "SELECT id FROM status WHERE status = 'processed' AND id IN (SELECT key FROM kv WHERE ns = 'full_docs')"
    return [row[0] for row in db.execute(ask)]


def _old_documents(db: sqlite3.Connection, chunker: str) -> list[str]:
    ask = (
        "SELECT id FROM status WHERE status = 'processed' "
        "AND COALESCE(json_extract(data, '$.metadata.chunker'), '') != ? "
        "AND id IN (SELECT key FROM kv WHERE ns = 'full_docs')"
    )
    return [row[0] for row in db.execute(ask, (chunker,))]
