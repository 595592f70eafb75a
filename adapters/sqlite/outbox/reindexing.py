"""Puts exchanges that long-term memory should hold into the outbox later than their turn did.

All of them, for a server that lost its data; those said while long-term memory was switched off, when it is on again.
The conversation store is the truth, so that long-term memory can always be made again from it.
Documents keep their names: a server that still has one recognises it.
"""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.exchange_rows import COLUMNS, exchange_of
from adapters.sqlite.rows.outbox_rows import enqueue_exchange, revive
from bot.memory.document import source_name
from bot.memory.learning.extraction import states_fact
from bot.memory.learning.trivial import skip_reason
from bot.memory.scope import Scope
from bot.turn import Exchange

_BATCH: Final = 200


async def index_again(database: Database, *, min_length: int, scope: Scope | None = None) -> int:
    """Queue the documents of all exchanges (or one scope's) worth it; those already queued are left alone.

    Return how many were queued.
    ``min_length`` is the setting ``rag.indexMinLength``.  What was given up goes back into the queue first, and counts.
    Done in pieces, so that messages are accepted meanwhile; doing it again queues nothing twice.
    """
    queued, after = await database.write(revive), 0
    while True:
        found, after = await database.write(partial(_batch, after=after, min_length=min_length, scope=scope))
        queued += found
        if not after:
            return queued


async def index_deferred(database: Database) -> int:
    """Queue the documents of what was said while long-term memory was switched off and return how many."""
    queued = 0
    while await database.read(_deferred_ids):
        queued += await database.write(_queue_deferred)
    return queued


def _batch(connection: sqlite3.Connection, after: int, min_length: int, scope: Scope | None) -> tuple[int, int]:
    """Queue the next exchanges with an id above ``after``; return how many, and the last id (0 at the end)."""
    rows = connection.execute(
        f"SELECT {COLUMNS}, scope_no, tag, source FROM exchanges JOIN scopes ON scopes.no = scope_no "  # noqa: S608 - constant columns
        "WHERE id > ?1 AND (?2 IS NULL OR tag = ?2) AND synthetic = 0 AND replaced_by IS NULL ORDER BY id LIMIT ?3",
        (after, scope.tag if scope else None, _BATCH),
    ).fetchall()
    queued = 0
    for *columns, scope_no, tag, source in rows:
        said = exchange_of(Scope(tag), tuple(columns))
        if source or _is_worth_indexing(said, min_length):
            queued += _queue(connection, scope_no, said, source)
    return queued, rows[-1][0] if rows else 0


def _deferred_ids(connection: sqlite3.Connection) -> list[int]:
    rows = connection.execute("SELECT exchange_id FROM deferred_documents ORDER BY exchange_id LIMIT ?", (_BATCH,))
    return [row[0] for row in rows]


def _queue_deferred(connection: sqlite3.Connection) -> int:
    """Queue the oldest deferred documents; what was erased or replaced meanwhile is passed by."""
    queued = 0
    for exchange_id in _deferred_ids(connection):
        row = connection.execute(
            f"SELECT {COLUMNS}, scope_no, tag, source FROM exchanges JOIN scopes ON scopes.no = scope_no "  # noqa: S608 - constant columns
            "WHERE id = ? AND replaced_by IS NULL",
            (exchange_id,),
        ).fetchone()
        if row is not None:
            *columns, scope_no, tag, source = row
            queued += _queue(connection, scope_no, exchange_of(Scope(tag), tuple(columns)), source)
        connection.execute("DELETE FROM deferred_documents WHERE exchange_id = ?", (exchange_id,))
    return queued


def _is_worth_indexing(said: Exchange, min_length: int) -> bool:
    return (
        skip_reason(
            said.said,
            said.assistant_text,
            min_length=min_length,
            states_fact=states_fact(said.said),
            synthetic=said.synthetic,
        )
        is None
    )


def _queue(connection: sqlite3.Connection, scope_no: int, said: Exchange, source: str) -> int:
    """Queue one document unless it waits already and return how many were queued; an exchange gets its name once."""
    if not source:
        source = source_name(said.said_at, said.scope.tag, said.uid)
        connection.execute("UPDATE exchanges SET source = ? WHERE id = ?", (source, said.id))
    waiting = connection.execute("SELECT 1 FROM outbox WHERE scope_no = ? AND source = ?", (scope_no, source))
    if waiting.fetchone() is not None:
        return 0
    enqueue_exchange(connection, said, source)
    return 1
