"""Copies every readable row of a damaged file into a new one.

Rows are read page by page, so that a destroyed page costs what stood on it and nothing below or beside it.  What is
derived (words, vectors, search indexes) is not copied but made anew.  At last the saved rows are made to fit together
again: scopes, sources, the order of the outbox.
Lost exchanges come back from the documents that long-term memory has of them; whom they belong to, when and where they
were said stands in the indexes, which have pages of their own.

Checks the file at start and has a damaged one replaced by what could be recovered from it.

The damaged file is set aside, never deleted.  The new one is built beside it and takes its name only when it is
complete, so that a crash in the middle begins anew.
"""

from __future__ import annotations

import fcntl
import sqlite3
import struct
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import structlog

from adapters.sqlite import connection
from adapters.sqlite.connection import migrate, open_aside
from adapters.sqlite.recovery.beside import Backups, add_finding, get_copy_path, read_schema, read_schema_copy
from adapters.sqlite.recovery.pages import HEADER_BYTES, MAGIC, Forest, PageFile, Record, Value, list_trees
from adapters.sqlite.rows.codec import REBUILD_DUE, dump_list, write_meta
from adapters.sqlite.rows.derived import Rooms, list_tables
from bot.errors import StorageDamaged
from bot.memory.document import ParsedDocument, parse_document, parse_source
from bot.memory.items import Trust
from language.analyser import Analyser

_CHECK_BYTES: Final = 48 << 20
"""A file up to this size is checked row by row, with its indexes, at every start (under a second); a larger one when it
looks suspect.  A row that is missing from an index is found by nobody until a query trips over it.
"""
_NAMED: Final = 20
"""Lost exchanges that are named; the others are counted."""
_SHARED_FIRST, _SHARED_BYTES = 0x40000002, 510
_STRAYS: Final = (
    "SELECT 1 FROM exchanges NOT INDEXED WHERE id >> 32 <> scope_no UNION ALL "
    "SELECT 1 FROM items NOT INDEXED WHERE id >> 32 <> scope_no"
)
"""What the schema's CHECK forbids: SQLite does not check it on a connection that cannot write."""
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def recover_if_damaged(path: Path, rooms: Rooms, copies: SecondCopies = tuple) -> None:
    """Recover the file if it is damaged, and keep what the operator should know among the findings.

    ``copies`` are texts that others have of what was said.
    Raises :class:`~bot.errors.StorageDamaged` while another process uses the file, which recovers it then, and
    ``sqlite3.Error`` or ``OSError`` when the disk refuses.
    """
    fresh = get_ready_path(path)
    if fresh.exists():  # a crash came between building it and giving it the name
        swap_files(path, fresh, "was being recovered or restored; that was interrupted and is complete now")
        return
    reason = find_damage(path, rooms)
    if reason is None:
        return
    if _is_used_elsewhere(path):
        raise StorageDamaged(
            f"{path} is damaged ({reason}), and another process uses it: stop that one, start it again"
        )
    structlog.get_logger().error("database damaged", reason=reason)
    draft = path.with_name(f"{path.name}.recovering")
    for stale in _list_files(draft):
        stale.unlink(missing_ok=True)
    saved = rebuild(path, draft, rooms, [made.path for made in Backups(path, rooms).list_made()], copies)
    draft.replace(fresh)
    losses = f", perhaps not all of: {', '.join(saved.torn)}" if saved.torn else ""
    if saved.missing:
        named = ", ".join(saved.missing[:_NAMED])
        more = f" and {len(saved.missing) - _NAMED} more" if len(saved.missing) > _NAMED else ""
        losses += f"; lost exchanges: {named}{more}"
    swap_files(path, fresh, f"was damaged ({reason}); {saved.rows} rows were recovered{losses}")


def get_mark_path(path: Path) -> Path:
    """Return the mark that asks the next start for a full check."""
    return path.with_name(f"{path.name}.suspect")


def find_damage(path: Path, rooms: Rooms, *, thorough: bool = False) -> str | None:
    """Return SQLite's reason if the file is damaged, ``None`` if it is not (or is new).

    ``thorough`` reads a large file whole, too.
    Full-text indexes are not part of SQLite's check; one that failed while running is a reason by itself.
    """
    if not path.exists() or path.stat().st_size == 0:
        return None
    return (
        "its first bytes are not a database's" if _is_header_odd(path) else _ask_sqlite(path, rooms, thorough=thorough)
    )


def _ask_sqlite(path: Path, rooms: Rooms, *, thorough: bool) -> str | None:
    thorough = thorough or path.stat().st_size <= _CHECK_BYTES or get_mark_path(path).exists()
    try:
        with closing(open_aside(path)) as opened:
            opened.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not thorough:
                return None
            (verdict,) = opened.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok":
                return str(verdict).splitlines()[-1]
            return _find_inconsistency(opened, rooms, path)
    except UnicodeDecodeError:  # the message quotes a damaged schema
        return "SQLITE_CORRUPT"
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
            return str(getattr(error, "sqlite_errorname", "SQLITE_CORRUPT"))
        raise


def _is_header_odd(path: Path) -> bool:
    """Whether the first bytes say what SQLite only finds out by failing at every write (section 1.3 of its format)."""
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES or header[:16] != MAGIC:
        return True
    versions, payloads = header[18:20], header[21:24]
    schema_format, encoding = struct.unpack_from(">I", header, 44)[0], struct.unpack_from(">I", header, 56)[0]
    return (
        not set(versions) <= {1, 2}
        or payloads != b"\x40\x20\x20"
        or schema_format not in range(5)
        or encoding not in {0, 1}
    )


def _find_inconsistency(opened: sqlite3.Connection, rooms: Rooms, path: Path) -> str | None:
    """Return what is wrong with a file whose pages are in order."""
    tables = {name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "schema_versions" not in tables:
        return None
    versions = dict(opened.execute("SELECT component, version FROM schema_versions"))
    current = tuple(room for room in rooms if versions.get(room.name) == room.version)
    if missing := {table.name for table in list_tables(current)} - tables:
        return f"without {', '.join(sorted(missing))}"
    if read_schema_copy(path).contradicts(read_schema(opened, path)):
        return "its list of tables is not what was written"
    if opened.execute(_STRAYS).fetchone() is not None:
        return "a row outside its scope"
    return "it failed while running" if get_mark_path(path).exists() else None


def _is_used_elsewhere(path: Path) -> bool:
    """Whether another process holds the shared lock that every connection has (SQLite's file locking, os_unix.c)."""
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_BYTES, _SHARED_FIRST)
        except OSError:
            return True
    return False


REPLACED: Final = "replaced"


def swap_files(path: Path, fresh: Path, finding: str = "", *, name: str = "damaged") -> Path:
    """Set a file and its log aside, keep the finding, let ``fresh`` take its name; return what was set aside.

    Under the ``name`` :data:`REPLACED` it goes as soon as anything is forgotten, as back-ups do.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.{name}-{stamp}")
    if finding:
        add_finding(path, f"{path.name} {finding}; what was there is kept as {aside.name}")
    for old, kept in zip(_list_files(path), _list_files(aside), strict=True):
        if old.exists():
            old.replace(kept)
    fresh.replace(path)
    get_mark_path(path).unlink(missing_ok=True)
    get_copy_path(path).unlink(missing_ok=True)
    return aside


def get_ready_path(path: Path) -> Path:
    """Return where a whole file waits to take a store's name: the next start gives it that, whatever stands there."""
    return path.with_name(f"{path.name}.recovered")


def _list_files(path: Path) -> tuple[Path, Path, Path]:
    return (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))


BROKEN: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; the second when the message quotes a damaged schema."""
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
    """Fill tables that lost rows from the first back-up that can be read; return how many rows that were."""
    # What was erased since is erased once more at this start: only erases that the back-up knows count as done.
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
        if room.remake is not None:
            room.remake(new, words, None)
        if room.repair is not None:
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
    for counter, table in (("exchange_seq", "exchanges"), ("item_seq", "items")):
        new.execute(
            f"UPDATE scopes SET {counter} = max({counter}, coalesce((SELECT max(id) & 4294967295 FROM {table} "  # noqa: S608 - our own
            "WHERE id BETWEEN scopes.no << 32 AND (scopes.no << 32) + 4294967295), 0))"
        )


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
