"""The ledger of tokens, stored along with whatever is stored next: no answer waits for it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import structlog

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import utc_now
from adapters.sqlite.rows.scopes import ensure_scope, find_scope
from bot.errors import StorageUnavailable
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.usage import Spending
from bot.usage import Usage, UsageKind

_NAME_CHARS: Final = 200
_ADD: Final = (
    "INSERT INTO usage (scope_no, day, model, kind, prompt, completion, calls, cached, reasoning) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (scope_no, day, model, kind) DO UPDATE SET "
    "prompt = usage.prompt + excluded.prompt, completion = usage.completion + excluded.completion, "
    "calls = usage.calls + excluded.calls, cached = usage.cached + excluded.cached, "
    "reasoning = usage.reasoning + excluded.reasoning"
)
_READ: Final = (
    "SELECT kind = ?, day = ?, sum(prompt), sum(completion), sum(calls), sum(cached), sum(reasoning) FROM usage "
    "WHERE scope_no = ? GROUP BY 1, 2"
)


class SqliteUsage:
    """The port :class:`~bot.ports.usage.UsageLedger`."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def note(self, scope: Scope, kind: UsageKind, model: str, used: Usage) -> None:
        """Add to today; what the disk refuses is told in the log and lost."""
        row = (self._today(), clean(model)[:_NAME_CHARS], kind.value)
        counts = (used.prompt, used.completion, used.calls, used.cached, used.reasoning)
        try:
            stored = self._database.write_along(
                lambda connection: connection.execute(_ADD, (ensure_scope(connection, scope), *row, *counts)).rowcount
            )
        except StorageUnavailable as error:
            _tell_lost(error)
        else:
            stored.add_done_callback(_look_at)

    async def read(self, scope: Scope) -> tuple[Spending, Spending]:
        """Return what a scope has cost today and in all."""
        today = self._today()
        rows = await self._database.read(lambda connection: _read(connection, scope, today))
        return _sum([row for row in rows if row[1]]), _sum(rows)

    def _today(self) -> str:
        return self._now().astimezone(UTC).date().isoformat()


def _look_at(stored: asyncio.Future[int]) -> None:
    if not stored.cancelled() and (error := stored.exception()) is not None:
        _tell_lost(error)


def _tell_lost(error: BaseException) -> None:
    structlog.get_logger().warning("token counts not stored", cause=type(error).__name__)


def _read(connection: sqlite3.Connection, scope: Scope, today: str) -> list[tuple[bool, bool, Usage]]:
    rows = connection.execute(_READ, (UsageKind.ANSWER.value, today, find_scope(connection, scope))).fetchall()
    return [(bool(answer), bool(recent), Usage(*counts)) for answer, recent, *counts in rows]


def _sum(rows: list[tuple[bool, bool, Usage]]) -> Spending:
    return Spending(
        sum((used for answer, _, used in rows if answer), Usage()),
        sum((used for answer, _, used in rows if not answer), Usage()),
    )
