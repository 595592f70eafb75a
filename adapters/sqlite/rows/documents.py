"""Rows of documents, as the transactions see them that add, find and remove them."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

import orjson

from adapters.sqlite.rows.codec import Row, dump_list, get_id_range, join_time
from adapters.sqlite.rows.derived import Owner, Rooms, clear_owned
from adapters.sqlite.rows.outbox import withdraw_document
from bot.memory.chunking import DocumentChunk
from bot.memory.items import Trust
from bot.memory.scope import to_number
from bot.messages import Author
from bot.ports.documents import StoredDocument
from language.analyser import Analyser

_COLUMNS: Final = (
    "id, uid, name, title, kind, url, author_id, author_name, trust, added_at, added_offset, pages, sections, chunks, "
    "characters, cut, version, "
    "(SELECT max(message_id) FROM document_messages WHERE document = documents.id) AS message_id"
)


def select_documents(rest: str) -> str:
    """Return a SELECT of what :func:`load_document` reads: for constants, never for values."""
    return f"SELECT {_COLUMNS} FROM documents {rest}"  # noqa: S608 - called with constants alone


def load_document(row: Row) -> StoredDocument:
    """Return the document of a row of :func:`select_documents`."""
    return StoredDocument(
        uid=row[1],
        name=row[2],
        title=row[3],
        kind=row[4],
        url=row[5],
        author=Author(row[6], row[7], Trust(row[8])),
        added_at=join_time(row[9], row[10]),
        message_id=row[17] or 0,
        pages=row[11],
        sections=row[12],
        chunks=row[13],
        characters=row[14],
        cut=bool(row[15]),
        version=row[16],
        number=to_number(row[0]),
    )


def take_numbers(connection: sqlite3.Connection, scope_no: int, chunks: int) -> tuple[int, int]:
    """Return the id of a new document and that of its first chunk; neither was ever given."""
    document, chunk = connection.execute(
        "INSERT INTO document_numbers VALUES (?1, 1, ?2, 1) ON CONFLICT (scope_no) DO UPDATE SET "
        "document_seq = document_numbers.document_seq + 1, chunk_seq = document_numbers.chunk_seq + ?2, "
        "changes = document_numbers.changes + 1 "
        "RETURNING document_seq, chunk_seq",
        (scope_no, chunks),
    ).fetchone()
    return scope_no << 32 | document, scope_no << 32 | (chunk - chunks + 1)


def note_change(connection: sqlite3.Connection, scope_no: int) -> None:
    """Make everybody who holds the scope's vectors in memory read them again."""
    connection.execute("UPDATE document_numbers SET changes = changes + 1 WHERE scope_no = ?", (scope_no,))


Stems = tuple[str, str]
"""The stemmed words of a chunk: of its document's name and its headings, and of its text."""


def list_stems(words: Analyser, name: str, chunk: DocumentChunk) -> Stems:
    """Return the words that a chunk is found by; a long document's take seconds, and need no transaction."""
    return " ".join(words.keys(" ".join((name, *chunk.headings)))), " ".join(words.keys(chunk.text))


def insert_chunks(
    connection: sqlite3.Connection, document: int, first: int, chunks: Sequence[DocumentChunk], stems: Sequence[Stems]
) -> None:
    """Store a document's chunks, ready to be found by their words at once and by their meaning soon."""
    for chunk_id, (chunk, stemmed) in enumerate(zip(chunks, stems, strict=True), first):
        connection.execute(
            "INSERT INTO document_chunks VALUES (?, ?, ?, ?, ?)",
            (chunk_id, document, dump_list(chunk.headings), chunk.page, chunk.text),
        )
        index_chunk(connection, chunk_id, stemmed)


def index_chunk(connection: sqlite3.Connection, chunk_id: int, stems: Stems) -> None:
    """Index a chunk by its words and put it on the backlog."""
    connection.execute("INSERT INTO document_fts (rowid, head, body) VALUES (?, ?, ?)", (chunk_id, *stems))
    connection.execute("INSERT INTO document_backlog VALUES (?) ON CONFLICT DO NOTHING", (chunk_id,))


def load_headings(written: str) -> tuple[str, ...]:
    """Return a path of headings, () for one that is damaged."""
    try:
        return tuple(map(str, orjson.loads(written)))
    except (ValueError, TypeError):
        return ()


def list_documents_named(connection: sqlite3.Connection, scope_no: int, uids: Iterable[str]) -> list[tuple[int, str]]:
    """Return id and uid of the documents with these uids, and of those that nothing but these exchanges brought."""
    low, high = get_id_range(scope_no)
    return connection.execute(
        "SELECT id, uid FROM documents WHERE id BETWEEN ?1 AND ?2 AND (uid IN (SELECT value FROM json_each(?3)) OR "
        "id IN (SELECT document FROM document_messages WHERE document BETWEEN ?1 AND ?2 "
        "GROUP BY document HAVING min(CASE WHEN exchange IN (SELECT value FROM json_each(?3)) THEN 1 ELSE 0 END) = 1))",
        (low, high, dump_list(list(uids))),
    ).fetchall()


def remove_documents(
    connection: sqlite3.Connection, rooms: Rooms, scope_no: int, documents: Sequence[int]
) -> tuple[str, ...]:
    """Forget documents with all that was made of them, and have long-term memory forget them; return their sources."""
    sources: list[str] = []
    for document in documents:
        rows = connection.execute("SELECT source FROM document_sources WHERE document = ?", (document,)).fetchall()
        sources += [row[0] for row in rows]
        for (source,) in rows:
            withdraw_document(connection, scope_no, source)
        chunks = connection.execute(
            "SELECT coalesce(min(id), 0), coalesce(max(id), -1) FROM document_chunks WHERE document = ?", (document,)
        ).fetchone()
        clear_owned(connection, rooms, Owner.CHUNK, chunks)
        clear_owned(connection, rooms, Owner.DOCUMENT, (document, document))
    if documents:
        note_change(connection, scope_no)
    return tuple(sources)


def reindex_documents(connection: sqlite3.Connection, words: Analyser, scope_no: int | None = None) -> None:
    """Make words anew for chunks that have none, and put them on the backlog: of a scope, or of all."""
    low, high = get_id_range(scope_no) if scope_no is not None else (0, 2**63 - 1)
    rows = connection.execute(
        "SELECT document_chunks.id, name, headings, text FROM document_chunks JOIN documents "
        "ON documents.id = document WHERE document_chunks.id BETWEEN ? AND ? "
        "AND document_chunks.id NOT IN (SELECT rowid FROM document_fts)",
        (low, high),
    ).fetchall()
    for chunk_id, name, headings, text in rows:
        index_chunk(connection, chunk_id, list_stems(words, name, DocumentChunk(load_headings(headings), text)))
    if scope_no is not None:
        note_change(connection, scope_no)
