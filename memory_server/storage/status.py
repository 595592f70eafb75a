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

from memory_server.storage import records
from memory_server.storage.records import Row
from memory_server.storage.tenancy import tenant_of

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
            names = sorted(records.primaries(db, canonical_source_key, -1))
            fingerprint = hashlib.sha256(b"".join(name.encode() + b"\0" for name in names)).hexdigest()
            if primary_doc_id not in names:
                raise ValueError(f"{primary_doc_id!r} is not a primary candidate for {canonical_source_key!r}")
            others = [name for name in names if name != primary_doc_id]
            if not dry_run:
                if (len(names), fingerprint) != (expected_candidate_count, expected_candidate_fingerprint):
                    raise SourceConflictRepairCASError("the candidates changed; list them again")
                for name in others:
                    metadata: dict[str, Any] = records.by_ids(db, [name])[name].get("metadata") or {}  # Any: JSON
                    pointer = {"is_duplicate": True, "original_doc_id": primary_doc_id}
                    records.change(db, name, {"metadata": metadata | pointer})
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
        found = await self._read(records.by_ids, ids)
        return [found.get(key) for key in ids]

    async def filter_keys(self, keys: set[str]) -> set[str]:
        """Return those of ``keys`` that are not stored."""
        return set(keys) - set(await self._read(records.by_ids, list(keys)))

    async def upsert(self, data: dict[str, Row]) -> None:
        """Insert or replace records."""
        if data:
            await tenant_of(self.workspace, write=True).workspace.write(lambda tx: records.store(tx.db, data))

    async def update_doc_status_fields(
        self, doc_id: str, fields: dict[str, Any], *, missing_ok: bool = False
    ) -> None:  # Any: LightRAG's record values
        """Change some fields of one record; raises LightRAG's own error when it does not exist."""
        if "created_at" in fields:
            raise ValueError("created_at is an immutable sort key")
        workspace = tenant_of(self.workspace, write=True).workspace
        if not await workspace.write(lambda tx: records.change(tx.db, doc_id, fields)) and not missing_ok:
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
        counted = dict(await self._read(records.count_statuses))
        return {status.value: counted.get(status.value, 0) for status in DocStatus}

    async def get_all_status_counts(self) -> dict[str, int]:
        """Return the counts and their sum as ``all``."""
        counts = await self.get_status_counts()
        return counts | {"all": sum(counts.values())}

    async def count_docs_by_statuses(self, statuses: list[DocStatus], *, strict: bool = True) -> int:
        """Return how many documents have one of the statuses."""
        counted = dict(await self._read(records.count_statuses))
        return sum(counted.get(status.value, 0) for status in set(statuses))

    async def get_docs_by_statuses(
        self,
        statuses: list[DocStatus],
        strict: bool = False,  # noqa: FBT001, FBT002 - LightRAG's signature
    ) -> dict[str, DocProcessingStatus]:
        """Return every document with one of the statuses; ``strict`` raises for a record it cannot read."""
        rows = await self._read(records.by_statuses, [status.value for status in statuses])
        return records.processing(rows, strict=strict)

    async def get_docs_by_track_id(self, track_id: str) -> dict[str, DocProcessingStatus]:
        """Return the documents of one request."""
        return records.processing(await self._read(records.by_column, "track_id", track_id), strict=False)

    async def get_docs_by_ids(self, doc_ids: Sequence[str], *, strict: bool = False) -> dict[str, DocSchedulingRecord]:
        """Return the scheduling view of the documents that exist."""
        return records.scheduling(await self._read(records.by_ids, list(doc_ids)), strict=strict)

    async def get_full_docs_by_ids(
        self, doc_ids: Sequence[str], *, strict: bool = False
    ) -> dict[str, DocProcessingStatus]:
        """Return the whole records of the documents that exist."""
        return records.processing(await self._read(records.by_ids, list(doc_ids)), strict=strict)

    async def get_docs_by_statuses_page(
        self, statuses: list[DocStatus], *, limit: int, position: CursorPosition = CURSOR_START, strict: bool = False
    ) -> DocStatusPage:
        """Return one page of a sweep in the order of creation, see the base class."""
        if limit <= 0:
            raise ValueError(f"page limit must be positive, got {limit}")
        if not statuses or position is CURSOR_END:
            return DocStatusPage(docs={}, next_position=CURSOR_END)
        after = _decoded(position.opaque) if isinstance(position, CursorAfter) else None
        rows = await self._read(records.sweep, [status.value for status in statuses], after, limit)
        last = next(reversed(rows), None)
        following: CursorPosition = CURSOR_END
        if last is not None and len(rows) == limit:
            following = CursorAfter(orjson.dumps([rows[last].get("created_at") or "", last]).decode())
        return DocStatusPage(docs=records.scheduling(rows, strict=strict), next_position=following)

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
            lambda db: records.page(
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
        return list(records.processing(rows, strict=False).items()), total

    async def get_doc_by_file_path(self, file_path: str) -> Row | None:
        """Return the oldest record with this path."""
        return next(iter((await self._read(records.by_column, "file_path", file_path)).values()), None)

    async def get_doc_by_file_basename(self, basename: str) -> tuple[str, Row] | None:
        """Return the primary record of a file name, ``None`` if only duplicate markers or nothing are left."""
        rows = await self._read(records.primaries, basename, 1) if basename else {}
        return next(iter(rows.items()), None)

    async def resolve_doc_source_strict(self, canonical_source_key: str) -> SourceResolution:
        """Say whether no, one or several primary documents have this file name."""
        if not canonical_source_key or canonical_source_key == "unknown_source":
            return SourceAbsent()
        rows = await self._read(records.primaries, canonical_source_key, 2)
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
        rows = await self._read(records.by_column, "content_hash", content_hash) if content_hash else {}
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
    return [
        SourceConflictSummary(path, count, tuple(sorted(records.primaries(db, path, SAMPLE)))) for path, count in rows
    ]
