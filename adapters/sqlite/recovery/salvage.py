"""Copies every readable row of a damaged file into a new one.

Rows are read in ranges of their numbers, forwards and backwards.  Around a damaged page the range is halved, widest
ranges first, until only the unreadable rows are lost.  What is derived (words, vectors, search indexes) is not copied
but made anew.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import structlog

from adapters.sqlite.engine import connection
from adapters.sqlite.engine.schema import Component, migrate
from adapters.sqlite.recovery.page_reader import leaf_rows
from adapters.sqlite.recovery.repair import repair

BROKEN: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; the second when the message quotes a damaged schema."""
_PROBES: Final = 5_000
"""Ranges tried per table: a damaged page may cover a wide gap between the numbers of two scopes."""
_REBUILT: Final = frozenset({"item_vectors", "item_backlog", "schema_versions"})
_AMBIGUOUS: Final = frozenset({"traces"})
"""Tables whose rows look like those of a full-text index."""
_HIGHEST: Final = 2**62
_STORED: Final[dict[str, tuple[type, ...]]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
}

Row = tuple[Any, ...]  # Any: column values
Keep = Callable[[Row], None]


def open_aside(path: Path) -> sqlite3.Connection:
    """Open a file without ever writing to it; the write-ahead log beside it is read, too."""
    opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    opened.text_factory = lambda raw: raw.decode(errors="replace")
    return opened


def rebuild(path: Path, draft: Path, schema: tuple[Component, ...]) -> tuple[int, list[str]]:
    """Build ``draft`` from the readable rows of ``path``; return how many, and the tables that lost some."""
    connection.create(draft)
    new = sqlite3.connect(draft, isolation_level=None)
    try:
        new.execute("PRAGMA synchronous = FULL")
        migrate(new, tuple(part for part in schema if part.name == "storage"), draft)
        tables = _tables(new)
        migrate(new, schema, draft)
        new.execute("BEGIN IMMEDIATE")
        copied, lost = _copy_all(path, new, schema, tables)
        repair(new)
        new.execute("COMMIT")
    finally:
        new.close()
    return copied, lost


def _tables(new: sqlite3.Connection) -> list[str]:
    rows = new.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
        "AND name NOT LIKE 'items_fts%' AND name NOT LIKE 'sqlite%'"
    ).fetchall()
    return [name for (name,) in rows if name not in _REBUILT]


def _copy_all(
    path: Path, new: sqlite3.Connection, schema: tuple[Component, ...], tables: list[str]
) -> tuple[int, list[str]]:
    copied, torn = 0, []
    try:
        old = open_aside(path)
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BROKEN:
        torn = tables
    else:
        for table in tables:
            count, complete = _copy(old, new, table)
            copied += count
            if not complete:
                torn.append(table)
        old.close()
    if torn:
        copied += _copy_leaves(path, new, schema, torn)
    return copied, torn


def _copy_leaves(path: Path, new: sqlite3.Connection, schema: tuple[Component, ...], tables: list[str]) -> int:
    """Add rows whose pages are intact but cannot be reached any more; a row shows by its columns whose it is.

    A row is as wide as its table was when it was written: a column that was added later is not in it.
    """
    inserts: dict[int, list[tuple[str, int, list[str]]]] = {}
    widths = _widths(schema)
    for table in tables:
        columns = new.execute(f"PRAGMA table_info({table})").fetchall()
        numbered = [row[0] for row in columns if row[2] == "INTEGER" and row[5] == 1]
        if table in _AMBIGUOUS or not numbered:
            continue
        for width in widths[table]:
            names, types = [row[1] for row in columns[:width]], [row[2] for row in columns[:width]]
            insert = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * width)})"  # noqa: S608 - our schema
            inserts.setdefault(width, []).append((insert, numbered[0], types))
    copied = 0
    with checkpointed(path) as whole:
        for row in leaf_rows(whole):
            for insert, number, types in inserts.get(len(row.values), ()):
                values = [row.rowid if index == number else value for index, value in enumerate(row.values)]
                if not all(map(_fits, values, types)):
                    continue
                try:
                    copied += new.execute(insert, values).rowcount
                except sqlite3.Error:  # what the schema refuses is another table's row
                    continue
    return copied


def _widths(schema: tuple[Component, ...]) -> dict[str, set[int]]:
    """Return how many columns each table had after each migration of the store."""
    widths: dict[str, set[int]] = {}
    store = next(part for part in schema if part.name == "storage")
    for version in range(1, len(store.migrations) + 1):
        empty = sqlite3.connect(":memory:", isolation_level=None)
        migrate(empty, (Component(store.name, store.migrations[:version]),), Path(":memory:"))
        for (table,) in empty.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            widths.setdefault(table, set()).add(len(empty.execute(f"PRAGMA table_info({table})").fetchall()))
        empty.close()
    return widths


def _fits(value: Any, declared: str) -> bool:  # Any: a column's value
    """Whether a stored value is of a column's type, unconverted; a whole REAL is stored as an integer."""
    return value is None or isinstance(value, _STORED[declared])


@contextmanager
def checkpointed(path: Path) -> Iterator[Path]:
    """Lend a copy of the file into which its write-ahead log has been moved, as far as SQLite can still do that."""
    copy = path.with_name(f"{path.name}.reading")
    log, copied_log = path.with_name(f"{path.name}-wal"), copy.with_name(f"{copy.name}-wal")
    try:
        shutil.copyfile(path, copy)
        copy.chmod(0o600)
        if log.exists():
            shutil.copyfile(log, copied_log)
            opened = sqlite3.connect(copy, isolation_level=None)
            try:
                opened.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except BROKEN:
                structlog.get_logger().warning("write-ahead log not recovered")
            finally:
                opened.close()
        yield copy
    finally:
        for stale in (copy, copied_log, copy.with_name(f"{copy.name}-shm")):
            stale.unlink(missing_ok=True)


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> tuple[int, bool]:
    try:
        present = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
    except BROKEN:
        return 0, False
    wanted = [row[1] for row in new.execute(f"PRAGMA table_info({table})") if row[1] in present]
    if not wanted:
        return 0, True
    names = ", ".join(wanted)
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(wanted))})"  # noqa: S608 - our schema
    copied = 0

    def keep(row: Row) -> None:
        nonlocal copied
        try:
            copied += new.execute(insert, row[: len(wanted)]).rowcount
        except sqlite3.Error:  # what the schema refuses was damaged, too
            structlog.get_logger().warning("row not recovered", table=table)

    (definition,) = new.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    if "WITHOUT ROWID" in definition:
        complete = _ends(old, f"SELECT {names} FROM {table}", keep)  # noqa: S608 - our schema
    else:
        complete = _ranges(old, f"SELECT {names}, rowid FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", keep)  # noqa: S608 - our schema
    return copied, complete


def _ends(old: sqlite3.Connection, select: str, keep: Keep) -> bool:
    """Read a table that is its own index from both ends, as far as each goes."""
    for order in ("", " ORDER BY 1 DESC"):
        try:
            for row in old.execute(select + order):
                keep(row)
        except BROKEN:
            continue
        return order == ""
    return False


def _ranges(old: sqlite3.Connection, select: str, keep: Keep) -> bool:
    """Read a table by ranges of row numbers; return whether nothing was unreadable."""
    waiting = deque([(0, _HIGHEST)])
    complete = True
    for _ in range(_PROBES):
        if not waiting:
            return complete
        low, high = waiting.popleft()
        last, whole = _forwards(old, select, low, high, keep)
        if whole:
            continue
        complete = False
        first, whole = _backwards(old, select, last + 1, high, keep)
        if not whole and last + 1 < first - 1:
            middle = (last + first) // 2
            waiting += ((last + 1, middle), (middle + 1, first - 1))
    return False


def _forwards(old: sqlite3.Connection, select: str, low: int, high: int, keep: Keep) -> tuple[int, bool]:
    last = low - 1
    try:
        for row in old.execute(select, (low, high)):
            keep(row)
            last = row[-1]
    except BROKEN:
        return last, False
    return last, True


def _backwards(old: sqlite3.Connection, select: str, low: int, high: int, keep: Keep) -> tuple[int, bool]:
    first = high + 1
    try:
        for row in old.execute(f"{select} DESC", (low, high)):
            keep(row)
            first = row[-1]
    except BROKEN:
        return first, False
    return first, True
