"""Tidies away what has served its purpose: settled journal rows and replies, traces, expired items; no exchange."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import moment
from adapters.sqlite.rows.items import remove_items

_BATCH: Final = 1000
"""Rows per transaction: messages wait for one of these at most."""
_SHOWN_DAYS: Final = 1 / 24
"""So long the turn that shows a reply again may take, restarts included."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long things are kept.

    ``journal_days``: closed entries, which recognise redelivered updates (Telegram keeps updates for one day), and
    abandoned ones.  ``delivery_days``: that a reply was sent or refused, or is of unknown fate.  ``doubt_days``:
    the text of one of unknown fate, which its chat may ask for; then it is dropped within the hour.  ``unsent_days``:
    planned replies that could not be sent; nobody wants an answer that late.  ``trace_days``: how far back /why can
    look.  ``expired_days``: items after their time to live.
    """

    journal_days: float = 14
    delivery_days: float = 30
    doubt_days: float = 3
    unsent_days: float = 2
    expired_days: float = 30
    trace_days: float = 90


async def tidy(database: Database, keep: Retention, now: datetime) -> int:
    """Delete what is older than ``keep`` says and return how many rows that were."""
    deletions = (
        ("journal", "state <> 0 AND closed_at < ?", _before(now, keep.journal_days)),
        ("deliveries", "state >= 2 AND planned_at < ?", _before(now, keep.delivery_days)),
        ("deliveries", "state = 0 AND planned_at < ?", _before(now, keep.unsent_days)),
        ("traces", "(SELECT said_at FROM exchanges WHERE exchanges.id = traces.id) < ?", _before(now, keep.trace_days)),
    )
    removed = 0
    for table, where, before in deletions:
        removed += await _in_batches(database, table, where, before)
    doubted = _before(now, keep.doubt_days)
    await database.write(lambda connection: _forget_texts(connection, doubted, _before(now, _SHOWN_DAYS)))
    limit = _before(now, keep.expired_days)
    while count := await database.write(lambda connection: _expired(connection, limit)):
        removed += count
    await database.write(lambda connection: connection.execute("PRAGMA optimize").fetchall())
    return removed


def _before(now: datetime, days: float) -> float:
    return moment(now - timedelta(days=days))[0]


async def _in_batches(database: Database, table: str, where: str, before: float) -> int:
    query = f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE {where} LIMIT {_BATCH})"  # noqa: S608 - constant text
    removed = 0
    while count := await database.write(lambda connection: connection.execute(query, (before,)).rowcount):
        removed += count
    return removed


def _forget_texts(connection: sqlite3.Connection, before: float, shown_before: float) -> None:
    connection.execute(
        "UPDATE deliveries SET text = '', buttons = '[]' WHERE state = 3 AND text <> '' "
        "AND (planned_at < ? OR shown_at < ?)",
        (before, shown_before),
    )


def _expired(connection: sqlite3.Connection, before: float) -> int:
    rows = connection.execute(
        "SELECT id FROM items WHERE ttl_s IS NOT NULL AND pinned = 0 AND updated_at + ttl_s < ? LIMIT ?",
        (before, _BATCH),
    ).fetchall()
    return remove_items(connection, tuple(row[0] for row in rows))
