"""What the stores need of a database and no statement says in every dialect.

A connection of another engine brings its own: its attribute ``dialect`` (:mod:`adapters.postgres.connection`).
"""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from typing import Final, Protocol

from adapters.sqlite.rows.derived import Rooms, list_tables
from bot.memory.scope import Scope


class Dialect(Protocol):
    """One engine's way."""

    def note_changes(self, connection: sqlite3.Connection, rooms: Rooms, uid: str) -> AbstractContextManager[None]:
        """Note in ``held_rows``, under ``uid``, what is deleted and changed inside of what the rooms hold."""

    def find_path(self, connection: sqlite3.Connection) -> Path | None:
        """Return the path of the database, beside which layouts of chats are files; ``None``: they are rows in it."""


@dataclass(frozen=True, slots=True)
class NamedLayout:
    """What the database says of the layout of a scope number."""

    scope_no: int
    generation: int
    token: str


class LayoutRows(Protocol):
    """Keeps the layouts of long chats in a database that several machines use."""

    async def store(self, scope: Scope, named: NamedLayout, body: mmap, end: bytes) -> bool:
        """Keep a layout, and no other of its scope; ``False`` where something of the scope was removed since.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """

    async def load(self, named: NamedLayout) -> tuple[mmap, bytes] | None:
        """Return body and end of a layout, ``None`` where it is not there; same errors."""


def dialect_of(connection: sqlite3.Connection) -> Dialect:
    """Return the dialect of a connection."""
    found: Dialect = getattr(connection, "dialect", _SQLITE)
    return found


class _Sqlite:
    @contextmanager
    def note_changes(self, connection: sqlite3.Connection, rooms: Rooms, uid: str) -> Iterator[None]:
        names = _create_triggers(connection, rooms, uid)
        try:
            yield
        finally:
            for name in names:
                connection.execute(f"DROP TRIGGER temp.{name}")

    def find_path(self, connection: sqlite3.Connection) -> Path:
        return Path(connection.execute("PRAGMA database_list").fetchone()[2])


_SQLITE: Final = _Sqlite()


def _create_triggers(connection: sqlite3.Connection, rooms: Rooms, uid: str) -> list[str]:
    """Create triggers that note what is deleted and changed; return their names."""
    number = f"(SELECT coalesce(max(seq), 0) + 1 FROM held_rows WHERE uid = '{uid}')"  # noqa: S608 - a uid of ours
    names = []
    tables = list_tables(rooms)
    for table, condition in ((each.name, each.held) for each in tables if each.held):
        columns = _list_columns(connection, table)
        values = " || ', ' || ".join(f"quote(OLD.{column})" for column in columns)
        names.append(f"hold_{table}")
        connection.execute(
            f"CREATE TEMP TRIGGER {names[-1]} AFTER DELETE ON main.{table} WHEN {condition} BEGIN "  # noqa: S608 - our own schema
            f"INSERT INTO held_rows SELECT '{uid}', {number}, '{table}', '', NULL, "
            f"'({', '.join(columns)}) VALUES (' || {values} || ')'; END"
        )
    for table in (each.name for each in tables if each.restored):
        for column in _list_columns(connection, table):
            names.append(f"hold_{table}_{column}")
            connection.execute(
                f"CREATE TEMP TRIGGER {names[-1]} AFTER UPDATE OF {column} ON main.{table} "
                f"WHEN OLD.{column} IS NOT NEW.{column} BEGIN INSERT INTO held_rows "
                f"SELECT '{uid}', {number}, '{table}', '{column}', OLD.rowid, quote(OLD.{column}); END"
            )
    return names


def _list_columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
