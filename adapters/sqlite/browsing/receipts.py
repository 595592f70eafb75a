"""Receipts of erases, written in the transaction that erases: counts and a moment, no text and no name.

An erase of everything takes the earlier receipts with it, and leaves its own.  One that was taken back leaves none.
"""

from __future__ import annotations

import sqlite3

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import join_time
from adapters.sqlite.rows.scopes import find_scope
from bot.memory.scope import Scope
from bot.ports.eraser import ErasureRecord


class SqliteErasureRecords:
    """The port :class:`~bot.ports.eraser.ErasureRecords`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_records(self, scope: Scope, *, offset: int = 0, size: int = 50) -> tuple[ErasureRecord, ...]:
        """Return the receipts of a scope, newest first."""

        def read(connection: sqlite3.Connection) -> tuple[ErasureRecord, ...]:
            rows = connection.execute(
                "SELECT erased_at, everything, exchanges, items, answers, documents, files FROM receipts "
                "WHERE scope_no = ? ORDER BY erased_at DESC, uid LIMIT ? OFFSET ?",
                (find_scope(connection, scope), max(0, size), max(0, offset)),
            ).fetchall()
            return tuple(ErasureRecord(join_time(at), bool(everything), *counts) for at, everything, *counts in rows)

        return await self._database.read(read)


def write_record(connection: sqlite3.Connection, scope_no: int, uid: str, record: ErasureRecord) -> None:
    """Keep the receipt of an erase by its name; the one of an erase that is finished after a crash is kept once."""
    if record.everything:
        connection.execute("DELETE FROM receipts WHERE scope_no = ?", (scope_no,))
    counts = (record.exchanges, record.items, record.answers, record.documents, record.files)
    if record.everything or any(counts):
        connection.execute(
            "INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (uid, scope_no, record.erased_at.timestamp(), record.everything, *counts),
        )


def drop_record(connection: sqlite3.Connection, uid: str) -> None:
    """Forget the receipt of an erase that was taken back."""
    connection.execute("DELETE FROM receipts WHERE uid = ?", (uid,))
