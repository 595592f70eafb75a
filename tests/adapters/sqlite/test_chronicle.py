"""The chronicle in the file: made again for what was stored without it, and nothing of it left after an erase."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from functools import partial

import pytest

from adapters.sqlite.chronicle import SqliteChronicle, make_missed
from adapters.sqlite.conversations.turns import SqliteLearningQueue, SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from bot.errors import StorageUnavailable
from bot.memory.chronicle import WrittenLine
from bot.ports.eraser import ErasureTarget
from bot.ports.turn_store import Learned
from harness.samples import HERE, NOON, SCOPE, HeldClock, exchange, turn
from tests.adapters.sqlite.old_stores import UNINDEXED
from tests.adapters.sqlite.test_erased_bytes import grep
from tests.postgres import ONE_FILE

CANARY = "zanzibarfloodgate"


async def said(database: Database) -> list[str]:
    """The lines of the chronicle."""
    return [line.text for line in await SqliteChronicle(database).read_lines(SCOPE)]


async def test_what_was_stored_before_there_was_a_chronicle_is_written_down(database: Database) -> None:
    """As after a migration or an import; broken off, it goes on where it was; synthetic and replaced ones stay out."""
    database.rooms = UNINDEXED
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
    turns = SqliteTurns(database)
    await turns.commit(turn(exchange("e1", "Hi! We agreed on Friday. I like tea.", "We decided to meet at noon.")))
    before = await SqliteChronicle(database).read_lines(SCOPE)
    await SqliteChronicle(database).make_missed()

    assert await SqliteChronicle(database).read_lines(SCOPE) == before
    assert len(before) == 3


@ONE_FILE
async def test_no_byte_of_an_erased_line_is_left(database: Database) -> None:
    """P9; without the chronicle among the eraser's indexes the line stays, and this is red."""
    turns = SqliteTurns(database)
    eraser = SqliteEraser(database, HeldClock(), database.path.parent / "items")
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
    turns = SqliteTurns(database)
    eraser = SqliteEraser(database, clock, database.path.parent / "items", undo_s=lambda: 60.0)
    await turns.commit(turn(exchange("e1", "We decided to open the shop.")))
    await eraser.erase(SCOPE, ErasureTarget(exchanges=("e1",)), author_id=42)
    gone = await said(database)
    await eraser.undo(SCOPE, 42)

    assert gone == []
    assert await said(database) == ["We decided to open the shop."]


LONG = (
    f"After weeks of talking with my sister Vera and the landlord of the {CANARY}, and although it costs more than we "
    "wanted, we decided to open the shop in May."
)
WORDED = f"We decided to open the shop at the {CANARY}."


async def reword(database: Database, text: str, uid: str = "e1") -> None:
    """Save a model's line of the session that is open, as learning does."""
    turns, queue = SqliteTurns(database), SqliteLearningQueue(database)
    await turns.close(HERE)
    (ended,) = await queue.due(NOON + timedelta(days=1), 9)
    read = await queue.exchanges(ended, 40)
    await queue.finish(await queue.save_learned(ended, read, Learned((), (WrittenLine(uid, text),)), NOON))


async def commit_long(database: Database) -> None:
    """Say what a model's line can be of."""
    turns = SqliteTurns(database)
    await turns.commit(turn(exchange("e1", LONG, session=await turns.session(HERE))))


@ONE_FILE
@pytest.mark.parametrize("whole", [False, True])
async def test_no_byte_of_a_models_line_is_left(database: Database, *, whole: bool) -> None:
    """P9: by its exchange and by the whole chat; without the chronicle among the eraser's indexes this is red."""
    await commit_long(database)
    await reword(database, WORDED)
    eraser = SqliteEraser(database, HeldClock(), database.path.parent / "items")
    there = (await said(database), grep(database.path.parent, f"shop at the {CANARY}"))
    if whole:
        await eraser.erase_scope(SCOPE)
    else:
        await eraser.erase_exchanges(SCOPE, ("e1",))
    await eraser.clean()

    assert there[0] == [WORDED]
    assert there[1]
    assert grep(database.path.parent) == []


async def test_an_erase_taken_back_has_the_rules_line_again(database: Database) -> None:
    """What a model worded is not kept for /undo: the line is made again from the exchange."""
    await commit_long(database)
    before = await said(database)
    await reword(database, WORDED)
    worded = await said(database)
    folder, clock = database.path.parent / "items", HeldClock()
    eraser = SqliteEraser(database, clock, folder, undo_s=lambda: 60.0)
    await eraser.erase(SCOPE, ErasureTarget(exchanges=("e1",)), author_id=42)
    gone = await said(database)
    await eraser.clean()
    held = grep(database.path.parent, f"shop at the {CANARY}")
    await eraser.undo(SCOPE, 42)

    assert (worded, gone, held) == ([WORDED], [], [])
    assert await said(database) == before


async def test_a_models_line_stays_when_lines_are_made_again(database: Database) -> None:
    """Nothing learns from an old session anew; the row says who worded it."""
    await commit_long(database)
    await reword(database, WORDED)
    await SqliteChronicle(database).make_missed()
    rows = await database.read(
        lambda connection: connection.execute("SELECT written, text FROM digest_lines").fetchall()
    )

    assert rows == [(1, WORDED)]


@ONE_FILE
async def test_lines_and_progress_are_saved_together_or_not_at_all(database: Database) -> None:
    """Cut off between the two, neither is there."""
    await commit_long(database)
    before = await said(database)
    await database.write(
        lambda connection: (
            connection.execute(
                "CREATE TRIGGER cut BEFORE UPDATE OF upto ON learning BEGIN SELECT RAISE(ABORT, 'cut off'); END"
            ).rowcount
        )
    )
    with pytest.raises((sqlite3.Error, StorageUnavailable)):
        await reword(database, WORDED)
    after = await said(database)
    await database.write(lambda connection: connection.execute("DROP TRIGGER cut").rowcount)

    assert after == before


async def test_a_text_that_changed_while_a_model_read_it_is_read_again(database: Database) -> None:
    """As when a part of it is erased meanwhile; compared by their ids alone the exchanges are the same: this is red."""
    await commit_long(database)
    turns, queue = SqliteTurns(database), SqliteLearningQueue(database)
    await turns.close(HERE)
    (ended,) = await queue.due(NOON + timedelta(days=1), 9)
    read = await queue.exchanges(ended, 40)
    await database.write(
        lambda connection: connection.execute("UPDATE exchanges SET user_text = 'We decided to wait.'").rowcount
    )
    saved = await queue.save_learned(ended, read, Learned((), (WrittenLine("e1", WORDED),)), NOON)

    assert saved == ended
    assert WORDED not in await said(database)
