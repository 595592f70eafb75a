"""Items as ``items/<scope tag>.jsonl``: readable, portable, and imported again without doubling anything."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import orjson

from adapters.sqlite.database import Database
from adapters.sqlite.rows.items import insert_item, load_items, normalise_item, select_items, store_item
from adapters.sqlite.rows.scopes import ensure_scope, find_scope, get_id_range, take_item_id
from bot.errors import Corrupt, StorageUnavailable
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.scope import Scope
from language.analyser import Analyser

_OF_SCOPE: Final = select_items("WHERE id BETWEEN ? AND ? ORDER BY id")


async def export_items(database: Database, scope: Scope, directory: Path) -> Path:
    """Write all items of a scope, also superseded ones, one JSON object per line, and return the file.

    The file appears whole or not at all.  Raises :class:`~bot.errors.StorageUnavailable`.
    """
    items = await database.read(lambda connection: _read_all(connection, scope))
    path = directory / f"{scope.tag}.jsonl"
    lines = b"".join(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE) for item in items)
    await asyncio.to_thread(_write_whole, path, lines)
    return path


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


def _read_all(connection: sqlite3.Connection, scope: Scope) -> list[MemoryItem]:
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return []
    rows = connection.execute(
        _OF_SCOPE,
        get_id_range(scope_no),
    ).fetchall()
    return load_items(rows)


def _write_whole(path: Path, content: bytes) -> None:
    draft = path.with_suffix(".jsonl.draft")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        if draft.exists():
            draft.unlink()
        raise StorageUnavailable(f"{path} cannot be written: {error.strerror}") from error


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
