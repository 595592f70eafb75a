"""Texts that wait for their asker's word: in the database, so that a restart does not forget the question."""

from __future__ import annotations

import secrets
import sqlite3
from datetime import datetime
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import load_trust, split_time
from adapters.sqlite.rows.scopes import ensure_scope, find_scope
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.proposals import Proposal

_LASTS_S: Final = 86_400.0
_TOKEN_BYTES: Final = 12
_MOST: Final = 100
"""Open questions kept per scope; the oldest is closed by the next."""


class SqliteProposals:
    """The port :class:`~bot.ports.proposals.Proposals`; ``command`` is the name of the command that agrees."""

    def __init__(self, database: Database, command: str) -> None:
        self._database = database
        self._command = command

    async def propose(self, scope: Scope, author_id: int, proposal: Proposal, now: datetime) -> str:
        """Keep a text and return the command that agrees to it."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        seconds, _ = split_time(now)

        def keep(connection: sqlite3.Connection) -> None:
            scope_no = ensure_scope(connection, scope)
            connection.execute("DELETE FROM proposals WHERE made_at < ?", (seconds - _LASTS_S,))
            connection.execute(
                "DELETE FROM proposals WHERE scope_no = ?1 AND token NOT IN "
                "(SELECT token FROM proposals WHERE scope_no = ?1 ORDER BY made_at DESC LIMIT ?2)",
                (scope_no, _MOST - 1),
            )
            connection.execute(
                "INSERT INTO proposals (token, scope_no, author_id, text, trust, made_at) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    token,
                    scope_no,
                    author_id,
                    clean(proposal.text),
                    int(proposal.trust),
                    seconds,
                ),
            )

        await self._database.write(keep)
        return f"/{self._command} {token}"

    async def take(self, token: str, scope: Scope, author_id: int, update_id: int, now: datetime) -> Proposal | None:
        """Return a text to its asker, once for one update."""
        seconds, _ = split_time(now)

        def take(connection: sqlite3.Connection) -> tuple[str, int] | None:
            row: tuple[str, int] | None = connection.execute(
                "UPDATE proposals SET taken_by = ?1 WHERE token = ?2 AND scope_no = ?3 AND author_id = ?4 "
                "AND made_at >= ?5 AND coalesce(taken_by, ?1) = ?1 RETURNING text, trust",
                (update_id, token, find_scope(connection, scope), author_id, seconds - _LASTS_S),
            ).fetchone()
            return row

        row = await self._database.write(take)
        return None if row is None else Proposal(row[0], load_trust(row[1]))
