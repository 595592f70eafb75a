"""Tidies away what has served its purpose: settled journal rows and replies, traces, expired items; no exchange."""

import sqlite3
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from adapters.sqlite.conversations.deliveries import remove_unclaimed_files
from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import split_time
from adapters.sqlite.rows.derived import Rooms
from adapters.sqlite.rows.items import remove_items
from bot.config.schema import RetentionSettings

_BATCH: Final = 1000
"""Rows per transaction: messages wait for one of these at most."""
_SHOWN_DAYS: Final = 1 / 24
"""So long the turn that shows a reply again may take, restarts included."""
_DOUBT_DAYS: Final = 3
"""For which a chat may ask for the text of a reply of unknown fate; then it is dropped within the hour."""
_UNSENT_DAYS: Final = 2
"""After which nobody wants an answer that could not be sent."""
_EXPIRED_DAYS: Final = 30
"""For which items are kept behind their time to live."""
_CLOSED_ENTRIES: Final = (
    "DELETE FROM journal WHERE id IN (SELECT id FROM journal WHERE state <> 0 AND closed_at < ? LIMIT ?)"
)
_ENDED_REPLIES: Final = (
    "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE state >= 2 AND planned_at < ? LIMIT ?)"
)
_UNSENT_REPLIES: Final = (
    "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE state = 0 AND planned_at < ? LIMIT ?)"
)
_TRACES: Final = (
    "DELETE FROM traces WHERE id IN (SELECT id FROM traces "
    "WHERE coalesce((SELECT said_at FROM exchanges WHERE exchanges.id = traces.id), 0) < ? LIMIT ?)"
)
"""A trace whose exchange is lost (a damaged page) is of no use."""


async def delete_outdated(database: Database, keep: RetentionSettings, now: datetime) -> int:
    """Delete what is older than ``keep`` says and return how many rows that were."""
    deletions = (
        (_CLOSED_ENTRIES, keep.journal_days),
        (_ENDED_REPLIES, keep.delivery_days),
        (_UNSENT_REPLIES, _UNSENT_DAYS),
        (_TRACES, keep.trace_days),
    )
    removed = 0
    for statement, days in deletions:
        before = (_seconds_before(now, days), _BATCH)
        removed += await database.write_all(partial(_delete, statement=statement, values=before))
    doubted = _seconds_before(now, _DOUBT_DAYS)
    await database.write(lambda connection: _forget_texts(connection, doubted, _seconds_before(now, _SHOWN_DAYS)))
    await remove_unclaimed_files(database)
    limit = _seconds_before(now, _EXPIRED_DAYS)
    removed += await database.write_all(lambda connection: _delete_expired(connection, database.rooms, limit))
    await database.write(lambda connection: connection.execute("PRAGMA optimize").fetchall())
    return removed


def _seconds_before(now: datetime, days: float) -> float:
    return split_time(now - timedelta(days=days))[0]


def _delete(connection: sqlite3.Connection, statement: str, values: tuple[float, int]) -> int:
    return connection.execute(statement, values).rowcount


def _forget_texts(connection: sqlite3.Connection, before: float, shown_before: float) -> None:
    connection.execute(
        "UPDATE deliveries SET text = '', buttons = '[]', file_path = NULL "
        "WHERE state = 3 AND (text <> '' OR file_path IS NOT NULL) AND (planned_at < ? OR shown_at < ?)",
        (before, shown_before),
    )


def _delete_expired(connection: sqlite3.Connection, rooms: Rooms, before: float) -> int:
    rows = connection.execute(
        "SELECT id FROM items WHERE ttl_s IS NOT NULL AND pinned = 0 AND updated_at + ttl_s < ? LIMIT ?",
        (before, _BATCH),
    ).fetchall()
    return remove_items(connection, rooms, tuple(row[0] for row in rows))
