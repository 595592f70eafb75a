"""The journal of accepted messages: an INSERT and an fsync before anything else happens to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import structlog

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import clean_message, dump_message, load_message, split_time, utc_now
from bot.errors import Corrupt
from bot.memory.sanitise import clean
from bot.messages import Accepted, Address, InboundMessage

_PENDING = "SELECT id, payload, attempts FROM journal WHERE state = 0"


class SqliteJournal:
    """The port :class:`~bot.ports.journal.Journal`; entries are ordered by their number, never by a clock."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    async def accept(self, message: InboundMessage) -> Accepted | None:
        """Store the message durably, cleaned of what cannot be stored; ``None`` if it was accepted before."""
        stored = clean_message(message)
        address = stored.address
        values = (address.platform, address.bot_id, message.update_id, address.key, dump_message(stored))
        entry = await self._database.write(lambda connection: _insert(connection, values))
        return None if entry is None else Accepted(entry, stored, begun=True)

    async def pending(self) -> tuple[Accepted, ...]:
        """Return uncommitted entries, oldest first; one that cannot be read is set aside."""
        rows = await self._database.read(lambda connection: connection.execute(f"{_PENDING} ORDER BY id").fetchall())
        return await self._entries(rows)

    async def pending_at(self, address: Address, after: int, limit: int) -> tuple[Accepted, ...]:
        """Return at most ``limit`` uncommitted entries of one place with an id above ``after``, oldest first."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                f"{_PENDING} AND place = ? AND id > ? ORDER BY id LIMIT ?", (address.key, after, limit)
            ).fetchall()
        )
        return await self._entries(rows)

    async def begin(self, entry_id: int) -> int:
        """Count one more attempt and return how many there were; 1 for an entry that is unknown."""
        return await self._database.write(lambda connection: _begin(connection, entry_id))

    async def drop(self, entry_ids: tuple[int, ...]) -> None:
        """Close entries and forget what they hold."""
        closed_at, _ = split_time(self._now())
        await self._database.write(
            lambda connection: (
                connection.executemany(
                    "UPDATE journal SET state = 1, committed = 1, payload = NULL, draft_id = NULL, "
                    "reason = 'dropped by its author', closed_at = ? WHERE id = ? AND state = 0 AND committed = 0",
                    [(closed_at, entry_id) for entry_id in entry_ids],
                ).rowcount
            )
        )

    async def abandon(self, entry_id: int, reason: str) -> None:
        """Set an entry aside, payload and all."""
        closed_at, _ = split_time(self._now())
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE journal SET state = 2, reason = ?, closed_at = ? WHERE id = ? AND state = 0",
                    (clean(reason), closed_at, entry_id),
                ).rowcount
            )
        )

    async def _entries(self, rows: list[tuple[int, bytes, int]]) -> tuple[Accepted, ...]:
        entries = []
        for entry_id, payload, attempts in rows:
            try:
                entries.append(replace(Accepted(entry_id, load_message(payload)), attempts=attempts))
            except Corrupt as error:
                structlog.get_logger().error("journal entry unreadable", entry=entry_id)
                await self.abandon(entry_id, str(error))
        return tuple(entries)


def _insert(connection: sqlite3.Connection, values: tuple[Any, ...]) -> int | None:  # Any: column values
    row = connection.execute(
        "INSERT INTO journal (door, bot_id, update_id, place, payload, attempts) VALUES (?, ?, ?, ?, ?, 1) "
        "ON CONFLICT DO NOTHING RETURNING id",
        values,
    ).fetchone()
    return None if row is None else int(row[0])


def _begin(connection: sqlite3.Connection, entry_id: int) -> int:
    row = connection.execute(
        "UPDATE journal SET attempts = attempts + 1 WHERE id = ? RETURNING attempts", (entry_id,)
    ).fetchone()
    return 1 if row is None else int(row[0])
