"""Names, written inside the transaction that stores, changes or removes their exchange.

So a name is gone with the last message that holds it, and what ``/undo`` brings back is named again.
Only what its author typed is read: what they passed on, and what the assistant answered, names whom others know.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from adapters.sqlite.rows.codec import split_time
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.meta import read_meta, write_meta
from adapters.sqlite.rows.scopes import get_id_range
from bot.memory.names import find_mentions
from bot.memory.scope import Scope
from bot.turn import Exchange

RULES: Final = 1
"""Grows with every change of what is a name; then all of them are found again."""
_MADE: Final = "names"
"""Name in ``meta``: the rules by which names were found, and the last exchange id so far while that is under way."""
_DONE: Final = "all"
_FOLLOWING: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no WHERE id > ? AND NOT synthetic AND replaced_by IS NULL ORDER BY id LIMIT ?",
    "scopes.tag",
)


class NamesIndex:
    """The hook :class:`~adapters.sqlite.rows.exchanges.ExchangeIndex` for names."""

    def add(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        """Note whom and what an exchange names; a name that it held before keeps its number."""
        before = _drop_mentions(connection, exchange_id)
        seconds, _ = split_time(exchange.said_at)
        for mention in find_mentions(exchange.user_text):
            name_id = _ensure_name(connection, scope_no, mention.key)
            connection.execute(
                "INSERT INTO mentions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    name_id,
                    exchange_id,
                    seconds,
                    int(mention.kind),
                    mention.sure,
                    mention.own,
                    mention.relation,
                    mention.shown,
                ),
            )
        _drop_unheld(connection, before)

    def remove(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        """Forget what these exchanges named, and the names that nothing else holds."""
        for exchange_id in exchange_ids:
            _drop_unheld(connection, _drop_mentions(connection, exchange_id))


def is_made(connection: sqlite3.Connection) -> bool:
    """Whether every exchange was read by the rules of this version."""
    return read_meta(connection, _MADE) == f"{RULES} {_DONE}"


def make_missed(connection: sqlite3.Connection, limit: int) -> int:
    """Read the next ``limit`` exchanges by the rules of this version; 0 when all of them are.

    For exchanges that were stored before names were kept, or by other rules.  It goes on where it was broken off.
    """
    if is_made(connection):
        return 0
    version, _, upto = (read_meta(connection, _MADE) or "").partition(" ")
    after = int(upto) if version == str(RULES) and upto.isdecimal() else 0
    index = NamesIndex()
    rows = connection.execute(_FOLLOWING, (after, limit)).fetchall()
    for *columns, tag in rows:
        exchange = load_exchange(Scope(tag), tuple(columns))
        index.add(connection, exchange.id >> 32, exchange.id, exchange)
    write_meta(connection, _MADE, f"{RULES} {rows[-1][0] if rows else _DONE}")
    return len(rows)


def _drop_mentions(connection: sqlite3.Connection, exchange_id: int) -> list[int]:
    """Delete what an exchange names and return the names."""
    rows = connection.execute("SELECT name FROM mentions WHERE exchange = ?", (exchange_id,)).fetchall()
    names = [row[0] for row in rows]
    for name_id in names:
        connection.execute("DELETE FROM mentions WHERE name = ? AND exchange = ?", (name_id, exchange_id))
    return names


def _drop_unheld(connection: sqlite3.Connection, names: Sequence[int]) -> None:
    """Delete those of these names that nothing holds any more."""
    for name_id in names:
        connection.execute(
            "DELETE FROM names WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM mentions WHERE name = ?1)", (name_id,)
        )


def _ensure_name(connection: sqlite3.Connection, scope_no: int, key: str) -> int:
    low, high = get_id_range(scope_no)
    row = connection.execute("SELECT id FROM names WHERE key = ? AND id BETWEEN ? AND ?", (key, low, high)).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO names SELECT coalesce(max(id), ?1) + 1, ?3 FROM names WHERE id BETWEEN ?1 AND ?2 RETURNING id",
            (low, high, key),
        ).fetchone()
    return int(row[0])
