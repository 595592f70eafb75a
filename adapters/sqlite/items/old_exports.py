"""Items as earlier versions exported them, ``items/<scope tag>.jsonl``: imported without doubling anything."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from adapters.sqlite.database import Database
from adapters.sqlite.rows.items import insert_item, normalise_item, store_item
from adapters.sqlite.rows.scopes import ensure_scope, take_item_id
from bot.errors import Corrupt, StorageUnavailable
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.scope import Scope
from language.analyser import Analyser


async def import_items(database: Database, scope: Scope, path: Path, now: datetime) -> int:
    """Add the items of an exported file to a scope and return how many were new; doing it again adds none.

    The file is read completely before anything is stored.  Ids are given anew and references follow them.
    Raises :class:`~bot.errors.Corrupt` for a line that is no item, with its number.
    """
    try:
        lines = (await asyncio.to_thread(path.read_bytes)).splitlines()
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be read: {error.strerror}") from error
    items = [_parse_item(line, number, path) for number, line in enumerate(lines, start=1) if line.strip()]
    words = Analyser()
    return await database.write(lambda connection: _import(connection, words, scope, items, now))


def _parse_item(line: bytes, number: int, path: Path) -> MemoryItem:
    try:
        fields: dict[str, Any] = orjson.loads(line)  # Any: JSON, checked by the constructors below
        origin = fields["provenance"]
        dates = {name: _parse_date(fields[name]) for name in ("created_at", "updated_at", "accessed_at")}
        return MemoryItem(
            **{
                **fields,
                **dates,
                "layer": Layer(fields["layer"]),
                "type": ItemType(fields["type"]),
                "provenance": Provenance(
                    **{
                        **origin,
                        "trust": Trust(origin["trust"]),
                        "said_at": datetime.fromisoformat(origin["said_at"]),
                    }
                ),
                "tags": tuple(fields["tags"]),
                "references": tuple(fields["references"]),
            }
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Corrupt(f"{path}:{number} is not an exported item; nothing was imported") from error


def _parse_date(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _import(
    connection: sqlite3.Connection, words: Analyser, scope: Scope, items: list[MemoryItem], now: datetime
) -> int:
    """Store items under new ids; what is there already, by author, fingerprint and creation, is recognised."""
    scope_no = ensure_scope(connection, scope)
    new_ids: dict[int, int] = {}
    added = []
    for raw in items:
        item = normalise_item(raw, now)
        known = connection.execute(
            "SELECT id FROM items WHERE scope_no = ? AND author_id = ? AND fingerprint = ? "
            "AND abs(created_at - ?) < 0.001",
            (
                scope_no,
                item.provenance.author_id,
                item.fingerprint,
                item.created_at.timestamp() if item.created_at else 0.0,
            ),
        ).fetchone()
        if known is None:
            (before,) = connection.execute("SELECT item_seq FROM scopes WHERE no = ?", (scope_no,)).fetchone()
            new_ids[raw.id] = _add_item(connection, words, scope_no, item)
            if new_ids[raw.id] & 0xFFFFFFFF > before:
                added.append((new_ids[raw.id], raw))
        else:
            new_ids[raw.id] = known[0]
    for item_id, raw in added:
        _update_references(connection, item_id, raw, new_ids)
    return len(added)


def _add_item(connection: sqlite3.Connection, words: Analyser, scope_no: int, item: MemoryItem) -> int:
    if item.superseded_by is None:
        return store_item(connection, words, scope_no, item)
    item_id = take_item_id(connection, scope_no)
    insert_item(connection, words, scope_no, replace(item, id=item_id))
    return item_id


def _update_references(connection: sqlite3.Connection, item_id: int, raw: MemoryItem, new_ids: dict[int, int]) -> None:
    references = [new_ids[old] for old in raw.references if old in new_ids]
    connection.execute(
        "UPDATE items SET refs = ?, superseded_by = coalesce(?, superseded_by) WHERE id = ?",
        (
            orjson.dumps(references).decode(),
            None if raw.superseded_by is None else new_ids.get(raw.superseded_by, 0),
            item_id,
        ),
    )
