"""Rows of ``meta``: single values of the whole store, by name, such as a mark that work is due."""

from __future__ import annotations

import sqlite3
from typing import Final

CLEAN_DUE: Final = "clean"
"""The mark of a file that holds bytes of what was erased."""
REBUILD_DUE: Final = "rebuild"
"""The mark of a recovered file whose search indexes are still to be derived again."""


def read_meta(connection: sqlite3.Connection, key: str) -> str | None:
    """Return the value under a name, ``None`` if there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def write_meta(connection: sqlite3.Connection, key: str, value: str = "due") -> None:
    """Store a value under a name, in place of an earlier one."""
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )


def delete_meta(connection: sqlite3.Connection, key: str) -> None:
    """Forget a name and its value."""
    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
