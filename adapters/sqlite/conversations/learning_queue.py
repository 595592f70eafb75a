"""The durable queue of ended sessions to learn from."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import moment
from adapters.sqlite.rows.exchanges import COLUMNS, exchange_of
from adapters.sqlite.rows.items import normalised, settle_item
from adapters.sqlite.rows.scopes import find_scope, scope_range
from bot.memory.items import MemoryItem
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.learning import EndedSession
from bot.turn import Exchange
from language.analyser import Analyser


class SqliteLearningQueue:
    """The port :class:`~bot.ports.learning.LearningQueue`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._words = Analyser()

    async def due(self, now: datetime, limit: int) -> tuple[EndedSession, ...]:
        """Return the sessions whose time has come, longest waiting first."""
        seconds, _ = moment(now)
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT session_id, tag, upto, attempts FROM learning JOIN scopes ON scopes.no = scope_no "
                "WHERE next_at <= ? ORDER BY next_at, session_id LIMIT ?",
                (seconds, limit),
            ).fetchall()
        )
        return tuple(EndedSession(session_id, Scope(tag), upto, attempts) for session_id, tag, upto, attempts in rows)

    async def exchanges(self, session: EndedSession, limit: int) -> tuple[Exchange, ...]:
        """Return the next exchanges to learn from, oldest first."""
        rows = await self._database.read(lambda connection: _exchanges(connection, session, limit))
        return tuple(exchange_of(session.scope, row) for row in rows)

    async def learned(
        self, session: EndedSession, read: tuple[Exchange, ...], items: tuple[MemoryItem, ...], at: datetime
    ) -> EndedSession:
        """Store what was learned and how far, or nothing if what it was learned from is gone."""
        wanted = tuple(normalised(item, at) for item in items)
        return await self._database.write(lambda connection: self._learned(connection, session, read, wanted))

    def _learned(
        self,
        connection: sqlite3.Connection,
        session: EndedSession,
        read: tuple[Exchange, ...],
        items: tuple[MemoryItem, ...],
    ) -> EndedSession:
        scope_no = find_scope(connection, session.scope)
        there = [row[0] for row in _exchanges(connection, session, len(read))]
        if scope_no is None or there != [exchange.id for exchange in read]:
            return session
        for item in items:
            settle_item(connection, self._words, scope_no, item)
        connection.execute(
            "UPDATE learning SET upto = ?, attempts = 0, reason = '' WHERE session_id = ? AND scope_no = ?",
            (there[-1], session.session_id, scope_no),
        )
        return replace(session, upto=there[-1], attempts=0)

    async def postpone(self, session: EndedSession, at: datetime, reason: str) -> None:
        """Count a failure and wait until ``at``."""
        seconds, _ = moment(at)
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE learning SET attempts = attempts + 1, next_at = ?, reason = ? "
                    "WHERE session_id = ? AND scope_no = (SELECT no FROM scopes WHERE tag = ?)",
                    (seconds, clean(reason), session.session_id, session.scope.tag),
                ).rowcount
            )
        )

    async def finish(self, session: EndedSession) -> None:
        """Forget a session that was learned from to its end."""
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "DELETE FROM learning WHERE session_id = ? AND scope_no = (SELECT no FROM scopes WHERE tag = ?)",
                    (session.session_id, session.scope.tag),
                ).rowcount
            )
        )


def _exchanges(connection: sqlite3.Connection, session: EndedSession, limit: int) -> list[tuple[int, ...]]:
    scope_no = find_scope(connection, session.scope)
    if scope_no is None:
        return []
    low, high = scope_range(scope_no)
    return connection.execute(
        f"SELECT {COLUMNS} FROM exchanges WHERE session_id = ? AND id BETWEEN ? AND ? AND replaced_by IS NULL "  # noqa: S608 - constant columns
        "AND synthetic = 0 ORDER BY id LIMIT ?",
        (session.session_id, max(low, session.upto + 1), high, limit),
    ).fetchall()
