"""LightRAG's document status storage: one row per document, searched by index."""

import hashlib
import sqlite3
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any

import orjson
from lightrag.base import (
    CURSOR_END,
    CURSOR_START,
    CursorAfter,
    CursorPosition,
    DocProcessingStatus,
    DocSchedulingRecord,
    DocStatus,
    DocStatusPage,
    DocStatusStorage,
    SourceAbsent,
    SourceConflict,
    SourceConflictPage,
    SourceConflictRepairResult,
    SourceConflictSummary,
    SourceResolution,
    SourceUnique,
)
from lightrag.exceptions import SourceConflictRepairCASError, StorageControlPlaneError, StorageRecordNotFoundError

from memory_server.storage.engines import ALL
from memory_server.storage.kv import Row, Stored
from memory_server.storage.workspace import Transaction

BY_HAND = "manual_creation"
"""LightRAG's name for the source of entities and relations that came through its routes instead of in a document."""
SAMPLE = 32
SORTABLE = {"created_at", "updated_at", "id", "file_path"}
_OLDEST_FIRST = "ORDER BY COALESCE(created_at, ''), id"
_PRIMARY = f"file_path = ? AND duplicate = 0 AND file_path != 'unknown_source' {_OLDEST_FIRST} LIMIT ?"
"""Documents of a file name that are not duplicate markers."""
_STATUSES = "status IN (SELECT value FROM json_each(?))"
_UNLIKE = (  # the inner one reads the index of names alone
    "SELECT id FROM status WHERE no IN (SELECT no FROM status WHERE file_path IS NULL OR NOT glob(?, file_path))"
)
_WRITTEN = (
    "SELECT EXISTS (SELECT 1 FROM nodes WHERE data IS NOT NULL) OR EXISTS (SELECT 1 FROM edges WHERE data IS NOT NULL)"
)


def select(db: sqlite3.Connection, condition: str, *values: object) -> dict[str, Row]:
    """Return the records that fulfil a condition, by id; lists among the values become JSON arrays."""
    given = [orjson.dumps(value).decode() if isinstance(value, list) else value for value in values]
    rows = db.execute(f"SELECT id, data FROM status WHERE {condition}", given)  # noqa: S608 - conditions of this module
    return {key: orjson.loads(data) for key, data in rows}


def by_ids(db: sqlite3.Connection, keys: list[str]) -> dict[str, Row]:
    """Return the records of these keys that exist."""
    return select(db, "id IN (SELECT value FROM json_each(?))", keys)


def by_statuses(db: sqlite3.Connection, statuses: list[str]) -> dict[str, Row]:
    """Return every record with one of the statuses, oldest first."""
    return select(db, f"{_STATUSES} {_OLDEST_FIRST}", statuses)


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


def list_unlike(db: sqlite3.Connection, pattern: str) -> frozenset[str]:
    """Return the ids of documents whose file name does not fit ``pattern`` (``GLOB``), with :data:`BY_HAND`, if any."""
    found = {document for (document,) in db.execute(_UNLIKE, (pattern,))}
    (written,) = db.execute(_WRITTEN).fetchone()
    return frozenset(found | {BY_HAND}) if written else frozenset(found)


def count_statuses(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of records per status."""
    return dict(db.execute("SELECT status, count(*) FROM status GROUP BY status").fetchall())


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


@dataclass
class SqliteDocStatusStorage(Stored, DocStatusStorage):  # type: ignore[misc]  # LightRAG has no type information
    """Document records.

    This server makes ids from file names, so that several documents under one name, which LightRAG's conflict routes
    are about, come with imported folders only.
    """

    async def upsert(self, data: dict[str, Row]) -> None:
        await self._write(lambda tx: store(tx.db, data))

    async def update_doc_status_fields(self, doc_id: str, fields: Row, *, missing_ok: bool = False) -> None:
        """Change some fields of one record; raises LightRAG's own error when it does not exist."""
        if "created_at" in fields:
            raise ValueError("created_at is an immutable sort key")
        if not await self._write(lambda tx: change(tx.db, doc_id, fields)) and not missing_ok:
            raise StorageRecordNotFoundError(doc_id)

    async def delete(self, ids: list[str]) -> None:
        await self._write(lambda tx: tx.db.executemany("DELETE FROM status WHERE id = ?", [(key,) for key in ids]))

    async def is_empty(self) -> bool:
        return not await self._read(count_statuses)

    async def get_status_counts(self) -> dict[str, int]:
        return dict.fromkeys((status.value for status in DocStatus), 0) | await self._read(count_statuses)

    async def get_all_status_counts(self) -> dict[str, int]:
        counts = await self.get_status_counts()
        return counts | {"all": sum(counts.values())}

    async def count_docs_by_statuses(self, statuses: list[DocStatus], *, strict: bool = True) -> int:
        counted = await self.get_status_counts()
        return sum(counted[status.value] for status in set(statuses))

    async def get_docs_by_statuses(
        self,
        statuses: list[DocStatus],
        strict: bool = False,  # noqa: FBT001, FBT002 - LightRAG's signature
    ) -> dict[str, DocProcessingStatus]:
        """Return every document with one of the statuses; ``strict`` raises for a record it cannot read."""
        rows = await self._read(lambda db: by_statuses(db, [status.value for status in statuses]))
        return processing(rows, strict=strict)

    async def get_docs_by_track_id(self, track_id: str) -> dict[str, DocProcessingStatus]:
        return processing(await self._select(f"track_id = ? {_OLDEST_FIRST}", track_id), strict=False)

    async def get_docs_by_ids(self, doc_ids: Sequence[str], *, strict: bool = False) -> dict[str, DocSchedulingRecord]:
        return scheduling(await self._read(lambda db: by_ids(db, list(doc_ids))), strict=strict)

    async def get_full_docs_by_ids(
        self, doc_ids: Sequence[str], *, strict: bool = False
    ) -> dict[str, DocProcessingStatus]:
        return processing(await self._read(lambda db: by_ids(db, list(doc_ids))), strict=strict)

    async def get_docs_by_statuses_page(
        self, statuses: list[DocStatus], *, limit: int, position: CursorPosition = CURSOR_START, strict: bool = False
    ) -> DocStatusPage:
        """Return one page of a sweep in the order of creation, see the base class."""
        after = _begin(limit, position, ["", ""])
        if not statuses or after is None:
            return DocStatusPage(docs={}, next_position=CURSOR_END)
        rows = await self._select(
            f"{_STATUSES} AND (COALESCE(created_at, ''), id) > (?, ?) {_OLDEST_FIRST} LIMIT ?",
            [status.value for status in statuses], *map(str, after), limit,
        )  # fmt: skip
        last = next(reversed(rows), "")
        following = _follow(rows, limit, [rows[last].get("created_at") or "", last] if rows else None)
        return DocStatusPage(docs=scheduling(rows, strict=strict), next_position=following)

    async def get_docs_paginated(
        self,
        status_filter: DocStatus | None = None,
        status_filters: list[DocStatus] | None = None,
        page: int = 1,
        page_size: int = 50,
        sort_field: str = "updated_at",
        sort_direction: str = "desc",
    ) -> tuple[list[tuple[str, DocProcessingStatus]], int]:
        """Return one page for the web interface, and the number of documents in all."""
        wanted = self.resolve_status_filter_values(status_filter=status_filter, status_filters=status_filters)
        statuses, size = (
            sorted(wanted) if wanted else [status.value for status in DocStatus],
            min(max(page_size, 10), 200),
        )
        field = sort_field if sort_field in SORTABLE - {"updated_at"} else "json_extract(data, '$.updated_at')"
        direction = "ASC" if sort_direction.lower() == "asc" else "DESC"
        counts = await self.get_status_counts()
        rows = await self._select(
            f"{_STATUSES} ORDER BY {field} {direction} LIMIT ? OFFSET ?", statuses, size, (max(page, 1) - 1) * size
        )
        for row in rows.values():
            row.pop("chunks_list", None)
        return list(processing(rows, strict=False).items()), sum(counts.get(status, 0) for status in statuses)

    async def get_doc_by_file_path(self, file_path: str) -> Row | None:
        return next(iter((await self._select(f"file_path = ? {_OLDEST_FIRST}", file_path)).values()), None)

    async def get_doc_by_file_basename(self, basename: str) -> tuple[str, Row] | None:
        """Return the primary record of a file name, ``None`` if only duplicate markers or nothing are left."""
        return next(iter((await self._select(_PRIMARY, basename, 1)).items()), None) if basename else None

    async def resolve_doc_source_strict(self, canonical_source_key: str) -> SourceResolution:
        rows = await self._select(_PRIMARY, canonical_source_key, 2) if canonical_source_key else {}
        match list(rows.items()):
            case []:
                return SourceAbsent()
            case [(key, row)]:
                return SourceUnique(doc_id=key, doc=self._scheduling_record_from_raw(key, row))
            case _:
                return SourceConflict(candidate_count=None, sample_doc_ids=tuple(sorted(rows)))

    async def get_doc_by_content_hash(
        self, content_hash: str, *, exclude_doc_id: str | None = None
    ) -> tuple[str, Row] | None:
        """Return the oldest holder of a content that is neither the excluded document nor a pointer to it."""
        rows = await self._select(f"content_hash = ? {_OLDEST_FIRST}", content_hash) if content_hash else {}
        for key, row in rows.items():
            if key != exclude_doc_id and not self._row_points_at_as_duplicate(row, exclude_doc_id):
                return key, row
        return None

    async def list_source_conflicts_page(
        self, *, limit: int, position: CursorPosition = CURSOR_START
    ) -> SourceConflictPage:
        after = _begin(limit, position, "")
        found = () if after is None else tuple(await self._read(lambda db: _conflicts(db, after, limit)))
        following = _follow(found, limit, found[-1].canonical_source_key if found else None)
        return SourceConflictPage(conflicts=found, next_position=following)

    async def repair_source_conflict(
        self,
        canonical_source_key: str,
        *,
        primary_doc_id: str,
        expected_candidate_count: int,
        expected_candidate_fingerprint: str,
        dry_run: bool = True,
    ) -> SourceConflictRepairResult:
        """Mark every other document of a file name as a duplicate of the named one, if nothing changed meanwhile."""

        def settle(db: sqlite3.Connection) -> SourceConflictRepairResult:
            rows = select(db, _PRIMARY, canonical_source_key, ALL)
            names = sorted(rows)
            fingerprint = hashlib.sha256(b"".join(name.encode() + b"\0" for name in names)).hexdigest()
            if primary_doc_id not in names:
                raise ValueError(f"{primary_doc_id!r} is not a primary candidate for {canonical_source_key!r}")
            others = [name for name in names if name != primary_doc_id]
            if not dry_run:
                if (len(names), fingerprint) != (expected_candidate_count, expected_candidate_fingerprint):
                    raise SourceConflictRepairCASError("the candidates changed; list them again")
                for name in others:
                    pointer = {"is_duplicate": True, "original_doc_id": primary_doc_id}
                    change(db, name, {"metadata": (rows[name].get("metadata") or {}) | pointer})
            return SourceConflictRepairResult(
                canonical_source_key=canonical_source_key,
                primary_doc_id=primary_doc_id,
                candidate_count=len(names),
                fingerprint=fingerprint,
                demoted_sample_doc_ids=tuple(others[:SAMPLE]),
                committed=not dry_run,
            )

        return await (self._read(settle) if dry_run else self._write(lambda tx: settle(tx.db)))

    def _find(self, db: sqlite3.Connection, ids: list[str]) -> dict[str, Row]:
        return by_ids(db, ids)

    def _clear(self, tx: Transaction) -> None:
        tx.db.execute("DELETE FROM status")

    async def _select(self, condition: str, *values: object) -> dict[str, Row]:
        return await self._read(lambda db: select(db, condition, *values))


def _begin(limit: int, position: CursorPosition, start: Any) -> Any:  # Any: the JSON of a cursor
    """Return behind what a page begins, ``None`` behind the last one."""
    if limit <= 0:
        raise ValueError(f"page limit must be positive, got {limit}")
    if position is CURSOR_END or not isinstance(position, CursorAfter):
        return None if position is CURSOR_END else start
    try:
        found = orjson.loads(position.opaque)
    except (ValueError, TypeError) as error:
        raise StorageControlPlaneError("malformed cursor") from error
    if type(found) is not type(start) or (len(found) != len(start) and isinstance(start, list)):
        raise StorageControlPlaneError("malformed cursor")
    return found


def _follow(page: Sized, limit: int, last: object) -> CursorPosition:
    """Return the position behind a page: the end, if it was not full."""
    return CursorAfter(orjson.dumps(last).decode()) if last is not None and len(page) == limit else CURSOR_END


def _conflicts(db: sqlite3.Connection, after: str, limit: int) -> list[SourceConflictSummary]:
    rows = db.execute(
        "SELECT file_path, count(*) FROM status WHERE duplicate = 0 AND file_path > ? "
        "AND file_path NOT IN ('', 'unknown_source', 'no-file-path') "
        "GROUP BY file_path HAVING count(*) > 1 ORDER BY file_path LIMIT ?",
        (after, limit),
    ).fetchall()
    return [
        SourceConflictSummary(path, count, tuple(sorted(select(db, _PRIMARY, path, SAMPLE)))) for path, count in rows
    ]
