"""Opens connections to the one SQLite file and translates its errors.

WAL with ``synchronous=FULL``: a commit that was acknowledged survives a power cut; NORMAL lost them in 79 of 80
simulated ones.  ``secure_delete`` overwrites what is deleted, because people are promised that erased means erased.

Brings a file to the schema this Mneme knows, too, and refuses one from a newer Mneme.  A component is a folder of
numbered SQL files (``0001_storage.sql``) with a version of its own.  Numbers only ever grow.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.errors import ConfigInvalid, MnemeError, StorageDamaged, StorageUnavailable

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_QUOTED_SCHEMA: Final = b"malformed database schema"
"""Begins SQLite's message about a damaged schema, which quotes it: not always text, and then Python cannot raise it."""
_NO_TEXT: Final = "Could not decode to UTF-8"
"""Begins Python's message about a text that a flipped bit has broken, which quotes the text."""
_TEMPORARY: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOLFS,
    }
)

_COMMON: Final = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA secure_delete = ON",
    "PRAGMA cache_size = -16000",  # KiB
)
_WRITER: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA wal_autocheckpoint = 8000",  # pages; p99 of a commit 1.05 ms instead of 3.6 ms with 1000
    "PRAGMA journal_size_limit = 67108864",  # bytes of WAL kept after a checkpoint
)


def create_file(path: Path) -> None:
    """Make the folder and an empty file that only its owner can read, unless they exist."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def open_writer(path: Path) -> sqlite3.Connection:
    """Return the connection that writes; transactions are begun and ended explicitly."""
    connection = _connect(path)
    for statement in _COMMON + _WRITER:
        connection.execute(statement).fetchone()
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Return a connection that sees committed data only and cannot change it."""
    connection = _connect(path)
    for statement in (*_COMMON, "PRAGMA query_only = ON"):
        connection.execute(statement).fetchone()
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=5.0, isolation_level=None, check_same_thread=False, cached_statements=512)


def translate_error(error: Exception, path: Path) -> MnemeError | None:
    """Return the error of our own tree that ``error`` means, ``None`` for a mistake in our SQL.

    The text names the file and SQLite's reason (https://www.sqlite.org/rescode.html), never a value.
    """
    if _meets_no_text(error):
        return StorageDamaged(f"{path} is damaged (bytes that are no text); what is readable is recovered now")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    reason = getattr(error, "sqlite_errorname", "unknown")
    if code & 0xFF in _DAMAGED:
        return StorageDamaged(f"{path} is damaged ({reason}); what is readable is recovered now, or at the next start")
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return StorageUnavailable(f"{path} cannot grow ({reason}): the disk is full")
    if code & 0xFF in _TEMPORARY:
        return StorageUnavailable(f"{path} cannot be used now ({reason})")
    return None


def _meets_no_text(error: Exception) -> bool:
    if isinstance(error, UnicodeDecodeError):
        return bytes(error.object).startswith(_QUOTED_SCHEMA)
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_NO_TEXT)


def open_aside(path: Path) -> sqlite3.Connection:
    """Open a file without ever writing to it; the write-ahead log beside it is read, too."""
    opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    opened.text_factory = lambda raw: raw.decode(errors="replace")
    return opened


_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT"


@dataclass(frozen=True, slots=True)
class Component:
    """A name and its migrations, oldest first."""

    name: str
    migrations: tuple[Path, ...]


# Names stand in every database that exists, so they stay when a folder moves.
_FOLDERS = {
    "storage": "storage",
    "recall": "turn_search",
    "chronicle": "chronicle",
    "browsing": "browsing",
    "names": "names",
    "chat settings": "chat_settings",
    "sessions": "sessions",
    "pending": "pending",
    "documents": "documents",
    "reminders": "reminders",
    "imports": "import_jobs",
}


def list_components() -> tuple[Component, ...]:
    """Return the components that ship with Mneme."""
    package = Path(__file__).with_name("schema")
    return tuple(Component(name, tuple(sorted((package / folder).glob("*.sql")))) for name, folder in _FOLDERS.items())


def is_older(connection: sqlite3.Connection, wanted: tuple[Component, ...]) -> bool:
    """Return whether a file has been written, by an earlier Mneme, and is to be migrated."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_versions'").fetchone() is None:
        return False
    present: dict[str, int] = dict(connection.execute("SELECT component, version FROM schema_versions"))
    return any(present.get(component.name, 0) < len(component.migrations) for component in wanted)


def migrate(connection: sqlite3.Connection, wanted: tuple[Component, ...], path: Path) -> None:
    """Apply what is missing, all of it in one transaction.

    Raises :class:`~bot.errors.ConfigInvalid` for a file that a newer Mneme has written; it is left as it was.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_VERSIONS)
        present: dict[str, int] = dict(connection.execute("SELECT component, version FROM schema_versions"))
        _refuse_newer(present, wanted, path)
        for component in wanted:
            _upgrade(connection, component, present.get(component.name, 0))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _refuse_newer(present: dict[str, int], wanted: tuple[Component, ...], path: Path) -> None:
    known = {component.name: len(component.migrations) for component in wanted}
    for name, version in present.items():
        if version > known.get(name, 0):
            raise ConfigInvalid(
                f"{path} was written by a newer Mneme ({name} schema {version}, this one knows {known.get(name, 0)}): "
                "update Mneme or choose another data folder"
            )


def _upgrade(connection: sqlite3.Connection, component: Component, version: int) -> None:
    for migration in component.migrations[version:]:
        for statement in _split_statements(migration.read_text(encoding="utf-8")):
            connection.execute(statement)
    connection.execute(
        "INSERT INTO schema_versions VALUES (?, ?) ON CONFLICT (component) DO UPDATE SET version = excluded.version",
        (component.name, len(component.migrations)),
    )


def _split_statements(script: str) -> Iterator[str]:
    """Yield the statements one by one: ``executescript`` would commit in between."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
