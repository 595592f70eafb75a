"""P13: whatever write fails, a turn is stored whole or not at all, and the store recovers by itself."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.outbox import SqliteOutbox
from bot.errors import StorageUnavailable
from bot.ports.turn_store import TurnRecord
from harness.samples import SCOPE, HeldClock, exchange, item, message, turn
from tests.postgres import ONE_FILE

pytestmark = ONE_FILE

LONG = "A long story about Porto. " * 400


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """No file may be written beyond ``size`` bytes: what a full disk or a quota does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def pages(connection: sqlite3.Connection) -> int:
    """The file's length in pages."""
    return int(connection.execute("PRAGMA page_count").fetchone()[0])


async def long_turn(database: Database, number: int) -> TurnRecord:
    """A journaled turn of several pages."""
    entry = await SqliteJournal(database).accept(message(LONG, number))
    assert entry is not None
    said = exchange(f"e{number}", LONG)
    return turn(
        said, closes=(entry,), parts=(LONG,), items=(item(f"{number} {LONG}", exchange=said.uid),), document=True
    )


async def stored(database: Database) -> tuple[int, int, int, int]:
    """How many exchanges, items, deliveries and outbox rows there are."""
    return await database.read(
        lambda connection: tuple(
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - constant names
            for table in ("exchanges", "items", "deliveries", "outbox")
        )
    )


async def test_a_turn_is_whole_whichever_page_does_not_fit(database: Database) -> None:
    """The file may grow by 0, 1, 2, … pages: until the turn fits nothing of it is there, then everything.

    Mutation check: committing after an error instead of rolling back leaves an exchange behind and the test is red.
    """
    turns = SqliteTurns(database)
    record = await long_turn(database, 1)
    start = await database.read(pages)
    failures = 0
    for room in range(200):
        await database.write(
            lambda connection, limit=start + room: connection.execute(  # type: ignore[misc]  # a default binds the loop's value
                f"PRAGMA max_page_count = {limit}"
            ).fetchone()
        )
        try:
            await turns.commit(record)
        except StorageUnavailable:
            failures += 1
            assert await stored(database) == (0, 0, 0, 0)
        else:
            break

    assert failures > 3
    assert await stored(database) == (1, 1, 1, 1)
    assert await SqliteJournal(database).pending() == ()


async def test_a_turn_is_whole_whichever_write_fails(database: Database) -> None:
    """The log may not grow beyond every 4 KiB in turn: the same, one layer below, and reading goes on meanwhile."""
    turns = SqliteTurns(database)
    record = await long_turn(database, 1)
    log = database.path.with_name("mneme.db-wal")
    start = log.stat().st_size
    failures = 0
    for room in range(0, 200 * 4096, 4096):
        with files_end_at(start + room):
            try:
                await turns.commit(record)
            except StorageUnavailable:
                failures += 1
                assert await stored(database) == (0, 0, 0, 0)
            else:
                break

    assert failures > 3
    assert await stored(database) == (1, 1, 1, 1)


async def test_the_small_ones_of_a_group_get_in(database: Database) -> None:
    """Where a shared transaction does not fit, each is tried alone and learns its own fate."""
    records = [await long_turn(database, number) for number in range(1, 9)]
    outbox = SqliteOutbox(database)
    start = await database.read(pages)
    await database.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {start + 60}").fetchone())
    turns = SqliteTurns(database)
    outcomes = await asyncio.gather(*(turns.commit(record) for record in records), return_exceptions=True)
    kept = sum(not isinstance(outcome, BaseException) for outcome in outcomes)

    assert 0 < kept < len(records)
    assert all(isinstance(outcome, StorageUnavailable) for outcome in outcomes if isinstance(outcome, BaseException))
    assert await stored(database) == (kept, kept, kept, kept)
    assert (await outbox.counts()).waiting == kept
    assert len(await SqliteJournal(database).pending()) == len(records) - kept


async def test_storage_recovers_when_there_is_room_again(database: Database) -> None:
    """The same record is stored by the next attempt, without a restart; history was readable all the time."""
    turns = SqliteTurns(database)
    await turns.commit(turn(exchange("e0", "hello")))
    record = await long_turn(database, 1)
    size = database.path.with_name("mneme.db-wal").stat().st_size
    with files_end_at(size):
        with pytest.raises(StorageUnavailable):
            await turns.commit(record)
        with pytest.raises(StorageUnavailable):
            await SqliteJournal(database).accept(message("more", 5))
        session = await turns.session(record.address)
        during = await turns.history(SCOPE, session.id, 9)

    await turns.commit(record)

    assert [one.uid for one in during] == ["e0"]
    assert await stored(database) == (2, 1, 1, 1)
    assert await database.read(lambda connection: connection.execute("PRAGMA quick_check").fetchone()) == ("ok",)


async def test_an_erase_that_the_disk_refused_is_not_done_at_the_next_start(database: Database) -> None:
    """Its tombstone, which is written first, holds no more; one that a crash cut off holds, as nobody was told of it.

    Red where it stayed: a restart erased what its owner had been told was still there.
    """
    turns = SqliteTurns(database)
    eraser = SqliteEraser(database, HeldClock(), database.path.parent / "exports")
    await turns.commit(await long_turn(database, 1))
    with files_end_at(database.path.with_name("mneme.db-wal").stat().st_size):
        with pytest.raises(StorageUnavailable):
            await eraser.erase_exchanges(SCOPE, ("e1",))
        with pytest.raises(StorageUnavailable):
            await eraser.erase_scope(SCOPE)
    again = await eraser.resume()

    assert again == 0
    assert (await stored(database))[0] == 1


async def test_a_file_beside_the_store_that_cannot_be_deleted_is_named(database: Database) -> None:
    """The layout of a chat goes in the transaction that erases: nothing is erased, and the error says what to do.

    An export, which goes after it, is left over in the receipt.  Red where both were errors of nobody's.
    """
    turns, folder = SqliteTurns(database), database.path.parent
    eraser = SqliteEraser(database, HeldClock(), folder / "exports")
    for number in (1, 2):
        await turns.commit(await long_turn(database, number))
    (layout := folder / "layouts" / "1.layout").mkdir(parents=True)
    with pytest.raises(StorageUnavailable, match=r"1\.layout.*chown"):
        await eraser.erase_exchanges(SCOPE, ("e1",))
    kept = await stored(database)
    layout.rmdir()
    (folder / "exports" / f"{SCOPE.tag}.zip").mkdir(parents=True)
    receipt = await eraser.erase_exchanges(SCOPE, ("e1",))

    assert kept[0] == 2
    assert receipt.exchanges == 1
    assert receipt.residue == (f"export {SCOPE.tag}.zip",)
