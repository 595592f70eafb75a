"""Brings a file to the schema this Mneme knows, and refuses one from a newer Mneme.

A component is a folder of numbered SQL files (``0001_storage.sql``) with a version of its own.  Numbers only ever grow;
a file that was released is never changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.errors import ConfigInvalid

_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT"


@dataclass(frozen=True, slots=True)
class Component:
    """A name and its migrations, oldest first."""

    name: str
    migrations: tuple[Path, ...]


# Names stand in every database that exists, so they stay when a folder moves.
_FOLDERS = {
    "storage": "schema",
    "recall": "turn_search/schema",
    "chronicle": "chronicle/schema",
    "browsing": "browsing/schema",
    "names": "names/schema",
    "chat settings": "chat_settings/schema",
    "sessions": "sessions/schema",
    "pending": "pending/schema",
    "documents": "documents/schema",
    "reminders": "reminders/schema",
    "imports": "import_jobs/schema",
}


def list_components() -> tuple[Component, ...]:
    """Return the components that ship with Mneme."""
    package = Path(__file__).parents[1]
    return tuple(Component(name, tuple(sorted((package / folder).glob("*.sql")))) for name, folder in _FOLDERS.items())


def is_older(connection: sqlite3.Connection, wanted: tuple[Component, ...]) -> bool:
    """Return whether a file has been written, by an earlier Mneme, and is to be migrated."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_versions'").fetchone() is None:
        return False
    present: dict[str, int] = dict(connection.execute("SELECT component, version FROM schema_versions"))
    return any(present.get(component.name, 0) < len(component.migrations) for component in wanted)


def migrate(connection: sqlite3.Connection, wanted: tuple[Component, ...], path: Path) -> None:
    """Apply what is missing, all of it in one transaction.

    Raises :class:`~bot.errors.ConfigInvalid` for a file that a newer Mneme has written; it is left as it was.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_VERSIONS)
        present: dict[str, int] = dict(connection.execute("SELECT component, version FROM schema_versions"))
        _refuse_newer(present, wanted, path)
        for component in wanted:
            _upgrade(connection, component, present.get(component.name, 0))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _refuse_newer(present: dict[str, int], wanted: tuple[Component, ...], path: Path) -> None:
    known = {component.name: len(component.migrations) for component in wanted}
    for name, version in present.items():
        if version > known.get(name, 0):
            raise ConfigInvalid(
                f"{path} was written by a newer Mneme ({name} schema {version}, this one knows {known.get(name, 0)}): "
                "update Mneme or choose another data folder"
            )


def _upgrade(connection: sqlite3.Connection, component: Component, version: int) -> None:
    for migration in component.migrations[version:]:
        for statement in _split_statements(migration.read_text(encoding="utf-8")):
            connection.execute(statement)
    connection.execute(
        "INSERT INTO schema_versions VALUES (?, ?) ON CONFLICT (component) DO UPDATE SET version = excluded.version",
        (component.name, len(component.migrations)),
    )


def _split_statements(script: str) -> Iterator[str]:
    """Yield the statements one by one: ``executescript`` would commit in between."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
