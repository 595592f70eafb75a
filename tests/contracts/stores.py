"""Every store that implements the storage ports, opened for a contract suite; a new one is one more function here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from adapters.sqlite.browsing import SqliteMemoryBrowser
from adapters.sqlite.chronicle import SqliteChronicle
from adapters.sqlite.conversations.chats import SqliteAccess
from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteLearningQueue, SqliteTurns
from adapters.sqlite.conversations.usage import SqliteUsage
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.imported import SqliteImports
from adapters.sqlite.items import ITEMS, SqliteItems
from adapters.sqlite.lists import SqliteLists
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.search import PoolEmbedder
from adapters.sqlite.tickets import SqliteTickets
from bot.ports.chats import Access
from bot.ports.eraser import Eraser, ErasureUndo
from bot.ports.lists import Lists
from bot.ports.memory_store import Chronicle, MemoryBrowser, MemoryEditor, MemoryStore
from bot.ports.messenger import Deliveries, UncertainDeliveries
from bot.ports.rag import Outbox
from bot.ports.tickets import Buttons, Tickets
from bot.ports.turn_store import Journal, LearningQueue, Sessions, TurnStore
from bot.ports.usage import UsageLedger
from harness.samples import HeldClock, WordEmbedder
from tests.postgres import open_postgres


class Store(TurnStore, Sessions, Protocol):
    """The conversation store with its sessions."""


class Memory(MemoryStore, MemoryEditor, Protocol):
    """The structured memory, read and changed."""


class UndoableEraser(Eraser, ErasureUndo, Protocol):
    """The eraser, and what takes its erases back."""


@dataclass(frozen=True, slots=True)
class Stores:
    """One of each port, over the same data; ``embed`` gives items the vectors they wait for."""

    journal: Journal
    turns: Store
    deliveries: Deliveries
    doubts: UncertainDeliveries
    outbox: Outbox
    access: Access
    items: Memory
    eraser: Eraser
    clock: HeldClock
    embed: Callable[[], Awaitable[int]]
    learning: LearningQueue
    chronicle: Chronicle
    usage: UsageLedger
    browser: MemoryBrowser
    tickets: Tickets
    buttons: Buttons
    lists: Lists
    imports: SqliteImports
    undoing: UndoableEraser
    """Its erases can be taken back for ten minutes."""


@asynccontextmanager
async def sqlite_stores(folder: Path, _: pytest.FixtureRequest | None = None) -> AsyncIterator[Stores]:
    """One SQLite file."""
    database = Database(folder / "mneme.db", ROOMS)
    await database.open()
    try:
        yield join_stores(database, folder)
    finally:
        await database.close()


@asynccontextmanager
async def postgres_stores(folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[Stores]:
    """The tables of a PostgreSQL."""
    async with open_postgres(request.getfixturevalue("postgres_server"), folder) as database:
        yield join_stores(database, folder)


def join_stores(database: Database, folder: Path) -> Stores:
    """Return the stores over an open database, whose exports go into ``folder``."""
    clock = HeldClock()
    deliveries = SqliteDeliveries(database, clock.now)
    items = SqliteItems(database, WordEmbedder(), clock)
    return Stores(
        SqliteJournal(database, now=clock.now),
        SqliteTurns(database, now=clock.now),
        deliveries,
        deliveries,
        SqliteOutbox(database),
        SqliteAccess(database),
        items,
        SqliteEraser(database, clock, folder / "items"),
        clock,
        PoolEmbedder(database, WordEmbedder(), (ITEMS,)).embed_missing,
        SqliteLearningQueue(database),
        SqliteChronicle(database),
        SqliteUsage(database, clock.now),
        SqliteMemoryBrowser(database, clock),
        SqliteTickets(database),
        SqliteTickets(database),
        SqliteLists(database),
        SqliteImports(database, now=clock.now),
        SqliteEraser(database, clock, folder / "items", undo_s=lambda: 600.0),
    )


STORES = (sqlite_stores, postgres_stores)
