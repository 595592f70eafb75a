"""Long-term memory: LightRAG, or anything that speaks its REST API, and the outbox of what it has not confirmed yet."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.memory.items import Recalled
from bot.memory.scope import Scope
from bot.turn import IndexDocument


class QueryMode(StrEnum):
    """How LightRAG searches; ``hybrid`` is the default."""

    LOCAL = "local"
    GLOBAL = "global"
    HYBRID = "hybrid"
    NAIVE = "naive"
    MIX = "mix"


@dataclass(frozen=True, slots=True)
class RagAnswer:
    """What long-term memory knows: ``found`` best first, or nothing and a ``note`` that says why it failed.

    ``note`` is "" when the whole question was asked, also when nothing was found; it also says how much of a question
    that is too long was asked.  ``chars`` is the length of all texts found.
    """

    found: tuple[Recalled, ...] = ()
    note: str = ""
    chars: int = 0


class IndexOutcome(StrEnum):
    """What became of a document."""

    PROCESSED = "processed"
    WAITING = "waiting"
    FAILED = "failed"


class RagPort(Protocol):
    """Asks and feeds long-term memory."""

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        """Return what is known, within ``deadline_s`` seconds in total; never raises but on cancellation.

        A dead, slow or lying server gives an empty answer with a note.  Nothing is retried.  ``documents_only`` leaves
        out what was said in the chat, which the store knows as well; a server that cannot tell them apart answers as
        without it.
        """

    async def index(self, document: IndexDocument) -> IndexOutcome:
        """Bring a document one step nearer to ``processed`` and say where it stands; safe to repeat.

        The same ``source`` never gives two documents.
        Raises :class:`~bot.errors.MemoryUnavailable` (try later) or :class:`~bot.errors.DocumentRejected`.
        """


class RagEraser(Protocol):
    """Removes from long-term memory, and verifies."""

    async def erase(self, scope: Scope, source: str) -> bool:
        """Remove one document; ``True`` once it is gone (also when it never was), ``False`` while it is going.

        Raises :class:`~bot.errors.MemoryUnavailable`.
        """

    async def erase_scope(self, scope: Scope) -> bool:
        """Remove a scope's whole workspace; same answers."""


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

    async def list_dead(self, limit: int = 50) -> tuple[DeadLetter, ...]:
        """Return dead letters, newest first."""


class Outbox(Protocol):
    """A durable queue, in order per scope."""

    async def due(self, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
        """Return at most one row per scope, the oldest of it, whose time has come; oldest first."""

    async def mark_posted(self, row_id: int) -> None:
        """Remember that the server acknowledged the document; it still has to become ``processed``."""

    async def close(self, row_id: int) -> None:
        """The document is ``processed`` (or erased): forget the row."""

    async def retry(self, row_id: int, at: datetime, reason: str) -> None:
        """Count a failed attempt and look again at ``at``."""

    async def bury(self, row_id: int, reason: str) -> None:
        """Set the row aside as a dead letter; the rows behind it go on."""

    async def counts(self) -> OutboxCounts:
        """Return how many rows wait and how many are dead."""
