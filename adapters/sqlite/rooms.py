"""The rooms of the store: a feature is taken away with its line."""

import sqlite3
from typing import Final

from adapters.sqlite import chronicle, documents, import_jobs, lists, names, reminders, sessions, tickets
from adapters.sqlite.conversations import chats, usage
from adapters.sqlite.erasure import tombstones
from adapters.sqlite.erasure.undo import forget_held_of_scope
from adapters.sqlite.rows.derived import ALL_ROWS, Owner, Room, Table
from adapters.sqlite.rows.items import reindex_items
from adapters.sqlite.rows.outbox import restore_head
from adapters.sqlite.turn_search import index as turn_search

_SAFE_GAP: Final = 1_000_000
"""Journal numbers left out after a recovery: exchanges are named after them, and a name must never be given twice."""
_ITEM: Final = {Owner.ITEM: "id"}


def _forget_scope(connection: sqlite3.Connection, scope_no: int) -> None:
    forget_held_of_scope(connection, scope_no)
    low, high = scope_no << 32, (scope_no + 1 << 32) - 1
    connection.execute("UPDATE places SET last_exchange = NULL WHERE last_exchange BETWEEN ? AND ?", (low, high))


def _repair(connection: sqlite3.Connection) -> None:
    """Restore sources and queue order; rows that make no sense go."""
    connection.execute("DELETE FROM item_sources WHERE item_id NOT IN (SELECT id FROM items)")
    connection.execute(
        "INSERT INTO item_sources SELECT id, exchange FROM items WHERE exchange <> '' ON CONFLICT DO NOTHING"
    )
    connection.execute(
        "DELETE FROM outbox WHERE exchange_id IS NOT NULL AND exchange_id NOT IN (SELECT id FROM exchanges)"
    )  # its text is lost with the exchange
    for (scope_no,) in connection.execute("SELECT DISTINCT scope_no FROM outbox").fetchall():
        connection.execute("UPDATE outbox SET head = 0 WHERE scope_no = ?", (scope_no,))
        restore_head(connection, scope_no)
    connection.execute(
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'journal', 0 WHERE NOT EXISTS "
        "(SELECT 1 FROM sqlite_sequence WHERE name = 'journal')"
    )
    connection.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'journal'", (_SAFE_GAP,))


STORAGE: Final = Room(
    "storage",
    (
        Table("scopes", why="numbers and tags, given once and never again", spare=ALL_ROWS),
        Table("meta", why="single values of the whole store"),
        Table("tombstones", why="names of erases"),
        Table("places", why="ids of chats and of what is newest there", spare=ALL_ROWS),
        Table("sessions", why="times", spare=ALL_ROWS, place="place_no"),
        Table("summaries", numbered="scope_no", held=ALL_ROWS, spare=ALL_ROWS),
        Table(
            "exchanges",
            ranged="id",
            owners={Owner.EXCHANGE: "id"},
            shown="exchanges",
            held=ALL_ROWS,
            restored=True,
            spare=ALL_ROWS,
            place="place_no",
        ),
        Table(
            "traces",
            ranged="id",
            owners={Owner.EXCHANGE: "id"},
            shown="traces",
            held=ALL_ROWS,
            restored=True,
            spare=ALL_ROWS,
        ),
        Table("items", ranged="id", owners=_ITEM, shown="items", held=ALL_ROWS, spare=ALL_ROWS),
        Table("item_sources", ranged="item_id", owners={Owner.ITEM: "item_id"}, held=ALL_ROWS, spare=ALL_ROWS),
        Table("item_backlog", ranged="id", owners=_ITEM, remade=True),
        Table("item_vectors", ranged="id", owners=_ITEM, shown="items by vector", remade=True),
        Table("items_fts", ranged="rowid", owners={Owner.ITEM: "rowid"}, shown="items by words", remade=True),
        Table(
            "journal",
            ranged="exchange_id",
            owners={Owner.EXCHANGE: "exchange_id"},
            cleared="UPDATE journal SET payload = NULL",
            cleared_where="state = 2 AND payload IS NOT NULL",
            shown="journal entries",
            restored=True,
            finished="UPDATE journal SET state = 1, committed = 1, payload = NULL, draft_id = NULL, closed_at = 0 "
            "WHERE state = 0",
        ),
        Table("journal_erased", why="says that an erase met a turn under way; goes with the turn", held=ALL_ROWS),
        Table(
            "deliveries",
            numbered="scope_no",
            owners={Owner.EXCHANGE: "exchange_id"},
            shown="replies",
            held="OLD.state >= 2",  # a reply that was not sent yet is not sent a second time
            finished="DELETE FROM deliveries WHERE state < 2",
            place="place_no",
        ),
        Table("dropped_files", why="paths of files that are being deleted"),
        Table("outbox", numbered="scope_no", shown="documents", counted="erase = 0", held="OLD.erase = 0"),
        Table("learning", numbered="scope_no"),
        Table("deferred_documents", ranged="exchange_id", owners={Owner.EXCHANGE: "exchange_id"}, held=ALL_ROWS),
        Table("migrated_chats", why="ids of chats"),
        Table("left_chats", why="ids of chats"),
        Table("held", numbered="scope_no"),
        Table("held_rows", why="go with the erase that they are held for"),
        Table("held_documents", numbered="scope_no"),
        Table("pairings", why="ids of users"),
        Table("pairing_codes", why="salted hashes"),
    ),
    version=13,
    file="storage",
    forget_scope=_forget_scope,
    remake=reindex_items,
    repair=_repair,
)
ROOMS: Final = (
    STORAGE,
    turn_search.ROOM,
    chronicle.ROOM,
    names.ROOM,
    tombstones.ROOM,
    sessions.ROOM,
    documents.ROOM,
    reminders.ROOM,
    lists.ROOM,
    tickets.ROOM,
    usage.ROOM,
    import_jobs.ROOM,
    chats.ROOM,
)
