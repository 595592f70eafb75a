"""Rows of items, and how a new item settles among the old ones inside a transaction."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import orjson
import structlog

from adapters.sqlite.rows.codec import Row, dump_list, get_id_range, insert_row, join_time, split_time, take_item_id
from adapters.sqlite.rows.derived import Owner, Rooms, clear_owned
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust, merge_items, supersedes
from bot.memory.learning.wishes import WISH, WITHDRAWAL, takes_back
from bot.memory.sanitise import clean, flatten
from language.analyser import Analyser

_COLUMNS: Final = (
    "id, layer, type, title, content, subject, tags, refs, author_id, author_name, source, trust, said_at, "
    "said_offset, exchange, fingerprint, confidence, salience, ttl_s, created_at, updated_at, accessed_at, "
    "pinned, superseded_by"
)


def select_items(rest: str, *more: str) -> str:
    """Return a SELECT of what :func:`load_item` reads, then ``more`` columns: for constants, never for values."""
    return f"SELECT {', '.join((_COLUMNS, *more))} FROM items {rest}"  # noqa: S608 - called with constants alone


_SAME_STATEMENT: Final = select_items(
    "WHERE scope_no = ? AND author_id = ? AND fingerprint = ? AND superseded_by IS NULL"
)
_SAME_SUBJECT: Final = select_items(
    "WHERE scope_no = ? AND subject = ? AND subject <> '' AND superseded_by IS NULL AND id BETWEEN ? AND ?"
)
_WISHES: Final = select_items("WHERE id BETWEEN ? AND ? AND superseded_by IS NULL AND instr(tags, ?) > 0")
_UNINDEXED: Final = select_items("WHERE id BETWEEN ? AND ? AND id NOT IN (SELECT rowid FROM items_fts)")
_COUNT: Final = "SELECT count(*) FROM items WHERE id IN (SELECT value FROM json_each(?))"
_MERGED: Final = (
    *("layer", "subject", "tags", "refs", "source", "trust", "confidence", "salience", "ttl_s", "updated_at", "pinned"),
)
"""What of an item that says the same goes over to the one that is there."""


def load_item(row: Row) -> MemoryItem:
    """Return the item of a row of :func:`select_items`."""
    return MemoryItem(
        id=row[0],
        layer=Layer(row[1]),
        type=ItemType(row[2]),
        title=row[3],
        content=row[4],
        subject=row[5],
        tags=tuple(orjson.loads(row[6])),
        references=tuple(orjson.loads(row[7])),
        provenance=Provenance(
            author_id=row[8],
            author_name=row[9],
            source=row[10],
            trust=Trust(row[11]),
            said_at=join_time(row[12], row[13]),
            exchange=row[14],
        ),
        fingerprint=row[15],
        confidence=row[16],
        salience=row[17],
        ttl_s=row[18],
        created_at=join_time(row[19]),
        updated_at=join_time(row[20]),
        accessed_at=None if row[21] is None else join_time(row[21]),
        pinned=bool(row[22]),
        superseded_by=row[23],
    )


def load_items(rows: Iterable[Row]) -> list[MemoryItem]:
    """Return the items of rows of :func:`select_items`; one whose content is damaged is reported and left out."""
    items = []
    for row in rows:
        try:
            items.append(load_item(row))
        except (ValueError, TypeError, OverflowError):
            structlog.get_logger().error("item unreadable", item=row[0])
    return items


def normalise_item(item: MemoryItem, now: datetime) -> MemoryItem:
    """Return the item as it can be stored: texts cleaned, shares within 0..1, dates and fingerprint present."""
    content = clean(item.content).strip()
    created = item.created_at or now
    origin = item.provenance
    return replace(
        item,
        title=flatten(item.title),
        content=content,
        subject=clean(item.subject).strip(),
        tags=tuple(dict.fromkeys(flatten(tag) for tag in item.tags)),
        fingerprint=clean(item.fingerprint) or content.casefold(),
        confidence=min(1.0, max(0.0, item.confidence)),
        salience=min(1.0, max(0.0, item.salience)),
        created_at=created,
        updated_at=item.updated_at or created,
        provenance=replace(origin, author_name=flatten(origin.author_name), source=clean(origin.source)),
    )


def store_item(connection: sqlite3.Connection, words: Analyser, scope_no: int, item: MemoryItem) -> int:
    """Store a normalised item, merged into one that says the same or replacing what it contradicts; return its id."""
    low, high = get_id_range(scope_no)
    author = item.provenance.author_id
    row = connection.execute(_SAME_STATEMENT, (scope_no, author, item.fingerprint)).fetchone()
    if row is not None:
        return _merge_into(connection, words, load_item(row), item)
    rivals = connection.execute(_SAME_SUBJECT, (scope_no, item.subject, low, high)).fetchall()
    if WITHDRAWAL in item.tags:
        rivals += connection.execute(_WISHES, (low, high, f'"{WISH}"')).fetchall()
    old = [rival for rival in load_items(rivals) if supersedes(item, rival) or takes_back(item, rival)]
    newer = [rival for rival in map(load_item, rivals) if rival not in old and supersedes(rival, item)]
    stored = replace(
        item,
        id=take_item_id(connection, scope_no),
        references=tuple(dict.fromkeys((*item.references, *(rival.id for rival in old)))),
        pinned=item.pinned or (WITHDRAWAL not in item.tags and any(rival.pinned for rival in old)),
        superseded_by=newer[-1].id if newer and item.provenance.source == "import" else None,
    )
    for rival in old:
        connection.execute("UPDATE items SET superseded_by = ?, pinned = 0 WHERE id = ?", (stored.id, rival.id))
    insert_item(connection, words, scope_no, stored)
    return stored.id


def insert_item(connection: sqlite3.Connection, words: Analyser, scope_no: int, item: MemoryItem) -> None:
    """Store a row under ``item.id``, with its words and a place in the queue for a vector."""
    insert_row(connection, "items", {"scope_no": scope_no, "id": item.id, **dump_item(item)})
    add_source(connection, item.id, item.provenance.exchange)
    _index_new(connection, words, item)


def index_item(connection: sqlite3.Connection, words: Analyser, item: MemoryItem) -> None:
    """Rebuild the words of an item and have it embedded anew."""
    connection.execute("DELETE FROM items_fts WHERE rowid = ?", (item.id,))
    connection.execute("DELETE FROM item_vectors WHERE id = ?", (item.id,))
    _index_new(connection, words, item)


def _index_new(connection: sqlite3.Connection, words: Analyser, item: MemoryItem) -> None:
    head = " ".join((item.title, item.subject, *item.tags))
    connection.execute(
        "INSERT INTO items_fts (rowid, head, body) VALUES (?, ?, ?)",
        (item.id, " ".join(words.stems(head)), " ".join(words.stems(item.content))),
    )
    connection.execute("INSERT INTO item_backlog VALUES (?) ON CONFLICT DO NOTHING", (item.id,))


def add_source(connection: sqlite3.Connection, item_id: int, exchange: str) -> None:
    """Remember that an exchange said this item."""
    if exchange:
        connection.execute("INSERT INTO item_sources VALUES (?, ?) ON CONFLICT DO NOTHING", (item_id, exchange))


def reindex_items(connection: sqlite3.Connection, words: Analyser, scope_no: int | None = None) -> None:
    """Make words anew for items that have none, and put them on the backlog: of a scope, or of all.

    Items that cannot be read go: nothing would ever show them.
    """
    low, high = get_id_range(scope_no) if scope_no is not None else (0, 2**63 - 1)
    rows = connection.execute(_UNINDEXED, (low, high)).fetchall()
    items = load_items(rows)
    for item in items:
        index_item(connection, words, item)
    unreadable = {row[0] for row in rows} - {item.id for item in items}
    connection.executemany("DELETE FROM items WHERE id = ?", [(item_id,) for item_id in unreadable])


def remove_items(connection: sqlite3.Connection, rooms: Rooms, item_ids: Sequence[int]) -> int:
    """Delete items with everything derived from them and return how many there were."""
    (there,) = connection.execute(_COUNT, (dump_list(item_ids),)).fetchone()
    clear_owned(connection, rooms, Owner.ITEM, *((item_id, item_id) for item_id in item_ids))
    return int(there)


def _merge_into(connection: sqlite3.Connection, words: Analyser, old: MemoryItem, new: MemoryItem) -> int:
    item = merge_items(old, new)
    change_item(connection, old.id, {name: value for name, value in dump_item(item).items() if name in _MERGED})
    if new.provenance.exchange != old.provenance.exchange and new.provenance.trust >= old.provenance.trust:
        connection.execute("UPDATE items SET restated = restated + 1 WHERE id = ?", (old.id,))
    add_source(connection, old.id, new.provenance.exchange)
    if (item.subject, item.tags) != (old.subject, old.tags):
        index_item(connection, words, item)
    return old.id


def dump_item(item: MemoryItem) -> dict[str, object]:
    """Return the columns of an item, by name."""
    origin = item.provenance
    said_at, offset = split_time(origin.said_at)
    return {
        "layer": item.layer,
        "type": item.type,
        "title": item.title,
        "content": item.content,
        "subject": item.subject,
        "tags": dump_list(item.tags),
        "refs": dump_list(item.references),
        "author_id": origin.author_id,
        "author_name": origin.author_name,
        "source": origin.source,
        "trust": int(origin.trust),
        "said_at": said_at,
        "said_offset": offset,
        "exchange": origin.exchange,
        "fingerprint": item.fingerprint,
        "confidence": item.confidence,
        "salience": item.salience,
        "ttl_s": item.ttl_s,
        "created_at": split_time(item.created_at)[0] if item.created_at else said_at,
        "updated_at": split_time(item.updated_at)[0] if item.updated_at else said_at,
        "accessed_at": split_time(item.accessed_at)[0] if item.accessed_at else None,
        "pinned": item.pinned,
        "superseded_by": item.superseded_by,
    }


def change_item(connection: sqlite3.Connection, item_id: int, columns: Mapping[str, object]) -> None:
    """Change values of an item's row, by column."""
    assigned = ", ".join(f"{name} = :{name}" for name in columns)
    connection.execute(f"UPDATE items SET {assigned} WHERE id = :id", {**columns, "id": item_id})  # noqa: S608 - our own names
