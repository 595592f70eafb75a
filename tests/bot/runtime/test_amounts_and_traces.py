"""In the running bot: what differs in an amount is two memories, and what /why shows is not kept for ever."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from harness.application import NO_RAG, run_console
from harness.processes import count


async def test_amounts_that_differ_are_two_memories(tmp_path: Path) -> None:
    """In currency or sign, or because the figures of one begin the other's: both are listed, and both answer.

    Red when a fingerprint left all signs out, and when "80" was a part of "800" in an answer.
    """
    amounts = ("80 €", "80 $", "-80 €", "800 €")
    async with run_console(tmp_path) as chat:
        for amount in amounts:
            await chat.say(f"/remember The balance of the harbour club is {amount}")
        listed = await chat.say("/memory")
        for said in ("Boris paid 80", "Boris paid 800 for the boat."):
            await chat.say(said)
        answer = await chat.say("What has Boris paid?")

    assert [amount for amount in amounts if f"is {amount}" not in listed] == []
    assert {"• Boris paid 80.", "• Boris paid 800 for the boat."} <= set(answer.splitlines())


async def test_traces_go_after_the_days_that_are_set(tmp_path: Path) -> None:
    """Those of exchanges that are gone as well; what was said itself stays.

    Mutation check: without ``trace_days`` in ``Housekeeping.tidy`` the old one stays for ninety days.
    """
    async with run_console(tmp_path, {**NO_RAG, "retention": {"traceDays": 5}}) as chat:
        for text in ("My sister Vera lives in Porto.", "My cousin Olga lives in Riga."):
            await chat.say(text)
        with closing(sqlite3.connect(tmp_path / "data" / "mneme.db")) as connection, connection:
            said = (chat.app.parts.clock.now() - timedelta(days=6)).timestamp()
            connection.execute("UPDATE exchanges SET said_at = ? WHERE user_text LIKE '%Vera%'", (said,))
            connection.execute("UPDATE exchanges SET said_at = ? WHERE user_text LIKE '%Olga%'", (said + 172_800,))
            connection.execute("INSERT INTO traces SELECT id + 1000, trace FROM traces LIMIT 1")
        before = count(tmp_path / "data", "SELECT count(*) FROM traces")
        await chat.app.parts.housekeeping.tidy()
        after = count(tmp_path / "data", "SELECT count(*) FROM traces")
        kept = count(tmp_path / "data", "SELECT count(*) FROM exchanges")

    assert (before, after, kept) == (3, 1, 2)
