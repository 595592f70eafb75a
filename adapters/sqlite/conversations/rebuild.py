"""Derives search indexes from the verbatim exchanges again, after a recovery lost or mistrusted them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from adapters.sqlite.rows.derived_index import Derived
from adapters.sqlite.rows.exchange_rows import COLUMNS, exchange_of
from bot.memory.scope import Scope

_BATCH: Final = 200


def rebuild_due(connection: sqlite3.Connection) -> bool:
    """Whether a recovery asked for it."""
    return connection.execute("SELECT 1 FROM meta WHERE key = 'rebuild'").fetchone() is not None


def rebuilt(connection: sqlite3.Connection) -> None:
    """Remember that it is done."""
    connection.execute("DELETE FROM meta WHERE key = 'rebuild'")


def derive_again(connection: sqlite3.Connection, derived: Sequence[Derived], after: int) -> tuple[int, ...]:
    """Index the next exchanges with an id above ``after`` anew and return their ids; () at the end."""
    rows = connection.execute(
        f"SELECT {COLUMNS}, scope_no, tag, replaced_by FROM exchanges JOIN scopes ON scopes.no = scope_no "  # noqa: S608 - constant columns
        "WHERE id > ? ORDER BY id LIMIT ?",
        (after, _BATCH),
    ).fetchall()
    for *columns, scope_no, tag, replaced_by in rows:
        exchange = exchange_of(Scope(tag), tuple(columns))
        for index in derived:
            index.removed(connection, scope_no, (exchange.id,))
            if replaced_by is None and not exchange.synthetic:
                index.added(connection, scope_no, exchange.id, exchange)
    return tuple(row[0] for row in rows)
