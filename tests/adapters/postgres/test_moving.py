"""A whole store goes over to PostgreSQL and back, and is the same."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.postgres.database import PostgresDatabase
from adapters.postgres.moving import move_store
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.codec import MOVING, read_meta
from adapters.sqlite.rows.derived import list_tables
from bot.errors import ConfigInvalid, StorageDamaged
from tests.adapters.sqlite.old_stores import unpack
from tests.postgres import PostgresServer, open_postgres

_NEWEST = "6a874ea"


@pytest.fixture
async def there(postgres_server: PostgresServer, tmp_path: Path) -> AsyncIterator[PostgresDatabase]:
    async with open_postgres(postgres_server, tmp_path / "there") as opened:
        yield opened


@pytest.fixture
async def filled(tmp_path: Path) -> AsyncIterator[Database]:
    """A store of an earlier version, brought up to this one."""
    opened = Database(unpack(_NEWEST, tmp_path / "old"), ROOMS)
    await opened.open()
    yield opened
    await opened.close()


async def test_there_and_back_everything_is_the_same(there: PostgresDatabase, filled: Database, tmp_path: Path) -> None:
    """Every row of every table, what is searched by words, and the numbers that were never given."""
    await filled.write(lambda opened: opened.execute("DELETE FROM outbox").rowcount)
    gone = await move_store(filled, there)
    found = await there.read(
        lambda opened: opened.execute(
            "SELECT rowid FROM items_fts WHERE items_fts MATCH ? AND rowid BETWEEN ? AND ?", ('"porto"', 0, 2**62)
        ).fetchall()
    )
    expected = await filled.read(
        lambda opened: opened.execute(
            "SELECT rowid FROM items_fts WHERE items_fts MATCH ? AND rowid BETWEEN ? AND ?", ('"porto"', 0, 2**62)
        ).fetchall()
    )
    number = "INSERT INTO outbox (scope_no, source, text, erase, head) VALUES (1, 'x', '', 0, 0) RETURNING id"
    back = Database(tmp_path / "back" / "mneme.db", ROOMS)
    await back.open()
    came = await move_store(there, back)
    numbers = [await each.write(lambda opened: opened.execute(number).fetchone()[0]) for each in (filled, there, back)]
    await back.close()

    assert {each.name for each in gone} == {table.name for table in list_tables(ROOMS)}
    assert sum(each.rows for each in gone) > 200
    assert came == gone
    assert found == expected != []
    assert len(set(numbers)) == 1
    assert numbers[0] > 18


async def test_no_table_is_empty_when_it_is_compared(there: PostgresDatabase, filled: Database, tmp_path: Path) -> None:
    """Each has a row that is awkward to carry: quotes, a break, what is no ASCII, no number that is exact, none at all.

    What an erase could still be taken back by is left out: it is final when a move begins.
    """
    await filled.write(fill_empty_tables)
    gone = await move_store(filled, there)
    back = Database(tmp_path / "back" / "mneme.db", ROOMS)
    await back.open()
    came = await move_store(there, back)
    await back.close()

    assert {each.name for each in gone if not each.rows} == {"held_rows", "held_documents"}
    assert came == gone


def fill_empty_tables(connection: sqlite3.Connection) -> int:
    """Add a row to each table that has none; return how many were filled."""
    values = {"INTEGER": 7 << 32 | 7, "REAL": 0.1 + 0.2, "BLOB": b"\0\xff'\\", "": "ä „–“ \\x'\"\n{}"}
    filled = 0
    for table in list_tables(ROOMS):
        if connection.execute(f"SELECT 1 FROM {table.name}").fetchone() is None:  # noqa: S608 - a name of the schema
            columns = connection.execute(f"PRAGMA table_info({table.name})").fetchall()
            row = {
                name: 7 if name == "scope_no" else values.get(kind, values[""])
                for _, name, kind, required, _, key in columns
                if required or key or not kind
            }
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", tuple(row.values()))  # noqa: S608 - the same
            filled += 1
    return filled


async def test_what_was_cut_off_goes_on_behind_the_last_row(there: PostgresDatabase, filled: Database) -> None:
    """Until its end the target is marked; nothing goes over twice.

    Mutation check: with every batch sent again this is red.
    """
    told = []

    def cut(table: str, rows: int) -> None:
        if table == "item_sources":
            raise asyncio.CancelledError
        told.append(table)

    with pytest.raises(asyncio.CancelledError):
        await move_store(filled, there, cut)
    marked = await there.read(lambda opened: read_meta(opened, MOVING))
    again: list[str] = []
    moved = await move_store(filled, there, lambda table, _: again.append(table))
    after = await there.read(lambda opened: read_meta(opened, MOVING))

    assert marked == "due"
    assert "exchanges" in told
    assert "exchanges" not in again
    assert sum(each.rows for each in moved) > 200
    assert after is None


async def test_a_memory_that_is_there_is_never_mixed_with_another(there: PostgresDatabase, filled: Database) -> None:
    """Only an empty store, or one that a move has begun in, takes one in."""
    await move_store(filled, there)

    with pytest.raises(ConfigInvalid, match="an empty database"):
        await move_store(filled, there)


async def test_what_changed_on_the_way_is_told(there: PostgresDatabase, filled: Database) -> None:
    """A row that is another in the end is found by the checksum, and no Mneme runs on it."""

    def meddle(table: str, rows: int) -> None:
        if table == "items":
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await move_store(filled, there, meddle)
    await there.write(
        lambda opened: opened.execute("UPDATE exchanges SET user_text = 'other' WHERE id % 7 = 1").rowcount
    )

    with pytest.raises(StorageDamaged, match="exchanges differs"):
        await move_store(filled, there)
    assert await there.read(lambda opened: read_meta(opened, MOVING)) == "due"
