"""Figures of the users of a bot, from the places, sessions and the ledger of their own chats."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import join_time
from bot.memory.scope import ScopeKind, build_scope
from bot.ports.users import UserFigures

_PLATFORM: Final = "telegram"
_PAIRED: Final = "SELECT user_id, paired_at FROM pairings WHERE bot_id = ?"
_PLACES: Final = "SELECT no FROM places WHERE door = ? AND bot_id = ? AND chat_id = ?"
_SEEN: Final = "SELECT max(active_at) FROM sessions WHERE place_no = ?"
_SAID: Final = "SELECT count(*) FROM exchanges WHERE place_no = ? AND message_id <> 0 AND replaced_by IS NULL"
_NAME: Final = (
    "SELECT author_name FROM exchanges WHERE place_no = ? AND message_id <> 0 AND author_id = ? "
    "ORDER BY message_id DESC LIMIT 1"
)
_TOKENS: Final = (
    "SELECT coalesce(sum(prompt + completion), 0) FROM usage JOIN scopes ON no = scope_no "
    "WHERE tag IN (?, ?) AND day BETWEEN ? AND ?"
)


class SqliteUsers:
    """The port :class:`~bot.ports.users.UserDirectory`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def describe(self, bot_id: int, listed: tuple[int, ...], first: date, last: date) -> tuple[UserFigures, ...]:
        """Return the users of a bot."""
        days = (first.isoformat(), last.isoformat())
        return await self._database.read(lambda connection: _describe(connection, bot_id, listed, days))


def _describe(
    connection: sqlite3.Connection, bot_id: int, listed: tuple[int, ...], days: tuple[str, str]
) -> tuple[UserFigures, ...]:
    paired: dict[int, float] = dict(connection.execute(_PAIRED, (bot_id,)).fetchall())
    return tuple(
        _describe_user(connection, bot_id, user, paired.get(user), days) for user in sorted({*paired, *listed})
    )


def _describe_user(
    connection: sqlite3.Connection, bot_id: int, user: int, paired_at: float | None, days: tuple[str, str]
) -> UserFigures:
    places = [row[0] for row in connection.execute(_PLACES, (_PLATFORM, bot_id, user)).fetchall()]
    seen = [row[0] for place in places for row in connection.execute(_SEEN, (place,)) if row[0] is not None]
    names = [row[0] for place in places for row in connection.execute(_NAME, (place, user))]
    tags = [
        build_scope(kind, platform=_PLATFORM, user_id=user, chat_id=user).tag
        for kind in (ScopeKind.USER, ScopeKind.CHAT)
    ]
    return UserFigures(
        id=user,
        name=next((name for name in names if name), ""),
        paired_at=None if paired_at is None else join_time(paired_at, 0).astimezone(UTC),
        last_seen=join_time(max(seen), 0).astimezone(UTC) if seen else None,
        messages=sum(connection.execute(_SAID, (place,)).fetchone()[0] for place in places),
        tokens=connection.execute(_TOKENS, (*tags, *days)).fetchone()[0],
    )
