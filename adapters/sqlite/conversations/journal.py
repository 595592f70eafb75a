"""Where a turn begins and ends: the journal of accepted messages, and the one transaction that closes an entry.

An INSERT and an fsync come before anything else happens to a message.  The commit stores exchange, items, planned
reply, document, trace and session together: whatever point a crash hits, all of it is there or the message is answered
again.

Tidies away what has served its purpose: settled journal rows and replies, traces, expired items; no exchange.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from adapters.sqlite.conversations.deliveries import ask_numbers, plan_deliveries, read_buttons, remove_unclaimed_files
from adapters.sqlite.database import Database, TimedStore, writing
from adapters.sqlite.rows.codec import (
    Row,
    ScopeRow,
    ask_scope,
    clean_texts,
    dump_message,
    dump_trace,
    find_scope,
    get_id_range,
    list_column,
    load_message,
    split_time,
    take_scope,
)
from adapters.sqlite.rows.derived import Rooms, list_indexes
from adapters.sqlite.rows.exchanges import (
    ExchangeIndex,
    insert_exchange,
    list_revised,
    load_exchange,
    load_messages,
    select_exchanges,
)
from adapters.sqlite.rows.items import normalise_item, remove_items, store_item
from adapters.sqlite.rows.outbox import index_exchange, list_namesakes, replace_versions
from adapters.sqlite.said_words import Retracted, SaidWords, find_said, is_by_command, list_retracted, says_alone
from adapters.sqlite.sessions import change_session, find_place, start_session
from bot.config.schema import RetentionSettings
from bot.errors import Corrupt
from bot.files import OutboundFile
from bot.memory.learning.rewording import keeps_told
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, InboundMessage, MessageKind
from bot.ports.turn_store import CommitResult, TurnRecord
from bot.turn import Exchange, IndexDocument, ReplyKind, Trace
from language.analyser import Analyser

INSERT_ENTRY: Final = (
    "INSERT INTO journal (door, bot_id, update_id, place, payload, reason, attempts) SELECT ?, ?, ?, ?, ?, ?, 1 "
    "WHERE NOT EXISTS (SELECT 1 FROM journal WHERE door = ? AND bot_id = ? AND update_id > ? AND place = ? "
    "AND reason = ?) ON CONFLICT DO NOTHING RETURNING id"
)
"""Where the message was not accepted before, and no edit of it has come first: that is numbered above it."""
_PENDING: Final = "SELECT id, payload, attempts FROM journal WHERE state = 0"


class SqliteJournal(TimedStore):
    """The port :class:`~bot.ports.turn_store.Journal`; entries are ordered by their number, never by a clock."""

    async def accept(self, message: InboundMessage) -> Accepted | None:
        stored = clean_texts(message)
        row = make_row(stored)
        entry = await self.database.write(
            lambda connection: connection.execute(INSERT_ENTRY, row).fetchone(), (stored.address.key,)
        )
        return None if entry is None else Accepted(entry[0], stored, begun=True)

    async def pending(self) -> tuple[Accepted, ...]:
        rows = await self.database.fetch(f"{_PENDING} ORDER BY id")
        return await self._entries(rows)

    async def pending_at(self, address: Address, after: int, limit: int) -> tuple[Accepted, ...]:
        rows = await self.database.fetch(
            f"{_PENDING} AND place = ? AND id > ? ORDER BY id LIMIT ?", (address.key, after, limit)
        )
        return await self._entries(rows)

    async def begin(self, entry_id: int) -> int:
        count = "UPDATE journal SET attempts = attempts + 1 WHERE id = ? RETURNING attempts"
        row = await self.database.write(
            lambda connection: connection.execute(count, (entry_id,)).fetchone(), (f"entry {entry_id}",)
        )
        return 1 if row is None else int(row[0])

    @writing
    def drop(self, connection: sqlite3.Connection, entry_ids: tuple[int, ...]) -> None:
        closed_at, _ = split_time(self._now())
        connection.executemany(
            "UPDATE journal SET state = 1, committed = 1, payload = NULL, draft_id = NULL, "
            "reason = 'dropped by its author', closed_at = ? WHERE id = ? AND state = 0 AND committed = 0",
            [(closed_at, entry_id) for entry_id in entry_ids],
        )

    async def abandon(self, entry_id: int, reason: str) -> None:
        closed_at, _ = split_time(self._now())
        await self.database.change(
            "UPDATE journal SET state = 2, reason = ?, closed_at = ? WHERE id = ? AND state = 0",
            (clean(reason), closed_at, entry_id),
        )

    async def _entries(self, rows: list[tuple[int, bytes, int]]) -> tuple[Accepted, ...]:
        entries = []
        for entry_id, payload, attempts in rows:
            try:
                entries.append(replace(Accepted(entry_id, load_message(payload)), attempts=attempts))
            except Corrupt as error:
                structlog.get_logger().error("journal entry unreadable", entry=entry_id)
                await self.abandon(entry_id, str(error))
        return tuple(entries)


def make_row(message: InboundMessage) -> Row:
    """Return what the journal keeps of a message that was cleaned, and by what it knows an edit of it."""
    address = message.address
    key = address.platform, address.bot_id, message.update_id, address.key
    edit = f"edit of {message.message_id}"
    revises, first = message.kind is MessageKind.EDITED, message.kind in (MessageKind.TEXT, MessageKind.UNSUPPORTED)
    return *key, dump_message(message), edit if revises else "", *key, edit if first and message.message_id else None


_ENTRY: Final = (
    "SELECT committed, EXISTS (SELECT 1 FROM journal_erased WHERE entry_id = journal.id) FROM journal WHERE id = ?"
)
"""Of an entry: whether its turn was stored, and whether some scope was erased since it was accepted."""
_ERASED: Final = "SELECT 1 FROM journal_erased JOIN scopes ON no = scope_no WHERE entry_id = ? AND tag = ?"
_MISSED: Final = select_exchanges(
    "AS later JOIN (SELECT uid AS old, replaced_by AS by FROM exchanges WHERE replaced_by IS NOT NULL "
    "AND (replaced_by > ?2 AND replaced_by <= ?3 OR id > ?2 AND id <= ?3)) AS earlier ON by = later.id "
    "WHERE place_no <> ?1",
    "old",
)
_ELSEWHERE: Final = (
    "SELECT tag, messages, exchanges.id, uid, source FROM exchanges JOIN scopes ON no = scope_no "
    "WHERE place_no = ? AND message_id = ? AND tag <> ? AND replaced_by IS NULL"
)
_IN_SPAN: Final = "SELECT id FROM deliveries WHERE place_no = ?1 AND id >= ?2 AND id < ?2 + ?3 ORDER BY id"
"""The parts of a reply, by the first number and how far they go: another place's, planned meanwhile, may be between."""
_Version = tuple[int, str, str]
"""Id, uid and document of an exchange."""
_TRACES: Final = 200
"""Newest traces kept per scope, and at most so many more: /why explains recent answers."""
_TRACES_AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True)
class TurnCommit:
    """Stores :class:`~bot.ports.turn_store.TurnRecord`; what ``rooms`` index is kept exact with the exchanges.

    ``path_of`` returns where a file that goes with a reply lies, as it is stored.
    """

    words: Analyser
    rooms: Rooms
    path_of: Callable[[OutboundFile], str]

    @property
    def indexes(self) -> tuple[ExchangeIndex, ...]:
        return list_indexes(self.rooms)

    def __call__(self, connection: sqlite3.Connection, record: TurnRecord, now: datetime) -> CommitResult:
        """Store the record, or return what its first commit made."""
        asked = [connection.execute(_ENTRY, (entry,)) for entry in record.closes]
        uid = "" if record.exchange is None else record.exchange.uid
        asked_scope = ask_scope(connection, record.scope, uid)
        numbers = ask_numbers(connection, len(record.parts))
        place_no, session_id = find_place(connection, record.address)
        rows = ((entry, each.fetchone()) for entry, each in zip(record.closes, asked, strict=True))
        entries = {entry: row for entry, row in rows if row is not None}
        if entries and all(committed for committed, _ in entries.values()):
            return _read_first_result(connection, record.closes[0], place_no, bound=record.asker_id is not None)
        elsewhere = _list_elsewhere(connection, place_no, record)
        scope = take_scope(connection, record.scope, asked_scope)
        scope_no = scope.no
        if session_id is None:
            session_id = start_session(connection, place_no, now).id
        marked = [entry for entry, (_, erased) in entries.items() if erased]
        own = any(connection.execute(_ERASED, (entry, record.scope.tag)).fetchone() for entry in marked)
        erased = own if record.closes else _was_erased(connection, scope_no, record)
        exchange_id = None
        if not erased:
            exchange_id = scope.there
            if exchange_id is None:
                record = _keep_question(connection, scope, record)
                exchange_id = self._remember(connection, scope, place_no, session_id, record, now)
            if elsewhere and record.exchange is not None:
                self._take_out(connection, record.address, record.exchange, elsewhere)
                find_scope(connection, record.scope)  # of whose rows the rest is
        seconds, _ = split_time(now)
        file = record.reply.file
        deliveries, tokens = plan_deliveries(
            connection,
            place_no,
            scope_no,
            record.reply,
            record.parts,
            planned_at=seconds,
            asker_id=record.asker_id,
            numbers=numbers,
            exchange_id=exchange_id,
            draft_id=record.draft_id,
            begins=record.begins,
            reply_to=record.address.reply_to,
            file=None if file is None else (self.path_of(file), file.name),
        )
        if record.reply.next_session is not None:
            change_session(connection, place_no, scope_no, record.reply.next_session, now)
        _close_entries(connection, record.closes, exchange_id, deliveries, seconds)
        for entry in marked:
            connection.execute("DELETE FROM journal_erased WHERE entry_id = ?", (entry,))
        shown = None if record.asker_id is None else tokens
        return CommitResult(exchange_id, deliveries, begun=record.begins and bool(deliveries), buttons=shown)

    def _remember(
        self,
        connection: sqlite3.Connection,
        scope: ScopeRow,
        place_no: int,
        session_id: int,
        record: TurnRecord,
        now: datetime,
    ) -> int | None:
        said: Exchange | None = None
        retracted: tuple[Retracted, ...] = ()
        old: Sequence[_Version] = ()
        scope_no = scope.no
        missed = _list_missed(connection, scope, place_no, record.heard) if record.exchange is not None else ()
        if record.exchange is not None:
            old = _list_old(connection, scope_no, place_no, record)
            retracted = list_retracted(connection, scope_no, [uid for _, uid, _ in old], record.exchange.user_text)
            said = clean_texts(record.exchange)
            if said.session_id == 0:  # the turn began while nothing could be read
                said = replace(said, session_id=session_id)
            told = (find_said(connection, record.scope, scope_no, uid, said.author.id) for _, uid, _ in old)
            same = (was.said_at for was in told if was is not None and keeps_told(said.user_text, was.user_text))
            said = replace(said, said_at=next(same, said.said_at))  # what was said since changes it still
            said = self._store_exchange(connection, scope, place_no, record, said, old)
        for item in record.items:
            if not any(each.repeated and says_alone(item.content, each.words) for each in retracted):
                at = item.provenance.said_at if said is None else said.said_at
                told_then = replace(item, provenance=replace(item.provenance, said_at=at))
                store_item(connection, self.words, scope_no, normalise_item(told_then, now))
        if said is None:
            return None
        if record.document is not None:
            index_exchange(connection, scope_no, record.document, said)
        kept = SaidWords(connection, self.indexes, self.words.stems, record.scope, scope_no)
        kept.keep_retracted(retracted, said.uid)
        kept.retract_told([uid for _, uid, _ in old], said)
        for uid, now_said in missed:
            kept.retract_told([uid], load_exchange(record.scope, now_said))
        return said.id

    def _take_out(
        self, connection: sqlite3.Connection, at: Address, said: Exchange, elsewhere: dict[Scope, list[_Version]]
    ) -> None:
        """Take what an edited message said before, and all that came of it, out of memories that its chat has left."""
        for scope, old in elsewhere.items():
            scope_no = find_scope(connection, scope)
            replace_versions(connection, self.indexes, scope_no, old, None)
            told = SaidWords(connection, self.indexes, self.words.stems, scope, scope_no)
            told.retract_told([uid for _, uid, _ in old], said)
            for room in self.rooms:
                if room.revise is not None:
                    room.revise(connection, self.rooms, scope_no, at, said)

    def _store_exchange(
        self,
        connection: sqlite3.Connection,
        scope: ScopeRow,
        place_no: int,
        record: TurnRecord,
        exchange: Exchange,
        old: Sequence[_Version],
    ) -> Exchange:
        source, scope_no = record.document.source if record.document is not None else "", scope.no
        exchange_id = insert_exchange(connection, scope_no, place_no, exchange, source, scope.newest)
        exchange = replace(exchange, id=exchange_id)
        replace_versions(connection, self.indexes, scope_no, old, exchange_id)
        if exchange.revises and exchange.message_id:
            for room in self.rooms:
                if room.revise is not None:
                    room.revise(connection, self.rooms, scope_no, record.address, exchange)
        if not exchange.synthetic:
            for index in self.indexes:
                index.add(connection, scope_no, exchange_id, exchange)
        connection.execute("INSERT INTO traces (id, trace) VALUES (?, ?)", (exchange_id, dump_trace(record.trace)))
        if exchange_id % _TRACES_AT_ONCE == 0:
            low, _ = get_id_range(scope_no)
            connection.execute("DELETE FROM traces WHERE id BETWEEN ? AND ?", (low, exchange_id - _TRACES))
        connection.execute(
            "UPDATE sessions SET active_at = ?1 WHERE id = ?2 AND (active_at IS NULL OR active_at < ?1)",
            (split_time(exchange.said_at)[0], exchange.session_id),
        )
        connection.execute("UPDATE places SET last_exchange = ? WHERE no = ?", (exchange_id, place_no))
        return exchange


def _keep_question(connection: sqlite3.Connection, scope: ScopeRow, record: TurnRecord) -> TurnRecord:
    """Return what may be kept of a turn: without its answer, and what that rests on, where its scope lost something."""
    # The model may have read it before it was erased, in another topic or on the page, and told it since.
    said = record.exchange
    if said is None or record.epoch in (None, scope.epoch):
        return record
    said, document = replace(said, assistant_text=""), record.document
    if document is not None:
        alone = IndexDocument.from_exchange(said, list_namesakes(connection, record.scope, scope.no))
        document = None if said.said.rstrip().endswith("?") else replace(document, text=alone.text)
    own = tuple(item for item in record.items if item.provenance.author_id == said.author.id)
    return replace(record, exchange=said, document=document, items=own, trace=Trace())


def _list_old(connection: sqlite3.Connection, scope_no: int, place_no: int, record: TurnRecord) -> list[_Version]:
    """Return what an edited message has said until now; what a command kept stays where it became another command."""
    said = record.exchange
    if said is None or not said.revises or said.message_id == 0:
        return []
    old = list_revised(connection, scope_no, place_no, said.message_id)
    return [row for row in old if record.reply.kind is not ReplyKind.COMMAND or not is_by_command(row[1])]


def _list_missed(
    connection: sqlite3.Connection, scope: ScopeRow, place_no: int, heard: int | None
) -> list[tuple[str, Row]]:
    """Return what other places have put in the place of something since a turn began: the name of that, and the row."""
    if heard is None or scope.newest <= heard:
        return []
    low, high = get_id_range(scope.no)
    rows = connection.execute(_MISSED, (place_no, low + heard, high)).fetchall()
    return [(uid, tuple(row)) for *row, uid in rows]


def _list_elsewhere(connection: sqlite3.Connection, place_no: int, record: TurnRecord) -> dict[Scope, list[_Version]]:
    """Return what an edited message has said in memories that its chat used before, where it is no part of several."""
    said, elsewhere = record.exchange, dict[Scope, list[_Version]]()
    if said is None or not said.revises or not said.message_id:
        return elsewhere
    rows = connection.execute(_ELSEWHERE, (place_no, said.message_id, record.scope.tag)).fetchall()
    for tag, messages, *version in rows:
        if len(load_messages(messages)) <= 1 and not is_by_command(version[1]):
            elsewhere.setdefault(Scope(tag), []).append((version[0], version[1], version[2]))
    return elsewhere


def _read_first_result(connection: sqlite3.Connection, entry_id: int, place_no: int, *, bound: bool) -> CommitResult:
    exchange_id, first, span = connection.execute(
        "SELECT exchange_id, first_delivery, deliveries FROM journal WHERE id = ?", (entry_id,)
    ).fetchone()
    deliveries = tuple(number for (number,) in connection.execute(_IN_SPAN, (place_no, first, span)))
    return CommitResult(exchange_id, deliveries, buttons=read_buttons(connection, deliveries) if bound else None)


def _was_erased(connection: sqlite3.Connection, scope_no: int, record: TurnRecord) -> bool:
    """Whether the whole scope was erased after this was said, in no message: then nothing of it may come back."""
    if record.exchange is None:
        return False
    row = connection.execute("SELECT erased_at FROM scopes WHERE no = ?", (scope_no,)).fetchone()
    return row[0] is not None and split_time(record.exchange.said_at)[0] <= row[0]


def _close_entries(
    connection: sqlite3.Connection,
    closes: tuple[int, ...],
    exchange_id: int | None,
    deliveries: tuple[int, ...],
    seconds: float,
) -> None:
    """Close journal entries and drop their payload; an abandoned one stays so, payload and all, with a last word."""
    first, span = (deliveries[0], deliveries[-1] - deliveries[0] + 1) if deliveries else (None, 0)
    for entry_id in closes:
        connection.execute(
            "UPDATE journal SET committed = 1, exchange_id = ?, first_delivery = ?, deliveries = ?, closed_at = ?, "
            "payload = CASE WHEN state = 2 THEN payload END, "
            "state = CASE WHEN state = 2 THEN 2 ELSE 1 END WHERE id = ? AND committed = 0",
            (exchange_id, first, span, seconds, entry_id),
        )


_BATCH: Final = 1000
"""Rows per transaction: messages wait for one of these at most."""
_SHOWN_DAYS: Final = 1 / 24
"""So long the turn that shows a reply again may take, restarts included."""
_DOUBT_DAYS: Final = 3
"""For which a chat may ask for the text of a reply of unknown fate; then it is dropped within the hour."""
_UNSENT_DAYS: Final = 2
"""After which nobody wants an answer that could not be sent."""
_EXPIRED_DAYS: Final = 30
"""For which items are kept behind their time to live."""
_CLOSED_ENTRIES: Final = (
    "DELETE FROM journal WHERE id IN (SELECT id FROM journal WHERE state <> 0 AND closed_at < ? LIMIT ?)"
)
_ENDED_REPLIES: Final = (
    "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE state >= 2 AND planned_at < ? LIMIT ?)"
)
_UNSENT_REPLIES: Final = (
    "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE state = 0 AND planned_at < ? LIMIT ?)"
)
_KEPT_TRACES: Final = (
    "DELETE FROM traces WHERE id IN (SELECT id FROM traces "
    "WHERE coalesce((SELECT said_at FROM exchanges WHERE exchanges.id = traces.id), 0) < ? LIMIT ?)"
)
"""A trace whose exchange is lost (a damaged page) is of no use."""
_FORGET_TEXTS: Final = (
    "UPDATE deliveries SET text = '', buttons = '[]', file_path = NULL "
    "WHERE state = 3 AND (text <> '' OR file_path IS NOT NULL) AND (planned_at < ? OR shown_at < ?)"
)
_EXPIRED: Final = "SELECT id FROM items WHERE ttl_s IS NOT NULL AND pinned = 0 AND updated_at + ttl_s < ? LIMIT ?"


async def delete_outdated(database: Database, keep: RetentionSettings, now: datetime) -> int:
    """Delete what is older than ``keep`` says and return how many rows that were."""
    deletions = (
        (_CLOSED_ENTRIES, keep.journal_days),
        (_ENDED_REPLIES, keep.delivery_days),
        (_UNSENT_REPLIES, _UNSENT_DAYS),
        (_KEPT_TRACES, keep.trace_days),
    )
    removed = 0
    for statement, days in deletions:
        before = (_seconds_before(now, days), _BATCH)
        removed += await database.write_all(partial(_delete, statement=statement, values=before))
    await database.change(_FORGET_TEXTS, (_seconds_before(now, _DOUBT_DAYS), _seconds_before(now, _SHOWN_DAYS)))
    await remove_unclaimed_files(database)
    limit = _seconds_before(now, _EXPIRED_DAYS)
    removed += await database.write_all(
        lambda connection: remove_items(connection, database.rooms, list_column(connection, _EXPIRED, limit, _BATCH))
    )
    await database.write(lambda connection: connection.execute("PRAGMA optimize").fetchall())
    return removed


def _seconds_before(now: datetime, days: float) -> float:
    return split_time(now - timedelta(days=days))[0]


def _delete(connection: sqlite3.Connection, statement: str, values: tuple[float, int]) -> int:
    return connection.execute(statement, values).rowcount
