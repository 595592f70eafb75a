"""Stores structured memories of an export: with their history, use and pins, among those that are there."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime
from typing import Final

from adapters.sqlite.rows.codec import dump_list, split_time
from adapters.sqlite.rows.items import add_source, insert_item, normalise_item, store_item
from adapters.sqlite.rows.scopes import get_id_range, take_item_id
from bot.memory.items import MemoryItem
from bot.ports.conversation_import import ImportedMemory, ImportProgress
from language.analyser import Analyser

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


def add_memory(
    connection: sqlite3.Connection,
    words: Analyser,
    scope_no: int,
    one: ImportedMemory,
    progress: ImportProgress,
    now: datetime,
) -> bool:
    """Store a memory and return whether it is new.

    One that is there already is known by its author, words and date of making, or by saying what holds here.  One that
    holds settles with others of its subject that were here before as a newly said one does; all else stays as it was.
    """
    raw, item = one.item, normalise_item(one.item, now)
    found = _find(connection, scope_no, item)
    if found is None:
        item_id = _store(connection, words, scope_no, one, item, progress)
    else:
        item_id, superseded_by = found
        for uid in one.sources:
            add_source(connection, item_id, uid)
        if raw.superseded_by and superseded_by == 0:
            progress.waiting.setdefault(raw.superseded_by, []).append(item_id)
    progress.memories[raw.id] = item_id
    for waiting in progress.waiting.pop(raw.id, ()):
        connection.execute(_REPLACED, (item_id, waiting))
    return found is None


def _find(connection: sqlite3.Connection, scope_no: int, item: MemoryItem) -> tuple[int, int | None] | None:
    made = split_time(item.created_at)[0] if item.created_at else 0.0
    said = (scope_no, item.provenance.author_id, item.fingerprint)
    known = connection.execute(_KNOWN, (*said, made)).fetchone()
    if known is None and item.superseded_by is None:
        holding = connection.execute(_HOLDING, said).fetchone()
        return None if holding is None else (int(holding[0]), None)
    return None if known is None else (int(known[0]), known[1])


def _store(
    connection: sqlite3.Connection,
    words: Analyser,
    scope_no: int,
    one: ImportedMemory,
    item: MemoryItem,
    progress: ImportProgress,
) -> int:
    rivals = connection.execute(_RIVALS, (scope_no, item.subject, *get_id_range(scope_no))).fetchall()
    others = bool(rivals) and not {rival for (rival,) in rivals} <= set(progress.memories.values())
    if item.superseded_by is None and others:
        item_id = store_item(connection, words, scope_no, replace(item, references=()))
    else:
        item_id = take_item_id(connection, scope_no)
        later = progress.memories.get(item.superseded_by, 0) if item.superseded_by is not None else None
        if item.superseded_by and not later:
            progress.waiting.setdefault(item.superseded_by, []).append(item_id)
        insert_item(connection, words, scope_no, replace(item, id=item_id, references=(), superseded_by=later))
        references = [progress.memories[each] for each in item.references if each in progress.memories]
        connection.execute(_USED, (dump_list(references), one.uses, one.restated, item_id))
    for uid in one.sources:
        add_source(connection, item_id, uid)
    return item_id
