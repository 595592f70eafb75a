"""The data folder: one Mneme at a time, and trouble with it is said in a sentence."""

from __future__ import annotations

import asyncio

from harness.processes import Home, chat, reported, running


async def test_a_second_mneme_is_refused_and_check_asks_the_first(home: Home) -> None:
    """Two on one folder would answer everything twice: the second names the first and ends; `check` works beside it."""
    home.configure({})
    async with running(home, "chat", "--plain") as first:
        answer = await first.say("My sister Vera lives in Porto.")
        await first.memory_server()
        places = {"MNEME_PREFERENCES": str(home.preferences)}
        second = await asyncio.to_thread(chat, home.data, environment=places)
        report = await reported(home, "check")
        left = await first.leave()

    assert "Porto" in answer
    assert second.code == 1
    assert f"another Mneme (process {first.pid})" in second.errors
    assert "Traceback" not in second.errors
    assert report["lightrag"]["state"] == "ok"
    assert left == 0
