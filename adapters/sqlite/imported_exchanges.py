"""Stores imported exchanges: beside those of live turns, whose sessions and places they do not touch.

A conversation of a file becomes a session that has ended already: nothing waits to be summarised or learned from by a
model, and no chat goes on with it.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.erasure.tombstones import read
from adapters.sqlite.rows.codec import split_time
from adapters.sqlite.rows.exchanges import ExchangeIndex, clean_exchange, find_exchange, insert_exchange
from adapters.sqlite.rows.items import normalise_item, store_item
from adapters.sqlite.rows.outbox import enqueue_document
from adapters.sqlite.rows.scopes import ensure_scope
from adapters.sqlite.rows.sessions import ensure_place
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.conversation_import import ImportedBatch, ImportedExchange
from bot.turn import Address
from language.analyser import Analyser

_DOOR: Final = "import"
"""Platform of the place of imported conversations; nobody writes there and nothing is sent there."""


class SqliteImports:
    """The port :class:`~bot.ports.conversation_import.ImportStore`."""

    def __init__(self, database: Database, *, indexes: Sequence[ExchangeIndex], now: Callable[[], datetime]) -> None:
        self._database = database
        self._indexes = tuple(indexes)
        self._now = now
        self._words = Analyser()
        self._log = database.path.with_name("tombstones.jsonl")

    async def add(self, scope: Scope, batch: Sequence[ImportedExchange], session_id: int) -> ImportedBatch:
        """Store what is new of a batch in one transaction."""
        forgotten = await asyncio.to_thread(self._list_forgotten, scope)
        now = self._now()
        return await self._database.write(
            lambda connection: self._add(connection, scope, batch, session_id, forgotten, now)
        )

    def _list_forgotten(self, scope: Scope) -> frozenset[str]:
        """Return what was erased by itself; after an erase of everything, an import is a wish to have it back."""
        stones = [stone for stone in read(self._log) if stone.scope == scope]
        return frozenset(uid for stone in stones for uid in stone.exchanges or ())

    def _add(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        batch: Sequence[ImportedExchange],
        session_id: int,
        forgotten: frozenset[str],
        now: datetime,
    ) -> ImportedBatch:
        scope_no = ensure_scope(connection, scope)
        added = known = erased = 0
        for one in batch:
            session_id = 0 if one.begins else session_id
            if find_exchange(connection, scope_no, one.exchange.uid) is not None:
                known += 1
            elif one.exchange.uid in forgotten:
                erased += 1
            else:
                place_no = ensure_place(connection, Address(_DOOR, 0, one.exchange.author.id))
                session_id = session_id or _start_session(connection, place_no, one.exchange.said_at)
                self._store(connection, scope_no, place_no, session_id, one, now)
                added += 1
        return ImportedBatch(added, known, erased, session_id)

    def _store(
        self,
        connection: sqlite3.Connection,
        scope_no: int,
        place_no: int,
        session_id: int,
        one: ImportedExchange,
        now: datetime,
    ) -> None:
        exchange = clean_exchange(replace(one.exchange, session_id=session_id))
        document = one.document
        exchange_id = insert_exchange(
            connection, scope_no, place_no, exchange, document.source if document is not None else ""
        )
        for index in self._indexes:
            index.add(connection, scope_no, exchange_id, replace(exchange, id=exchange_id))
        for item in one.items:
            store_item(connection, self._words, scope_no, normalise_item(item, now))
        if document is not None and document.deferred:
            connection.execute("INSERT INTO deferred_documents VALUES (?) ON CONFLICT DO NOTHING", (exchange_id,))
        elif document is not None:
            enqueue_document(
                connection,
                scope_no,
                document.source,
                clean(document.text),
                exchange_id=exchange_id,
                said=(exchange.said, exchange.assistant_text),
            )


def _start_session(connection: sqlite3.Connection, place_no: int, said_at: datetime) -> int:
    """Return a session that began and ended then."""
    seconds, offset = split_time(said_at)
    (session_id,) = connection.execute(
        "INSERT INTO sessions (place_no, started_at, started_offset, active_at, ended_at) VALUES (?1, ?2, ?3, ?2, ?2) "
        "RETURNING id",
        (place_no, seconds, offset),
    ).fetchone()
    return int(session_id)
