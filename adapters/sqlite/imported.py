"""Stores imported exchanges: beside those of live turns, whose sessions and places they do not touch.

A conversation of a file becomes a session that has ended already: nothing waits to be summarised or learned from by a
model, and no chat goes on with it.
Structured memories, reminders and lists of an export are stored among those that are there, with their history.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from adapters.sqlite.chronicle import reword_line
from adapters.sqlite.database import Database, Store
from adapters.sqlite.documents import add_document, is_there
from adapters.sqlite.erasure.tombstones import read
from adapters.sqlite.import_jobs import note_batch
from adapters.sqlite.lists import restore_item
from adapters.sqlite.reminders import keep_reminder, load_reminder, select_reminders
from adapters.sqlite.rows.codec import clean_texts, dump_list, ensure_scope, get_id_range, split_time, take_item_id
from adapters.sqlite.rows.derived import Rooms, list_indexes
from adapters.sqlite.rows.documents import list_stems
from adapters.sqlite.rows.exchanges import insert_exchange, load_exchange, select_exchanges
from adapters.sqlite.rows.items import add_source, insert_item, normalise_item, store_item
from adapters.sqlite.rows.outbox import index_exchange, replace_versions
from adapters.sqlite.sessions import ensure_place
from bot.memory.items import MemoryItem, Origin, Part, Trust
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.lists import Deed, ListItem
from bot.ports.reminders import Reminder, advance
from bot.ports.transfer import (
    ArchivedItem,
    Imported,
    ImportedBatch,
    ImportedDocument,
    ImportedExchange,
    ImportedSession,
    ImportProgress,
    name_source,
)
from bot.turn import Exchange, IndexDocument
from language.analyser import Analyser

_DOOR: Final = "import"
"""Platform of the place of imported conversations; nobody writes there and nothing is sent there."""
_BY_UID: Final = select_exchanges("WHERE scope_no = ? AND uid = ?", "replaced_by", "source")
_GO_ON: Final = "UPDATE sessions SET active_at = max(active_at, ?1), ended_at = max(ended_at, ?1) WHERE id = ?2"
_QUOTED: Final = 400
"""Characters of a message that are shown with a reply to it."""


class SqliteImports(Store):
    """Stores imported exchanges and memories beside those of live turns."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        super().__init__(database)
        self._now = now
        self._words = Analyser()
        self._log = database.path.with_name("tombstones.jsonl")

    async def add(self, scope: Scope, batch: Sequence[Imported], progress: ImportProgress) -> ImportedBatch:
        """Store what is new of a batch in one transaction, fsynced when this returns.

        An exchange is known by its uid within the scope; one that was erased by itself does not come back.
        Raises :class:`~bot.errors.StorageUnavailable`, or :class:`~bot.errors.ImportRefused` where the import was
        cancelled or its memory erased; then nothing of the batch was stored.
        """
        forgotten = await asyncio.to_thread(self._list_forgotten, scope)
        now = self._now()
        before = (dict(progress.sessions), dict(progress.memories), {k: [*v] for k, v in progress.waiting.items()})

        def add(connection: sqlite3.Connection) -> ImportedBatch:
            # A transaction may be run again: what an earlier attempt noted did not happen.
            progress.sessions, progress.memories = dict(before[0]), dict(before[1])
            progress.waiting = {key: [*ids] for key, ids in before[2].items()}
            scope_no, rooms = ensure_scope(connection, scope), self.database.rooms
            return _Import(connection, rooms, self._words, scope, scope_no, progress, forgotten, now).add(batch)

        return await self.database.write(add)

    def _list_forgotten(self, scope: Scope) -> frozenset[str]:
        """Return what was erased by itself; after an erase of everything, an import is a wish to have it back."""
        stones = [stone for stone in read(self._log) if stone.scope == scope]
        return frozenset(uid for stone in stones for uid in stone.exchanges or ())


_Stored = ImportedExchange | ArchivedItem | ImportedDocument | Reminder | ListItem


def _list_sources(one: _Stored) -> frozenset[str]:
    """Return the uids of the exchanges that something rests on; what rests on none was never forgotten with one."""
    match one:
        case Reminder():
            sources = {one.exchange}
        case ListItem():
            sources = {one.added.exchange}
        case ArchivedItem():
            sources = {one.item.provenance.exchange, *one.sources}
        case ImportedDocument():
            sources = {one.document.exchange}
        case _:
            sources = {one.exchange.uid}
    return frozenset(sources) - {""}


def _list_words(exchange: Exchange) -> tuple[str, str]:
    return exchange.said, exchange.assistant_text


def _is_another(known: Exchange, found: Exchange) -> bool:
    """Whether two messages of one name are two: an edit changes the words of a message, and never when it was sent."""
    apart_s = abs((known.said_at - found.said_at).total_seconds())
    return apart_s >= 1 and _list_words(known) != _list_words(clean_texts(found))


def _rename(one: ImportedExchange, uid: str) -> ImportedExchange:
    exchange, document = replace(one.exchange, uid=uid), one.document
    items = tuple(replace(item, provenance=replace(item.provenance, exchange=uid)) for item in one.items)
    if document is not None:
        document = replace(IndexDocument.from_exchange(exchange), deferred=document.deferred)
    return replace(one, exchange=exchange, items=items, document=document)


def _start_session(
    connection: sqlite3.Connection, scope_no: int, place_no: int, said_at: datetime, told: ImportedSession | None
) -> int:
    """Return a session that began then, or when its file says, and has ended."""
    seconds, offset = split_time(said_at if told is None else told.started_at)
    ended = seconds if told is None or told.ended_at is None else split_time(told.ended_at)[0]
    (session_id,) = connection.execute(
        "INSERT INTO sessions (place_no, started_at, started_offset, active_at, ended_at) "
        "VALUES (?1, ?2, ?3, ?4, ?4) RETURNING id",
        (place_no, seconds, offset, ended),
    ).fetchone()
    if told is not None and told.title:
        mark = "INSERT INTO session_marks (session_id, scope_no, title) VALUES (?, ?, ?)"
        connection.execute(mark, (session_id, scope_no, clean(told.title)))
    return int(session_id)


_KNOWN: Final = (
    "SELECT id, superseded_by FROM items WHERE scope_no = ? AND author_id = ? AND fingerprint = ? "
    "AND abs(created_at - ?) < 0.001"
)
_HOLDING: Final = (
    "SELECT id FROM items WHERE scope_no = ? AND author_id = ? AND fingerprint = ? AND superseded_by IS NULL"
)
_RIVALS: Final = (
    "SELECT id FROM items WHERE scope_no = ? AND subject = ? AND subject <> '' AND superseded_by IS NULL "
    "AND id BETWEEN ? AND ?"
)
_USED: Final = "UPDATE items SET refs = ?, uses = ?, restated = ? WHERE id = ?"
_REPLACED: Final = "UPDATE items SET superseded_by = ? WHERE id = ? AND superseded_by = 0"


_ALIKE: Final = select_reminders(
    "WHERE reminders.scope_no = ? AND place_no = ? AND asker_id = ? AND text = ? AND wake_at IS NOT NULL"
)


def _bring_forward(reminder: Reminder, now: datetime) -> Reminder:
    if reminder.due_at is None or reminder.due_at > now:
        return reminder
    return replace(advance(reminder, now), fired_at=None, fired_due=None)


@dataclass(frozen=True, slots=True)
class _Import:
    """One batch of an import, inside of its transaction; ``forgotten`` names exchanges that do not come back."""

    connection: sqlite3.Connection
    rooms: Rooms
    words: Analyser
    scope: Scope
    scope_no: int
    progress: ImportProgress
    forgotten: frozenset[str]
    now: datetime
    made: list[int] = field(default_factory=list)
    """Ids of the exchanges that were stored."""

    def add(self, batch: Sequence[Imported]) -> ImportedBatch:
        counts = {True: 0, False: 0, None: 0}
        for one in batch:
            if isinstance(one, ImportedSession):
                self.progress.told[one.conversation] = one
            else:
                counts[self._add_one(one)] += 1
        done = ImportedBatch(counts[True], counts[False], counts[None])
        note_batch(self.connection, self.progress.job, self.scope_no, done, self.made)
        return done

    def _add_one(self, one: _Stored) -> bool | None:
        """Store one record and return whether there was anything new, ``None`` where it was forgotten on purpose."""
        sources = _list_sources(one)
        if sources and sources <= self.forgotten:
            return None
        match one:
            case Reminder():
                return self._add_reminder(one)
            case ListItem():
                return self._add_listed(one)
            case ArchivedItem():
                return self._add_memory(one)
            case ImportedDocument():
                return self._add_document(one)
        return self._add_exchange(one)

    def _add_document(self, one: ImportedDocument) -> bool:
        new = not is_there(self.connection, self.scope_no, one.document)
        if new:
            name = clean(one.document.name)
            stems = [list_stems(self.words, name, chunk) for chunk in one.document.chunks]
            add_document(self.connection, self.rooms, self.scope, one.document, stems, one.index)
        return new

    def _add_exchange(self, one: ImportedExchange) -> bool:
        """Store an exchange, or its new version, and return whether there was anything new."""
        one = replace(one, answers=self.progress.renamed.get(one.answers, one.answers))
        row = self.connection.execute(_BY_UID, (self.scope_no, one.exchange.uid)).fetchone()
        if row is not None and _is_another(load_exchange(one.exchange.scope, tuple(row[:-2])), one.exchange):
            # Exports number messages by account: another account's fifth message is not an edit of this one's.
            uid = name_source(f"{one.exchange.uid} {one.exchange.said_at.timestamp():.0f}")
            self.progress.renamed[one.exchange.uid] = uid
            one = _rename(one, uid)
            row = self.connection.execute(_BY_UID, (self.scope_no, uid)).fetchone()
        if row is None:
            self._store(one)
            return True
        self.progress.sessions.setdefault(one.conversation, row[2])
        if one.replaced_by and row[-2] == row[0]:
            self.progress.waiting.setdefault(one.replaced_by, []).append(row[0])
        if not one.edited:
            return False
        return self._store_version(one, row)

    def _store_version(self, one: ImportedExchange, row: tuple[object, ...]) -> bool:
        """Store another version of a message, if it reads otherwise than its newest; the older ones give way to it."""
        scope, number, version = one.exchange.scope, 1, row
        while version[-2] is not None:  # each version of an import is named after the first
            number += 1
            later = self.connection.execute(_BY_UID, (self.scope_no, f"{one.exchange.uid}v{number}")).fetchone()
            if later is None:
                return False  # replaced otherwise: by an export, which knows better
            version = later
        newest = load_exchange(scope, tuple(version[:-2]))
        if _list_words(newest) == _list_words(clean_texts(one.exchange)):
            return False
        uid = f"{one.exchange.uid}v{number + 1}"
        fresh = _rename(one, uid)
        made = self._store(fresh)
        old = (newest.id, newest.uid, str(version[-1] or ""))
        replace_versions(self.connection, list_indexes(self.rooms), self.scope_no, [old], made)
        return True

    def _store(self, one: ImportedExchange) -> int:
        exchange, document = one.exchange, one.document
        told = self.progress.told.get(one.conversation)
        place = Address(_DOOR, 0, exchange.author.id) if told is None or told.place is None else told.place
        place_no = ensure_place(self.connection, place)
        session_id = self.progress.sessions.get(one.conversation)
        if session_id is None:
            session_id = _start_session(self.connection, self.scope_no, place_no, exchange.said_at, told)
            self.progress.sessions[one.conversation] = session_id
        self.connection.execute(_GO_ON, (split_time(exchange.said_at)[0], session_id))
        exchange = clean_texts(replace(exchange, session_id=session_id))
        quoted = self._find_quoted(one)
        exchange = replace(exchange, parts=(*quoted, *exchange.parts))
        exchange_id = insert_exchange(
            self.connection, self.scope_no, place_no, exchange, document.source if document is not None else ""
        )
        self.made.append(exchange_id)
        exchange = replace(exchange, id=exchange_id)
        for waiting in self.progress.waiting.pop(exchange.uid, ()):
            self.connection.execute("UPDATE exchanges SET replaced_by = ? WHERE id = ?", (exchange_id, waiting))
        if one.replaced_by:
            # What replaced it comes later in the file; until then it stands for itself, which is no version that holds.
            self.connection.execute("UPDATE exchanges SET replaced_by = id WHERE id = ?", (exchange_id,))
            self.progress.waiting.setdefault(one.replaced_by, []).append(exchange_id)
        elif not exchange.synthetic:
            for index in list_indexes(self.rooms):
                index.add(self.connection, self.scope_no, exchange_id, exchange)
            for line in one.chronicle:
                reword_line(self.connection, exchange, clean(line))
        for item in one.items:
            store_item(self.connection, self.words, self.scope_no, normalise_item(item, self.now))
        if document is not None:
            index_exchange(self.connection, self.scope_no, document, exchange)
        return exchange_id

    def _find_quoted(self, one: ImportedExchange) -> tuple[Part, ...]:
        """Return what an exchange replies to as a part of it: what the user said themselves is believed as they are."""
        found = self.connection.execute(_BY_UID, (self.scope_no, one.answers)).fetchone() if one.answers else None
        if found is None:
            return ()
        answered = load_exchange(one.exchange.scope, tuple(found[:-2]))
        forwarded = answered.forwarded
        if answered.user_text:
            name, trust = answered.author.name, answered.author.trust
            return (Part(Origin.QUOTED, answered.user_text[:_QUOTED], name, answered.author.id, trust),)
        if forwarded is not None:
            return (Part(Origin.QUOTED, forwarded.text[:_QUOTED], forwarded.author, trust=Trust.FILE),)
        return ()

    def _add_memory(self, one: ArchivedItem) -> bool:
        """Store a memory and return whether it is new.

        One that is there already is known by its author, words and date of making, or by saying what holds here.  One
        that holds settles with others of its subject that were here before as a newly said one does; all else stays as
        it was.
        """
        raw, item = one.item, normalise_item(one.item, self.now)
        found = self._find(item)
        if found is None:
            item_id = self._store_memory(one, item)
        else:
            item_id, superseded_by = found
            for uid in one.sources:
                add_source(self.connection, item_id, uid)
            if raw.superseded_by and superseded_by == 0:
                self.progress.waiting.setdefault(raw.superseded_by, []).append(item_id)
        self.progress.memories[raw.id] = item_id
        for waiting in self.progress.waiting.pop(raw.id, ()):
            self.connection.execute(_REPLACED, (item_id, waiting))
        return found is None

    def _find(self, item: MemoryItem) -> tuple[int, int | None] | None:
        made = split_time(item.created_at)[0] if item.created_at else 0.0
        said = (self.scope_no, item.provenance.author_id, item.fingerprint)
        known = self.connection.execute(_KNOWN, (*said, made)).fetchone()
        if known is None and item.superseded_by is None:
            holding = self.connection.execute(_HOLDING, said).fetchone()
            return None if holding is None else (int(holding[0]), None)
        return None if known is None else (int(known[0]), known[1])

    def _store_memory(self, one: ArchivedItem, item: MemoryItem) -> int:
        rivals = self.connection.execute(
            _RIVALS, (self.scope_no, item.subject, *get_id_range(self.scope_no))
        ).fetchall()
        others = bool(rivals) and not {rival for (rival,) in rivals} <= set(self.progress.memories.values())
        if item.superseded_by is None and others:
            item_id = store_item(self.connection, self.words, self.scope_no, replace(item, references=()))
        else:
            item_id = take_item_id(self.connection, self.scope_no)
            later = self.progress.memories.get(item.superseded_by, 0) if item.superseded_by is not None else None
            if item.superseded_by and not later:
                self.progress.waiting.setdefault(item.superseded_by, []).append(item_id)
            insert_item(
                self.connection,
                self.words,
                self.scope_no,
                replace(item, id=item_id, references=(), superseded_by=later),
            )
            references = [self.progress.memories[each] for each in item.references if each in self.progress.memories]
            self.connection.execute(_USED, (dump_list(references), one.uses, one.restated, item_id))
        for uid in one.sources:
            add_source(self.connection, item_id, uid)
        return item_id

    def _add_listed(self, item: ListItem) -> bool:
        """Put something on its list and return whether it is new; it stays closed by nobody who was forgotten."""
        closed = item.closed
        if closed is not None and closed.exchange in self.forgotten:
            item = replace(item, closed=Deed(0, "", closed.at))
        return restore_item(self.connection, self.scope_no, item)

    def _add_reminder(self, reminder: Reminder) -> bool:
        """Keep a reminder and return whether it is new; one whose time has passed comes at its next, or not at all.

        One of the same words in the same place that comes next at the same time is there already.
        """
        coming = _bring_forward(reminder, self.now)
        if coming.due_at is None:
            return False
        place_no = ensure_place(self.connection, reminder.address)
        of = (ensure_scope(self.connection, reminder.scope), place_no, reminder.asker_id, clean(reminder.text))
        for row in self.connection.execute(_ALIKE, of):
            there = load_reminder(row)
            if coming.due_at in {there.wake_at, _bring_forward(there, self.now).due_at}:
                return False
        return keep_reminder(self.connection, replace(coming, made_at=self.now)) is not None
