"""The durable queue to long-term memory, in order per scope."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import split_time
from adapters.sqlite.rows.outbox import expand_text, restore_head, revive_dead_letters
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.outbox import DeadLetter, OutboxCounts, OutboxRow
from bot.turn import IndexDocument

_FAR_S: Final = 86_400.0
"""No back-off is longer than a day: a row that waits for more was postponed before the clock was set back."""


class SqliteOutbox:
    """The ports :class:`~bot.ports.outbox.Outbox` and :class:`~bot.ports.outbox.DeadLetters`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
        """Return the heads of scopes whose time has come, oldest first."""
        seconds, _ = split_time(now)
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT outbox.id, tag, outbox.source, text, user_text, assistant_text, erase, attempts, posted "
                "FROM outbox JOIN scopes ON scopes.no = outbox.scope_no "
                "LEFT JOIN exchanges ON exchanges.id = exchange_id "
                "WHERE head = 1 AND (next_at <= ? OR next_at > ?) ORDER BY outbox.id LIMIT ?",
                (seconds, seconds + _FAR_S, limit),
            ).fetchall()
        )
        return tuple(
            OutboxRow(
                row_id, IndexDocument(Scope(tag), source, expand_text(*texts)), bool(erase), attempts, bool(posted)
            )
            for row_id, tag, source, *texts, erase, attempts, posted in rows
        )

    async def mark_posted(self, row_id: int) -> None:
        """Remember the server's acknowledgement."""
        await self._database.write(
            lambda connection: connection.execute("UPDATE outbox SET posted = 1 WHERE id = ?", (row_id,)).rowcount
        )

    async def close(self, row_id: int) -> None:
        """Forget a row that is done; one that is gone already is no error."""
        await self._database.write(lambda connection: _close(connection, row_id))

    async def retry(self, row_id: int, at: datetime, reason: str) -> None:
        """Count a failure and wait until ``at``; a dead letter keeps its reason."""
        seconds, _ = split_time(at)
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE outbox SET attempts = attempts + 1, next_at = ?, reason = ? WHERE id = ? AND dead = 0",
                    (seconds, clean(reason), row_id),
                ).rowcount
            )
        )

    async def bury(self, row_id: int, reason: str) -> None:
        """Make a row a dead letter."""
        await self._database.write(lambda connection: _bury(connection, row_id, clean(reason)))

    async def counts(self) -> OutboxCounts:
        """Return how many rows wait and how many are dead."""
        waiting, dead = await self._database.read(
            lambda connection: connection.execute(
                "SELECT (SELECT count(*) FROM outbox WHERE dead = 0), (SELECT count(*) FROM outbox WHERE dead = 1)"
            ).fetchone()
        )
        return OutboxCounts(waiting, dead)

    async def list_dead(self, limit: int = 50) -> tuple[DeadLetter, ...]:
        """Return dead letters, newest first."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT id, (SELECT tag FROM scopes WHERE no = scope_no), source, erase, attempts, reason "
                "FROM outbox WHERE dead = 1 ORDER BY id DESC LIMIT ?",
                (limit,),
            ).fetchall()
        )
        return tuple(DeadLetter(row[0], row[1], row[2], bool(row[3]), row[4], row[5]) for row in rows)

    async def revive(self) -> int:
        """Put every dead letter back into its place in the queue and return how many there were."""
        return await self._database.write(revive_dead_letters)


def _close(connection: sqlite3.Connection, row_id: int) -> None:
    row = connection.execute("DELETE FROM outbox WHERE id = ? RETURNING scope_no", (row_id,)).fetchone()
    if row is not None:
        restore_head(connection, row[0])


def _bury(connection: sqlite3.Connection, row_id: int, reason: str) -> None:
    row = connection.execute(
        "UPDATE outbox SET dead = 1, head = 0, reason = ? WHERE id = ? RETURNING scope_no", (reason, row_id)
    ).fetchone()
    if row is not None:
        restore_head(connection, row[0])
