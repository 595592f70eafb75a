"""The durable queue of ended sessions to learn from."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime
from typing import Final

from adapters.sqlite.chronicle.index import reword_line
from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import split_time
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.items import normalise_item, store_item
from adapters.sqlite.rows.scopes import find_scope, get_id_range
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.learning_queue import EndedSession, Learned
from bot.turn import Exchange
from language.analyser import Analyser

_UNREAD: Final = select_exchanges(
    "WHERE session_id = ? AND id BETWEEN ? AND ? AND replaced_by IS NULL AND synthetic = 0 ORDER BY id LIMIT ?"
)


class SqliteLearningQueue:
    """The port :class:`~bot.ports.learning_queue.LearningQueue`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._words = Analyser()

    async def due(self, now: datetime, limit: int) -> tuple[EndedSession, ...]:
        """Return the sessions whose time has come, longest waiting first."""
        seconds, _ = split_time(now)
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
        rows = await self._database.read(lambda connection: _read_exchanges(connection, session, limit))
        return tuple(load_exchange(session.scope, row) for row in rows)

    async def save_learned(
        self, session: EndedSession, read: tuple[Exchange, ...], learned: Learned, at: datetime
    ) -> EndedSession:
        """Store what was learned and how far, or nothing if what it was learned from is gone or has changed."""
        wanted = replace(learned, items=tuple(normalise_item(item, at) for item in learned.items))
        return await self._database.write(lambda connection: self._save(connection, session, read, wanted))

    def _save(
        self, connection: sqlite3.Connection, session: EndedSession, read: tuple[Exchange, ...], learned: Learned
    ) -> EndedSession:
        scope_no = find_scope(connection, session.scope)
        there = tuple(load_exchange(session.scope, row) for row in _read_exchanges(connection, session, len(read)))
        if scope_no is None or there != read:
            return session
        for item in learned.items:
            store_item(connection, self._words, scope_no, item)
        named = {exchange.uid: exchange for exchange in there}
        for line in learned.lines:
            if line.exchange in named:
                reword_line(connection, named[line.exchange], line.text)
        connection.execute(
            "UPDATE learning SET upto = ?, attempts = 0, reason = '' WHERE session_id = ? AND scope_no = ?",
            (there[-1].id, session.session_id, scope_no),
        )
        return replace(session, upto=there[-1].id, attempts=0)

    async def postpone(self, session: EndedSession, at: datetime, reason: str) -> None:
        """Count a failure and wait until ``at``."""
        seconds, _ = split_time(at)
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


def _read_exchanges(connection: sqlite3.Connection, session: EndedSession, limit: int) -> list[tuple[int, ...]]:
    scope_no = find_scope(connection, session.scope)
    if scope_no is None:
        return []
    low, high = get_id_range(scope_no)
    return connection.execute(
        _UNREAD,
        (session.session_id, max(low, session.upto + 1), high, limit),
    ).fetchall()
