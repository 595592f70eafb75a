"""The durable queue to long-term memory, in order per scope, and what fills it again later than a turn did.

All exchanges, for a server that lost its data; those said while long-term memory was switched off, when it is on again.
The conversation store is the truth, so that long-term memory can always be made again from it.  Documents keep their
names: a server that still has one recognises it.  Which workspace each scope's documents went to is recorded, too.
"""

import sqlite3
from collections.abc import Callable
from datetime import datetime
from functools import cache, partial
from typing import Final

from adapters.sqlite.database import Database, Store, reading, writing
from adapters.sqlite.documents import queue_deferred_parts, queue_parts_again
from adapters.sqlite.rows.codec import find_scope, list_column, split_time, write_meta
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.outbox import enqueue_exchange, expand_text, list_namesakes, restore_head, revive_dead_letters
from bot.memory.document import source_name
from bot.memory.learning.speech_acts import find_skip_reason
from bot.memory.learning.statements import states_fact
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.rag import DeadLetter, OutboxCounts, OutboxRow
from bot.turn import Exchange, IndexDocument

_FAR_S: Final = 86_400.0
"""No back-off is longer than a day: a row that waits for more was postponed before the clock was set back."""


class SqliteOutbox(Store):
    """The ports :class:`~bot.ports.rag.Outbox` and :class:`~bot.ports.rag.DeadLetters`."""

    async def due(self, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
        seconds, _ = split_time(now)
        rows = await self.database.fetch(
            "SELECT outbox.id, tag, outbox.source, text, user_text, assistant_text, erase, attempts, posted "
            "FROM outbox JOIN scopes ON scopes.no = outbox.scope_no "
            "LEFT JOIN exchanges ON exchanges.id = exchange_id "
            "WHERE head = 1 AND (next_at <= ? OR next_at > ?) ORDER BY outbox.id LIMIT ?",
            (seconds, seconds + _FAR_S, limit),
        )
        return tuple(
            OutboxRow(
                row_id, IndexDocument(Scope(tag), source, expand_text(*texts)), bool(erase), attempts, bool(posted)
            )
            for row_id, tag, source, *texts, erase, attempts, posted in rows
        )

    async def mark_posted(self, row_id: int) -> None:
        await self.database.change("UPDATE outbox SET posted = 1 WHERE id = ?", (row_id,))

    @writing
    def close(self, connection: sqlite3.Connection, row_id: int) -> None:
        row = connection.execute("DELETE FROM outbox WHERE id = ? RETURNING scope_no", (row_id,)).fetchone()
        if row is not None:
            restore_head(connection, row[0])

    async def retry(self, row_id: int, at: datetime, reason: str) -> None:
        seconds, _ = split_time(at)
        await self.database.change(
            "UPDATE outbox SET attempts = attempts + 1, next_at = ?, reason = ? WHERE id = ? AND dead = 0",
            (seconds, clean(reason), row_id),
        )

    @writing
    def bury(self, connection: sqlite3.Connection, row_id: int, reason: str) -> None:
        reason = clean(reason)
        row = connection.execute(
            "UPDATE outbox SET dead = 1, head = 0, reason = ? WHERE id = ? RETURNING scope_no", (reason, row_id)
        ).fetchone()
        if row is not None:
            restore_head(connection, row[0])

    async def counts(self) -> OutboxCounts:
        waiting, dead = await self.database.fetch_one(
            "SELECT (SELECT count(*) FROM outbox WHERE dead = 0), (SELECT count(*) FROM outbox WHERE dead = 1)"
        )
        return OutboxCounts(waiting, dead)

    async def list_dead(self, limit: int = 50) -> tuple[DeadLetter, ...]:
        rows = await self.database.fetch(
            "SELECT id, (SELECT tag FROM scopes WHERE no = scope_no), source, erase, attempts, reason "
            "FROM outbox WHERE dead = 1 ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return tuple(DeadLetter(row[0], row[1], row[2], bool(row[3]), row[4], row[5]) for row in rows)

    async def revive(self) -> int:
        return await self.database.write(revive_dead_letters)


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
    return queued + await database.write_all(partial(queue_deferred_parts, limit=_PARTS))


def _queue_batch(connection: sqlite3.Connection, after: int, min_length: int, scope: Scope | None) -> tuple[int, int]:
    """Queue the next exchanges with an id above ``after``; return how many, and the last id (0 at the end)."""
    rows = connection.execute(_FOLLOWING, (after, scope.tag if scope else None, _BATCH)).fetchall()
    queued, namesakes = 0, cache(partial(list_namesakes, connection))
    for *columns, scope_no, tag, source in rows:
        said = load_exchange(Scope(tag), tuple(columns))
        if source or _is_worth_indexing(said, min_length):
            queued += _queue(connection, scope_no, said, source, namesakes)
    return queued, rows[-1][0] if rows else 0


def _list_deferred(connection: sqlite3.Connection) -> list[int]:
    return list_column(connection, "SELECT exchange_id FROM deferred_documents ORDER BY exchange_id LIMIT ?", _BATCH)


def _queue_deferred(connection: sqlite3.Connection) -> int:
    """Queue the oldest deferred documents; what was erased or replaced meanwhile is passed by."""
    queued, namesakes = 0, cache(partial(list_namesakes, connection))
    for exchange_id in _list_deferred(connection):
        row = connection.execute(_CURRENT, (exchange_id,)).fetchone()
        if row is not None:
            *columns, scope_no, tag, source = row
            queued += _queue(connection, scope_no, load_exchange(Scope(tag), tuple(columns)), source, namesakes)
        connection.execute("DELETE FROM deferred_documents WHERE exchange_id = ?", (exchange_id,))
    return queued


def _is_worth_indexing(said: Exchange, min_length: int) -> bool:
    told, states = (said.said, said.assistant_text), states_fact(said.said)
    return find_skip_reason(*told, min_length=min_length, states_fact=states, synthetic=said.synthetic) is None


def _queue(
    connection: sqlite3.Connection,
    scope_no: int,
    said: Exchange,
    source: str,
    namesakes: Callable[[Scope, int], frozenset[str]],
) -> int:
    """Queue one document unless it waits already and return how many were queued; an exchange gets its name once."""
    if not source:
        source = source_name(said.said_at, said.scope.tag, said.uid)
        connection.execute("UPDATE exchanges SET source = ? WHERE id = ?", (source, said.id))
    waiting = connection.execute("SELECT 1 FROM outbox WHERE scope_no = ? AND source = ?", (scope_no, source))
    if waiting.fetchone() is not None:
        return 0
    enqueue_exchange(connection, said, source, namesakes(said.scope, scope_no))
    return 1


class WorkspaceRecords(Store):
    """Asks and answers for one scope at a time; ``min_length`` gives the setting ``rag.indexMinLength``."""

    def __init__(self, database: Database, min_length: Callable[[], int]) -> None:
        super().__init__(database)
        self._min_length = min_length

    async def queue_documents(self, scope: Scope) -> int:
        """Queue everything that long-term memory should hold of a scope; return how many documents."""
        return await reindex_exchanges(self.database, min_length=self._min_length(), scope=scope)

    @reading
    def list_incarnations(self, connection: sqlite3.Connection) -> dict[Scope, str]:
        """Return which workspace each scope's documents went to, as the server calls it."""
        ask = "SELECT substr(key, length(?1) + 1), value FROM meta WHERE key LIKE ?1 || '%'"
        return {Scope(tag): value for tag, value in connection.execute(ask, (_INCARNATION,))}

    @writing
    def record_incarnation(self, connection: sqlite3.Connection, scope: Scope, incarnation: str) -> None:
        key = f"{_INCARNATION}{scope.tag}"
        write_meta(connection, key, incarnation)
