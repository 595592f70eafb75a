"""Index one document: chunks, vectors, entities and relations in one transaction.

LightRAG's own pipeline makes hundreds of writes for one exchange, and its merge rewrites what it merged before.
Here everything is computed first; then one commit makes the document ``processed`` together with all that belongs to
it, so that a crash leaves it either waiting or done.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Protocol

from memory_server.chunking.headings import Chunk
from memory_server.chunking.strategies import Cutter
from memory_server.embedding import embed_windows
from memory_server.extraction.extract import Entity, Extraction
from memory_server.indexing import embedding_texts
from memory_server.ports import Embedder
from memory_server.storage import kv, records
from memory_server.storage.edges import ensure_edge
from memory_server.storage.vector_index import Vector
from memory_server.storage.workspace import Transaction, Workspace

Record = dict[str, Any]  # Any: JSON


class ChunkExtractor(Protocol):
    """Finds what a chunk mentions."""

    async def extract(self, chunk: str) -> Extraction:
        """Return entities and relations of one chunk."""
        ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document cut, read and embedded, ready to be written; ``vectors`` has a row for each window of a chunk."""

    doc_id: str
    chunks: tuple[Chunk, ...]
    vectors: tuple[tuple[Vector, ...], ...]
    extractions: tuple[Extraction, ...]


@dataclass(frozen=True, slots=True)
class Ingestor:
    """Indexes waiting documents of any workspace."""

    embedder: Embedder
    extractor: ChunkExtractor
    cutter: Cutter

    async def index(self, workspace: Workspace, doc_id: str) -> bool:
        """Index a waiting document; ``False`` if it is gone or done already.

        Raises :class:`~memory_server.errors.DocumentRejected` for one that can never be indexed, and what the embedder
        raises.
        """
        async with workspace.mutating:
            stored = await workspace.read(lambda db: kv.fetch(db, "full_docs", [doc_id]).get(doc_id))
            if stored is None:
                return False
            prepared = await self._prepare(doc_id, stored)
            plan = await workspace.read(lambda db: embedding_texts.plan(db, prepared.extractions))
            vectors = await self.embedder.embed([text for _, text in plan.texts])
            labelled = dict(zip([label for label, _ in plan.texts], vectors, strict=True))
            return await workspace.write(lambda tx: self._store(tx, prepared, labelled))

    async def _prepare(self, doc_id: str, stored: dict[str, Any]) -> Prepared:  # Any: the stored JSON record
        chunks = tuple(await self.cutter.chunks(stored["content"], stored.get("chunking")))
        read, vectors_of_all = await embed_windows(self.embedder, [chunk.content for chunk in chunks])
        rows = iter(vectors_of_all)
        vectors = tuple(tuple(islice(rows, len(texts))) for texts in read)
        extractions = [await self.extractor.extract(chunk.content) for chunk in chunks]
        return Prepared(doc_id, chunks, vectors, tuple(extractions))

    def _store(self, tx: Transaction, prepared: Prepared, vectors: dict[embedding_texts.Label, Vector]) -> bool:
        row = tx.db.execute("SELECT no FROM status WHERE id = ?", (prepared.doc_id,)).fetchone()
        if row is None:
            return False
        embedding_texts.forget_chunks(tx, row[0], embedding_texts.Forgotten())
        record = records.by_ids(tx.db, [prepared.doc_id])[prepared.doc_id]
        nodes: dict[str, int] = {}
        for order, chunk in enumerate(prepared.chunks):
            chunk_id = f"{prepared.doc_id}-chunk-{order:03d}"
            content = {
                "content": chunk.content,
                "tokens": chunk.tokens,
                "chunk_order_index": order,
                "full_doc_id": prepared.doc_id,
                "file_path": record["file_path"],
            }
            kv.store(tx, "text_chunks", {chunk_id: content})
            ask = "INSERT INTO chunks (doc, id, at) VALUES (?, ?, ?) RETURNING no"
            no = tx.db.execute(ask, (row[0], chunk_id, int(time.time()))).fetchone()[0]
            tx.put_chunk(no, prepared.vectors[order])
            _mention(tx, no, prepared.extractions[order], nodes, vectors)
        _finish(tx.db, prepared, record, self.cutter.version)
        return True


def _mention(
    tx: Transaction, chunk: int, found: Extraction, nodes: dict[str, int], vectors: dict[embedding_texts.Label, Vector]
) -> None:
    texts = [(chunk, i, text) for i, text in found.texts.items()]
    tx.db.executemany("INSERT INTO texts (chunk, i, text) VALUES (?, ?, ?)", texts)
    for entity in found.entities:
        no = nodes[entity.key] = _node(tx.db, entity)
        tx.db.execute("INSERT OR IGNORE INTO mentions VALUES (?, ?, ?, ?)", (no, chunk, entity.i, entity.kind))
        tx.put_vector("entities", no, vectors[(entity.key,)])
    for relation in found.relations:
        edge = ensure_edge(tx.db, nodes[relation.source], nodes[relation.target])
        mention = (edge, chunk, relation.i, relation.keywords, 1.0)
        tx.db.execute("INSERT OR IGNORE INTO edge_mentions VALUES (?, ?, ?, ?, ?)", mention)
        tx.put_vector("relationships", edge, vectors[embedding_texts.label_relation(relation.source, relation.target)])


def _node(db: sqlite3.Connection, entity: Entity) -> int:
    """Return the node of an entity, found under any form of its name, made if there is none."""
    known = embedding_texts.find_node(db, entity.key, entity.name)
    if known is None:
        known = db.execute("INSERT INTO nodes (name) VALUES (?) RETURNING no", (entity.name,)).fetchone()[0]
    db.execute("INSERT OR IGNORE INTO aliases (key, node) VALUES (?, ?)", (entity.key, known))
    return int(known)


def _finish(db: sqlite3.Connection, prepared: Prepared, record: Record, version: str) -> None:
    names = [f"{prepared.doc_id}-chunk-{order:03d}" for order in range(len(prepared.chunks))]
    done = {
        "status": "processed",
        "updated_at": datetime.now(UTC).isoformat(),
        "chunks_count": len(names),
        "chunks_list": names,
        "error_msg": None,
        "metadata": {
            k: v for k, v in (record.get("metadata") or {}).items() if k not in {"attempts", "next_at", "dead"}
        }
        | {"chunker": version},
    }
    records.store(db, {prepared.doc_id: record | done})
