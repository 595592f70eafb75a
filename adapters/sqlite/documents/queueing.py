"""Hands documents to long-term memory through the outbox, at once or when it is on again.

Their texts stand in the chunks, so that long-term memory can always be filled from here again.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from adapters.sqlite.rows.codec import join_time
from adapters.sqlite.rows.documents import load_headings
from adapters.sqlite.rows.outbox import enqueue_document
from bot.memory.document import source_name
from bot.memory.documents.chunking import DocumentChunk
from bot.memory.documents.indexing import name_part, render_part, split_parts
from bot.memory.scope import Scope
from bot.ports.document_store import NewDocument

_PARTS: Final = (
    "SELECT document, source, first, last, name, title, added_at, added_offset FROM document_sources "
    "JOIN documents ON documents.id = document "
)
_CHUNKS: Final = "SELECT headings, text, page FROM document_chunks WHERE id BETWEEN ? AND ? ORDER BY id"


def queue_parts(
    connection: sqlite3.Connection, scope: Scope, document: int, first: int, new: NewDocument, *, deferred: bool
) -> None:
    """Name the parts of a document that was just stored, its chunks from id ``first`` on, and queue them."""
    for number, part in enumerate(split_parts(new.chunks), 1):
        source = source_name(new.added_at, scope.tag, name_part(new.uid, number), file=True)
        span = (first + part.first, first + part.last)
        connection.execute(
            "INSERT INTO document_sources VALUES (?, ?, ?, ?, ?)", (document, source, *span, int(deferred))
        )
        if not deferred:
            text = render_part(new.name, new.title, new.added_at, source, new.chunks[part.first : part.last + 1])
            enqueue_document(connection, document >> 32, source, text)


def queue_deferred_parts(connection: sqlite3.Connection, limit: int) -> int:
    """Queue parts that came while long-term memory was off; return how many."""
    rows = connection.execute(f"{_PARTS} WHERE deferred = 1 ORDER BY document, first LIMIT ?", (limit,)).fetchall()
    return sum(_queue(connection, row) for row in rows)


def queue_parts_again(
    connection: sqlite3.Connection, after: tuple[int, int], limit: int, scope_no: int | None
) -> tuple[int, tuple[int, int]]:
    """Queue the next parts behind document and first chunk ``after``, unless they wait already.

    Return how many, and where to go on; (0, 0) at the end.
    """
    rows = connection.execute(
        f"{_PARTS} WHERE (document, first) > (?, ?) AND (? IS NULL OR document >> 32 = ?) "
        "ORDER BY document, first LIMIT ?",
        (*after, scope_no, scope_no, limit),
    ).fetchall()
    return sum(_queue(connection, row) for row in rows), (rows[-1][0], rows[-1][2]) if rows else (0, 0)


def _queue(connection: sqlite3.Connection, row: tuple[int, str, int, int, str, str, float, int]) -> int:
    document, source, first, last, name, title, added_at, offset = row
    connection.execute("UPDATE document_sources SET deferred = 0 WHERE document = ? AND source = ?", (document, source))
    waiting = connection.execute("SELECT 1 FROM outbox WHERE scope_no = ? AND source = ?", (document >> 32, source))
    if waiting.fetchone() is not None:
        return 0
    chunks = [
        DocumentChunk(load_headings(headings), text, page)
        for headings, text, page in connection.execute(_CHUNKS, (first, last))
    ]
    text = render_part(name, title, join_time(added_at, offset), source, chunks)
    enqueue_document(connection, document >> 32, source, text)
    return 1
