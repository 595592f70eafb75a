"""Outbox: documents that long-term memory has not confirmed yet, and those that were given up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.turn import IndexDocument


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A document to index or (``erase``) to remove.  ``attempts`` counts failures, ``posted`` a 200."""

    id: int
    document: IndexDocument
    erase: bool
    attempts: int
    posted: bool


@dataclass(frozen=True, slots=True)
class OutboxCounts:
    """How much is waiting, and how much was given up (dead letters, kept for the operator)."""

    waiting: int
    dead: int


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A document, or its removal (``erase``), that was given up, and why.

    ``scope`` is the tag of its scope, ``source`` the document's name ("" for a whole workspace).
    """

    id: int
    scope: str
    source: str
    erase: bool
    attempts: int
    reason: str


class DeadLetters(Protocol):
    """What was given up, for the operator."""

    async def counts(self) -> OutboxCounts:
        """Return how many rows wait and how many are dead."""
        ...

    async def list_dead(self, limit: int = 50) -> tuple[DeadLetter, ...]:
        """Return dead letters, newest first."""
        ...

    async def revive(self) -> int:
        """Put every dead letter back into its place in the queue and return how many there were."""
        ...


class Outbox(Protocol):
    """A durable queue, in order per scope."""

    async def due(self, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
        """Return at most one row per scope, the oldest of it, whose time has come; oldest first."""
        ...

    async def mark_posted(self, row_id: int) -> None:
        """Remember that the server acknowledged the document; it still has to become ``processed``."""
        ...

    async def close(self, row_id: int) -> None:
        """The document is ``processed`` (or erased): forget the row."""
        ...

    async def retry(self, row_id: int, at: datetime, reason: str) -> None:
        """Count a failed attempt and look again at ``at``."""
        ...

    async def bury(self, row_id: int, reason: str) -> None:
        """Set the row aside as a dead letter; the rows behind it go on."""
        ...

    async def counts(self) -> OutboxCounts:
        """Return how many rows wait and how many are dead."""
        ...
