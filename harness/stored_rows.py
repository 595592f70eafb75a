"""Rows that a Mneme has on disk: asked from outside, as an operator would."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def count(data: Path, query: str) -> int:
    """Return the one number that a query on the database gives."""
    with closing(sqlite3.connect(data / "mneme.db", timeout=10)) as connection:
        (number,) = connection.execute(query).fetchone()
    return int(number)


def waiting(data: Path) -> int:
    """Return how many documents long-term memory has not confirmed."""
    return count(data, "SELECT count(*) FROM outbox")


def documents(data: Path) -> list[str]:
    """Return the sources of all documents that the embedded memory server has processed, in all workspaces."""
    found: list[str] = []
    for file in sorted((data / "memory-server" / "workspaces").glob("*.sqlite3")):
        with closing(sqlite3.connect(file, timeout=10)) as connection:
            query = "SELECT file_path FROM status WHERE status = 'processed' AND duplicate = 0"
            found += [str(row[0]) for row in connection.execute(query)]
    return found
