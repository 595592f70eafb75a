"""Checks the file at start and has a damaged one replaced by what could be recovered from it.

The damaged file is set aside, never deleted.  The new one is built beside it and takes its name only when it is
complete, so that a crash in the middle begins anew.
"""

import fcntl
import sqlite3
import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from adapters.sqlite.connection import open_aside
from adapters.sqlite.recovery.beside import Backups, add_finding, get_copy_path, read_schema, read_schema_copy
from adapters.sqlite.recovery.pages import HEADER_BYTES, MAGIC
from adapters.sqlite.recovery.salvage import SecondCopies, rebuild
from adapters.sqlite.rows.derived import Rooms, list_tables
from bot.errors import StorageDamaged

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
    fresh = path.with_name(f"{path.name}.recovered")
    if fresh.exists():  # a crash came between building it and giving it the name
        swap_files(path, fresh, "was damaged; its recovery was interrupted and is complete now")
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
        opened = open_aside(path)
        try:
            opened.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not thorough:
                return None
            (verdict,) = opened.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok":
                return str(verdict).splitlines()[-1]
            return _find_inconsistency(opened, rooms, path)
        finally:
            opened.close()
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


def swap_files(path: Path, fresh: Path, finding: str = "") -> Path:
    """Set a file and its log aside, keep the finding, let ``fresh`` take its name; return what was set aside."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    if finding:
        add_finding(path, f"{path.name} {finding}; the damaged file is kept as {aside.name}")
    for old, kept in zip(_list_files(path), _list_files(aside), strict=True):
        if old.exists():
            old.replace(kept)
    fresh.replace(path)
    get_mark_path(path).unlink(missing_ok=True)
    get_copy_path(path).unlink(missing_ok=True)
    return aside


def _list_files(path: Path) -> tuple[Path, Path, Path]:
    return (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
