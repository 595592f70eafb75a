"""The outbox in memory: durable as long as the object lives, which is what an indexer's restart needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.ports.rag import OutboxCounts, OutboxRow
from bot.turn import IndexDocument

_ALWAYS = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Entry:
    row: OutboxRow
    at: datetime = _ALWAYS
    dead: str = ""


class MemoryOutbox:
    """Implements :class:`~bot.ports.rag.Outbox`."""

    def __init__(self) -> None:
        self._entries: dict[int, _Entry] = {}
        self._newest = 0
        self.closed: list[str] = []
        """Sources in the order in which their rows were closed."""

    def put(self, document: IndexDocument, *, erase: bool = False) -> int:
        """Add a row as a commit does; returns its id."""
        self._newest += 1
        self._entries[self._newest] = _Entry(OutboxRow(self._newest, document, erase, attempts=0, posted=False))
        return self._newest

    def list_dead(self) -> dict[str, str]:
        """Return source and reason of the dead letters."""
        return {entry.row.document.source: entry.dead for entry in self._entries.values() if entry.dead}

    async def due(self, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
        oldest: dict[str, _Entry] = {}
        for entry in self._entries.values():
            if not entry.dead:
                oldest.setdefault(entry.row.document.scope.tag, entry)
        return tuple(entry.row for entry in oldest.values() if entry.at <= now)[:limit]

    async def mark_posted(self, row_id: int) -> None:
        self._change(row_id, posted=True)

    async def close(self, row_id: int) -> None:
        entry = self._entries.pop(row_id, None)
        if entry is not None:
            self.closed.append(entry.row.document.source)

    async def retry(self, row_id: int, at: datetime, reason: str) -> None:
        if (entry := self._entries.get(row_id)) is not None and not entry.dead:
            self._entries[row_id] = _Entry(replace(entry.row, attempts=entry.row.attempts + 1), at)

    async def bury(self, row_id: int, reason: str) -> None:
        if (entry := self._entries.get(row_id)) is not None:
            self._entries[row_id] = replace(entry, dead=reason)

    async def counts(self) -> OutboxCounts:
        dead = sum(bool(entry.dead) for entry in self._entries.values())
        return OutboxCounts(len(self._entries) - dead, dead)

    def _change(self, row_id: int, *, posted: bool) -> None:
        if (entry := self._entries.get(row_id)) is not None:
            self._entries[row_id] = replace(entry, row=replace(entry.row, posted=posted))
