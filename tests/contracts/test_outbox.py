"""The contract of :mod:`bot.ports.rag`, also held by the fake that the indexer is tested with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.codec import ensure_scope
from adapters.sqlite.rows.outbox import enqueue_document
from bot.memory.scope import Scope
from bot.ports.rag import Outbox, OutboxCounts
from bot.turn import IndexDocument
from harness.samples import NOON
from tests.adapters.rag.memory_outbox import MemoryOutbox

ONE, TWO = Scope("tu1"), Scope("tu2")


@dataclass(frozen=True, slots=True)
class Filled:
    """An outbox and the way rows get into it."""

    outbox: Outbox
    put: Callable[[IndexDocument], Awaitable[object]]


@asynccontextmanager
async def sqlite_outbox(folder: Path) -> AsyncIterator[Filled]:
    """The outbox of the SQLite store."""
    database = Database(folder / "mneme.db", ROOMS)
    await database.open()

    async def put(document: IndexDocument) -> None:
        await database.write(
            lambda connection: enqueue_document(
                connection, ensure_scope(connection, document.scope), document.source, document.text
            )
        )

    yield Filled(SqliteOutbox(database), put)
    await database.close()


@asynccontextmanager
async def memory_outbox(folder: Path) -> AsyncIterator[Filled]:
    """The indexer tests' fake."""
    outbox = MemoryOutbox()

    async def put(document: IndexDocument) -> None:
        outbox.put(document)

    yield Filled(outbox, put)


@pytest.fixture(params=[sqlite_outbox, memory_outbox], ids=lambda opened: opened.__name__)
async def filled(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Filled]:
    """Each outbox with two scopes of two documents."""
    async with request.param(tmp_path) as opened:
        for scope, name in ((ONE, "a1"), (TWO, "b1"), (ONE, "a2"), (TWO, "b2")):
            await opened.put(IndexDocument(scope, name, f"text of {name}"))
        yield opened


async def due(filled: Filled, **later: float) -> list[str]:
    """The sources that are due after some time."""
    return [row.document.source for row in await filled.outbox.due(NOON + timedelta(**later), 10)]


async def test_one_row_per_scope_is_due_the_oldest_first(filled: Filled) -> None:
    """Documents of a chat are indexed in the order in which they were said."""
    rows = await filled.outbox.due(NOON, 10)

    assert [(row.document, row.erase, row.attempts, row.posted) for row in rows] == [
        (IndexDocument(ONE, "a1", "text of a1"), False, 0, False),
        (IndexDocument(TWO, "b1", "text of b1"), False, 0, False),
    ]
    assert len(await filled.outbox.due(NOON, 1)) == 1


async def test_a_closed_row_makes_room_for_the_next(filled: Filled) -> None:
    """Closing twice is no error."""
    first, _ = await filled.outbox.due(NOON, 10)
    await filled.outbox.close(first.id)
    await filled.outbox.close(first.id)

    assert sorted(await due(filled)) == ["a2", "b1"]
    assert await filled.outbox.counts() == OutboxCounts(3, 0)


async def test_a_failed_row_holds_its_scope_until_its_time(filled: Filled) -> None:
    """The scope's order is kept; the other scope goes on."""
    first, _ = await filled.outbox.due(NOON, 10)
    await filled.outbox.retry(first.id, NOON + timedelta(seconds=30), "HTTP 503")

    assert await due(filled) == ["b1"]
    assert await due(filled, seconds=30) == ["a1", "b1"]
    assert (await filled.outbox.due(NOON + timedelta(minutes=1), 10))[0].attempts == 1


async def test_a_dead_letter_does_not_block_its_scope(filled: Filled) -> None:
    """It is counted and kept, and the rows behind it go on."""
    first, _ = await filled.outbox.due(NOON, 10)
    await filled.outbox.bury(first.id, "never accepted")

    assert sorted(await due(filled)) == ["a2", "b1"]
    assert await filled.outbox.counts() == OutboxCounts(3, 1)


async def test_an_acknowledgement_is_remembered(filled: Filled) -> None:
    """After a restart the indexer only looks whether it was processed."""
    first, _ = await filled.outbox.due(NOON, 10)
    await filled.outbox.mark_posted(first.id)

    assert [row.posted for row in await filled.outbox.due(NOON, 10)] == [True, False]


async def test_a_late_failure_changes_no_dead_letter(filled: Filled) -> None:
    """An attempt that was under way when its row was given up ends after it: the row keeps its reason."""
    first, _ = await filled.outbox.due(NOON, 10)
    await filled.outbox.bury(first.id, "never accepted")
    await filled.outbox.retry(first.id, NOON, "no connection")

    assert first.id not in [row.id for row in await filled.outbox.due(NOON + timedelta(hours=1), 10)]
    assert (await filled.outbox.counts()).dead == 1
