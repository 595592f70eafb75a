"""The ledger of tokens, stored along with whatever is stored next: no answer waits for it."""

import asyncio
import sqlite3
from dataclasses import replace
from datetime import UTC, date
from typing import Final

import structlog

from adapters.sqlite.database import TimedStore, reading
from adapters.sqlite.rows.codec import Row, ensure_scope, find_scope
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Table
from bot.errors import StorageUnavailable
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.usage import Spending, UsageRow
from bot.turn import Usage, UsageKind

_NAME_CHARS: Final = 200
_COUNTED: Final = ("prompt", "completion", "calls", "cached", "reasoning", "cost", "cache_writes")
_COUNTS: Final = ", ".join(_COUNTED)
_SUMS: Final = ", ".join(f"sum({each})" for each in _COUNTED)
_INSERT: Final = f"INSERT INTO usage (scope_no, day, model, kind, billed, {_COUNTS}) "
_OR_ADD: Final = " ON CONFLICT (scope_no, day, model, kind, billed) DO UPDATE SET " + ", ".join(
    f"{each} = usage.{each} + excluded.{each}" for each in _COUNTED
)
_ADD: Final = f"{_INSERT} VALUES (?, ?, ?, ?, ?{', ?' * len(_COUNTED)}){_OR_ADD}"
_READ: Final = f"SELECT kind = ?, day = ?, max(billed), {_SUMS} FROM usage WHERE scope_no = ? GROUP BY 1, 2"  # noqa: S608 - our own columns
_OF_ALL: Final = (
    f"SELECT coalesce(max(tag), ''), '', model, kind, billed, {_SUMS} FROM usage LEFT JOIN scopes ON no = scope_no "  # noqa: S608 - our own columns
    "WHERE day BETWEEN ? AND ? GROUP BY scope_no, model, kind, billed ORDER BY 1, 3, 4, 5"
)
_OF_ONE: Final = (
    f"SELECT '', '', model, kind, billed, {_SUMS} FROM usage WHERE scope_no = ? AND day BETWEEN ? AND ? "  # noqa: S608 - our own columns
    "GROUP BY model, kind, billed ORDER BY 3, 4, 5"
)
_DAYS: Final = (
    f"SELECT '', day, model, kind, billed, {_COUNTS} FROM usage "  # noqa: S608 - our own columns
    "WHERE scope_no = ?1 AND day IN (SELECT DISTINCT day FROM usage WHERE scope_no = ?1 AND day > ?2 ORDER BY day "
    "LIMIT ?3) ORDER BY day, model, kind, billed"
)
_DISOWN: Final = f"{_INSERT} SELECT 0, day, model, kind, billed, {_COUNTS} FROM usage WHERE scope_no = ?{_OR_ADD}"  # noqa: S608 - our own columns


class SqliteUsage(TimedStore):
    """The port :class:`~bot.ports.usage.UsageLedger`."""

    def note(self, scope: Scope, kind: UsageKind, model: str, used: Usage) -> None:
        row = (self._today(), clean(model)[:_NAME_CHARS], kind.value, used.cost is not None)
        counts = [getattr(used, each) or 0 for each in _COUNTED]
        try:
            stored = self.database.write_along(
                lambda connection: connection.execute(_ADD, (ensure_scope(connection, scope), *row, *counts)).rowcount,
                touches=(scope.tag,),
            )
        except StorageUnavailable as error:
            _tell_lost(error)
        else:
            stored.add_done_callback(_look_at)

    @reading
    def read(self, connection: sqlite3.Connection, scope: Scope) -> tuple[Spending, Spending]:
        found = connection.execute(_READ, (UsageKind.ANSWER.value, self._today(), find_scope(connection, scope)))
        rows = [(bool(answer), bool(recent), _load_usage(billed, counts)) for answer, recent, billed, *counts in found]
        return _sum([row for row in rows if row[1]]), _sum(rows)

    @reading
    def add_up(
        self, connection: sqlite3.Connection, first: date, last: date, scope: Scope | None = None
    ) -> tuple[UsageRow, ...]:
        days = (first.isoformat(), last.isoformat())
        if scope is None:
            return tuple(_load_row(row, row[0]) for row in connection.execute(_OF_ALL, days))
        rows = connection.execute(_OF_ONE, (find_scope(connection, scope), *days))
        return tuple(_load_row(row, scope.tag) for row in rows)

    @reading
    def list_days(
        self, connection: sqlite3.Connection, scope: Scope, after: str = "", limit: int = 366
    ) -> tuple[UsageRow, ...]:
        rows = connection.execute(_DAYS, (find_scope(connection, scope), after, limit))
        return tuple(_load_row(row, scope.tag) for row in rows)

    def _today(self) -> str:
        return self._now().astimezone(UTC).date().isoformat()


def _look_at(stored: asyncio.Future[int]) -> None:
    if not stored.cancelled() and (error := stored.exception()) is not None:
        _tell_lost(error)


def _tell_lost(error: BaseException) -> None:
    structlog.get_logger().warning("token counts not stored", cause=type(error).__name__)


def disown_usage(connection: sqlite3.Connection, scope_no: int) -> None:
    """Let nobody see what a scope has cost, and leave it in the sum of all: the bill has to be paid all the same."""
    connection.execute(_DISOWN, (scope_no,))
    connection.execute("DELETE FROM usage WHERE scope_no = ?", (scope_no,))


def _load_row(row: Row, tag: str) -> UsageRow:
    _, day, model, kind, billed, *counts = row
    return UsageRow(tag, day, model, UsageKind(kind), _load_usage(billed, counts))


def _load_usage(billed: int, counts: list[int]) -> Usage:
    used = Usage(**dict(zip(_COUNTED, counts, strict=True)))
    return used if billed else replace(used, cost=None)


def _sum(rows: list[tuple[bool, bool, Usage]]) -> Spending:
    return Spending(
        sum((used for answer, _, used in rows if answer), Usage()),
        sum((used for answer, _, used in rows if not answer), Usage()),
    )


ROOM: Final = Room(
    "usage", (Table("usage", numbered="scope_no", spare=ALL_ROWS),), file="usage", forget_scope=disown_usage
)
