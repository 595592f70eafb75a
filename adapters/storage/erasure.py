"""Erases exchanges, items and whole scopes inside one transaction, with everything that was derived from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.storage.buttons import forget_buttons
from adapters.storage.derived import Derived
from adapters.storage.erasure_rows import (
    drop_summary,
    forget_journal,
    index_words_alone,
    items_of,
    scrub_traces,
    settle_places,
    versions,
)
from adapters.storage.exchange_rows import COLUMNS, exchange_of
from adapters.storage.held import forget_held
from adapters.storage.item_rows import remove_items
from adapters.storage.outbox_rows import enqueue, withdraw
from adapters.storage.scopes import scope_range
from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class Erased:
    """What one erase removed: rows by id, their names, and the sources of their documents."""

    exchange_ids: tuple[int, ...] = ()
    uids: tuple[str, ...] = ()
    item_ids: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    items: int = 0
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Erasure:
    """Works on a connection; ``derived`` is told of every exchange that goes."""

    derived: Sequence[Derived]

    def exchanges(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        scope_no: int,
        uids: Sequence[str],
        item_ids: Sequence[int],
        echoes: Sequence[int],
    ) -> Erased:
        """Erase exchanges with all their versions, given items, items derived from them, and ``echoes``' answers."""
        rows = versions(connection, scope_no, uids)
        ids = tuple(row[0] for row in rows)
        names = tuple(row[1] for row in rows)
        sources = tuple(row[2] for row in rows if row[2])
        items = tuple(dict.fromkeys((*items_of(connection, scope_no, names), *item_ids)))
        removed = remove_items(connection, items)
        for source in sources:
            withdraw(connection, scope_no, source)
        blanked = [echo for echo in echoes if echo not in ids and self._blank(connection, scope, scope_no, echo)]
        for index in self.derived:
            index.removed(connection, scope_no, ids)
        for exchange_id in ids:
            drop_summary(connection, scope_no, exchange_id)
            connection.execute("DELETE FROM exchanges WHERE id = ?", (exchange_id,))
            connection.execute("DELETE FROM traces WHERE id = ?", (exchange_id,))
            connection.execute("DELETE FROM deliveries WHERE scope_no = ? AND exchange_id = ?", (scope_no, exchange_id))
            connection.execute("UPDATE journal SET payload = NULL WHERE state = 2 AND exchange_id = ?", (exchange_id,))
        # What commands showed belongs to no exchange: while it is kept it may repeat what is erased.
        connection.execute(
            "UPDATE deliveries SET text = '', buttons = '[]' WHERE scope_no = ? AND exchange_id IS NULL AND state = 3",
            (scope_no,),
        )
        scrub_traces(connection, scope_no, names, items)
        settle_places(connection, ids)
        forget_buttons(connection, scope_no)
        connection.execute("UPDATE scopes SET epoch = epoch + 1 WHERE no = ?", (scope_no,))
        return Erased(ids, names, items, sources, removed, len(blanked))

    def everything(self, connection: sqlite3.Connection, scope: Scope, scope_no: int, erased_at: float) -> Erased:
        """Erase a scope: its rows, its waiting work, and what turns under way would still bring."""
        low, high = scope_range(scope_no)
        rows = connection.execute(
            "SELECT id, uid, source FROM exchanges WHERE id BETWEEN ? AND ?", (low, high)
        ).fetchall()
        ids = tuple(row[0] for row in rows)
        (items,) = connection.execute("SELECT count(*) FROM items WHERE id BETWEEN ? AND ?", (low, high)).fetchone()
        for index in self.derived:
            index.removed(connection, scope_no, ids)
        forget_journal(connection, scope, scope_no)
        for table in ("items", "item_vectors", "item_backlog", "traces", "exchanges"):
            connection.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", (low, high))  # noqa: S608 - our tables
        connection.execute("DELETE FROM items_fts WHERE rowid BETWEEN ? AND ?", (low, high))
        connection.execute("DELETE FROM item_sources WHERE item_id BETWEEN ? AND ?", (low, high))
        for table in ("summaries", "deliveries", "outbox", "usage"):
            connection.execute(f"DELETE FROM {table} WHERE scope_no = ?", (scope_no,))  # noqa: S608 - our tables
        forget_buttons(connection, scope_no, undo=True)
        forget_held(connection, "scope_no = ?", (scope_no,))
        connection.execute("UPDATE places SET last_exchange = NULL WHERE last_exchange BETWEEN ? AND ?", (low, high))
        connection.execute("UPDATE scopes SET epoch = epoch + 1, erased_at = ? WHERE no = ?", (erased_at, scope_no))
        enqueue(connection, scope_no, "", "", erase=True)
        sources = tuple(row[2] for row in rows if row[2])
        return Erased(ids, tuple(row[1] for row in rows), (), sources, items)

    def _blank(self, connection: sqlite3.Connection, scope: Scope, scope_no: int, exchange_id: int) -> bool:
        """Take the answer out of an exchange and everything derived from it; what the person said stays."""
        row = connection.execute(
            f"SELECT {COLUMNS}, source FROM exchanges WHERE id = ? AND assistant_text <> ''",  # noqa: S608 - constant columns
            (exchange_id,),
        ).fetchone()
        if row is None:
            return False
        exchange = exchange_of(scope, row[:-1])
        connection.execute("UPDATE exchanges SET assistant_text = '' WHERE id = ?", (exchange_id,))
        learned = connection.execute(
            "SELECT id FROM items WHERE scope_no = ? AND exchange = ? AND instr(?, content) = 0",
            (scope_no, exchange.uid, exchange.said),
        ).fetchall()
        remove_items(connection, tuple(item_id for (item_id,) in learned))
        if row[-1]:
            withdraw(connection, scope_no, row[-1])
            index_words_alone(connection, scope_no, row[-1], exchange)
        for index in self.derived:
            index.removed(connection, scope_no, (exchange_id,))
            if not exchange.synthetic:
                index.added(connection, scope_no, exchange_id, exchange_of(scope, (*row[:7], "", *row[8:-1])))
        connection.execute("DELETE FROM traces WHERE id = ?", (exchange_id,))
        connection.execute("DELETE FROM deliveries WHERE scope_no = ? AND exchange_id = ?", (scope_no, exchange_id))
        drop_summary(connection, scope_no, exchange_id)
        return True
