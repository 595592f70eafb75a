"""The port DocumentStore over SQLite, which hands documents to long-term memory at once or when it is on again.

Their texts stand in the chunks, so that long-term memory can always be filled from here again.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from adapters.sqlite.database import Database, Store, reading
from adapters.sqlite.rows.codec import ensure_scope, find_range, get_id_range, join_time, split_time
from adapters.sqlite.rows.derived import ALL_ROWS, Owner, Room, Rooms, Table
from adapters.sqlite.rows.documents import (
    Stems,
    insert_chunks,
    list_stems,
    load_document,
    load_headings,
    note_change,
    reindex_documents,
    remove_documents,
    select_documents,
    take_numbers,
)
from adapters.sqlite.rows.outbox import enqueue_document
from bot.errors import StorageUnavailable
from bot.memory.chunking import DocumentChunk, name_part, render_part, split_parts
from bot.memory.document import source_name
from bot.memory.items import Origin
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.documents import DocumentPage, NewDocument, OutlineEntry, StoredDocument
from bot.turn import Exchange
from language.analyser import Analyser

_MOST_FOUND: Final = 20
_BY_ID: Final = select_documents("WHERE id = ?")
_BY_UID: Final = select_documents("WHERE uid = ? AND id BETWEEN ? AND ?")
_NEWEST: Final = select_documents("WHERE id BETWEEN ? AND ? ORDER BY added_at DESC, id DESC LIMIT ? OFFSET ?")
_SAME: Final = (
    "SELECT id, hash = ?1, version, uid FROM documents WHERE id BETWEEN ?3 AND ?4 AND (hash = ?1 OR folded = ?2) "
    "ORDER BY hash = ?1 DESC, id DESC"
)
_NAMED: Final = select_documents(
    "WHERE id BETWEEN ?1 AND ?2 AND (folded = ?3 OR (id & 4294967295) = ?4 OR uid = ?3 OR url = ?5 "
    "OR instr(folded, ?3) > 0 OR instr(fold_name(title), ?3) > 0) "
    "ORDER BY folded = ?3 DESC, (id & 4294967295) = ?4 DESC, instr(folded, ?3) > 0 DESC, added_at DESC LIMIT ?6"
)
_MOST_PARTS: Final = 100_000
"""Of one version: no two of a document share the name of a part."""
_BROUGHT: Final = "SELECT 1 FROM document_messages WHERE document = ?"
_CARRIED: Final = select_documents(
    "WHERE id BETWEEN ?1 AND ?2 AND id IN (SELECT document FROM document_messages WHERE place = ?3 "
    "AND (message_id = ?4 "
    "OR entry IN (SELECT journal.id FROM places JOIN deliveries ON place_no = places.no JOIN journal ON place = key "
    "AND deliveries.id >= first_delivery AND deliveries.id < first_delivery + journal.deliveries "
    "WHERE key = ?3 AND deliveries.message_id = ?4))) "
    "ORDER BY id"
)


class SqliteDocuments(Store):
    """The port :class:`~bot.ports.documents.DocumentStore`."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._words = Analyser()

    async def add(self, scope: Scope, document: NewDocument, *, index: bool) -> StoredDocument:
        """Keep a document, see :class:`~bot.ports.documents.DocumentStore`.

        Raises :class:`~bot.errors.StorageUnavailable` also where the whole scope was erased after the message came in.
        """
        name = clean(document.name)
        stems = await asyncio.to_thread(lambda: [list_stems(self._words, name, chunk) for chunk in document.chunks])
        work = partial(add_document, rooms=self.database.rooms, scope=scope, new=document, stems=stems, index=index)
        added = await self.database.write(work)
        if added is None:
            raise StorageUnavailable("this memory was erased while the document was read")
        return added

    @reading
    def list_documents(
        self, connection: sqlite3.Connection, scope: Scope, *, start: int = 0, size: int = 10
    ) -> DocumentPage:
        limits = find_range(connection, scope)
        (total,) = connection.execute("SELECT count(*) FROM documents WHERE id BETWEEN ? AND ?", limits).fetchone()
        rows = connection.execute(_NEWEST, (*limits, size, start)).fetchall()
        return DocumentPage(tuple(map(load_document, rows)), int(total))

    @reading
    def get(self, connection: sqlite3.Connection, scope: Scope, uid: str) -> StoredDocument | None:
        row = connection.execute(_BY_UID, (uid, *find_range(connection, scope))).fetchone()
        return None if row is None else load_document(row)

    @reading
    def find(self, connection: sqlite3.Connection, scope: Scope, name: str) -> tuple[StoredDocument, ...]:
        name = clean(name).strip()
        if not name:
            return ()
        connection.create_function("fold_name", 1, fold_name, deterministic=True)
        number = (
            int(name.removeprefix("#")) if name.removeprefix("#").isdecimal() and len(name) < _LONGEST_NUMBER else -1
        )
        wanted = (*find_range(connection, scope), fold_name(name), number, name, _MOST_FOUND)
        found = tuple(map(load_document, connection.execute(_NAMED, wanted).fetchall()))
        if found and (fold_name(found[0].name) == fold_name(name) or found[0].number == number):
            return found[:1]
        return found

    @reading
    def find_carried(
        self, connection: sqlite3.Connection, scope: Scope, place: str, message_id: int
    ) -> tuple[StoredDocument, ...]:
        if not message_id:
            return ()
        rows = connection.execute(_CARRIED, (*find_range(connection, scope), place, message_id)).fetchall()
        return tuple(map(load_document, rows))

    @reading
    def outline(self, connection: sqlite3.Connection, scope: Scope, uid: str) -> tuple[OutlineEntry, ...]:
        rows = connection.execute(
            "SELECT headings, min(nullif(page, 0)), sum(length(text)) FROM document_chunks WHERE document = ? "
            "GROUP BY headings ORDER BY min(id)",
            (_find_id(connection, scope, uid),),
        ).fetchall()
        return tuple(OutlineEntry(load_headings(headings), page or 0, size) for headings, page, size in rows)

    @reading
    def read_chunks(
        self, connection: sqlite3.Connection, scope: Scope, uid: str, *, start: int = 0, size: int = 200
    ) -> tuple[DocumentChunk, ...]:
        rows = connection.execute(
            "SELECT headings, text, page FROM document_chunks WHERE document = ? ORDER BY id LIMIT ? OFFSET ?",
            (_find_id(connection, scope, uid), size, start),
        ).fetchall()
        return tuple(DocumentChunk(load_headings(headings), text, page) for headings, text, page in rows)


def is_there(connection: sqlite3.Connection, scope_no: int, new: NewDocument) -> bool:
    """Return whether a scope has a document of this content, or of this name."""
    same = (new.content_hash, fold_name(clean(new.name)), *get_id_range(scope_no))
    return connection.execute(_SAME, same).fetchone() is not None


def add_document(
    connection: sqlite3.Connection,
    rooms: Rooms,
    scope: Scope,
    new: NewDocument,
    stems: Sequence[Stems],
    index: bool,  # noqa: FBT001 - bound by name
) -> StoredDocument | None:
    """Store a document inside a transaction; ``None`` where the scope was erased after its message came in."""
    scope_no = ensure_scope(connection, scope)
    if connection.execute(
        "SELECT 1 FROM journal_erased WHERE entry_id = ? AND scope_no = ?", (new.entry, scope_no)
    ).fetchone():
        return None
    name = clean(new.name)
    low, high = get_id_range(scope_no)
    there = connection.execute(_SAME, (new.content_hash, fold_name(name), low, high)).fetchall()
    if there and there[0][1]:
        document = there[0][0]
        _note_message(connection, document, new)
        return load_document(connection.execute(_BY_ID, (document,)).fetchone())
    version = 1 + max((row[2] for row in there), default=0)
    uid = there[0][3] if there else new.uid  # what was answered from an earlier version goes with the last one
    remove_documents(connection, rooms, scope_no, [row[0] for row in there])
    document, first = take_numbers(connection, scope_no, len(new.chunks))
    seconds, offset = split_time(new.added_at)
    author = new.author
    connection.execute(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document,
            uid,
            name,
            fold_name(name),
            clean(new.title),
            new.kind,
            clean(new.url),
            author.id,
            clean(author.name),
            int(author.trust),
            seconds,
            offset,
            new.content_hash,
            new.pages,
            len({chunk.headings for chunk in new.chunks if chunk.headings}),
            len(new.chunks),
            sum(len(chunk.text) for chunk in new.chunks),
            int(new.cut),
            version,
        ),
    )
    insert_chunks(connection, document, first, new.chunks, stems)
    _note_message(connection, document, new)
    queue_parts(connection, scope, document, first, replace(new, uid=uid), version=version, deferred=not index)
    return load_document(connection.execute(_BY_ID, (document,)).fetchone())


def _note_message(connection: sqlite3.Connection, document: int, new: NewDocument) -> None:
    connection.execute(
        "INSERT INTO document_messages VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (document, new.entry, new.place, new.message_id, new.exchange),
    )


def fold_name(name: str) -> str:
    """Return a name as names are compared."""
    return " ".join(name.casefold().split())


_LONGEST_NUMBER: Final = 11


def _find_id(connection: sqlite3.Connection, scope: Scope, uid: str) -> int:
    """Return a document's id, 0 for none of this scope."""
    row = connection.execute(
        "SELECT id FROM documents WHERE uid = ? AND id BETWEEN ? AND ?", (uid, *find_range(connection, scope))
    ).fetchone()
    return 0 if row is None else int(row[0])


_PARTS: Final = (
    "SELECT document, source, first, last, name, title, added_at, added_offset FROM document_sources "
    "JOIN documents ON documents.id = document "
)
_CHUNKS: Final = "SELECT headings, text, page FROM document_chunks WHERE id BETWEEN ? AND ? ORDER BY id"


def queue_parts(
    connection: sqlite3.Connection,
    scope: Scope,
    document: int,
    first: int,
    new: NewDocument,
    *,
    version: int,
    deferred: bool,
) -> None:
    """Name the parts of a document that was just stored, its chunks from id ``first`` on, and queue them."""
    for number, part in enumerate(split_parts(new.chunks), 1 + _MOST_PARTS * (version - 1)):
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
        f"{_PARTS} WHERE (document, first) > (?1, ?2) AND (?3 IS NULL OR document >> 32 = ?3) "
        "ORDER BY document, first LIMIT ?4",
        (*after, scope_no, limit),
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


def _repair(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM document_chunks WHERE document NOT IN (SELECT id FROM documents)")
    connection.execute(
        "INSERT INTO document_numbers SELECT id >> 32, max(id & 4294967295), max((SELECT coalesce(max(chunk.id), 0) "
        "& 4294967295 FROM document_chunks AS chunk WHERE chunk.id >> 32 = documents.id >> 32)), 1 FROM documents "
        "GROUP BY id >> 32 ON CONFLICT (scope_no) DO UPDATE SET "
        "document_seq = max(document_numbers.document_seq, excluded.document_seq), "
        "chunk_seq = max(document_numbers.chunk_seq, excluded.chunk_seq)"
    )


def _revise(connection: sqlite3.Connection, rooms: Rooms, scope_no: int, at: Address, said: Exchange) -> None:
    """Forget what an edited message brought before and carries no more.

    What it still carries stays, though it could not be read again: a file of the same name, an address in its words.
    """
    low, high = get_id_range(scope_no)
    brought = connection.execute(
        "SELECT document, entry, name, url FROM document_messages JOIN documents ON documents.id = document "
        "WHERE document BETWEEN ? AND ? AND place = ? AND message_id = ? AND exchange <> ?",
        (low, high, at.key, said.revises, said.uid),
    ).fetchall()
    carried = {part.text for part in said.parts if part.origin is Origin.FILE}
    gone = [row[:2] for row in brought if row[2] not in carried and not (row[3] and row[3] in said.said)]
    connection.executemany("DELETE FROM document_messages WHERE document = ? AND entry = ?", gone)
    orphans = {row[0] for row in gone if not connection.execute(_BROUGHT, row[:1]).fetchone()}
    remove_documents(connection, rooms, scope_no, sorted(orphans))


_OF_DOCUMENT: Final = {Owner.DOCUMENT: "document"}
_OF_CHUNK: Final = {Owner.CHUNK: "id"}
ROOM: Final = Room(
    "documents",
    (
        Table("documents", ranged="id", owners={Owner.DOCUMENT: "id"}, shown="files", held=ALL_ROWS, spare=ALL_ROWS),
        Table("document_messages", ranged="document", owners=_OF_DOCUMENT, held=ALL_ROWS, spare=ALL_ROWS),
        Table("document_sources", ranged="document", owners=_OF_DOCUMENT, held=ALL_ROWS, spare=ALL_ROWS),
        Table(
            "document_chunks",
            ranged="id",
            owners=_OF_DOCUMENT | _OF_CHUNK,
            shown="chunks of files",
            held=ALL_ROWS,
            spare=ALL_ROWS,
        ),
        Table("document_numbers", why="numbers that are never given again"),
        Table("document_fts", ranged="rowid", owners={Owner.CHUNK: "rowid"}, shown="chunks by words", remade=True),
        Table("document_vectors", ranged="id", owners=_OF_CHUNK, shown="chunks by vector", remade=True),
        Table("document_backlog", ranged="id", owners=_OF_CHUNK, remade=True),
    ),
    file="documents",
    revise=_revise,
    forget_scope=note_change,
    remake=reindex_documents,
    repair=_repair,
)
