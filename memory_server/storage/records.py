"""Document records in SQL: the statements behind the status storage, on a plain connection."""

from __future__ import annotations

import sqlite3
from typing import Any

import orjson
from lightrag.base import DocProcessingStatus, DocSchedulingRecord, DocStatus, DocStatusStorage

Row = dict[str, Any]  # Any: LightRAG's records are JSON objects of its own making

_BY_COLUMN = {
    "file_path": "SELECT id, data FROM status WHERE file_path = ? ORDER BY COALESCE(created_at, ''), id",
    "track_id": "SELECT id, data FROM status WHERE track_id = ? ORDER BY COALESCE(created_at, ''), id",
    "content_hash": "SELECT id, data FROM status WHERE content_hash = ? ORDER BY COALESCE(created_at, ''), id",
}
_BY_STATUSES = (
    "SELECT id, data FROM status WHERE status IN (SELECT value FROM json_each(?)) ORDER BY COALESCE(created_at, ''), id"
)
_PRIMARIES = (
    "SELECT id, data FROM status WHERE file_path = ? AND NOT duplicate ORDER BY COALESCE(created_at, ''), id LIMIT ?"
)
_UNLIKE = (  # the inner one reads the index of names alone
    "SELECT id FROM status WHERE no IN (SELECT no FROM status WHERE file_path IS NULL OR file_path NOT GLOB ?)"
)
_WRITTEN = (
    "SELECT EXISTS (SELECT 1 FROM nodes WHERE data IS NOT NULL) OR EXISTS (SELECT 1 FROM edges WHERE data IS NOT NULL)"
)

BY_HAND = "manual_creation"
"""LightRAG's name for the source of entities and relations that came through its routes instead of in a document."""

_SWEEP = (
    "SELECT id, data FROM status WHERE status IN (SELECT value FROM json_each(?)) "
    "AND (COALESCE(created_at, ''), id) > (?, ?) ORDER BY COALESCE(created_at, ''), id LIMIT ?"
)


def store(db: sqlite3.Connection, data: dict[str, Row]) -> None:
    """Insert or replace records."""
    for key, row in data.items():
        row.setdefault("chunks_list", [])
        _write(db, key, row)


def change(db: sqlite3.Connection, key: str, fields: Row) -> bool:
    """Change some fields of a record; ``False`` if there is none."""
    row = by_ids(db, [key]).get(key)
    if row is not None:
        _write(db, key, row | fields)
    return row is not None


def by_ids(db: sqlite3.Connection, keys: list[str]) -> dict[str, Row]:
    """Return the records of these keys that exist."""
    chosen = orjson.dumps(keys).decode()
    return _rows(db.execute("SELECT id, data FROM status WHERE id IN (SELECT value FROM json_each(?))", (chosen,)))


def by_column(db: sqlite3.Connection, column: str, value: str) -> dict[str, Row]:
    """Return the records with this value in an indexed column, oldest first."""
    return _rows(db.execute(_BY_COLUMN[column], (value,)))


def by_statuses(db: sqlite3.Connection, statuses: list[str]) -> dict[str, Row]:
    """Return every record with one of the statuses, oldest first."""
    chosen = orjson.dumps(statuses).decode()
    return _rows(db.execute(_BY_STATUSES, (chosen,)))


def list_unlike(db: sqlite3.Connection, pattern: str) -> frozenset[str]:
    """Return the ids of documents whose file name does not fit ``pattern`` (``GLOB``), with :data:`BY_HAND`, if any."""
    found = {document for (document,) in db.execute(_UNLIKE, (pattern,))}
    (written,) = db.execute(_WRITTEN).fetchone()
    return frozenset(found | {BY_HAND}) if written else frozenset(found)


def primaries(db: sqlite3.Connection, file_path: str, limit: int) -> dict[str, Row]:
    """Return up to ``limit`` documents of a file name that are not duplicate markers."""
    return {} if file_path == "unknown_source" else _rows(db.execute(_PRIMARIES, (file_path, limit)))


def sweep(db: sqlite3.Connection, statuses: list[str], after: tuple[str, str] | None, limit: int) -> dict[str, Row]:
    """Return the next ``limit`` records in the order of creation after a key."""
    created, key = after or ("", "")
    return _rows(
        db.execute(
            _SWEEP,
            (orjson.dumps(statuses).decode(), created, key, limit),
        )
    )


def page(
    db: sqlite3.Connection,
    statuses: list[str] | None,
    column: str,
    *,
    descending: bool,
    size: int,
    number: int,
) -> tuple[dict[str, Row], int]:
    """Return one page, sorted, and the number of records in all."""
    where = "" if statuses is None else "WHERE status IN (SELECT value FROM json_each(?))"
    values = [] if statuses is None else [orjson.dumps(statuses).decode()]
    by = "json_extract(data, '$.updated_at')" if column == "updated_at" else column
    direction = "DESC" if descending else "ASC"
    (total,) = db.execute(f"SELECT count(*) FROM status {where}", values).fetchone()  # noqa: S608 - one of the two texts above
    rows = db.execute(
        f"SELECT id, data FROM status {where} ORDER BY {by} {direction} LIMIT ? OFFSET ?",  # noqa: S608 - the caller allows four columns
        [*values, size, (number - 1) * size],
    )
    return _rows(rows), total


def count_statuses(db: sqlite3.Connection) -> list[tuple[str, int]]:
    """Return the number of records per status."""
    return db.execute("SELECT status, count(*) FROM status GROUP BY status").fetchall()


def processing(rows: dict[str, Row], *, strict: bool) -> dict[str, DocProcessingStatus]:
    """Return LightRAG's whole view of records; one that misses a field is left out, or raises when ``strict``."""
    found: dict[str, DocProcessingStatus] = {}
    for key, row in rows.items():
        whole: Row = {"metadata": {}, "error_msg": None} | row
        whole["file_path"] = row.get("file_path") or "no-file-path"
        whole.pop("content", None)
        try:
            found[key] = DocProcessingStatus.from_stored(whole)
        except (KeyError, TypeError):
            if strict:
                raise
    return found


def scheduling(rows: dict[str, Row], *, strict: bool) -> dict[str, DocSchedulingRecord]:
    """Return LightRAG's light view of records; the same rule for unreadable ones."""
    found: dict[str, DocSchedulingRecord] = {}
    for key, row in rows.items():
        try:
            whole = row | {"created_at": _text(row["created_at"]), "file_path": row.get("file_path") or "no-file-path"}
            found[key] = DocStatusStorage._scheduling_record_from_raw(key, whole)  # noqa: SLF001 - the shared projection
        except (KeyError, TypeError, ValueError):
            if strict:
                raise
    return found


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("created_at must be a string")
    return value


def _rows(cursor: sqlite3.Cursor) -> dict[str, Row]:
    return {key: orjson.loads(data) for key, data in cursor}


def _write(db: sqlite3.Connection, key: str, row: Row) -> None:
    status = row["status"].value if isinstance(row["status"], DocStatus) else str(row["status"])
    metadata = row.get("metadata")
    duplicate = bool(isinstance(metadata, dict) and metadata.get("is_duplicate"))
    created = row.get("created_at")
    db.execute(
        "INSERT INTO status (id, status, file_path, created_at, track_id, content_hash, duplicate, data) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET status = excluded.status, "
        "file_path = excluded.file_path, created_at = excluded.created_at, track_id = excluded.track_id, "
        "content_hash = excluded.content_hash, duplicate = excluded.duplicate, data = excluded.data",
        (
            key,
            status,
            row.get("file_path"),
            created if isinstance(created, str) else None,
            row.get("track_id"),
            row.get("content_hash"),
            duplicate,
            orjson.dumps(row | {"status": status}, default=str).decode(),
        ),
    )
