"""Settings act where they should, live, without losing a turn."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

from bot.compose.building import open_parts
from bot.memory.items import Channel
from bot.memory.scope import Scope
from bot.ports.rag import QueryMode
from bot.runtime.installation import load_live_settings
from bot.turn import StopSignal, Turn
from harness.application import NO_RAG, ConsoleChat, console_message, make_folders, run_console
from harness.samples import WordEmbedder

OFF: dict[str, Any] = {**NO_RAG, "memory": {"enabled": False}}  # Any: settings as JSON


async def test_memory_off_and_on_again_between_turns(tmp_path: Path) -> None:
    """Off, nothing is known and nothing is kept; on again, what was said before is there."""
    async with run_console(tmp_path) as chat:
        await chat.say("My sister Vera lives in Porto.")
        chat.configure(OFF)
        while_off = await chat.say("Where does my sister live?")
        await chat.say("My brother Tom lives in Oslo.")
        chat.configure(NO_RAG)
        on_again = await chat.say("Where does my sister live?")
        unknown = await chat.say("Where does my brother live?")

    assert "Porto" not in while_off
    assert "Porto" in on_again
    assert "Oslo" not in unknown


async def test_a_running_turn_keeps_its_pipeline(tmp_path: Path) -> None:
    """Settings that change in mid-turn make a new pipeline; the turn that runs is finished by its own."""
    async with run_console(tmp_path) as chat:
        seen: list[str] = []
        entered, go_on = asyncio.Event(), asyncio.Event()
        _hold_first_turn(chat, seen, entered, go_on)
        asked = asyncio.create_task(chat.say("hello"))
        await entered.wait()
        chat.configure({**NO_RAG, "language": "ru"})
        go_on.set()
        await asked
        after = await chat.say("/help")

    assert seen == ["held"]
    assert any("а" <= letter <= "я" for letter in after)


def _hold_first_turn(chat: ConsoleChat, seen: list[str], entered: asyncio.Event, go_on: asyncio.Event) -> None:
    pipeline = chat.app._pipeline

    async def held(accepted: tuple[Any, ...], stop: StopSignal) -> Turn | None:
        entered.set()
        await go_on.wait()
        await pipeline(accepted, stop)
        seen.append("held")
        return None

    chat.app._pipeline = held  # type: ignore[assignment]  # a pipeline that can be held


async def test_a_syntax_error_changes_nothing(tmp_path: Path) -> None:
    """The last good settings stay in force, and the error says where."""
    async with run_console(tmp_path) as chat:
        chat.config.write_text('{"rag": {"enabled": false,}}', encoding="utf-8")
        chat.app.parts.settings.reload()
        answer = await chat.say("My sister Vera lives in Porto.")
        problem = chat.app.parts.settings.problem

    assert answer
    assert "1:" in str(problem)


async def test_the_clock_tells_the_configured_zone_at_once(tmp_path: Path) -> None:
    """``timeZone`` decides what "today" means."""
    async with run_console(tmp_path, {**NO_RAG, "timeZone": "Asia/Tokyo"}) as chat:
        tokyo = chat.app.parts.clock.now().utcoffset()
        chat.configure({**NO_RAG, "timeZone": "America/Lima"})
        lima = chat.app.parts.clock.now().utcoffset()

    assert (tokyo, lima) == (timedelta(hours=9), timedelta(hours=-5))


@pytest.mark.parametrize("relations", [True, False])
async def test_relations_stay_out_when_they_are_switched_off(
    tmp_path: Path, respx_mock: respx.Router, *, relations: bool
) -> None:
    """``rag.relations`` false drops them from what LightRAG found, and from its count of characters."""
    source = "conv_20260207_133015_cu42_z.txt"
    data = {
        "chunks": [{"content": "Vera lives in Porto.", "file_path": source, "chunk_id": "c1"}],
        "entities": [],
        "relationships": [
            {"src_id": "Vera", "tgt_id": "Porto", "description": "Vera lives in Porto", "file_path": source}
        ],
    }
    respx_mock.get("http://rag.test/health").mock(
        return_value=httpx.Response(200, json={"status": "healthy", "mneme": {}})
    )
    respx_mock.post("http://rag.test/query/data").mock(
        return_value=httpx.Response(200, json={"status": "success", "data": data, "metadata": {}})
    )
    folders = make_folders(
        tmp_path, {"rag": {"url": "http://rag.test", "relations": relations, "sharedWorkspace": True}}
    )
    parts = await open_parts(folders, load_live_settings(folders), embedder=WordEmbedder())
    try:
        answer = await parts.longterm.query(Scope("cu42"), "Where does Vera live?", QueryMode.HYBRID, deadline_s=5)
    finally:
        await parts.longterm.client.close()
        await parts.close()

    assert (Channel.RELATION in {memory.channel for memory in answer.found}) == relations
    assert answer.chars == sum(len(memory.text) for memory in answer.found) > 0


async def test_the_embedded_server_gets_its_settings(tmp_path: Path) -> None:
    """Port and number of open workspaces stand in the child's command line."""
    folders = make_folders(tmp_path, {"rag": {"enabled": False, "embedded": {"port": 9999, "openWorkspaces": 5}}})
    parts = await open_parts(folders, load_live_settings(folders), embedder=WordEmbedder())
    command = " ".join(parts.longterm._child._command)
    await parts.close()

    assert "--port 9999" in command
    assert "--open-workspaces 5" in command


async def test_a_message_is_answered_by_the_settings_of_its_time(tmp_path: Path) -> None:
    """Editing the file while messages come in loses none of them."""
    async with run_console(tmp_path) as chat:
        for number in range(20):
            await chat.app.accept(console_message(f"My locker code number {number} is {number}-G0.", 1000 + number))
            chat.configure({**NO_RAG, "session": {"historyExchanges": 1 + number}})
        await chat.app.answered()

    assert len(chat.messenger.answers) == 20
