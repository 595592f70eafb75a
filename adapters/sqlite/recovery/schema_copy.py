"""A small copy of the list of tables beside the database: where each begins, and how it was made.

In the file itself one page says it, and when that page is destroyed SQLite finds no table any more.  The copy is made
anew when it differs: after migrations, and after a rewrite of the file, which moves the tables.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson
import structlog

from adapters.sqlite.recovery.pages import HEADER_BYTES

_TREES: Final = "SELECT name, rootpage, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY rowid"
_VERSIONS: Final = "SELECT component, version FROM schema_versions ORDER BY component"


@dataclass(frozen=True, slots=True)
class SchemaCopy:
    """What was known of a file: its first bytes, the first page of each tree, what made them, the versions."""

    header: bytes = b""
    roots: dict[str, int] = field(default_factory=dict)
    statements: dict[str, str] = field(default_factory=dict)
    versions: tuple[tuple[str, int], ...] = ()

    def contradicts(self, now: SchemaCopy) -> bool:
        """Whether the same versions have other tables now: a schema that can be read, but is not what was written."""
        return bool(self.statements) and self.versions == now.versions and self.statements != now.statements


def get_copy_path(path: Path) -> Path:
    """Return the copy's place."""
    return path.with_name(f"{path.name}.schema")


def read_schema(opened: sqlite3.Connection, path: Path) -> SchemaCopy:
    """Return the list of tables of an open file."""
    rows = opened.execute(_TREES).fetchall()
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    return SchemaCopy(
        header,
        {name: root for name, root, _ in rows if root},
        {name: sql or "" for name, _, sql in rows},
        tuple(opened.execute(_VERSIONS).fetchall()),
    )


def read_schema_copy(path: Path) -> SchemaCopy:
    """Return the copy beside a file, an empty one where there is none or it is damaged itself."""
    try:
        digest, _, content = get_copy_path(path).read_bytes().partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            return SchemaCopy()
        held: dict[str, Any] = orjson.loads(content)  # Any: JSON, checked by its digest
    except (OSError, ValueError):
        return SchemaCopy()
    versions = tuple((name, version) for name, version in held["versions"])
    return SchemaCopy(bytes.fromhex(held["header"]), held["roots"], held["statements"], versions)


def write_schema_copy(opened: sqlite3.Connection) -> None:
    """Bring the copy beside an open file up to date; a disk that refuses it is reported and keeps nothing else back."""
    path = Path(opened.execute("PRAGMA database_list").fetchone()[2])
    now, held = read_schema(opened, path), read_schema_copy(path)
    if (now.roots, now.statements, now.versions) == (held.roots, held.statements, held.versions):
        return
    fields = {"header": now.header.hex(), "roots": now.roots, "statements": now.statements, "versions": now.versions}
    content = orjson.dumps(fields)
    target = get_copy_path(path)
    draft = target.with_name(f"{target.name}.draft")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        structlog.get_logger().warning("copy of the schema not written", cause=error.strerror)
