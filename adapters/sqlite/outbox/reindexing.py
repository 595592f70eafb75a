"""Puts exchanges that long-term memory should hold into the outbox later than their turn did.

All of them, for a server that lost its data; those said while long-term memory was switched off, when it is on again.
The conversation store is the truth, so that long-term memory can always be made again from it.
Documents keep their names: a server that still has one recognises it.
Beside that it records which workspace of the server each scope's documents went to.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.documents.queueing import queue_deferred_parts, queue_parts_again
from adapters.sqlite.installation import UNMOVED
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.meta import delete_meta, read_meta, write_meta
from adapters.sqlite.rows.outbox import enqueue_exchange, revive_dead_letters
from adapters.sqlite.rows.scopes import find_scope, list_scope_tags
from bot.memory.document import source_name
from bot.memory.learning.speech_acts import find_skip_reason
from bot.memory.learning.statements import states_fact
from bot.memory.scope import Scope
from bot.turn import Exchange

_BATCH: Final = 200
_PARTS: Final = 8
"""Parts of documents at once: each is as long as some hundred exchanges."""
_FOLLOWING: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no "
    "WHERE id > ?1 AND (?2 IS NULL OR tag = ?2) AND synthetic = 0 AND replaced_by IS NULL ORDER BY id LIMIT ?3",
    *("scope_no", "tag", "source"),
)
_CURRENT: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no WHERE id = ? AND replaced_by IS NULL", "scope_no", "tag", "source"
)
_INCARNATION: Final = "incarnation of "


async def reindex_exchanges(database: Database, *, min_length: int, scope: Scope | None = None) -> int:
    """Queue the documents of all exchanges (or one scope's) worth it; those already queued are left alone.

    Return how many were queued.
    ``min_length`` is the setting ``rag.indexMinLength``.  What was given up goes back into the queue first, and counts.
    Done in pieces, so that messages are accepted meanwhile; doing it again queues nothing twice.
    """
    queued, after = await database.write(revive_dead_letters), 0
    while True:
        found, after = await database.write(partial(_queue_batch, after=after, min_length=min_length, scope=scope))
        queued += found
        if not after:
            return queued + await _reindex_documents(database, scope)


async def _reindex_documents(database: Database, scope: Scope | None) -> int:
    """Queue the parts of all documents that were sent (or one scope's) and return how many."""
    scope_no = None if scope is None else await database.read(lambda connection: find_scope(connection, scope))
    if scope is not None and scope_no is None:
        return 0
    queued, after = 0, (0, 0)
    while True:
        found, after = await database.write(partial(queue_parts_again, after=after, limit=_PARTS, scope_no=scope_no))
        queued += found
        if after == (0, 0):
            return queued


async def index_deferred(database: Database) -> int:
    """Queue the documents of what was said while long-term memory was switched off and return how many."""
    queued = 0
    while await database.read(_list_deferred):
        queued += await database.write(_queue_deferred)
    while found := await database.write(partial(queue_deferred_parts, limit=_PARTS)):
        queued += found
    return queued


def _queue_batch(connection: sqlite3.Connection, after: int, min_length: int, scope: Scope | None) -> tuple[int, int]:
    """Queue the next exchanges with an id above ``after``; return how many, and the last id (0 at the end)."""
    rows = connection.execute(
        _FOLLOWING,
        (after, scope.tag if scope else None, _BATCH),
    ).fetchall()
    queued = 0
    for *columns, scope_no, tag, source in rows:
        said = load_exchange(Scope(tag), tuple(columns))
        if source or _is_worth_indexing(said, min_length):
            queued += _queue(connection, scope_no, said, source)
    return queued, rows[-1][0] if rows else 0


def _list_deferred(connection: sqlite3.Connection) -> list[int]:
    rows = connection.execute("SELECT exchange_id FROM deferred_documents ORDER BY exchange_id LIMIT ?", (_BATCH,))
    return [row[0] for row in rows]


def _queue_deferred(connection: sqlite3.Connection) -> int:
    """Queue the oldest deferred documents; what was erased or replaced meanwhile is passed by."""
    queued = 0
    for exchange_id in _list_deferred(connection):
        row = connection.execute(
            _CURRENT,
            (exchange_id,),
        ).fetchone()
        if row is not None:
            *columns, scope_no, tag, source = row
            queued += _queue(connection, scope_no, load_exchange(Scope(tag), tuple(columns)), source)
        connection.execute("DELETE FROM deferred_documents WHERE exchange_id = ?", (exchange_id,))
    return queued


def _is_worth_indexing(said: Exchange, min_length: int) -> bool:
    return (
        find_skip_reason(
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


class WorkspaceRecords:
    """Asks and answers for one scope at a time; ``min_length`` gives the setting ``rag.indexMinLength``."""

    def __init__(self, database: Database, min_length: Callable[[], int]) -> None:
        self._database, self._min_length = database, min_length

    async def list_unmoved(self) -> tuple[Scope, ...]:
        """Return the scopes whose workspaces may still have the names from before there was an installation's name."""
        return await self._database.read(_list_unmoved)

    async def mark_moved(self) -> None:
        """Note that no workspace has an old name any more."""
        await self._database.write(lambda connection: delete_meta(connection, UNMOVED))

    async def queue_documents(self, scope: Scope) -> int:
        """Queue everything that long-term memory should hold of a scope; return how many documents."""
        return await reindex_exchanges(self._database, min_length=self._min_length(), scope=scope)

    async def list_incarnations(self) -> dict[Scope, str]:
        """Return which workspace each scope's documents went to, as the server calls it."""
        return await self._database.read(_list_incarnations)

    async def record_incarnation(self, scope: Scope, incarnation: str) -> None:
        """Remember it."""
        key = f"{_INCARNATION}{scope.tag}"
        await self._database.write(lambda connection: write_meta(connection, key, incarnation))


def _list_unmoved(connection: sqlite3.Connection) -> tuple[Scope, ...]:
    due = read_meta(connection, UNMOVED) is not None
    return tuple(Scope(tag) for tag in list_scope_tags(connection)) if due else ()


def _list_incarnations(connection: sqlite3.Connection) -> dict[Scope, str]:
    ask = "SELECT substr(key, length(?1) + 1), value FROM meta WHERE key LIKE ?1 || '%'"
    return {Scope(tag): value for tag, value in connection.execute(ask, (_INCARNATION,))}
