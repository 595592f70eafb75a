"""Bring a workspace file to the newest schema, one numbered step at a time."""

from __future__ import annotations

import sqlite3
from importlib import resources

from memory_server.errors import ConfigInvalid

STEPS = ("schema.sql", "compaction.sql", "windows.sql")
"""Script n brings version n - 1 to n; scripts are added, never changed."""


def migrate(db: sqlite3.Connection) -> None:
    """Run the steps a file lacks, all in one transaction.

    Raises :class:`ConfigInvalid` for a file of a newer program: it is left alone.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(STEPS):
        raise ConfigInvalid(f"the workspace was written by a newer version (schema {version}, known is {len(STEPS)})")
    if version == len(STEPS):
        return
    folder = resources.files(__package__)
    scripts = [folder.joinpath(step).read_text("utf-8") for step in STEPS[version:]]
    db.executescript(f"BEGIN IMMEDIATE; {''.join(scripts)} PRAGMA user_version = {len(STEPS)}; COMMIT;")
