"""Reads the texts that a server's folder holds while no server runs: the second copy of what somebody has lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import structlog

_TEXTS = "SELECT json_extract(value, '$.file_path'), json_extract(value, '$.content') FROM kv WHERE ns = 'full_docs'"


def read_stored_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of every document below a data folder; a workspace that cannot be read is passed over."""
    for path in sorted((folder / "workspaces").glob("*.sqlite3")):
        try:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as opened:
                yield from ((str(name), str(text)) for name, text in opened.execute(_TEXTS))
        except (sqlite3.Error, UnicodeDecodeError):
            structlog.get_logger().warning("workspace not readable", file=path.name)
