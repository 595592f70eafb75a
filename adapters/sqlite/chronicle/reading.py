"""The port Chronicle over SQLite: the lines of a scope with who said them and when."""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import Any, Final

from adapters.sqlite.chronicle.index import is_made, make_missed
from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import join_time, load_trust
from adapters.sqlite.rows.scopes import find_scope, get_id_range
from bot.memory.chronicle import DigestLine
from bot.memory.items import Trust
from bot.memory.scope import Scope

_MOST: Final = 6_000
"""Lines that a question looks at, the newest: all of some 4,000 exchanges."""
_AT_ONCE: Final = 100
_LINES: Final = (
    "SELECT uid, digest_lines.exchange, digest_lines.line, assistant, session_id, said_at, said_offset, author_name, "
    "author_id, trust, answer_trust, text, weight FROM digest_lines JOIN exchanges ON id = digest_lines.exchange "
    "WHERE digest_lines.exchange BETWEEN ? AND ? AND replaced_by IS NULL "
    "ORDER BY digest_lines.exchange DESC, assistant DESC, line DESC LIMIT ?"
)


class SqliteChronicle:
    """The port :class:`~bot.ports.chronicle.Chronicle`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._made = False

    async def read_lines(self, scope: Scope) -> tuple[DigestLine, ...]:
        """Return the lines of the scope's newest exchanges in order of time."""
        return await self._database.read(partial(_read_lines, scope=scope))

    async def make_missed(self) -> int:
        """Write down exchanges that were stored before there was a chronicle; return how many."""
        made = 0
        if not self._made and not await self._database.read(is_made):
            while count := await self._database.write(partial(make_missed, limit=_AT_ONCE)):
                made += count
        self._made = True
        return made


def _read_lines(connection: sqlite3.Connection, scope: Scope) -> tuple[DigestLine, ...]:
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return ()
    rows = connection.execute(_LINES, (*get_id_range(scope_no), _MOST)).fetchall()
    return tuple(map(_load_line, reversed(rows)))


def _load_line(row: tuple[Any, ...]) -> DigestLine:  # Any: column values
    uid, exchange, line, assistant, session, said_at, offset, author, author_id, trust, answer_trust, text, weight = row
    return DigestLine(
        exchange=uid,
        place=exchange << 8 | line,
        session=session,
        said_at=join_time(said_at, offset),
        author="" if assistant else author,
        author_id=0 if assistant else author_id,
        role="assistant" if assistant else "user",
        trust=min(Trust.BOT, load_trust(answer_trust)) if assistant else load_trust(trust),
        text=text,
        weight=weight,
    )
