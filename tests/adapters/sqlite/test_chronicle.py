"""The chronicle in the file: made again for what was stored without it, and nothing of it left after an erase."""

from __future__ import annotations

from functools import partial

from adapters.sqlite.chronicle.index import make_missed
from adapters.sqlite.chronicle.reading import SqliteChronicle
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.exchange_indexes import build_indexes
from bot.ports.eraser import ErasureTarget
from harness.samples import SCOPE, HeldClock, exchange, turn
from tests.adapters.sqlite.test_erased_bytes import grep

CANARY = "zanzibarfloodgate"


async def said(database: Database) -> list[str]:
    """The lines of the chronicle."""
    return [line.text for line in await SqliteChronicle(database).read_lines(SCOPE)]


async def test_what_was_stored_before_there_was_a_chronicle_is_written_down(database: Database) -> None:
    """As after a migration or an import; broken off, it goes on where it was; synthetic and replaced ones stay out."""
    turns = SqliteTurns(database)
    for number in range(5):
        await turns.commit(turn(exchange(f"e{number}", f"I moved to town number {number}.")))
    await turns.commit(turn(exchange("e8", "I moved to the moon.", synthetic=True)))
    before = await said(database)
    first = await database.write(partial(make_missed, limit=2))
    half = await said(database)
    rest = await SqliteChronicle(database).make_missed()
    again = await SqliteChronicle(database).make_missed()

    assert before == []
    assert (first, len(half), rest, again) == (2, 2, 3, 0)
    assert await said(database) == [f"I moved to town number {number}." for number in range(5)]


async def test_lines_made_again_are_the_same(database: Database) -> None:
    """By the commit and by the rebuild."""
    turns = SqliteTurns(database, indexes=build_indexes())
    await turns.commit(turn(exchange("e1", "Hi! We agreed on Friday. I like tea.", "We decided to meet at noon.")))
    before = await SqliteChronicle(database).read_lines(SCOPE)
    await SqliteChronicle(database).make_missed()

    assert await SqliteChronicle(database).read_lines(SCOPE) == before
    assert len(before) == 3


async def test_no_byte_of_an_erased_line_is_left(database: Database) -> None:
    """P9; without the chronicle among the eraser's indexes the line stays, and this is red."""
    turns = SqliteTurns(database, indexes=build_indexes())
    eraser = SqliteEraser(database, HeldClock(), database.path.parent / "items", indexes=build_indexes())
    await turns.commit(turn(exchange("e1", f"We decided to open the {CANARY}.")))
    await turns.commit(turn(exchange("e2", "I moved to Riga.")))
    there = grep(database.path.parent)
    await eraser.erase_exchanges(SCOPE, ("e1",))
    await eraser.clean()

    assert there
    assert grep(database.path.parent) == []
    assert await said(database) == ["I moved to Riga."]


async def test_an_erase_taken_back_brings_its_lines_back(database: Database) -> None:
    """With /undo."""
    clock = HeldClock()
    turns = SqliteTurns(database, indexes=build_indexes())
    eraser = SqliteEraser(database, clock, database.path.parent / "items", indexes=build_indexes(), undo_s=lambda: 60.0)
    await turns.commit(turn(exchange("e1", "We decided to open the shop.")))
    await eraser.erase(SCOPE, ErasureTarget(exchanges=("e1",)), author_id=42)
    gone = await said(database)
    await eraser.undo(SCOPE, 42)

    assert gone == []
    assert await said(database) == ["We decided to open the shop."]
