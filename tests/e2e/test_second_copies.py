"""What was said after the newest back-up, and stood on a destroyed page, comes back from long-term memory's texts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.memory.document import render_document, source_name
from harness.application import run_console
from harness.samples import NOON
from tests.memory_server.serving import served


def read_rows(path: Path) -> list[tuple[object, ...]]:
    """Everything of the exchanges but what long-term memory never had."""
    with closing(sqlite3.connect(path)) as opened:
        return opened.execute(
            "SELECT id, scope_no, uid, session_id, place_no, message_id, author_id, author_name, user_text, "
            "assistant_text, said_at, said_offset FROM exchanges ORDER BY id"
        ).fetchall()


async def test_lost_exchanges_come_back_from_the_memory_server(tmp_path: Path) -> None:
    """With their place, author and time, which the indexes still know.

    Red without the second copies: the exchanges of the page are lost and named.
    """
    path = tmp_path / "data" / "mneme.db"
    async with run_console(tmp_path) as mneme:
        for town in ("Porto", "Ghent", "Lviv"):
            await mneme.say(f"My friend in {town} is called {town[:3]}a.")
        (tag,) = [
            row[0]
            for row in await mneme.app.parts.housekeeping.database.read(
                lambda db: db.execute("SELECT tag FROM scopes").fetchall()
            )
        ]
    before = read_rows(path)
    async with served(tmp_path / "data" / "memory-server") as server:
        for row in before:
            uid, name, user, answer = (str(row[at]) for at in (2, 7, 8, 9))
            text = render_document(
                tag=tag, uid=uid, said_at=NOON, skill="", author_name=name, user_text=user, assistant_text=answer
            )
            await server.post("w", source_name(NOON, tag, uid), text)
        await server.wait_until_idle()
    content = bytearray(path.read_bytes())
    page = content.index(b"My friend in Ghent") // 4096
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(content)
    async with run_console(tmp_path) as mneme:
        mneme.continue_numbers()
        (problem,) = mneme.app.parts.problems
        after = read_rows(path)
        answer = await mneme.say("What is my friend in Ghent called?")

    assert "lost exchanges" not in problem
    assert [row[:6] + row[7:] for row in after] == [row[:6] + row[7:] for row in before]
    assert "Ghea" in answer
