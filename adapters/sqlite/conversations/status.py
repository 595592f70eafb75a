"""What is in the store, in figures, for /status and ``mneme check``."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from adapters.sqlite.database import Database

_LISTED = 50
_COUNTS: Final = """
SELECT
    (SELECT count(*) FROM scopes),
    (SELECT count(*) FROM exchanges),
    (SELECT count(*) FROM items WHERE superseded_by IS NULL),
    (SELECT count(*) FROM item_backlog),
    (SELECT count(*) FROM journal WHERE state = 0),
    (SELECT count(*) FROM deliveries WHERE state < 2),
    (SELECT count(*) FROM outbox WHERE dead = 0),
    (SELECT count(*) FROM outbox WHERE dead = 1)
"""


@dataclass(frozen=True, slots=True)
class AbandonedMessage:
    """A message that was set aside after too many failures."""

    entry: int
    place: str
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class UndeliveredReply:
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
    unknown: tuple[UndeliveredReply, ...]
    refused: tuple[UndeliveredReply, ...]
    abandoned: tuple[AbandonedMessage, ...]


async def read_status(database: Database) -> StorageStatus:
    """Return the figures of one moment."""
    files = (database.path, database.path.with_name(f"{database.path.name}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    return await database.read(lambda connection: _count_rows(connection, size))


def _count_rows(connection: sqlite3.Connection, size: int) -> StorageStatus:
    def undelivered(state: int) -> tuple[UndeliveredReply, ...]:
        rows = connection.execute(
            "SELECT id, (SELECT key FROM places WHERE no = place_no), reason FROM deliveries "
            "WHERE state = ? AND offers IS NULL ORDER BY id DESC LIMIT ?",
            (state, _LISTED),
        ).fetchall()
        return tuple(UndeliveredReply(*row) for row in rows)

    abandoned = connection.execute(
        "SELECT id, place, attempts, reason FROM journal WHERE state = 2 ORDER BY id DESC LIMIT ?", (_LISTED,)
    ).fetchall()
    scopes, exchanges, items, unembedded, pending, planned, waiting, dead = connection.execute(_COUNTS).fetchone()
    return StorageStatus(
        scopes=scopes,
        exchanges=exchanges,
        items=items,
        unembedded=unembedded,
        pending=pending,
        planned=planned,
        waiting=waiting,
        dead=dead,
        bytes=size,
        unknown=undelivered(3),
        refused=undelivered(4),
        abandoned=tuple(AbandonedMessage(*row) for row in abandoned),
    )
