"""What waits for somebody's word: a text that was asked for, a call that needs consent, a text to remember.

In the database: a restart does not forget the question, an erase does; that a call is begun is written before its first
byte leaves.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import load_trust, split_time
from adapters.sqlite.rows.derived import Room, Table
from adapters.sqlite.rows.scopes import ensure_scope, find_scope
from adapters.sqlite.sessions import resolve_key
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import Source, redact
from bot.messages import InboundMessage
from bot.ports.tickets import Proposal, TakenCall
from bot.ports.tool import ToolOutcome, ToolRequest
from bot.turn import BUTTONS_LAST_S


class SqliteAwaitedTexts:
    """The port :class:`~bot.ports.tickets.AwaitedTexts`."""

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


_TOKEN_BYTES: Final = 18
_KEPT_S: Final = 86_400.0
"""How long what came of a call is kept: a turn that a crash interrupted is run again much sooner."""
_MOST: Final = 100
"""Open calls kept per scope; the oldest is closed by the next."""


class SqlitePendingCalls:
    """The port :class:`~bot.ports.tickets.PendingCalls`; ``command`` is the name of the command that agrees."""

    def __init__(self, database: Database, command: str) -> None:
        self._database = database
        self._command = command

    async def propose(self, scope: Scope, author_id: int, request: ToolRequest, now: datetime) -> str:
        """Keep a call and return the command that agrees to it."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        seconds, _ = split_time(now)

        def keep(connection: sqlite3.Connection) -> None:
            scope_no = ensure_scope(connection, scope)
            connection.execute("DELETE FROM pending_calls WHERE made_at < ?", (seconds - _KEPT_S,))
            connection.execute(
                "DELETE FROM pending_calls WHERE scope_no = ?1 AND token NOT IN "
                "(SELECT token FROM pending_calls WHERE scope_no = ?1 ORDER BY made_at DESC LIMIT ?2)",
                (scope_no, _MOST - 1),
            )
            connection.execute(
                "INSERT INTO pending_calls (token, scope_no, author_id, server, tool, version, arguments, made_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    token,
                    scope_no,
                    author_id,
                    request.server,
                    request.tool,
                    request.version,
                    request.arguments,
                    seconds,
                ),
            )

        await self._database.write(keep)
        return f"/{self._command} {token}"

    async def take(self, token: str, scope: Scope, author_id: int, update_id: int, now: datetime) -> TakenCall | None:
        """Mark a call as begun and return it, or what the same update made of it before."""
        seconds, _ = split_time(now)
        return await self._database.write(
            lambda connection: _take(connection, token, find_scope(connection, scope), author_id, update_id, seconds)
        )

    async def settle(self, token: str, outcome: ToolOutcome) -> None:
        """Keep what came of a call, without secrets."""
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE pending_calls SET outcome = ?, failed = ?, unsure = ? WHERE token = ?",
                    (redact(clean(outcome.text), Source.DOCUMENT).text, outcome.failed, outcome.unsure, token),
                ).rowcount
            )
        )


class SqliteToolApprovals:
    """The port :class:`~bot.ports.tool.ToolApprovals`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def check(self, origin: str, versions: Mapping[str, str]) -> frozenset[str]:
        """Return what is approved; the first tools of an origin are."""
        return await self._database.write(lambda connection: _check(connection, origin, versions))

    async def approve(self, origin: str, tool: str, version: str) -> None:
        """Let this version take the place of the approved one."""
        await self._database.write(lambda connection: _approve(connection, origin, tool, version))


def _take(
    connection: sqlite3.Connection, token: str, scope_no: int | None, author_id: int, update_id: int, seconds: float
) -> TakenCall | None:
    row: tuple[Any, ...] | None = connection.execute(  # Any: column values
        "SELECT server, tool, version, arguments, made_at, taken_by, outcome, failed, unsure FROM pending_calls "
        "WHERE token = ? AND scope_no = ? AND author_id = ?",
        (token, scope_no, author_id),
    ).fetchone()
    if row is None:
        return None
    *named, made_at, taken_by, text, failed, unsure = row
    request = ToolRequest(*named)
    if taken_by == update_id:
        return TakenCall(request, False, None if text is None else ToolOutcome(text, bool(failed), bool(unsure)))
    # A clock that was set back must not keep a call open longer than it was meant to be.
    if taken_by is not None or abs(seconds - made_at) > BUTTONS_LAST_S:
        return None
    connection.execute("UPDATE pending_calls SET taken_by = ? WHERE token = ?", (update_id, token))
    return TakenCall(request, True)


def _check(connection: sqlite3.Connection, origin: str, versions: Mapping[str, str]) -> frozenset[str]:
    known = dict(connection.execute("SELECT tool, version FROM approved_tools WHERE origin = ?", (origin,)).fetchall())
    if not known:
        for tool, version in versions.items():
            _approve(connection, origin, tool, version)
        return frozenset(versions)
    return frozenset(tool for tool, version in versions.items() if known.get(tool) == version)


def _approve(connection: sqlite3.Connection, origin: str, tool: str, version: str) -> None:
    connection.execute("INSERT OR REPLACE INTO approved_tools VALUES (?, ?, ?)", (origin, tool, version))


_LASTS_S: Final = 86_400.0
_PROPOSAL_BYTES: Final = 12
_MOST_PROPOSALS: Final = 100
"""Open questions kept per scope; the oldest is closed by the next."""


class SqliteProposals:
    """The port :class:`~bot.ports.tickets.Proposals`; ``command`` is the name of the command that agrees."""

    def __init__(self, database: Database, command: str) -> None:
        self._database = database
        self._command = command

    async def propose(self, scope: Scope, author_id: int, proposal: Proposal, now: datetime) -> str:
        """Keep a text and return the command that agrees to it."""
        token = secrets.token_urlsafe(_PROPOSAL_BYTES)
        seconds, _ = split_time(now)

        def keep(connection: sqlite3.Connection) -> None:
            scope_no = ensure_scope(connection, scope)
            connection.execute("DELETE FROM proposals WHERE made_at < ?", (seconds - _LASTS_S,))
            connection.execute(
                "DELETE FROM proposals WHERE scope_no = ?1 AND token NOT IN "
                "(SELECT token FROM proposals WHERE scope_no = ?1 ORDER BY made_at DESC LIMIT ?2)",
                (scope_no, _MOST_PROPOSALS - 1),
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


ROOM: Final = Room(
    "pending",
    (
        Table("awaited_texts", numbered="scope_no", fleeting=True),
        Table("pending_calls", numbered="scope_no", fleeting=True),
        Table("approved_tools", why="names and versions of tools"),
    ),
    version=2,
    file="pending",
)
