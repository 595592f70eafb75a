"""Documents on their way in: accepted durably, waiting, retried, set aside.

The commit here is what a 200 stands for.  Whether the same text exists elsewhere does not matter: two exchanges may say
the same.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import md5
from typing import Any

from memory_server.chunking.headings import clean
from memory_server.errors import DocumentRejected
from memory_server.storage import kv, records
from memory_server.storage.workspace import Workspace

ACTIVE = ("pending", "parsing", "analyzing", "processing")
SUMMARY = 100
_COUNT_WAITING = "SELECT count(*) FROM status WHERE status IN ('pending', 'parsing', 'analyzing', 'processing')"
_FIRST_DUE = (
    "SELECT COALESCE(created_at, ''), no, id FROM status WHERE status = ? "
    "AND COALESCE(json_extract(data, '$.metadata.next_at'), 0) <= ? ORDER BY created_at, no LIMIT 1"
)
_NEXT_DUE = (
    "SELECT min(COALESCE(json_extract(data, '$.metadata.next_at'), 0)) FROM status "
    "WHERE status IN ('pending', 'parsing', 'analyzing', 'processing')"
)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A text to index: ``source`` is its file name (no folders), ``chunking`` LightRAG's request object or nothing."""

    source: str
    text: str
    chunking: dict[str, Any] | None = None  # Any: validated JSON of the request


@dataclass(frozen=True, slots=True)
class Conflict:
    """A source that is there already, and its status."""

    source: str
    status: str


class TooMany(DocumentRejected):
    """The workspace has as many waiting documents as it may."""


def document_id(source: str) -> str:
    """Return the id of a source, as LightRAG makes it."""
    return f"doc-{md5(source.encode(), usedforsecurity=False).hexdigest()}"


async def accept(
    workspace: Workspace, incoming: Sequence[Incoming], track_id: str, *, most_pending: int
) -> tuple[Conflict, ...]:
    """Store texts to be indexed, fsynced when this returns; return those whose source is there already.

    With a conflict nothing is stored.  Raises :class:`DocumentRejected` for a text that is empty once it is cleaned
    and :class:`TooMany` when too many documents wait.
    """
    texts = [clean(document.text) for document in incoming]
    if not all(texts):
        raise DocumentRejected("the text is empty once control characters are removed")

    def store(db: sqlite3.Connection) -> tuple[Conflict, ...]:
        names = {document_id(document.source): document.source for document in incoming}
        known = records.by_ids(db, list(names))
        if known:
            return tuple(Conflict(names[key], row["status"]) for key, row in known.items())
        if count_waiting(db) + len(incoming) > most_pending:
            raise TooMany(f"{most_pending} documents are waiting already")
        now = datetime.now(UTC).isoformat()
        for document, text in zip(incoming, texts, strict=True):
            records.store(db, {document_id(document.source): _record(document.source, text, track_id, now)})
        return ()

    def change(tx: Any) -> tuple[Conflict, ...]:  # Any: the open transaction
        conflicts = store(tx.db)
        if not conflicts:
            for document, text in zip(incoming, texts, strict=True):
                full: dict[str, Any] = {
                    "content": text,
                    "file_path": document.source,
                    "parse_format": "raw",
                }  # Any: JSON
                full |= {"chunking": document.chunking} if document.chunking else {}
                kv.store(tx, "full_docs", {document_id(document.source): full})
        return conflicts

    return await workspace.write(change)


def count_waiting(db: sqlite3.Connection) -> int:
    """Return how many documents wait to be indexed."""
    (count,) = db.execute(_COUNT_WAITING).fetchone()
    return int(count)


def find_next_document(db: sqlite3.Connection, now: float) -> tuple[str | None, float | None]:
    """Return the next document to index, or (``None`` and) when the next retry is due, if one waits for that."""
    # One status at a time follows the index and ends at the first that is due, however many wait.
    found = [row for status in ACTIVE if (row := db.execute(_FIRST_DUE, (status, now)).fetchone()) is not None]
    if found:
        return min(found)[2], None
    (later,) = db.execute(_NEXT_DUE).fetchone()
    return None, later


async def postpone(workspace: Workspace, doc_id: str, reason: str, *, counts: bool, most: int) -> bool:
    """Note a failure and when to try again; ``True`` if this set the document aside.

    That happens with the ``most``-th failure that ``counts``: an outage is not the document's fault.
    """

    def note(tx: Any) -> bool:  # Any: the open transaction
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
        status = "failed" if dead else "pending"
        fields = {
            "status": status,
            "error_msg": reason,
            "metadata": metadata,
            "updated_at": datetime.now(UTC).isoformat(),
        }
        records.change(tx.db, doc_id, fields)
        return bool(dead)

    return await workspace.write(note)


async def revive(workspace: Workspace) -> int:
    """Make every failed document wait again; return how many there were."""

    def again(tx: Any) -> int:  # Any: the open transaction
        rows = {
            key: row
            for key, row in records.by_statuses(tx.db, ["failed"]).items()
            if not (row.get("metadata") or {}).get("is_duplicate")
        }
        for key, row in rows.items():
            kept = {
                k: v
                for k, v in (row.get("metadata") or {}).items()
                if k not in {"attempts", "next_at", "dead_letter", "tries"}
            }
            records.change(tx.db, key, {"status": "pending", "metadata": kept, "error_msg": None})
        return len(rows)

    return await workspace.write(again)


def _record(source: str, text: str, track_id: str, now: str) -> dict[str, Any]:  # Any: LightRAG's record
    summary = text[:SUMMARY] + ("..." if len(text) > SUMMARY else "")
    return {
        "status": "pending",
        "content_summary": summary,
        "content_length": len(text),
        "created_at": now,
        "updated_at": now,
        "file_path": source,
        "track_id": track_id,
        "metadata": {},
    }
