"""Which skill somebody chose for the running session of a place, kept so that a restart does not switch it back."""

from __future__ import annotations

import sqlite3
from typing import Final

from adapters.sqlite.database import Database
from bot.memory.sanitise import clean

_KEY: Final = "skill of session "
_ENDED: Final = (
    "DELETE FROM meta WHERE key LIKE ?1 || '%' AND substr(key, length(?1) + 1) NOT IN "
    "(SELECT session_id FROM places WHERE session_id IS NOT NULL)"
)
_KEPT: Final = (
    "SELECT places.key, session_id, value FROM places JOIN meta ON meta.key = ? || session_id ORDER BY places.no"
)


class SqliteSkillMemory:
    """The port :class:`~bot.ports.skills.SkillMemory`: a row of ``meta`` per running session with a choice."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, session_id: int, name: str) -> None:
        """Store the choice, and forget those of sessions that have ended."""
        await self._database.write(lambda connection: _keep(connection, session_id, clean(name)))

    async def kept(self) -> tuple[tuple[str, int, str], ...]:
        """Return place, session and skill of every choice that still holds."""
        rows = await self._database.read(lambda connection: connection.execute(_KEPT, (_KEY,)).fetchall())
        return tuple((key, session_id, name) for key, session_id, name in rows)


def _keep(connection: sqlite3.Connection, session_id: int, name: str) -> None:
    connection.execute(_ENDED, (_KEY,))
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (f"{_KEY}{session_id}", name)
    )
