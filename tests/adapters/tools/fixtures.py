"""A real store with a little memory in it, and turns, for the tests of the tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.sqlite.database import Database
from adapters.sqlite.erasure.candidates import SqliteKeptTexts
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.items import SqliteItems
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.tickets import SqliteTickets
from bot.errors import EmbeddingUnavailable
from bot.memory.items import Channel, ItemType, Layer, MemoryItem, Provenance, Recalled, Trust
from bot.memory.learning.statements import compute_fingerprint
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author, InboundMessage
from bot.ports.embedder import Vectors
from bot.ports.memory_store import MemoryQuery
from bot.turn import Session, StopSignal, Turn
from harness.samples import HeldClock

WHEN = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)
MINE, OTHER = Scope("tu42"), Scope("tu43")


def said(text: str, **changes: Any) -> Turn:
    """Return a turn of Anna's; ``quote`` and ``forwarded_from`` go to the message."""
    own = {name: changes.pop(name) for name in ("quote", "forwarded_from") if name in changes}
    message = InboundMessage(Address("telegram", 1, 42), 7, 70, Author(42, "Anna"), text, WHEN, **own)
    turn = Turn((Accepted(5, message),), MINE, Session(1, WHEN), WHEN, text, StopSignal())
    return replace(turn, **changes)


def recalled(text: str, uid: str = "a1", **fields: Any) -> Recalled:
    """Return a turn that was found."""
    known = {"author": "Anna", "author_id": 42, "role": "user", "said_at": WHEN, **fields}
    return Recalled(f"turn:{uid}:user", text, Channel.TURN, 1.0, exchange=uid, **known)


def item(content: str, trust: Trust = Trust.USER) -> MemoryItem:
    """Return an item of Anna's."""
    provenance = Provenance(42, "Anna", "chat", trust, WHEN)
    return MemoryItem(Layer.SEMANTIC, ItemType.FACT, content, content, provenance, compute_fingerprint(content))


class NoEmbedder:
    """An embedder that is not there: items are then found by words alone."""

    model = "none"
    dimension = 2

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        raise EmbeddingUnavailable("none")


@dataclass
class Finds:
    """A recall that finds what the test says, for whatever scope it notes."""

    found: tuple[Recalled, ...] = ()
    error: Exception | None = None
    scopes: list[Scope] = field(default_factory=list)

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        self.scopes.append(scope)
        if self.error is not None:
            raise self.error
        words = query.text.casefold().split()
        return tuple(memory for memory in self.found if any(word in memory.text.casefold() for word in words))


@dataclass
class Store:
    """The parts of the store that tools use."""

    items: SqliteItems
    eraser: SqliteEraser
    tickets: SqliteTickets
    kept: SqliteKeptTexts


@asynccontextmanager
async def store_at(folder: Path) -> AsyncIterator[Store]:
    """Open a store in an empty folder."""
    database = Database(folder / "mneme.db", ROOMS)
    await database.open()
    try:
        yield Store(
            SqliteItems(database, NoEmbedder(), HeldClock(WHEN), fingerprint=compute_fingerprint),
            SqliteEraser(database, HeldClock(WHEN), folder / "items"),
            SqliteTickets(database),
            SqliteKeptTexts(database),
        )
    finally:
        await database.close()
