"""Erases exchanges, items and whole scopes inside one transaction, with everything that was derived from them."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from adapters.sqlite.erasure.erasure_rows import (
    QuotingExchanges,
    cut_parts,
    forget_journal,
    list_edited_since,
    list_items,
    list_versions,
    restore_last_exchanges,
    scrub_traces,
)
from adapters.sqlite.rows.codec import dump_list, get_id_range, list_column
from adapters.sqlite.rows.derived import Owner, Rooms, clear_owned, clear_scope, list_indexes
from adapters.sqlite.rows.documents import list_documents_named, remove_documents
from adapters.sqlite.rows.exchanges import dump_parts, load_exchange, select_exchanges
from adapters.sqlite.rows.items import remove_items
from adapters.sqlite.rows.outbox import drop_summary, enqueue_document, remake_document, withdraw_document
from bot.memory.learning.retraction import without
from bot.memory.scope import Scope
from bot.turn import Exchange

_BY_ID: Final = select_exchanges("WHERE id = ?")
_UIDS: Final = "SELECT uid FROM exchanges WHERE id IN (SELECT value FROM json_each(?))"
_NOTED: Final = "SELECT id, content FROM items WHERE id IN (SELECT value FROM json_each(?))"
_LEARNED: Final = "SELECT id, content FROM items WHERE scope_no = ? AND exchange = ?"
_NO_EARLIER: Final = (
    "SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?1)) "
    "AND coalesce(superseded_by, 0) NOT IN (SELECT value FROM json_each(?1))"
)
"""Memories among these, each counted once whatever it said before."""


@dataclass(frozen=True, slots=True)
class Erased:
    """The rows that one erase removed: by id, their names, and the sources of their documents."""

    exchange_ids: tuple[int, ...] = ()
    uids: tuple[str, ...] = ()
    item_ids: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    items: int = 0
    answers: int = 0
    files: tuple[tuple[int, str], ...] = ()
    """Documents, by id and uid."""
    rest: str = ""
    """What is left of the message that was named."""


@dataclass(frozen=True, slots=True)
class EraseCascade:
    """An erase of a scope inside of its transaction; what is kept and how it goes, the rooms say."""

    connection: sqlite3.Connection
    rooms: Rooms
    scope: Scope
    scope_no: int

    def erase_exchanges(
        self, uids: Sequence[str], item_ids: Sequence[int], quoting: QuotingExchanges, rest: str = ""
    ) -> Erased:
        """Erase exchanges with all their versions, given items, items derived from them, and what repeats any of it.

        An exchange that only passed on the same text goes as a whole.  ``uids`` may name documents, too; those that
        nothing but these exchanges brought go with them.  ``rest`` stays of the only message among them.
        """
        kept = self._list_with_cut_parts(quoting)
        passed_on = [exchange.uid for exchange in kept if not exchange.said.strip()]
        rows = list_versions(self.connection, self.scope_no, (*uids, *passed_on))
        left = self._find_whole(rows) if rest else None
        if left is not None:
            item_ids = self._leave_rest(left, rest, item_ids)
            rows = [row for row in rows if row[0] != left.id]
        ids = tuple(row[0] for row in rows)
        names = tuple(row[1] for row in rows)
        files = tuple(list_documents_named(self.connection, self.scope_no, (*names, *uids)))
        sources = tuple(row[2] for row in rows if row[2])
        said = list_items(self.connection, self.scope_no, names)
        edited = list_edited_since(self.connection, said, names)
        items = tuple(dict.fromkeys((*(item for item in said if item not in edited), *item_ids)))
        self.connection.execute(
            "DELETE FROM item_sources WHERE item_id IN (SELECT value FROM json_each(?)) "
            "AND exchange IN (SELECT value FROM json_each(?))",
            (dump_list(sorted(edited)), dump_list(names)),
        )
        for room in self.rooms:
            if room.forget is not None:
                room.forget(self.connection, self.scope_no, names)
        removed = len(list_column(self.connection, _NO_EARLIER, dump_list(items)))
        remove_items(self.connection, self.rooms, items)
        for source in sources:
            withdraw_document(self.connection, self.scope_no, source)
        sources += remove_documents(self.connection, self.rooms, self.scope_no, [document for document, _ in files])
        blanked = [
            exchange_id for exchange_id in quoting.answers if exchange_id not in ids and self._blank_answer(exchange_id)
        ]
        for exchange in kept:
            if exchange.id not in ids:
                self._cut_parts(exchange, quoting)
        for index in list_indexes(self.rooms):
            index.remove(self.connection, self.scope_no, ids)
        for exchange_id in ids:
            drop_summary(self.connection, self.scope_no, exchange_id)
        clear_owned(self.connection, self.rooms, Owner.EXCHANGE, *((exchange_id, exchange_id) for exchange_id in ids))
        # What commands showed belongs to no exchange: while it is kept it may repeat what is erased.
        self.connection.execute(
            "UPDATE deliveries SET text = '', buttons = '[]', file_path = NULL "
            "WHERE scope_no = ? AND exchange_id IS NULL AND state = 3",
            (self.scope_no,),
        )
        changed = (*blanked, *(exchange.id for exchange in kept), *([left.id] if left is not None else []))
        gone = (*names, *(uid for _, uid in files), *list_column(self.connection, _UIDS, dump_list(changed)))
        scrub_traces(self.connection, self.scope_no, gone, items)
        restore_last_exchanges(self.connection, ids)
        self.connection.execute("UPDATE scopes SET epoch = epoch + 1 WHERE no = ?", (self.scope_no,))
        return Erased(ids, names, items, sources, removed, len(blanked), files, rest if left is not None else "")

    def erase_scope(self, erased_at: float) -> Erased:
        """Erase a scope: its rows, its waiting work, and what turns under way would still bring."""
        low, high = get_id_range(self.scope_no)
        rows = self.connection.execute(
            "SELECT id, uid, source FROM exchanges WHERE id BETWEEN ? AND ?", (low, high)
        ).fetchall()
        ids = tuple(row[0] for row in rows)
        (items,) = self.connection.execute(
            "SELECT count(*) FROM items WHERE id BETWEEN ? AND ?", (low, high)
        ).fetchone()
        for index in list_indexes(self.rooms):
            index.remove(self.connection, self.scope_no, ids)
        forget_journal(self.connection, self.scope, self.scope_no)
        files = tuple(
            self.connection.execute("SELECT id, uid FROM documents WHERE id BETWEEN ? AND ?", (low, high)).fetchall()
        )
        for room in self.rooms:
            if room.forget_scope is not None:
                room.forget_scope(self.connection, self.scope_no)
        clear_scope(self.connection, self.rooms, self.scope_no)
        self.connection.execute(
            "UPDATE scopes SET epoch = epoch + 1, erased_at = ? WHERE no = ?", (erased_at, self.scope_no)
        )
        enqueue_document(self.connection, self.scope_no, "", "", erase=True)
        sources = tuple(row[2] for row in rows if row[2])
        return Erased(ids, tuple(row[1] for row in rows), (), sources, items, files=files)

    def _find_whole(self, rows: Sequence[tuple[int, str, str]]) -> Exchange | None:
        """Return the only message of which all these are versions, as it is now; ``None`` if more or others' came."""
        current = "SELECT id FROM exchanges WHERE id IN (SELECT value FROM json_each(?)) AND replaced_by IS NULL"
        ids = list_column(self.connection, current, dump_list([row[0] for row in rows]))
        said = self._read_exchange(ids[0]) if len(ids) == 1 else None
        return said if said is not None and not said.parts else None

    def _leave_rest(self, said: Exchange, rest: str, item_ids: Sequence[int]) -> tuple[int, ...]:
        """Store what is left of a message, without its answer; return the items that go, given ones and its own."""
        self.connection.execute(
            "UPDATE exchanges SET user_text = ?, assistant_text = '', messages = '[]' WHERE id = ?", (rest, said.id)
        )
        self.connection.execute(
            "DELETE FROM deliveries WHERE scope_no = ? AND exchange_id = ?", (self.scope_no, said.id)
        )
        self._reindex(replace(said, user_text=rest, assistant_text="", messages=()))
        listed = dump_list([*item_ids, *list_items(self.connection, self.scope_no, (said.uid,))])
        noted = self.connection.execute(_NOTED, (listed,)).fetchall()
        return tuple(item_id for item_id, content in noted if content not in rest)

    def _blank_answer(self, exchange_id: int) -> bool:
        """Take the answer out of an exchange and everything derived from it; what the person said stays."""
        exchange = self._read_exchange(exchange_id)
        if exchange is None or not exchange.assistant_text:
            return False
        self.connection.execute("UPDATE exchanges SET assistant_text = '' WHERE id = ?", (exchange_id,))
        learned = self.connection.execute(_LEARNED, (self.scope_no, exchange.uid)).fetchall()
        remove_items(
            self.connection, self.rooms, tuple(item_id for item_id, content in learned if content not in exchange.said)
        )
        self.connection.execute(
            "DELETE FROM deliveries WHERE scope_no = ? AND exchange_id = ?", (self.scope_no, exchange_id)
        )
        self._reindex(replace(exchange, assistant_text=""))
        return True

    def _list_with_cut_parts(self, quoting: QuotingExchanges) -> list[Exchange]:
        """Return the exchanges with a part that repeats what is erased, as they are without it."""
        there = filter(None, (self._read_exchange(exchange_id) for exchange_id in quoting.parts))
        return [
            replace(one, parts=left)
            for one in there
            if (left := cut_parts(one, quoting.echo, near=one.id in quoting.near)) != one.parts
        ]

    def _cut_parts(self, exchange: Exchange, quoting: QuotingExchanges) -> None:
        """Store an exchange without what it repeats; what was learned from just that goes with it."""
        learned = self.connection.execute(_LEARNED, (self.scope_no, exchange.uid)).fetchall()
        near = exchange.id in quoting.near
        remove_items(
            self.connection,
            self.rooms,
            tuple(
                item_id
                for item_id, content in learned
                if content not in exchange.user_text
                and without(content, quoting.echo, near=near, quoted=False) != content
            ),
        )
        self.connection.execute(
            "UPDATE exchanges SET user_text = ?, parts = ?, messages = '[]' WHERE id = ?",
            (exchange.said, dump_parts(exchange), exchange.id),
        )
        stored = self._read_exchange(exchange.id)
        if stored is not None:
            self._reindex(stored)

    def _reindex(self, exchange: Exchange) -> None:
        """Make anew what was derived from an exchange that was changed: as it is given."""
        source, replaced_by = self.connection.execute(
            "SELECT source, replaced_by FROM exchanges WHERE id = ?", (exchange.id,)
        ).fetchone()
        if source and replaced_by is None:
            remake_document(self.connection, self.scope_no, source, exchange)
        for index in list_indexes(self.rooms):
            index.remove(self.connection, self.scope_no, (exchange.id,))
            if not exchange.synthetic and replaced_by is None:
                index.add(self.connection, self.scope_no, exchange.id, exchange)
        self.connection.execute("DELETE FROM traces WHERE id = ?", (exchange.id,))
        drop_summary(self.connection, self.scope_no, exchange.id)

    def _read_exchange(self, exchange_id: int) -> Exchange | None:
        row = self.connection.execute(_BY_ID, (exchange_id,)).fetchone()
        return None if row is None else load_exchange(self.scope, row)
