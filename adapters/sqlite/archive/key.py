"""The key that seals this installation's exports: made once, kept in the database, shown to nobody."""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.meta import read_meta, write_meta

_NAME: Final = "export key"
_BYTES: Final = 32


async def ensure_export_key(database: Database) -> bytes:
    """Return the key, made the first time.  Raises :class:`~bot.errors.StorageUnavailable`."""
    return bytes.fromhex(await database.write(_ensure))


def read_export_key(path: Path) -> bytes:
    """Return the key of the store at ``path``, b"" where there is none; nothing is written, nor waited for."""
    if not path.exists():
        return b""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return bytes.fromhex(read_meta(connection, _NAME) or "")
    except sqlite3.Error:
        return b""


def _ensure(connection: sqlite3.Connection) -> str:
    found = read_meta(connection, _NAME)
    if found is None:
        found = secrets.token_hex(_BYTES)
        write_meta(connection, _NAME, found)
    return found
