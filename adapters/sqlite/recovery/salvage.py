"""Copies every readable row of a damaged file into a new one.

Rows are read page by page, so that a destroyed page costs what stood on it and nothing below or beside it.  What is
derived (words, vectors, search indexes) is not copied but made anew.  At last the saved rows are made to fit together
again: scopes, sources, the order of the outbox.
Lost exchanges come back from the documents that long-term memory has of them; whom they belong to, when and where they
were said stands in the indexes, which have pages of their own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import structlog

from adapters.sqlite import connection
from adapters.sqlite.connection import migrate, open_aside
from adapters.sqlite.recovery.beside import read_schema_copy
from adapters.sqlite.recovery.pages import Forest, PageFile, Record, Value, list_trees
from adapters.sqlite.rows.codec import REBUILD_DUE, dump_list, write_meta
from adapters.sqlite.rows.derived import Rooms, list_tables
from bot.memory.document import ParsedDocument, parse_document, parse_source
from bot.memory.items import Trust
from language.analyser import Analyser

BROKEN: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; the second when the message quotes a damaged schema."""
_RAISE_EXCHANGE_NUMBERS: Final = (
    "UPDATE scopes SET exchange_seq = max(exchange_seq, coalesce((SELECT max(id) & 4294967295 FROM exchanges "
    "WHERE id BETWEEN scopes.no << 32 AND (scopes.no << 32) + 4294967295), 0))"
)
_RAISE_ITEM_NUMBERS: Final = (
    "UPDATE scopes SET item_seq = max(item_seq, coalesce((SELECT max(id) & 4294967295 FROM items "
    "WHERE id BETWEEN scopes.no << 32 AND (scopes.no << 32) + 4294967295), 0))"
)
_UID: Final = 2
"""The place of an exchange's name in its row."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How many rows were copied, the tables that may have lost some, and the exchanges that are known to be lost."""

    rows: int
    torn: tuple[str, ...]
    missing: tuple[str, ...]


def rebuild(
    path: Path, draft: Path, rooms: Rooms, spares: Sequence[Path] = (), copies: SecondCopies = tuple
) -> Salvaged:
    """Build ``draft`` from the readable rows of ``path``; lost ones from its back-ups, newest first, and ``copies``."""
    connection.create_file(draft)
    new = sqlite3.connect(draft, isolation_level=None)
    try:
        new.execute("PRAGMA synchronous = FULL")
        migrate(new, rooms, draft)
        tables = [table.name for table in list_tables(rooms) if not table.remade]
        from_spare = {table.name: table.spare for table in list_tables(rooms) if table.spare}
        known = read_schema_copy(path)
        new.execute("BEGIN IMMEDIATE")
        with PageFile(path, known.header) as file:
            forest = Forest(file, list_trees(new), known.roots)
            doubtful = list[tuple[str, Record]]()
            rows = sum(_copy_table(forest, new, table, doubtful) for table in tables)
            torn = tuple(table for table in tables if forest.found[table].torn)
            rows += _take_from_backup(new, spares, {table: from_spare[table] for table in torn if table in from_spare})
            rows += sum(_insert(forest, new, table, row) for table, row in doubtful)
            _restore_scopes(new)
            rows += restore_missing(forest, new, copies)
            _restore_scopes(new)
            _repair(new, rooms)
            missing = tuple(sorted(" ".join(names) for names in list_missing(forest, new)))
        new.execute("COMMIT")
    finally:
        new.close()
    return Salvaged(rows, torn, missing)


def _copy_table(forest: Forest, new: sqlite3.Connection, table: str, doubtful: list[tuple[str, Record]]) -> int:
    """Copy the readable rows of a table; doubtful ones wait, as a back-up may know them better.

    Those are rows with bytes that are no text, and exchanges that an index has under another name.
    """
    copied, names = 0, dict[Value, Value]()
    if table == "exchanges":
        names = {number: uid for _, uid, number in forest.list_rows(EXCHANGE_NAMES)}
    for row in forest.list_rows(table):
        garbled = any(isinstance(value, str) and "\ufffd" in value for value in row)
        if garbled or (row[0] in names and names[row[0]] != row[_UID]):
            forest.found[table].torn = True
            doubtful.append((table, row))
        elif written := _insert(forest, new, table, row):
            copied += written
        else:  # refused, or there twice: the page of one stands where another's was
            forest.found[table].torn = True
    return copied


def _insert(forest: Forest, new: sqlite3.Connection, table: str, row: Record) -> int:
    """Insert a row that is not there yet; an older one is shorter, as columns only ever were added at the end."""
    columns, marks = ", ".join(forest.get_columns(table)[: len(row)]), ", ".join("?" * len(row))
    try:
        return new.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row).rowcount  # noqa: S608 - any table of the schema
    except sqlite3.Error:  # what the schema refuses was damaged, too
        structlog.get_logger().warning("row not recovered", table=table)
        return 0


def _take_from_backup(new: sqlite3.Connection, spares: Sequence[Path], wanted: dict[str, str]) -> int:
    """Fill tables that lost rows from the first back-up that can be read; return how many rows that were.

    What was erased since is erased once more at this start: only the erases that the back-up knows count as done.
    """
    for spare in spares if wanted else ():
        try:
            with closing(open_aside(spare)) as old:
                taken = sum(_fill_table(new, old, table, which) for table, which in wanted.items())
                known = dump_list([uid for (uid,) in old.execute("SELECT uid FROM tombstones")])
        except BROKEN:
            structlog.get_logger().warning("back-up not readable", file=spare.name)
            continue
        if taken:
            new.execute("DELETE FROM tombstones WHERE uid NOT IN (SELECT value FROM json_each(?))", (known,))
        return taken
    return 0


def _fill_table(new: sqlite3.Connection, old: sqlite3.Connection, table: str, which: str) -> int:
    """Insert the rows of a back-up's table that are not there."""
    known = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
    names = [row[1] for row in new.execute(f"PRAGMA table_info({table})") if row[1] in known]
    if not names:
        return 0
    columns, marks = ", ".join(names), ", ".join("?" * len(names))
    rows = old.execute(f"SELECT {columns} FROM {table} WHERE {which}")  # noqa: S608 - a table of the schema
    return new.executemany(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", rows).rowcount  # noqa: S608 - as above


def _repair(new: sqlite3.Connection, rooms: Rooms) -> None:
    """Let every room make its rows fit together, and make anew what is made of others."""
    words = Analyser()
    for room in rooms:
        room.remake(new, words, None)
        room.repair(new)
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


SecondCopies = Callable[[], Iterable[tuple[str, str]]]
"""Yields the names and texts of documents."""
EXCHANGE_NAMES: Final = "sqlite_autoindex_exchanges_1"
"""The index of UNIQUE (scope_no, uid)."""
_INSERT: Final = (
    "INSERT OR IGNORE INTO exchanges "
    "(id, scope_no, uid, session_id, place_no, message_id, author_id, author_name, trust, user_text, "
    "assistant_text, said_at, said_offset, skill, synthetic, echo, source, answer_trust) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)"
)


def list_missing(forest: Forest, new: sqlite3.Connection) -> dict[tuple[str, str], int]:
    """Return the ids of exchanges that an index still knows and no row holds, by scope tag and uid."""
    tags = dict(new.execute("SELECT no, tag FROM scopes").fetchall())
    kept = {number for (number,) in new.execute("SELECT id FROM exchanges")}
    named = ((str(tags.get(no, no)), str(uid), number) for no, uid, number in forest.list_rows(EXCHANGE_NAMES))
    return {(tag, uid): number for tag, uid, number in named if isinstance(number, int) and number not in kept}


def restore_missing(forest: Forest, new: sqlite3.Connection, copies: SecondCopies) -> int:
    """Insert the lost exchanges that have a document; return how many rows that were.

    One that passed on somebody else's words is left out: a document does not say whose with certainty.
    """
    missing = list_missing(forest, new)
    if not missing:
        return 0
    said = {row[2]: row[1] for row in forest.list_rows("exchanges_said")}
    sessions = {row[1]: row[0] for row in forest.list_rows("exchanges_session")}
    messages = {row[2]: row[:2] for row in forest.list_rows("exchanges_message")}
    restored = 0
    for name, text in copies():
        source, parsed = parse_source(name), parse_document(text)
        if source is None or parsed is None or parsed.forwarded is not None:
            continue
        number = missing.get((source.tag, source.uid))
        if number is None:
            continue
        session = sessions.get(number, 0)
        place, message_id = messages.get(number) or (_find_place(new, session), 0)
        author_id, trust = _find_author(new, number >> 32, parsed)
        local = parsed.said_at or source.said_at
        offset = local.utcoffset() or timedelta()
        row = (
            number, number >> 32, source.uid, session, place, message_id, author_id, parsed.author_name, trust,
            parsed.user_text, parsed.assistant_text, said.get(number, source.said_at.timestamp()),
            int(offset.total_seconds()) // 60, parsed.skill, name, int(parsed.answer_trust),
        )  # fmt: skip
        restored += new.execute(_INSERT, row).rowcount
    return restored


def _find_place(new: sqlite3.Connection, session: Value) -> int:
    row = new.execute("SELECT place_no FROM sessions WHERE id = ?", (session,)).fetchone()
    return 0 if row is None else int(row[0])


def _find_author(new: sqlite3.Connection, scope_no: int, said: ParsedDocument) -> tuple[int, int]:
    """Return who said it in a scope, with the least trust they had there.

    Without their number it is whoever has the name, and nobody if several or none have it.
    """
    rows: list[Any] = new.execute(  # Any: column values
        "SELECT author_id, min(trust) FROM exchanges WHERE scope_no = ?1 "
        "AND CASE WHEN ?2 THEN author_id = ?2 ELSE author_name = ?3 END GROUP BY author_id",
        (scope_no, said.author_id, said.author_name),
    ).fetchall()
    return rows[0] if len(rows) == 1 else (0, int(Trust.FILE))
