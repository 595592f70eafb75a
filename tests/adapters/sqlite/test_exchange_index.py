"""Indexes of exchanges: they follow the rows exactly, inside the same transactions."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.derived import Owner, Room, Table
from bot.turn import Exchange
from harness.samples import SCOPE, HeldClock, exchange, item, turn


class Texts:
    """A derived table of user texts; fails on "poison"."""

    def add(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        """Keep the text."""
        if exchange.user_text == "poison":
            raise LookupError(exchange.user_text)
        connection.execute("INSERT INTO texts VALUES (?, ?)", (exchange_id, exchange.user_text))

    def remove(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        """Drop the texts."""
        connection.executemany("DELETE FROM texts WHERE id = ?", [(exchange_id,) for exchange_id in exchange_ids])

    def reword(self, connection: sqlite3.Connection, scope_no: int, was: Exchange, now: Exchange) -> None:
        """Keep the text that holds now."""
        self.remove(connection, scope_no, (was.id,))
        self.add(connection, scope_no, was.id, now)


@pytest.fixture
async def texts(tmp_path: Path) -> AsyncIterator[Database]:
    """A database with a room more, which has a derived table."""
    own = Table("texts", ranged="id", owners={Owner.EXCHANGE: "id"}, remade=True)
    database = Database(tmp_path / "mneme.db", (*ROOMS, Room("texts", (own,), index=Texts())))
    await database.open()
    await database.write(lambda connection: connection.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, t TEXT)"))
    yield database
    await database.close()


async def held(database: Database) -> list[str]:
    """The derived texts in order."""
    return await database.read(
        lambda connection: [row[0] for row in connection.execute("SELECT t FROM texts ORDER BY id")]
    )


async def test_an_exchange_is_derived_once(texts: Database) -> None:
    """A repeated commit and a synthetic exchange add nothing."""
    turns = SqliteTurns(texts)
    for _ in range(2):
        await turns.commit(turn(exchange("e1", "hello")))
    await turns.commit(turn(exchange("e2", "an apology", synthetic=True)))

    assert await held(texts) == ["hello"]


async def test_an_edit_takes_the_old_version_out(texts: Database) -> None:
    """Only the newest version can be found."""
    turns = SqliteTurns(texts)
    await turns.commit(turn(exchange("e1", "wrong", message_id=5)))
    await turns.commit(turn(exchange("e2", "right", message_id=5, revises=5)))

    assert await held(texts) == ["right"]


async def test_an_erase_takes_it_out(texts: Database) -> None:
    """Singly and with the whole scope."""
    turns = SqliteTurns(texts)
    eraser = SqliteEraser(texts, HeldClock(), texts.path.parent / "items")
    for number in range(3):
        await turns.commit(turn(exchange(f"e{number}", f"line {number}")))
    await eraser.erase_exchanges(SCOPE, ("e1",))
    left = await held(texts)
    await eraser.erase_scope(SCOPE)

    assert left == ["line 0", "line 2"]
    assert await held(texts) == []


async def test_a_failing_index_stores_nothing_of_the_turn(texts: Database) -> None:
    """Exchange and index are one: the turn is tried again from the journal."""
    turns = SqliteTurns(texts)
    with pytest.raises(LookupError):
        await turns.commit(turn(exchange("e1", "poison"), items=(item("poison"),)))
    counts = await texts.read(
        lambda connection: connection.execute(
            "SELECT (SELECT count(*) FROM exchanges), (SELECT count(*) FROM items), (SELECT count(*) FROM texts)"
        ).fetchone()
    )

    assert counts == (0, 0, 0)


async def test_a_recovered_file_is_derived_anew(texts: Database) -> None:
    """In pieces, in order, without replaced and synthetic exchanges; a second call does nothing."""
    turns = SqliteTurns(texts)
    records = [turn(exchange(f"e{number}", f"line {number}", synthetic=number == 7)) for number in range(450)]
    await asyncio.gather(*(turns.commit(record) for record in records))
    await turns.commit(turn(exchange("old", "wrong", message_id=5)))
    await turns.commit(turn(exchange("new", "right", message_id=5, revises=5)))
    await texts.write(lambda connection: connection.execute("UPDATE texts SET t = 'stale'"))
    await texts.write(lambda connection: connection.execute("INSERT INTO meta VALUES ('rebuild', 'due')"))
    rebuilt = [await turns.rebuild(), await turns.rebuild()]

    assert rebuilt == [452, 0]
    assert await held(texts) == [f"line {number}" for number in range(450) if number != 7] + ["right"]
