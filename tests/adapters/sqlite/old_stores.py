"""Stores that earlier versions wrote (tests/data/stores), and rooms without what is kept exact with exchanges."""

from __future__ import annotations

import lzma
import sqlite3
from dataclasses import replace
from pathlib import Path

from adapters.sqlite.rooms import ROOMS

UNINDEXED = tuple(replace(room, index=None) for room in ROOMS)
"""As before there was a search, a chronicle or names."""
_STORES = Path(__file__).parents[2] / "data" / "stores"


def unpack(commit: str, folder: Path) -> Path:
    """Put the store of a commit where an installation in ``folder`` has its own."""
    path = folder / "data" / "mneme.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(lzma.decompress((_STORES / f"{commit}.db.xz").read_bytes()))
    return path


def make_first_schema(empty: sqlite3.Connection, folder: Path) -> None:
    """Make the tables of the first version in an empty file."""
    first = sqlite3.connect(unpack("2ab0e03", folder / "first"))
    shadows = tuple(f"items_fts_{part}" for part in ("data", "idx", "content", "docsize", "config"))
    for name, statement in first.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall():
        if name not in shadows and not name.startswith("sqlite_"):
            empty.execute(statement)
    empty.executemany("INSERT INTO schema_versions VALUES (?, ?)", first.execute("SELECT * FROM schema_versions"))
    first.close()
