"""Damage that is met while Mneme runs costs neither an answer nor what can still be read, and needs no restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from harness.application import ConsoleChat, run_console


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - a background task brings it about
            await asyncio.sleep(0.02)


async def break_search_index(mneme: ConsoleChat) -> None:
    """Damage as SQLite reports it when something is next written: the full-text index of items lost its pages."""
    database = mneme.app.parts.housekeeping.database
    await database.write(lambda connection: connection.execute("DELETE FROM items_fts_data").rowcount)


async def overwrite_pages(mneme: ConsoleChat) -> None:
    """Overwrite the second half of the file, as a failing disk does."""
    database = mneme.app.parts.housekeeping.database
    await database.checkpoint()
    half = database.path.stat().st_size // 2 // 4096 * 4096
    with database.path.open("r+b") as file:
        file.seek(half)
        file.write(b"\xaa" * (database.path.stat().st_size - half))


async def test_a_message_that_meets_damage_is_answered_and_remembered_after_the_recovery(tmp_path: Path) -> None:
    """The turn that meets the damage is answered with a notice, once; its words are stored when the file is whole."""
    async with run_console(tmp_path) as mneme:
        await mneme.say("My sister Vera lives in Porto.")
        await break_search_index(mneme)
        answer = await mneme.say("My brother Paul lives in Turin.")
        assert "cannot be written" in answer

        await until(
            lambda: not mneme.app.parts.housekeeping.database.damaged.is_set() and not len(mneme.app.pending_turns)
        )
        assert "Turin" in await mneme.say("Where does my brother live?")
        assert "Porto" in await mneme.say("Where does my sister live?")
        assert "damaged" in mneme.app.parts.troubles["damage"]()


async def test_overwritten_pages_do_not_silence_the_chat(tmp_path: Path) -> None:
    """With half of the file gone every message is still answered, and new ones are remembered."""
    async with run_console(tmp_path) as mneme:
        for number in range(30):
            await mneme.say(f"The code of locker number {number} is {7000 + number}.")
        await overwrite_pages(mneme)
        answers = [await mneme.say(f"My cat number {number} is called Felix{number}.") for number in range(10)]
        await until(
            lambda: not mneme.app.parts.housekeeping.database.damaged.is_set() and not len(mneme.app.pending_turns)
        )

        assert all(answers)
        assert "Berta" in await mneme.say("My dog is called Berta.")
        assert "Berta" in await mneme.say("What is my dog called?")


async def test_two_recoveries_in_a_row_keep_both_damaged_files(tmp_path: Path) -> None:
    """Each recovery sets the damaged file aside under a name of its own."""
    async with run_console(tmp_path) as mneme:
        for name in ("Vera", "Paul"):
            await break_search_index(mneme)
            await mneme.say(f"My friend {name} lives in Porto.")
            await until(lambda: not mneme.app.parts.housekeeping.database.damaged.is_set())
            await until(lambda: not len(mneme.app.pending_turns))
        kept = [file for file in (tmp_path / "data").rglob("*.damaged-*") if not file.name.endswith(("-wal", "-shm"))]

        assert len(kept) == 2
