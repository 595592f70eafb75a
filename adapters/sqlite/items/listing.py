"""Pages of items for people who look into their memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from adapters.sqlite.items.search import match_expression
from adapters.sqlite.rows.codec import moment
from adapters.sqlite.rows.item_rows import COLUMNS, readable_items
from adapters.sqlite.rows.scopes import find_scope, scope_range
from bot.memory.items import Layer
from bot.memory.scope import Scope
from bot.ports.memory import Page, Selector

_ALIVE: Final = "superseded_by IS NULL AND (ttl_s IS NULL OR pinned = 1 OR updated_at + ttl_s >= :now)"
_SHOWN: Final = {
    Selector.ALL: _ALIVE,
    Selector.PINNED: f"pinned = 1 AND {_ALIVE}",
    Selector.HISTORY: f"NOT ({_ALIVE})",
}


def item_page(
    connection: sqlite3.Connection,
    scope: Scope,
    selector: Selector,
    words: Sequence[str],
    *,
    offset: int,
    size: int,
    now: datetime,
) -> Page:
    """Return one page, newest first; the history holds what was superseded or has expired."""
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return Page((), 0)
    low, high = scope_range(scope_no)
    values = {
        "low": low,
        "high": high,
        "now": moment(now)[0],
        "words": match_expression(words, "AND"),
        "size": max(0, size),
        "offset": max(0, offset),
    }
    where = f"id BETWEEN :low AND :high AND {_SHOWN[selector]}"
    if words:
        where += (
            " AND id IN (SELECT rowid FROM items_fts WHERE items_fts MATCH :words AND rowid BETWEEN :low AND :high)"
        )
    (total,) = connection.execute(f"SELECT count(*) FROM items WHERE {where}", values).fetchone()  # noqa: S608 - constant text
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM items WHERE {where} ORDER BY id DESC LIMIT :size OFFSET :offset",  # noqa: S608 - constant text
        values,
    ).fetchall()
    return Page(tuple(readable_items(rows)), total)


def layer_counts(connection: sqlite3.Connection, scope: Scope, now: datetime) -> dict[Layer, int]:
    """Return the number of live items per layer; every layer is named."""
    counts = dict.fromkeys(Layer, 0)
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return counts
    low, high = scope_range(scope_no)
    rows = connection.execute(
        f"SELECT layer, count(*) FROM items WHERE id BETWEEN :low AND :high AND {_ALIVE} GROUP BY layer",  # noqa: S608 - constant text
        {"low": low, "high": high, "now": moment(now)[0]},
    ).fetchall()
    return counts | {Layer(layer): count for layer, count in rows}
