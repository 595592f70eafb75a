"""Several documents under one file name: listing them and settling which one is the document.

This server makes ids from file names, so that conflicts cannot arise in it; they come with imported folders.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Any

import orjson
from lightrag.base import (
    CURSOR_END,
    CURSOR_START,
    CursorAfter,
    CursorPosition,
    SourceConflictPage,
    SourceConflictRepairResult,
    SourceConflictSummary,
)
from lightrag.exceptions import SourceConflictRepairCASError

from memory_server.storage import records
from memory_server.storage.tenancy import tenant_of

SAMPLE = 32


class SourceConflicts:
    """The part of the status storage that LightRAG's conflict routes use."""

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
