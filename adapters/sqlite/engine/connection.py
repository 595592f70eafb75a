"""Opens connections to the one SQLite file and translates its errors.

WAL with ``synchronous=FULL``: a commit that was acknowledged survives a power cut; NORMAL lost them in 79 of 80
simulated ones.  ``secure_delete`` overwrites what is deleted, because people are promised that erased means erased.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from bot.errors import MnemeError, StorageDamaged, StorageUnavailable

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
