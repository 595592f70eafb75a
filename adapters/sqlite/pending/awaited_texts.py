"""Texts that were asked for, in the database: a restart does not forget the question, an erase does."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import split_time
from adapters.sqlite.rows.scopes import ensure_scope, find_scope
from adapters.sqlite.rows.sessions import resolve_key
from bot.memory.scope import Scope
from bot.messages import InboundMessage


class SqliteAwaitedTexts:
    """The port :class:`~bot.ports.awaited_texts.AwaitedTexts`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def expect(self, asked: InboundMessage, scope: Scope, command: str, now: datetime, lasts_s: float) -> None:
        """Wait for the next message of whoever asked."""
        seconds, _ = split_time(now)

        def expect(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM awaited_texts WHERE expires_at < ?", (seconds,))
            connection.execute(
                "INSERT OR REPLACE INTO awaited_texts (place, author_id, scope_no, command, asked_at, expires_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    resolve_key(connection, asked.address),
                    asked.author.id,
                    ensure_scope(connection, scope),
                    command,
                    seconds,
                    seconds + lasts_s,
                ),
            )

        await self._database.write(expect)

    async def take(self, message: InboundMessage, scope: Scope, now: datetime) -> str | None:
        """Return the command that this message completes, once for one update."""
        if not await self._database.read(lambda connection: _is_awaited(connection, message)):
            return None
        seconds, _ = split_time(now)

        def take(connection: sqlite3.Connection) -> str | None:
            # A clock that was set back must not make a question stay open longer than it was meant to.
            row = connection.execute(
                "UPDATE awaited_texts SET taken_by = ?1 WHERE place = ?2 AND author_id = ?3 AND scope_no = ?4 "
                "AND coalesce(taken_by, ?1) = ?1 AND ?5 BETWEEN 2 * asked_at - expires_at AND expires_at "
                "RETURNING command",
                (
                    message.update_id,
                    resolve_key(connection, message.address),
                    message.author.id,
                    find_scope(connection, scope),
                    seconds,
                ),
            ).fetchone()
            return None if row is None else str(row[0])

        return await self._database.write(take)

    async def give_up(self, message: InboundMessage) -> None:
        """Stop waiting; most messages find nothing that waits, and write nothing."""
        if await self._database.read(lambda connection: _is_awaited(connection, message)):
            await self._database.write(lambda connection: _forget(connection, message))


def _is_awaited(connection: sqlite3.Connection, message: InboundMessage) -> bool:
    row = connection.execute(
        "SELECT 1 FROM awaited_texts WHERE place = ? AND author_id = ?",
        (resolve_key(connection, message.address), message.author.id),
    ).fetchone()
    return row is not None


def _forget(connection: sqlite3.Connection, message: InboundMessage) -> None:
    connection.execute(
        "DELETE FROM awaited_texts WHERE place = ? AND author_id = ?",
        (resolve_key(connection, message.address), message.author.id),
    )
