"""From accepted to indexed: documents wait durably, and the worker makes each one's parts in one transaction.

The commit of :func:`accept` is what a 200 stands for.  LightRAG's own pipeline makes hundreds of writes for one
exchange, and its merge rewrites what it merged before.  Here everything is computed first; then one commit makes the
document ``processed`` together with all that belongs to it, so that a crash leaves it either waiting or done.
A document at a time per workspace, or several short ones in one commit; a few workspaces side by side, each of which
then goes to the end of the line, so that one that was given a thousand keeps nobody waiting.  Nothing is kept in memory
but the names of workspaces that have work: after a crash the same documents wait in the same order.
"""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import md5
from itertools import accumulate, islice
from typing import Any

import structlog

from memory_server.chunking import Chunk, Cutter, clean
from memory_server.embedding import embed_windows
from memory_server.errors import DocumentRejected, MemoryServerError, ModelRefused, Temporary, locate_error
from memory_server.extraction import Entity, Extraction, by_line
from memory_server.indexing import embedding_texts
from memory_server.indexing.workspaces import Workspaces
from memory_server.options import Embedder
from memory_server.storage import kv, records
from memory_server.storage.graph import ensure_edge
from memory_server.storage.vector_index import Vector
from memory_server.storage.workspace import Transaction, Workspace

Record = dict[str, Any]  # Any: JSON


Extract = Callable[[str], Awaitable[Extraction]]
"""Finds the entities and relations that a chunk mentions."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document cut, read and embedded, ready to be written; ``vectors`` has a row for each window of a chunk."""

    doc_id: str
    chunks: tuple[Chunk, ...]
    extractions: tuple[Extraction, ...]
    vectors: tuple[tuple[Vector, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Ingestor:
    """Indexes waiting documents of any workspace."""

    embedder: Embedder
    extract: Extract
    cutter: Cutter

    async def index(self, workspace: Workspace, doc_ids: Sequence[str]) -> None:
        """Index waiting documents, all or none; those that are gone are passed over.

        Raises :class:`~memory_server.errors.DocumentRejected` for one that can never be indexed, and what the embedder
        raises.
        """
        async with workspace.mutating:
            stored = await workspace.read(lambda db: kv.fetch(db, "full_docs", doc_ids))
            read = [await self._read(doc_id, stored[doc_id]) for doc_id in doc_ids if doc_id in stored]
            plan = await workspace.read(
                lambda db: embedding_texts.plan(db, [found for document in read for found in document.extractions])
            )
            # One call for all: a sentence is part of a chunk and of what is said of five names.
            windows, vectors = await embed_windows(
                self.embedder,
                [by_line(chunk.content) for document in read for chunk in document.chunks],
                whole=[text for _, text in plan],
            )
            rows = iter(vectors)
            of_chunks = iter([tuple(islice(rows, len(texts))) for texts in windows])
            prepared = [replace(document, vectors=tuple(islice(of_chunks, len(document.chunks)))) for document in read]
            labelled = dict(zip([label for label, _ in plan], rows, strict=True))

            def store(tx: Transaction) -> None:
                for document in prepared:
                    self._store(tx, document, labelled)

            await workspace.write(store)

    async def _read(self, doc_id: str, stored: dict[str, Any]) -> Prepared:  # Any: the stored JSON record
        chunks = tuple(await self.cutter.chunks(stored["content"], stored.get("chunking")))
        return Prepared(doc_id, chunks, tuple([await self.extract(chunk.content) for chunk in chunks]))

    def _store(self, tx: Transaction, prepared: Prepared, vectors: dict[embedding_texts.Label, Vector]) -> None:
        row = tx.db.execute("SELECT no FROM status WHERE id = ?", (prepared.doc_id,)).fetchone()
        if row is None:
            return
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


_MENTION_ENTITY = "INSERT INTO mentions_recent (node, chunk, i, kind) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_MENTION_RELATION = (
    "INSERT INTO edge_mentions_recent (edge, chunk, i, keywords, weight) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)


def _mention(
    tx: Transaction, chunk: int, found: Extraction, nodes: dict[str, int], vectors: dict[embedding_texts.Label, Vector]
) -> None:
    texts = [(chunk, i, text) for i, text in found.texts.items()]
    tx.db.executemany("INSERT INTO texts (chunk, i, text) VALUES (?, ?, ?)", texts)
    for entity in found.entities:
        no = nodes[entity.key] = _node(tx.db, entity)
        tx.db.execute(_MENTION_ENTITY, (no, chunk, entity.i, entity.kind))
        tx.put_vector("entities", no, vectors[(entity.key,)])
    for relation in found.relations:
        edge = ensure_edge(tx.db, nodes[relation.source], nodes[relation.target])
        mention = (edge, chunk, relation.i, relation.keywords, 1.0)
        tx.db.execute(_MENTION_RELATION, mention)
        tx.put_vector("relationships", edge, vectors[embedding_texts.label_relation(relation.source, relation.target)])


def _node(db: sqlite3.Connection, entity: Entity) -> int:
    """Return the node of an entity, found under any form of its name, made if there is none."""
    known = embedding_texts.find_node(db, entity.key, entity.name)
    if known is None:
        known = db.execute("INSERT INTO nodes (name) VALUES (?) RETURNING no", (entity.name,)).fetchone()[0]
    db.execute("INSERT INTO aliases (key, node) VALUES (?, ?) ON CONFLICT DO NOTHING", (entity.key, known))
    return int(known)


def _finish(db: sqlite3.Connection, prepared: Prepared, record: Record, version: str) -> None:
    names = [f"{prepared.doc_id}-chunk-{order:03d}" for order in range(len(prepared.chunks))]
    done = {
        "status": "processed",
        "updated_at": datetime.now(UTC).isoformat(),
        "chunks_count": len(names),
        "chunks_list": names,
        "error_msg": None,
        "metadata": _forget_failures(record) | {"chunker": version},
    }
    records.store(db, {prepared.doc_id: record | done})


TURN, SHORT = 8, 20_000
"""Documents of one workspace, and characters of several, that are indexed before the next workspace is served."""
ACTIVE = ("pending", "parsing", "analyzing", "processing")
SUMMARY = 100
EMPTY = "the text is empty once control characters are removed"
_COUNT_WAITING = "SELECT count(*) FROM status WHERE status IN ('pending', 'parsing', 'analyzing', 'processing')"
_DUE_AT = "CAST(COALESCE(json_extract(data, '$.metadata.next_at'), '0') AS DOUBLE PRECISION)"
_FIRST_DUE = (
    "SELECT COALESCE(created_at, ''), no, id, "  # noqa: S608 - our own text
    "CAST(COALESCE(json_extract(data, '$.content_length'), '0') AS INTEGER) FROM status "
    f"WHERE status = ? AND {_DUE_AT} <= ? ORDER BY created_at, no LIMIT ?"
)
_NEXT_DUE = (
    f"SELECT min({_DUE_AT}) FROM status "  # noqa: S608 - our own text
    "WHERE status IN ('pending', 'parsing', 'analyzing', 'processing')"
)


class TooMany(DocumentRejected):
    """The workspace has as many waiting documents as it may."""


def document_id(source: str) -> str:
    """Return the id of a source, as LightRAG makes it."""
    return f"doc-{md5(source.encode(), usedforsecurity=False).hexdigest()}"


async def accept(
    workspace: Workspace,
    texts: Mapping[str, str],
    chunking: dict[str, Any] | None,  # Any: validated JSON of the request
    track_id: str,
    *,
    most_pending: int,
) -> dict[str, str]:
    """Store texts by their source (a file name), fsynced when this returns; return known sources with their status.

    With such a conflict nothing is stored.  Raises :class:`DocumentRejected` for a text that is empty once it is
    cleaned and :class:`TooMany` when too many documents wait.
    """
    cleaned = {source: clean(text) for source, text in texts.items()}
    if not all(cleaned.values()):
        raise DocumentRejected(EMPTY)

    def change(tx: Transaction) -> dict[str, str]:
        names = {document_id(source): source for source in cleaned}
        if known := records.by_ids(tx.db, list(names)):
            return {names[key]: row["status"] for key, row in known.items()}
        if count_waiting(tx.db) + len(names) > most_pending:
            raise TooMany(f"{most_pending} documents are waiting already")
        for key, source in names.items():
            store_document(tx, key, source, cleaned[source], {"track_id": track_id}, chunking)
        return {}

    return await workspace.write(change)


def store_document(
    tx: Transaction, key: str, source: str, text: str, fields: Mapping[str, Any], chunking: dict[str, Any] | None = None
) -> None:  # Any: values of LightRAG's record, and as above
    """Store a text and the record of its waiting; ``fields`` are written over those of the record."""
    now = datetime.now(UTC).isoformat()
    record = {
        "status": "pending",
        "content_summary": text[:SUMMARY] + ("..." if len(text) > SUMMARY else ""),
        "content_length": len(text),
        "created_at": now,
        "updated_at": now,
        "file_path": source,
        "metadata": {},
        **fields,
    }
    records.store(tx.db, {key: record})
    full: Record = {"content": text, "file_path": source, "parse_format": "raw"}
    kv.store(tx, "full_docs", {key: full | ({"chunking": chunking} if chunking else {})})


def count_waiting(db: sqlite3.Connection) -> int:
    """Return how many documents wait to be indexed."""
    (count,) = db.execute(_COUNT_WAITING).fetchone()
    return int(count)


def find_next_documents(db: sqlite3.Connection, now: float) -> tuple[list[str], float | None]:
    """Return what to index next: a document, or several short ones; if none, when the next retry is due."""
    # One status at a time follows the index and ends at the first that are due, however many wait.
    found = sorted(row for status in ACTIVE for row in db.execute(_FIRST_DUE, (status, now, TURN)))
    if not found:
        return [], db.execute(_NEXT_DUE).fetchone()[0]
    lengths = accumulate(length for *_, length in found)
    short = sum(length <= SHORT for length in lengths)
    return [doc_id for _, _, doc_id, _ in found[: min(max(short, 1), TURN)]], None


async def postpone(workspace: Workspace, doc_id: str, reason: str, *, counts: bool, most: int) -> bool:
    """Note a failure and when to try again; ``True`` if this set the document aside.

    That happens with the ``most``-th failure that ``counts``: an outage is not the document's fault.
    """

    def note(tx: Transaction) -> bool:
        row = records.by_ids(tx.db, [doc_id]).get(doc_id)
        if row is None:
            return False
        metadata = dict(row.get("metadata") or {})
        tries = metadata.get("tries", 0) + 1
        attempts = metadata.get("attempts", 0) + counts
        dead = attempts >= most
        metadata |= {"tries": tries, "attempts": attempts, "next_at": time.time() + min(2.0**tries, 300.0)}
        if dead:
            metadata |= {"dead_letter": True}
        fields = {"error_msg": reason, "metadata": metadata, "updated_at": datetime.now(UTC).isoformat()}
        records.change(tx.db, doc_id, {"status": "failed" if dead else "pending", **fields})
        return bool(dead)

    return await workspace.write(note)


def _forget_failures(row: Record) -> Record:
    """Return the metadata of a record without what :func:`postpone` has noted in it."""
    noted = {"attempts", "next_at", "dead_letter", "tries"}
    return {name: value for name, value in (row.get("metadata") or {}).items() if name not in noted}


async def revive(workspace: Workspace) -> int:
    """Make every failed document wait again; return how many there were."""

    def again(tx: Transaction) -> int:
        rows = {
            key: row
            for key, row in records.by_statuses(tx.db, ["failed"]).items()
            if not (row.get("metadata") or {}).get("is_duplicate")
        }
        for key, row in rows.items():
            fields = {"status": "pending", "metadata": _forget_failures(row), "error_msg": None}
            records.change(tx.db, key, fields)
        return len(rows)

    return await workspace.write(again)


PAUSE_S, UNAVAILABLE_S = 1.0, 5.0
"""Seconds without a try when vectors or model are out of reach, and when the workspace itself is."""


class Worker:
    """Indexes what waits, in every workspace, at most one task for each: what is woken while it runs runs once more."""

    def __init__(self, workspaces: Workspaces, ingestor: Ingestor, *, attempts: int, side_by_side: int = 4) -> None:
        self._workspaces, self._ingestor, self._attempts = workspaces, ingestor, attempts
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._more: set[str] = set()
        self._stopped = False
        self._slots = asyncio.Semaphore(side_by_side)
        self.indexing: dict[str, str] = {}
        """The document being indexed, by workspace."""

    def wake(self, name: str) -> None:
        """Look into a workspace soon; returns at once."""
        if self._stopped:
            return
        if name in self._busy:
            self._more.add(name)
            return
        self._busy[name] = asyncio.create_task(self._attend(name), name=f"index {name}")

    async def wait_until_idle(self) -> None:
        """Return once nothing is being indexed and nothing is due; what waits for a retry may be left."""
        while self._busy:
            await asyncio.wait(list(self._busy.values()))

    async def stop(self) -> None:
        """Let the documents being indexed be finished or dropped, and end."""
        self._stopped = True
        for task in self._busy.values():
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)

    async def _attend(self, name: str) -> None:
        again: float | None = None
        try:
            again = await self._work(name)
        finally:
            del self._busy[name]
            if name in self._more:
                self._more.discard(name)
                self.wake(name)
            elif again is not None and not self._stopped:
                asyncio.get_running_loop().call_later(max(0.05, again), self.wake, name)

    async def _work(self, name: str) -> float | None:
        """Do what is due in a workspace, without errors; return after how many seconds to look again, if ever."""
        try:
            left = True
            while left:
                async with self._slots:  # those who wait are served in the order in which they came
                    left, again = await self._turn(name)
        except Temporary as error:
            structlog.get_logger().warning("workspace_unavailable", workspace=name, error=type(error).__name__)
            return UNAVAILABLE_S
        except Exception as error:  # noqa: BLE001 - the worker's edge: one workspace's failure must not end the others' indexing
            structlog.get_logger().error("indexing_stopped", workspace=name, error=locate_error(error))
            return None
        return None if again is None else again - time.time()

    async def _turn(self, name: str) -> tuple[bool, float | None]:
        """Index a few documents; return whether more may be due now, and when the next retry is if none are."""
        self._more.discard(name)
        # Not made here: one that is dropped meanwhile must not come back.
        async with self._workspaces.lease(name, create=False, patient=False) as workspace:
            if workspace.stale:
                return False, None
            await embedding_texts.finish_erase(workspace, self._ingestor.embedder)
            doc_ids, due = await workspace.read(lambda db: find_next_documents(db, time.time()))
            if not doc_ids:
                if due is None:
                    await embedding_texts.finish_reindex(workspace, self._ingestor.embedder)
                return False, due
            if len(doc_ids) > 1 and await self._index_together(workspace, doc_ids):
                return True, None
            for doc_id in doc_ids:
                if not await self._index(workspace, doc_id):
                    return False, time.time() + PAUSE_S
        return True, None

    async def _index_together(self, workspace: Workspace, doc_ids: list[str]) -> bool:
        """Index documents at once; ``False`` when that fails, for whatever reason: one by one it is seen whose."""
        started = time.monotonic()
        self.indexing[workspace.name] = doc_ids[0]
        log = structlog.get_logger().bind(workspace=workspace.name, documents=len(doc_ids))
        try:
            await self._ingestor.index(workspace, doc_ids)
        except Exception as error:  # noqa: BLE001 - the worker's edge, as below
            log.info("indexing_one_by_one", error=locate_error(error))
            return False
        finally:
            self.indexing.pop(workspace.name, None)
        log.info("documents_indexed", milliseconds=round((time.monotonic() - started) * 1000))
        return True

    async def _index(self, workspace: Workspace, doc_id: str) -> bool:
        """Index a document, or note why not; ``False`` when it was nothing about the document: the next fares alike."""
        started = time.monotonic()
        self.indexing[workspace.name] = doc_id
        log = structlog.get_logger().bind(workspace=workspace.name, document=doc_id)
        try:
            await self._ingestor.index(workspace, [doc_id])
        except DocumentRejected as error:
            await postpone(workspace, doc_id, str(error), counts=True, most=1)
            log.warning("document_rejected")
        except (Temporary, ModelRefused) as error:
            await postpone(workspace, doc_id, str(error), counts=False, most=self._attempts)
            log.warning("indexing_postponed", error=type(error).__name__)
            return False
        except Exception as error:  # noqa: BLE001 - the worker's edge: a document that breaks the indexer is retried, then set aside
            reason = str(error) if isinstance(error, MemoryServerError) else f"indexing failed: {type(error).__name__}"
            dead = await postpone(workspace, doc_id, reason, counts=True, most=self._attempts)
            log.error("indexing_failed", set_aside=dead, error=locate_error(error))  # noqa: TRY400 - a traceback quotes texts
        else:
            log.info("document_indexed", milliseconds=round((time.monotonic() - started) * 1000))
        finally:
            self.indexing.pop(workspace.name, None)
        return True
