"""Looks for what an erase should have removed, so that its receipt says what is, not what was meant."""

from __future__ import annotations

import sqlite3
from typing import Final

import orjson

from adapters.sqlite.erasure.erasure import Erased
from adapters.sqlite.rows.codec import load_trace
from adapters.sqlite.rows.scopes import scope_range

_BY_EXCHANGE: Final = {
    "exchanges": "SELECT count(*) FROM exchanges WHERE id IN (SELECT value FROM json_each(?))",
    "traces": "SELECT count(*) FROM traces WHERE id IN (SELECT value FROM json_each(?))",
    "replies": "SELECT count(*) FROM deliveries WHERE exchange_id IN (SELECT value FROM json_each(?))",
    "journal entries": "SELECT count(*) FROM journal WHERE state = 2 AND payload IS NOT NULL AND exchange_id IN "
    "(SELECT value FROM json_each(?))",
}
_BY_ITEM: Final = {
    "items": "SELECT count(*) FROM items WHERE id IN (SELECT value FROM json_each(?))",
    "items by words": "SELECT count(*) FROM items_fts WHERE rowid IN (SELECT value FROM json_each(?))",
    "items by vector": "SELECT count(*) FROM item_vectors WHERE id IN (SELECT value FROM json_each(?))",
}
_OF_SCOPE: Final = {
    "exchanges": "SELECT count(*) FROM exchanges WHERE id BETWEEN ? AND ?",
    "items": "SELECT count(*) FROM items WHERE id BETWEEN ? AND ?",
    "items by words": "SELECT count(*) FROM items_fts WHERE rowid BETWEEN ? AND ?",
    "items by vector": "SELECT count(*) FROM item_vectors WHERE id BETWEEN ? AND ?",
    "traces": "SELECT count(*) FROM traces WHERE id BETWEEN ? AND ?",
    "documents": "SELECT count(*) FROM outbox WHERE erase = 0 AND scope_no = ? >> 32 AND ? > 0",
    "replies": "SELECT count(*) FROM deliveries WHERE scope_no = ? >> 32 AND ? > 0",
}


def residue_of(connection: sqlite3.Connection, scope_no: int, erased: Erased) -> tuple[str, ...]:
    """Return what is still there of a single erase, as short phrases such as "2 items by words"; () is the goal."""
    ids, items = _json(erased.exchange_ids), _json(erased.item_ids)
    found = [(name, connection.execute(query, (ids,)).fetchone()[0]) for name, query in _BY_EXCHANGE.items()]
    found += [(name, connection.execute(query, (items,)).fetchone()[0]) for name, query in _BY_ITEM.items()]
    (documents,) = connection.execute(
        "SELECT count(*) FROM outbox WHERE scope_no = ? AND erase = 0 AND source IN (SELECT value FROM json_each(?))",
        (scope_no, _json(erased.sources)),
    ).fetchone()
    found += [("documents", documents), ("explanations", _quoting(connection, scope_no, erased))]
    return _phrases(found)


def residue_in_scope(connection: sqlite3.Connection, scope_no: int) -> tuple[str, ...]:
    """Return what is still there of a scope."""
    limits = scope_range(scope_no)
    return _phrases([(name, connection.execute(query, limits).fetchone()[0]) for name, query in _OF_SCOPE.items()])


def _quoting(connection: sqlite3.Connection, scope_no: int, erased: Erased) -> int:
    rows = connection.execute("SELECT trace FROM traces WHERE id BETWEEN ? AND ?", scope_range(scope_no)).fetchall()
    gone = set(erased.uids)
    return sum(any(memory.exchange in gone for memory in load_trace(payload).memories) for (payload,) in rows)


def _phrases(found: list[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(f"{count} {name}" for name, count in found if count)


def _json(values: tuple[int, ...] | tuple[str, ...]) -> str:
    return orjson.dumps(values).decode()
