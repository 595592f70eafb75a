"""Receipts of erases in the file: kept through a recovery, since nothing else could tell of them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.erasure.tombstones import SqliteErasureRecords
from adapters.sqlite.recovery.salvage import rebuild
from adapters.sqlite.rooms import ROOMS
from bot.memory.scope import Scope
from harness.samples import NOON, SCOPE, HeldClock, exchange, turn
from tests.postgres import ONE_FILE


@ONE_FILE
async def test_a_receipt_tells_of_its_own_scope_alone(database: Database, tmp_path: Path) -> None:
    """When, and how much; erasing nothing leaves none, and a recovered file still has them."""
    await SqliteTurns(database).commit(turn(exchange("e1", "The PIN hint is 42")))
    eraser = SqliteEraser(database, HeldClock(), tmp_path / "items")
    await eraser.erase_exchanges(SCOPE, ("e1",))
    await eraser.erase_exchanges(SCOPE, ("e1", "never"))
    records = await SqliteErasureRecords(database).list_records(SCOPE)
    other = await SqliteErasureRecords(database).list_records(Scope("tu43"))
    await database.checkpoint()
    draft = tmp_path / "recovered.db"
    saved = rebuild(database.path, draft, ROOMS)
    with sqlite3.connect(draft) as recovered:
        kept = recovered.execute("SELECT exchanges, items, everything FROM receipts").fetchall()

    assert [(record.erased_at, record.exchanges, record.everything) for record in records] == [(NOON, 1, False)]
    assert other == ()
    assert (kept, saved.torn) == ([(1, 0, 0)], ())


@ONE_FILE
async def test_forgetting_everything_forgets_the_receipts_before_it(database: Database, tmp_path: Path) -> None:
    """When something was erased tells of what was said; another scope's receipts stay."""
    turns, other = SqliteTurns(database), Scope("tu43")
    for scope, uid in ((SCOPE, "e1"), (SCOPE, "e2"), (other, "e3")):
        await turns.commit(turn(exchange(uid, "The PIN hint is 42", scope=scope), scope=scope))
    eraser, records = SqliteEraser(database, HeldClock(), tmp_path / "items"), SqliteErasureRecords(database)
    await eraser.erase_exchanges(SCOPE, ("e1",))
    await eraser.erase_exchanges(other, ("e3",))
    await eraser.erase_scope(SCOPE)

    assert [(each.exchanges, each.everything) for each in await records.list_records(SCOPE)] == [(1, True)]
    assert [(each.exchanges, each.everything) for each in await records.list_records(other)] == [(1, False)]
