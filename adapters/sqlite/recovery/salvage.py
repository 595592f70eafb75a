"""Copies every readable row of a damaged file into a new one.

Rows are read in ranges of their numbers, forwards and backwards.  Around a damaged page the range is halved, widest
ranges first, until only the unreadable rows are lost.  What is derived (words, vectors, search indexes) is not copied
but made anew.  At last the saved rows are made to fit together again: scopes, sources, the order of the outbox.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import structlog

from adapters.sqlite.engine import connection
from adapters.sqlite.engine.schema import Component, migrate
from adapters.sqlite.rows.documents import reindex_documents
from adapters.sqlite.rows.items import index_item, load_items, select_items
from adapters.sqlite.rows.meta import REBUILD_DUE, write_meta
from adapters.sqlite.rows.outbox import restore_head
from bot.memory.document import parse_source
from language.analyser import Analyser

BROKEN: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; the second when the message quotes a damaged schema."""
_PROBES: Final = 5_000
"""Container of a range that are tried: a damaged page may cover a wide gap between the numbers of two scopes."""
_SMALL_NUMBERS: Final = 1 << 16
"""Up to here the numbers of places, sessions, deliveries and the like are looked through one by one."""
_TRUE: Final = frozenset({"storage", "chat settings", "documents", "browsing"})
"""Components whose rows can be made of nothing else; the others are derived."""
_REBUILT: Final = frozenset({"item_vectors", "item_backlog", "document_vectors", "document_backlog", "schema_versions"})
_HIGHEST: Final = 2**62

Row = tuple[Any, ...]  # Any: column values
Keep = Callable[[Row], None]
_ITEMS: Final = select_items("")
_RAISE_EXCHANGE_NUMBERS: Final = (
    "UPDATE scopes SET exchange_seq = max(exchange_seq, coalesce((SELECT max(id) & 4294967295 FROM exchanges "
    "WHERE id BETWEEN scopes.no << 32 AND (scopes.no << 32) + 4294967295), 0))"
)
_RAISE_ITEM_NUMBERS: Final = (
    "UPDATE scopes SET item_seq = max(item_seq, coalesce((SELECT max(id) & 4294967295 FROM items "
    "WHERE id BETWEEN scopes.no << 32 AND (scopes.no << 32) + 4294967295), 0))"
)
_RAISE_DOCUMENT_NUMBERS: Final = (
    "INSERT INTO document_numbers SELECT id >> 32, max(id & 4294967295), max((SELECT coalesce(max(chunk.id), 0) "
    "& 4294967295 FROM document_chunks AS chunk WHERE chunk.id >> 32 = documents.id >> 32)), 1 FROM documents "
    "GROUP BY id >> 32 ON CONFLICT (scope_no) DO UPDATE SET document_seq = max(document_seq, excluded.document_seq), "
    "chunk_seq = max(chunk_seq, excluded.chunk_seq)"
)
_SAFE_GAP: Final = 1_000_000
"""Journal numbers left out after a recovery: exchanges are named after them, and a name must never be given twice."""


def open_aside(path: Path) -> sqlite3.Connection:
    """Open a file without ever writing to it; the write-ahead log beside it is read, too."""
    opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    opened.text_factory = lambda raw: raw.decode(errors="replace")
    return opened


def rebuild(path: Path, draft: Path, schema: tuple[Component, ...]) -> tuple[int, list[str]]:
    """Build ``draft`` from the readable rows of ``path``; return how many, and the tables that lost some."""
    connection.create_file(draft)
    new = sqlite3.connect(draft, isolation_level=None)
    try:
        new.execute("PRAGMA synchronous = FULL")
        migrate(new, tuple(part for part in schema if part.name in _TRUE), draft)
        tables = _list_tables(new)
        migrate(new, schema, draft)
        new.execute("BEGIN IMMEDIATE")
        copied, lost = _copy_all(path, new, tables)
        _repair(new)
        new.execute("COMMIT")
    finally:
        new.close()
    return copied, lost


def _list_tables(new: sqlite3.Connection) -> list[str]:
    rows = new.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
        "AND name NOT LIKE 'items_fts%' AND name NOT LIKE 'document_fts%' AND name NOT LIKE 'sqlite%'"
    ).fetchall()
    return [name for (name,) in rows if name not in _REBUILT]


def _copy_all(path: Path, new: sqlite3.Connection, tables: list[str]) -> tuple[int, list[str]]:
    copied, torn = 0, []
    try:
        old = open_aside(path)
        old.execute("PRAGMA writable_schema = ON")  # reads on where the file is shorter than its header says
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BROKEN:
        torn = tables
    else:
        for table in tables:
            count, complete = _copy_table(old, new, table)
            copied += count
            if not complete:
                torn.append(table)
        old.close()
    return copied, torn


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> tuple[int, bool]:
    try:
        present = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
    except BROKEN:
        return 0, False
    wanted = [row[1] for row in new.execute(f"PRAGMA table_info({table})") if row[1] in present]
    if not wanted:
        return 0, True
    names = ", ".join(wanted)
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(wanted))})"  # noqa: S608 - any table of the schema
    copied = 0

    def keep(row: Row) -> None:
        nonlocal copied
        try:
            copied += new.execute(insert, row[: len(wanted)]).rowcount
        except sqlite3.Error:  # what the schema refuses was damaged, too
            structlog.get_logger().warning("row not recovered", table=table)

    (definition,) = new.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    if "WITHOUT ROWID" in definition:
        complete = _copy_from_ends(old, f"SELECT {names} FROM {table}", keep)  # noqa: S608 - any table of the schema
    else:
        select = f"SELECT {names}, rowid FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid"  # noqa: S608 - any table of the schema
        complete = _copy_ranges(old, select, _list_dense_ranges(new), keep)
    return copied, complete


def _copy_from_ends(old: sqlite3.Connection, select: str, keep: Keep) -> bool:
    """Read a table that is its own index from both ends, as far as each goes."""
    for order in ("", " ORDER BY 1 DESC"):
        try:
            for row in old.execute(select + order):
                keep(row)
        except BROKEN:
            continue
        return order == ""
    return False


def _list_dense_ranges(new: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return where row numbers stand close together: from 0 on, and from the beginning of each scope that was saved."""
    rows = new.execute("SELECT no << 32, (no << 32) + max(exchange_seq, item_seq) FROM scopes ORDER BY no").fetchall()
    return [(0, _SMALL_NUMBERS), *rows]


def _copy_ranges(old: sqlite3.Connection, select: str, dense: list[tuple[int, int]], keep: Keep) -> bool:
    """Read a table by ranges of row numbers; return whether nothing was unreadable."""
    last, whole = _read_forwards(old, select, 0, _HIGHEST, keep)
    if whole:
        return True
    for low, high in [(last + 1, _HIGHEST), *dense]:
        waiting = deque([(max(low, last + 1), high)])
        for _ in range(_PROBES):
            if not waiting:
                break
            waiting += _split(old, select, waiting.popleft(), keep)
    return False


def _split(old: sqlite3.Connection, select: str, numbers: tuple[int, int], keep: Keep) -> list[tuple[int, int]]:
    """Read a range from both ends and return the halves of what lies between where the two were stopped."""
    last, whole = _read_forwards(old, select, *numbers, keep)
    if whole:
        return []
    first, whole = _read_backwards(old, select, last + 1, numbers[1], keep)
    if whole or last + 1 >= first - 1:
        return []
    middle = (last + first) // 2
    return [(last + 1, middle), (middle + 1, first - 1)]


def _read_forwards(old: sqlite3.Connection, select: str, low: int, high: int, keep: Keep) -> tuple[int, bool]:
    last = low - 1
    try:
        for row in old.execute(select, (low, high)):
            keep(row)
            last = row[-1]
    except BROKEN:
        return last, False
    return last, True


def _read_backwards(old: sqlite3.Connection, select: str, low: int, high: int, keep: Keep) -> tuple[int, bool]:
    first = high + 1
    try:
        for row in old.execute(f"{select} DESC", (low, high)):
            keep(row)
            first = row[-1]
    except BROKEN:
        return first, False
    return first, True


def _repair(new: sqlite3.Connection) -> None:
    """Rebuild words, sources, scopes and queue order from what is there; rows that make no sense go."""
    _restore_scopes(new)
    words = Analyser()
    rows = new.execute(_ITEMS).fetchall()
    items = load_items(rows)
    kept = {item.id for item in items}
    for item in items:
        index_item(new, words, item)
    new.executemany("DELETE FROM items WHERE id = ?", [(row[0],) for row in rows if row[0] not in kept])
    new.execute("DELETE FROM item_sources WHERE item_id NOT IN (SELECT id FROM items)")
    new.execute("INSERT OR IGNORE INTO item_sources SELECT id, exchange FROM items WHERE exchange <> ''")
    new.execute(
        "DELETE FROM outbox WHERE exchange_id IS NOT NULL AND exchange_id NOT IN (SELECT id FROM exchanges)"
    )  # its text is lost with the exchange
    for (scope_no,) in new.execute("SELECT DISTINCT scope_no FROM outbox").fetchall():
        new.execute("UPDATE outbox SET head = 0 WHERE scope_no = ?", (scope_no,))
        restore_head(new, scope_no)
    new.execute(
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'journal', 0 WHERE NOT EXISTS "
        "(SELECT 1 FROM sqlite_sequence WHERE name = 'journal')"
    )
    new.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'journal'", (_SAFE_GAP,))
    if _has_documents(new):
        new.execute("DELETE FROM document_chunks WHERE document NOT IN (SELECT id FROM documents)")
        reindex_documents(new, words)
    write_meta(new, REBUILD_DUE)


def _restore_scopes(new: sqlite3.Connection) -> None:
    """Give lost scopes their names back from their documents, and numbers that were never given."""
    orphans = new.execute(
        "SELECT scope_no, max(source) FROM exchanges WHERE scope_no NOT IN (SELECT no FROM scopes) GROUP BY scope_no"
    ).fetchall()
    for scope_no, source in orphans:
        parsed = parse_source(source)
        if parsed is not None:
            new.execute("INSERT OR IGNORE INTO scopes (no, tag) VALUES (?, ?)", (scope_no, parsed.tag))
    new.execute(_RAISE_EXCHANGE_NUMBERS)
    new.execute(_RAISE_ITEM_NUMBERS)
    if _has_documents(new):
        new.execute(_RAISE_DOCUMENT_NUMBERS)


def _has_documents(new: sqlite3.Connection) -> bool:
    """Whether the file is to hold documents."""
    return new.execute("SELECT 1 FROM sqlite_master WHERE name = 'documents'").fetchone() is not None
