"""A stock LightRAG server has one workspace for all: a second chat is kept out of it, and told so."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from bot.compose.health import list_health_lines
from bot.config.folders import Folders
from bot.memory.scope import Scope
from harness.application import make_folders, run_console
from harness.fakes.lightrag import FakeLightRag
from harness.processes import chat, until

FACT = "The code of the garage is {}, my sister Vera knows it too."
NOTICE = "belongs to another chat"


async def test_a_second_chat_is_told_once_and_the_check_says_it(tmp_path: Path) -> None:
    """The first chat's memory goes in; the second's waits, with one sentence, and does not hold up the first's.

    Mutation check: without the early end of ``settle`` this takes a minute, without ``refused`` nobody is told.
    """
    async with FakeLightRag(ours=False) as fake:
        settings = {"rag": {"url": fake.url, "apiKey": "secret"}}
        async with run_console(tmp_path / "one", settings) as here:
            first = await here.say(FACT.format("ALPHA7"))
            assert await here.app.parts.longterm.settle(240)
        _taken(make_folders(tmp_path / "two", settings))
        async with run_console(tmp_path / "two", settings) as here:
            longterm = here.app.parts.longterm
            await until(lambda: longterm.kept_in_one)
            second = await here.say(FACT.format("BRAVO9"))
            settled = await asyncio.wait_for(longterm.settle(600), 120)
            refusal = longterm.refusal
            third = await here.say(FACT.format("CHARLIE5"))
            (line,) = [line for line in await list_health_lines(here.app.parts) if line.part == "lightrag"]
            here.configure({"rag": settings["rag"] | {"sharedWorkspace": True}})
            after = await longterm.settle(240)
            (well,) = [line for line in await list_health_lines(here.app.parts) if line.part == "lightrag"]

    assert (NOTICE in first, NOTICE in second, NOTICE in third) == (False, True, False)
    assert not settled
    assert "rag.sharedWorkspace" in refusal
    assert (line.state, "already holds another chat" in line.reason) == ("degraded", True)
    assert after
    assert well.state == "ok"


async def test_settling_a_refused_chat_ends_at_once_with_the_reason(tmp_path: Path) -> None:
    """``mneme chat --plain --settle`` does not wait five minutes for what will not come."""
    async with FakeLightRag(ours=False) as fake:
        folders = make_folders(tmp_path, {"rag": {"url": fake.url, "apiKey": "secret"}})
        _taken(folders)
        environment = {"MNEME_PREFERENCES": str(folders.preferences)}
        talk = partial(chat, folders.data, FACT.format("ALPHA7"), settle=True, environment=environment)
        told = await asyncio.to_thread(talk)

    assert told.code == 0, told.errors
    assert NOTICE in told.answers[0]
    assert "already holds another chat" in told.errors


def _taken(folders: Folders) -> None:
    """Let another chat have been the first."""
    (folders.data / "state" / "stock-server-scope").write_text(Scope("tu7").tag, encoding="utf-8")
