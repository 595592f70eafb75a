"""Everything that a data folder holds, as text, with whose it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path


def databases(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the tag of a scope and a row of it as text, for every table whose rows belong to a scope.

    Rows are numbered ``scope_no << 32 | seq``, or name the scope in a column of their own.
    """
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        tags = dict(connection.execute("SELECT no, tag FROM scopes").fetchall())
        for table, scope_no in (
            ("exchanges", "scope_no"),
            ("items", "scope_no"),
            ("traces", "id >> 32"),
            ("summaries", "scope_no"),
            ("outbox", "scope_no"),
            ("deliveries", "scope_no"),
            ("items_fts", "rowid >> 32"),
            ("recall_utterances", "exchange >> 32"),
        ):
            for owner, *row in connection.execute(f"SELECT {scope_no}, * FROM {table}"):  # noqa: S608 - names from above
                yield tags[owner], " ".join(_text(value) for value in row)


def files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield every file of a folder with its content, whatever it is, as text."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes().decode("utf-8", "replace")


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
