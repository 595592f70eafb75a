"""Makes the rows that a recovery saved fit together again."""

from __future__ import annotations

import sqlite3
from typing import Final

from adapters.sqlite.rows.item_rows import COLUMNS, index_item, readable_items
from adapters.sqlite.rows.outbox_rows import restore_head
from bot.memory.document import parse_source
from language.analyser import Analyser

_SAFE_GAP: Final = 1_000_000
"""Journal numbers left out after a recovery: exchanges are named after them, and a name must never be given twice."""


def repair(new: sqlite3.Connection) -> None:
    """Rebuild words, sources, scopes and queue order from what is there; rows that make no sense go."""
    _restore_scopes(new)
    words = Analyser()
    rows = new.execute(f"SELECT {COLUMNS} FROM items").fetchall()  # noqa: S608 - constant columns
    items = readable_items(rows)
    kept = {item.id for item in items}
    for item in items:
        index_item(new, words, item)
    new.executemany("DELETE FROM items WHERE id = ?", [(row[0],) for row in rows if row[0] not in kept])
    new.execute("DELETE FROM item_sources WHERE item_id NOT IN (SELECT id FROM items)")
    new.execute("INSERT OR IGNORE INTO item_sources SELECT id, exchange FROM items WHERE exchange <> ''")
    new.execute(
        "DELETE FROM outbox WHERE exchange_id IS NOT NULL AND exchange_id NOT IN (SELECT id FROM exchanges)"
    )  # its text is lost with the exchange
    for (scope_no,) in new.execute("SELECT DISTINCT scope_no FROM outbox").fetchall():
        new.execute("UPDATE outbox SET head = 0 WHERE scope_no = ?", (scope_no,))
        restore_head(new, scope_no)
    new.execute(
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'journal', 0 WHERE NOT EXISTS "
        "(SELECT 1 FROM sqlite_sequence WHERE name = 'journal')"
    )
    new.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'journal'", (_SAFE_GAP,))
    new.execute("INSERT OR REPLACE INTO meta VALUES ('rebuild', 'due')")


def _restore_scopes(new: sqlite3.Connection) -> None:
    """Give lost scopes their names back from their documents, and numbers that were never given."""
    orphans = new.execute(
        "SELECT scope_no, max(source) FROM exchanges WHERE scope_no NOT IN (SELECT no FROM scopes) GROUP BY scope_no"
    ).fetchall()
    for scope_no, source in orphans:
        parsed = parse_source(source)
        if parsed is not None:
            new.execute("INSERT OR IGNORE INTO scopes (no, tag) VALUES (?, ?)", (scope_no, parsed.tag))
    for column, table in (("exchange_seq", "exchanges"), ("item_seq", "items")):
        new.execute(
            f"UPDATE scopes SET {column} = max({column}, coalesce((SELECT max(id) & 4294967295 FROM {table} "  # noqa: S608 - our schema
            "WHERE id BETWEEN scopes.no << 32 AND (scopes.no << 32) + 4294967295), 0))"
        )
