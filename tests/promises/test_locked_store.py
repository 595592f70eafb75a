"""P13: while another program keeps the store locked everybody is answered, and nothing is claimed that was not done."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from harness.application import ANNA, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from tests.postgres import ONE_FILE

pytestmark = ONE_FILE
CAR, PAUSED, FAILED = 901, "memory cannot be written", "did not work"


async def test_a_locked_store_is_said_and_claims_nothing(tmp_path: Path) -> None:
    """Statements, edits, commands and reminders; unlocked, what was said is stored by itself, the edit in its place.

    Red where an edit is acknowledged by a notice, which stands whether or not it was stored.
    """
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as chats:
        database = chats.app.parts.database
        await chats.ask("My vet is Dr. Lind.")
        await chats.ask("My car is red.", message_id=CAR)
        await database.write(lambda connection: connection.execute("PRAGMA busy_timeout = 1").fetchone())
        other = sqlite3.connect(database.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        told = [await chats.ask("My bike is blue.")]
        shown = len(telegram.texts(ANNA))
        await telegram.edits("My car is green.", user=ANNA, message_id=CAR)
        told.append(await chats.next(ANNA, shown))
        refused = [
            await chats.ask(text)
            for text in (
                "/forget Lind",
                "/remember My cat is Tom.",
                "Remind me in two days at 9 to call Ludmila.",
                "/undo",
            )
        ]
        vet = await chats.ask("Who is my vet?")
        other.close()
        async with asyncio.timeout(120):
            while not await database.has("SELECT 1 FROM exchanges WHERE user_text = 'My car is green.'"):  # noqa: ASYNC110 - a row has no event
                await asyncio.sleep(0.05)
        asked = ("What colour is my bike?", "What colour is my car?", "/memory", "/reminders")
        after = [await chats.ask(text) for text in asked]

    assert all(PAUSED in each and "noted" not in each.lower() for each in told), told
    assert all(FAILED in each for each in refused), refused
    assert "Lind" in vet
    assert "blue" in after[0]
    assert "green" in after[1]
    assert "red." not in "".join(after)
    assert "Tom" not in after[2]
    assert "Ludmila" not in after[3]
