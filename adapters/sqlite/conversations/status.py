"""What is in the store, in figures, for /status and ``mneme check``."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from adapters.sqlite.database import Database

_LISTED = 50


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A message that was set aside after too many failures."""

    entry: int
    place: str
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A reply of which nobody knows whether it arrived, or that surely did not and never will."""

    delivery: int
    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class StorageStatus:
    """Counts of rows, ``bytes`` of file and log, and the newest of what an operator should look at."""

    scopes: int
    exchanges: int
    items: int
    unembedded: int
    pending: int
    planned: int
    waiting: int
    dead: int
    bytes: int
    unknown: tuple[Undelivered, ...]
    refused: tuple[Undelivered, ...]
    abandoned: tuple[Abandoned, ...]


async def sqlite_status(database: Database) -> StorageStatus:
    """Return the figures of one moment."""
    files = (database.path, database.path.with_name(f"{database.path.name}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    return await database.read(lambda connection: _status(connection, size))


def _status(connection: sqlite3.Connection, size: int) -> StorageStatus:
    def count(what: str) -> int:
        (number,) = connection.execute(f"SELECT count(*) FROM {what}").fetchone()  # noqa: S608 - constant text
        return int(number)

    def undelivered(state: int) -> tuple[Undelivered, ...]:
        rows = connection.execute(
            "SELECT id, (SELECT key FROM places WHERE no = place_no), reason FROM deliveries "
            "WHERE state = ? AND offers IS NULL ORDER BY id DESC LIMIT ?",
            (state, _LISTED),
        ).fetchall()
        return tuple(Undelivered(*row) for row in rows)

    abandoned = connection.execute(
        "SELECT id, place, attempts, reason FROM journal WHERE state = 2 ORDER BY id DESC LIMIT ?", (_LISTED,)
    ).fetchall()
    return StorageStatus(
        scopes=count("scopes"),
        exchanges=count("exchanges"),
        items=count("items WHERE superseded_by IS NULL"),
        unembedded=count("item_backlog"),
        pending=count("journal WHERE state = 0"),
        planned=count("deliveries WHERE state < 2"),
        waiting=count("outbox WHERE dead = 0"),
        dead=count("outbox WHERE dead = 1"),
        bytes=size,
        unknown=undelivered(3),
        refused=undelivered(4),
        abandoned=tuple(Abandoned(*row) for row in abandoned),
    )
