"""Erasure lasts: through crashes in the middle of it, and through restored back-ups."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from adapters.sqlite.erasure.tombstones import Tombstone, append
from bot.memory.scope import Scope
from harness.application import run_console

KEPT, GONE = "My bicycle stands in the green shed.", "My sister Vera lives in Porto."


def stored(folder: Path) -> dict[str, tuple[str, str]]:
    """Return what users said, each with its scope's tag and its uid."""
    with closing(sqlite3.connect(folder / "data" / "mneme.db")) as connection:
        rows = connection.execute("SELECT user_text, tag, uid FROM exchanges JOIN scopes ON no = scope_no").fetchall()
    return {text: (tag, uid) for text, tag, uid in rows}


async def test_an_erase_that_a_crash_interrupted_is_finished_at_the_start(tmp_path: Path) -> None:
    """The tombstone was written, then the power went: the next start erases before it answers anything.

    Mutation check: without ``housekeeping.resume()`` in ``Application.start`` it is red.
    """
    async with run_console(tmp_path) as before:
        await before.say(GONE)
    ((tag, _uid),) = stored(tmp_path).values()
    append(tmp_path / "data" / "tombstones.jsonl", Tombstone(Scope(tag), None, (2**31, 2**31, 2**31)))
    async with run_console(tmp_path) as after:
        after.continue_numbers()
        at_once = stored(tmp_path)
        answer = await after.say("Where does my sister live?")

    assert at_once == {}
    assert "Porto" not in answer


async def test_a_back_up_does_not_bring_back_a_single_exchange_that_was_forgotten(tmp_path: Path) -> None:
    """One exchange was erased after the back-up was made: restored, it is erased again, and only it.

    Mutation check: without the tombstone in ``SqliteEraser._erase`` it is red.
    """
    database, backup = tmp_path / "data" / "mneme.db", tmp_path / "backup.db"
    async with run_console(tmp_path) as before:
        await before.say(GONE)
        await before.say(KEPT)
        await before.app.parts.housekeeping.database.checkpoint()
        shutil.copy(database, backup)
        tag, uid = stored(tmp_path)[GONE]
        receipt = await before.app.parts.eraser.erase_exchanges(Scope(tag), (uid,))
    for left in database.parent.glob("mneme.db*"):
        left.unlink()
    shutil.copy(backup, database)
    brought_back = stored(tmp_path)
    async with run_console(tmp_path) as after:
        after.continue_numbers()
        answer = await after.say("Where does my sister live?")
        remaining = stored(tmp_path)

    assert receipt.exchanges == 1
    assert brought_back.keys() == {GONE, KEPT}
    assert GONE not in remaining
    assert KEPT in remaining
    assert "Porto" not in answer
