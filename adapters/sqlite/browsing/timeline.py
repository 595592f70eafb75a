"""The port Timeline over SQLite: pages by an index over time, so that their cost does not grow with what is kept."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime, tzinfo
from functools import partial
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import dump_list, join_time, load_trace, read_seconds, split_time
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.items import load_items, select_items
from adapters.sqlite.rows.scopes import find_scope, get_id_range
from bot.memory.scope import Scope
from bot.ports.timeline import OpenedExchange, Place, ScopeSummary, TimelinePage
from bot.turn import Exchange, Trace

_NUMBERS: Final = (1 << 32) - 1
_END: Final = (1e18, _NUMBERS)
_PAGE: Final = select_exchanges(
    "WHERE scope_no = ? AND replaced_by IS NULL AND (said_at, id) < (?, ?) ORDER BY said_at DESC, id DESC LIMIT ?"
)
_ONE: Final = select_exchanges("WHERE scope_no = ? AND uid = ?")
_NAMED: Final = select_exchanges(
    "WHERE scope_no = ? AND uid IN (SELECT value FROM json_each(?)) AND replaced_by IS NULL ORDER BY said_at, id"
)
_LEARNED: Final = select_items(
    "WHERE id IN (SELECT item_id FROM item_sources WHERE exchange = ? AND item_id BETWEEN ? AND ?) ORDER BY id"
)
_BEFORE: Final = (
    "SELECT max(said_at) FROM exchanges INDEXED BY exchanges_said "
    "WHERE scope_no = ? AND replaced_by IS NULL AND said_at < ?"
)
_BETWEEN: Final = (
    "SELECT count(*) FROM exchanges INDEXED BY exchanges_said "
    "WHERE scope_no = ? AND replaced_by IS NULL AND said_at >= ? AND said_at < ?"
)
_SCOPES: Final = (
    "SELECT tag, (SELECT count(*) FROM exchanges WHERE scope_no = scopes.no AND replaced_by IS NULL), "
    "(SELECT count(*) FROM items WHERE scope_no = scopes.no AND superseded_by IS NULL), no FROM scopes"
)
_NEWEST: Final = (
    "SELECT author_name, said_at, said_offset FROM exchanges INDEXED BY exchanges_said "
    "WHERE scope_no = ? AND replaced_by IS NULL ORDER BY said_at DESC, id DESC LIMIT 1"
)


class SqliteTimeline:
    """The port :class:`~bot.ports.timeline.Timeline`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_scopes(self) -> tuple[ScopeSummary, ...]:
        """Return every scope that something is kept of, the one that spoke last first."""
        return await self._database.read(_list_scopes)

    async def read(
        self, scope: Scope, *, before: Place | None = None, until: datetime | None = None, size: int = 50
    ) -> TimelinePage:
        """Return a page, newest first."""
        border = before or (_END if until is None else (split_time(until)[0], 0))
        return await self._database.read(partial(_read, scope=scope, border=border, size=size))

    async def count_months(self, scope: Scope, zone: tzinfo | None) -> tuple[tuple[date, int], ...]:
        """Return the months in which something was said, newest first."""
        return await self._database.read(partial(_count_months, scope=scope, zone=zone))

    async def open(self, scope: Scope, uid: str) -> OpenedExchange | None:
        """Return one exchange, also one that an edit replaced."""
        return await self._database.read(partial(_open, scope=scope, uid=uid))

    async def find(self, scope: Scope, uids: tuple[str, ...]) -> tuple[Exchange, ...]:
        """Return those of these exchanges that are there, oldest first."""

        def find(connection: sqlite3.Connection) -> tuple[Exchange, ...]:
            rows = connection.execute(_NAMED, (find_scope(connection, scope), dump_list(uids))).fetchall()
            return tuple(load_exchange(scope, row) for row in rows)

        return await self._database.read(find)


def _list_scopes(connection: sqlite3.Connection) -> tuple[ScopeSummary, ...]:
    found = []
    for tag, exchanges, items, number in connection.execute(_SCOPES).fetchall():
        if not exchanges and not items:
            continue
        newest = connection.execute(_NEWEST, (number,)).fetchone()
        name, at = ("", None) if newest is None else (newest[0], join_time(newest[1], newest[2]))
        found.append(ScopeSummary(Scope(tag), exchanges, items, name, at))
    return tuple(sorted(found, key=lambda each: each.newest.timestamp() if each.newest else 0.0, reverse=True))


def _read(connection: sqlite3.Connection, scope: Scope, border: Place, size: int) -> TimelinePage:
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return TimelinePage(())
    seconds, number = border
    last = get_id_range(scope_no)[0] | (number & _NUMBERS)
    rows = connection.execute(_PAGE, (scope_no, seconds, last, size + 1)).fetchall()
    shown = tuple(load_exchange(scope, row) for row in rows[:size])
    if len(rows) <= size or not shown:
        return TimelinePage(shown)
    oldest = rows[size - 1]
    return TimelinePage(shown, (oldest[8], oldest[0] & _NUMBERS))


def _count_months(connection: sqlite3.Connection, scope: Scope, zone: tzinfo | None) -> tuple[tuple[date, int], ...]:
    """Count between the borders of months by the index alone."""
    scope_no = find_scope(connection, scope)
    found = []
    border = _begin(date.max.replace(month=1, day=1), zone)
    while (newest := connection.execute(_BEFORE, (scope_no, border)).fetchone()[0]) is not None:
        if read_seconds(newest) != newest:
            break  # before all calendars: a damaged time, and all others are older
        month = join_time(newest).astimezone(zone or UTC).replace(day=1).date()
        border = _begin(month, zone)
        (count,) = connection.execute(_BETWEEN, (scope_no, border, _begin(_add_month(month), zone))).fetchone()
        found.append((month, count))
    return tuple(found)


def _add_month(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def _begin(month: date, zone: tzinfo | None) -> float:
    return datetime(month.year, month.month, 1, tzinfo=zone or UTC).timestamp()


def _open(connection: sqlite3.Connection, scope: Scope, uid: str) -> OpenedExchange | None:
    scope_no = find_scope(connection, scope)
    row = connection.execute(_ONE, (scope_no, uid)).fetchone()
    if scope_no is None or row is None:
        return None
    exchange = load_exchange(scope, row)
    items = load_items(connection.execute(_LEARNED, (uid, *get_id_range(scope_no))).fetchall())
    return OpenedExchange(exchange, _read_trace(connection, exchange.id), tuple(items))


def _read_trace(connection: sqlite3.Connection, exchange_id: int) -> Trace | None:
    kept = connection.execute("SELECT trace FROM traces WHERE id = ?", (exchange_id,)).fetchone()
    return None if kept is None else load_trace(kept[0])
