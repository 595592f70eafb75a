"""LightRAG's document status storage: one row per document, searched by index."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

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

from memory_server.storage.workspace import tenant_of

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


def read_page(
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


SORTABLE = {"created_at", "updated_at", "id", "file_path"}


class SourceConflicts:
    """The part of the status storage for several documents under one file name, which LightRAG's conflict routes use.

    This server makes ids from file names, so that conflicts cannot arise in it; they come with imported folders.
    """

    workspace: str

    async def list_source_conflicts_page(
        self, *, limit: int, position: CursorPosition = CURSOR_START
    ) -> SourceConflictPage:
        """Return file names that more than one primary document has."""
        if limit <= 0:
            raise ValueError(f"page limit must be positive, got {limit}")
        if position is CURSOR_END:
            return SourceConflictPage(conflicts=(), next_position=CURSOR_END)
        after = orjson.loads(position.opaque) if isinstance(position, CursorAfter) else ""
        found = await tenant_of(self.workspace).workspace.read(lambda db: _conflicts(db, after, limit))
        following: CursorPosition = CURSOR_END
        if len(found) == limit:
            following = CursorAfter(orjson.dumps(found[-1].canonical_source_key).decode())
        return SourceConflictPage(conflicts=tuple(found), next_position=following)

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
            names = sorted(primaries(db, canonical_source_key, -1))
            fingerprint = hashlib.sha256(b"".join(name.encode() + b"\0" for name in names)).hexdigest()
            if primary_doc_id not in names:
                raise ValueError(f"{primary_doc_id!r} is not a primary candidate for {canonical_source_key!r}")
            others = [name for name in names if name != primary_doc_id]
            if not dry_run:
                if (len(names), fingerprint) != (expected_candidate_count, expected_candidate_fingerprint):
                    raise SourceConflictRepairCASError("the candidates changed; list them again")
                for name in others:
                    metadata: dict[str, Any] = by_ids(db, [name])[name].get("metadata") or {}  # Any: JSON
                    pointer = {"is_duplicate": True, "original_doc_id": primary_doc_id}
                    change(db, name, {"metadata": metadata | pointer})
            return SourceConflictRepairResult(
                canonical_source_key=canonical_source_key,
                primary_doc_id=primary_doc_id,
                candidate_count=len(names),
                fingerprint=fingerprint,
                demoted_sample_doc_ids=tuple(others[:SAMPLE]),
                committed=not dry_run,
            )

        tenant = tenant_of(self.workspace, write=not dry_run)
        if dry_run:
            return await tenant.workspace.read(settle)
        return await tenant.workspace.write(lambda tx: settle(tx.db))


@dataclass
class SqliteDocStatusStorage(SourceConflicts, DocStatusStorage):  # type: ignore[misc]  # LightRAG has no type information
    """Document records of the bound workspace.  Every write is committed and fsynced when the call returns."""

    supports_strict_point_reads: ClassVar[bool] = True

    async def get_by_id(self, id: str) -> Row | None:  # noqa: A002 - LightRAG's name
        """Return one record as stored, ``None`` if there is none."""
        return (await self.get_by_ids([id]))[0]

    async def get_by_id_strict(self, id: str) -> Row | None:  # noqa: A002 - LightRAG's name
        """Return one record; ``None`` is a confirmed absence."""
        return await self.get_by_id(id)

    async def get_by_ids(self, ids: list[str]) -> list[Row | None]:
        """Return records in the order of ``ids``."""
        found = await self._read(by_ids, ids)
        return [found.get(key) for key in ids]

    async def filter_keys(self, keys: set[str]) -> set[str]:
        """Return those of ``keys`` that are not stored."""
        return set(keys) - set(await self._read(by_ids, list(keys)))

    async def upsert(self, data: dict[str, Row]) -> None:
        """Insert or replace records."""
        if data:
            await tenant_of(self.workspace, write=True).workspace.write(lambda tx: store(tx.db, data))

    async def update_doc_status_fields(
        self, doc_id: str, fields: dict[str, Any], *, missing_ok: bool = False
    ) -> None:  # Any: LightRAG's record values
        """Change some fields of one record; raises LightRAG's own error when it does not exist."""
        if "created_at" in fields:
            raise ValueError("created_at is an immutable sort key")
        workspace = tenant_of(self.workspace, write=True).workspace
        if not await workspace.write(lambda tx: change(tx.db, doc_id, fields)) and not missing_ok:
            raise StorageRecordNotFoundError(doc_id)

    async def delete(self, ids: list[str]) -> None:
        """Remove records; unknown ids are ignored."""
        workspace = tenant_of(self.workspace, write=True).workspace
        await workspace.write(lambda tx: tx.db.executemany("DELETE FROM status WHERE id = ?", [(key,) for key in ids]))

    async def is_empty(self) -> bool:
        """Return whether there is no document."""
        return bool(await self._read(lambda db: db.execute("SELECT NOT EXISTS (SELECT 1 FROM status)").fetchone()[0]))

    async def index_done_callback(self) -> None:
        """Do nothing: writes are committed when they return."""

    async def drop(self) -> dict[str, str]:
        """Remove every record."""
        workspace = tenant_of(self.workspace, write=True).workspace
        await workspace.write(lambda tx: tx.db.execute("DELETE FROM status"))
        return {"status": "success", "message": "data dropped"}

    async def get_status_counts(self) -> dict[str, int]:
        """Return the number of documents per status, zeros included."""
        counted = dict(await self._read(count_statuses))
        return {status.value: counted.get(status.value, 0) for status in DocStatus}

    async def get_all_status_counts(self) -> dict[str, int]:
        """Return the counts and their sum as ``all``."""
        counts = await self.get_status_counts()
        return counts | {"all": sum(counts.values())}

    async def count_docs_by_statuses(self, statuses: list[DocStatus], *, strict: bool = True) -> int:
        """Return how many documents have one of the statuses."""
        counted = dict(await self._read(count_statuses))
        return sum(counted.get(status.value, 0) for status in set(statuses))

    async def get_docs_by_statuses(
        self,
        statuses: list[DocStatus],
        strict: bool = False,  # noqa: FBT001, FBT002 - LightRAG's signature
    ) -> dict[str, DocProcessingStatus]:
        """Return every document with one of the statuses; ``strict`` raises for a record it cannot read."""
        rows = await self._read(by_statuses, [status.value for status in statuses])
        return processing(rows, strict=strict)

    async def get_docs_by_track_id(self, track_id: str) -> dict[str, DocProcessingStatus]:
        """Return the documents of one request."""
        return processing(await self._read(by_column, "track_id", track_id), strict=False)

    async def get_docs_by_ids(self, doc_ids: Sequence[str], *, strict: bool = False) -> dict[str, DocSchedulingRecord]:
        """Return the scheduling view of the documents that exist."""
        return scheduling(await self._read(by_ids, list(doc_ids)), strict=strict)

    async def get_full_docs_by_ids(
        self, doc_ids: Sequence[str], *, strict: bool = False
    ) -> dict[str, DocProcessingStatus]:
        """Return the whole records of the documents that exist."""
        return processing(await self._read(by_ids, list(doc_ids)), strict=strict)

    async def get_docs_by_statuses_page(
        self, statuses: list[DocStatus], *, limit: int, position: CursorPosition = CURSOR_START, strict: bool = False
    ) -> DocStatusPage:
        """Return one page of a sweep in the order of creation, see the base class."""
        if limit <= 0:
            raise ValueError(f"page limit must be positive, got {limit}")
        if not statuses or position is CURSOR_END:
            return DocStatusPage(docs={}, next_position=CURSOR_END)
        after = _decoded(position.opaque) if isinstance(position, CursorAfter) else None
        rows = await self._read(sweep, [status.value for status in statuses], after, limit)
        last = next(reversed(rows), None)
        following: CursorPosition = CURSOR_END
        if last is not None and len(rows) == limit:
            following = CursorAfter(orjson.dumps([rows[last].get("created_at") or "", last]).decode())
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
        rows, total = await tenant_of(self.workspace).workspace.read(
            lambda db: read_page(
                db,
                sorted(wanted) if wanted else None,
                sort_field if sort_field in SORTABLE else "updated_at",
                descending=sort_direction.lower() != "asc",
                size=min(max(page_size, 10), 200),
                number=max(page, 1),
            )
        )
        for row in rows.values():
            row.pop("chunks_list", None)
        return list(processing(rows, strict=False).items()), total

    async def get_doc_by_file_path(self, file_path: str) -> Row | None:
        """Return the oldest record with this path."""
        return next(iter((await self._read(by_column, "file_path", file_path)).values()), None)

    async def get_doc_by_file_basename(self, basename: str) -> tuple[str, Row] | None:
        """Return the primary record of a file name, ``None`` if only duplicate markers or nothing are left."""
        rows = await self._read(primaries, basename, 1) if basename else {}
        return next(iter(rows.items()), None)

    async def resolve_doc_source_strict(self, canonical_source_key: str) -> SourceResolution:
        """Say whether no, one or several primary documents have this file name."""
        if not canonical_source_key or canonical_source_key == "unknown_source":
            return SourceAbsent()
        rows = await self._read(primaries, canonical_source_key, 2)
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
        rows = await self._read(by_column, "content_hash", content_hash) if content_hash else {}
        for key, row in rows.items():
            if key != exclude_doc_id and not self._row_points_at_as_duplicate(row, exclude_doc_id):
                return key, row
        return None

    async def _read(self, ask: Any, *arguments: Any) -> Any:  # Any: one of the functions above and its arguments
        def run(db: sqlite3.Connection) -> Any:  # Any: what `ask` returns
            return ask(db, *arguments)

        return await tenant_of(self.workspace).workspace.read(run)


def _decoded(opaque: str) -> tuple[str, str]:
    try:
        created, key = orjson.loads(opaque)
    except (ValueError, TypeError) as error:
        raise StorageControlPlaneError("malformed cursor") from error
    return str(created), str(key)


SAMPLE = 32


def _conflicts(db: sqlite3.Connection, after: str, limit: int) -> list[SourceConflictSummary]:
    rows = db.execute(
        "SELECT file_path, count(*) FROM status WHERE NOT duplicate AND file_path > ? "
        "AND file_path NOT IN ('', 'unknown_source', 'no-file-path') "
        "GROUP BY file_path HAVING count(*) > 1 ORDER BY file_path LIMIT ?",
        (after, limit),
    ).fetchall()
    return [SourceConflictSummary(path, count, tuple(sorted(primaries(db, path, SAMPLE)))) for path, count in rows]
