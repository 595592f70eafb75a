"""The key that seals this installation's exports: made once, kept in the database, shown to nobody."""

from __future__ import annotations

import secrets
import sqlite3
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.meta import read_meta, write_meta

_NAME: Final = "export key"
_BYTES: Final = 32


async def ensure_export_key(database: Database) -> bytes:
    """Return the key, made the first time.  Raises :class:`~bot.errors.StorageUnavailable`."""
    return bytes.fromhex(await database.write(_ensure))


def _ensure(connection: sqlite3.Connection) -> str:
    found = read_meta(connection, _NAME)
    if found is None:
        found = secrets.token_hex(_BYTES)
        write_meta(connection, _NAME, found)
    return found
