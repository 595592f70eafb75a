"""P8 across installations: two bots on one memory server are strangers, also where their tags are the same."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from adapters.rag.process import MemoryServerProcess
from bot.memory.document import render_document, source_name
from bot.memory.scope import Scope
from bot.ports.rag import IndexOutcome, QueryMode
from bot.turn import IndexDocument
from harness.application import RunningChats, run_chats
from harness.fakes.lightrag import FakeLightRag
from harness.samples import WordEmbedder

TERMINAL, FAMILY, PERSON = Scope("cu1"), Scope("s_family"), Scope("tu1000")
_AT = datetime(2026, 2, 7, 13, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("forked_servers")


@asynccontextmanager
async def _server(folder: Path) -> AsyncIterator[tuple[str, str]]:
    command = (sys.executable, "-m", "bot", "memory-server", "--data", str(folder / "server"), "--child")
    server = MemoryServerProcess(command, folder / "server", log=folder / "server.log")
    await server.start()
    try:
        assert await server.ready(240), server.cause
        yield server.url(), server.api_key()
    finally:
        await server.stop()


def _said(scope: Scope, secret: str, uid: str = "x1") -> IndexDocument:
    """Return an exchange: both bots' first one, at the same second, has the same name."""
    words = f"The code of the garage is {secret}, my sister Vera knows it too."
    text = render_document(
        tag=scope.tag, uid=uid, said_at=_AT, skill="", author_name="Anna", user_text=words, assistant_text="Noted."
    )
    return IndexDocument(scope, source_name(_AT, scope.tag, uid), text)


async def _until(step: Callable[[], Awaitable[object]], wanted: object) -> None:
    async with asyncio.timeout(60):
        while await step() != wanted:  # noqa: ASYNC110 - the other side is a server
            await asyncio.sleep(0.02)


async def _indexed(bot: RunningChats, document: IndexDocument) -> None:
    await _until(lambda: bot.parts.longterm.index(document), IndexOutcome.PROCESSED)


async def _asked(bot: RunningChats, scope: Scope) -> str:
    question = "What is the code of the garage that Vera knows?"
    found = [await bot.parts.longterm.query(scope, question, mode, deadline_s=20) for mode in QueryMode]
    return " ".join(memory.text for answer in found for memory in answer.found)


async def _dropped(bot: RunningChats, scope: Scope) -> None:
    await _until(lambda: bot.parts.longterm.erase_scope(scope), True)


async def _strangers(folder: Path, url: str, key: str, scopes: tuple[Scope, ...]) -> None:
    settings = {"rag": {"url": url, "apiKey": key, "sharedWorkspace": True}}
    async with (
        run_chats(folder / "one", settings, WordEmbedder()) as one,
        run_chats(folder / "two", settings, WordEmbedder()) as two,
    ):
        for scope in scopes:
            await _indexed(one, _said(scope, "ALPHA7"))
            await _indexed(two, _said(scope, "BRAVO9"))
            heard = await _asked(one, scope), await _asked(two, scope)
            await _dropped(two, scope)
            after = await _asked(one, scope), await _asked(two, scope)

            assert ["ALPHA7" in text for text in heard] == [True, False], scope
            assert ["BRAVO9" in text for text in heard] == [False, True], scope
            assert ["ALPHA7" in text for text in after] == [True, False], scope
            assert "BRAVO9" not in "".join(after), scope


@pytest.mark.server
async def test_two_bots_on_one_memory_server_are_strangers(tmp_path: Path) -> None:
    """Two data folders, one server process: what one was told the other never hears, and never erases.

    The terminal's scope, a shared one and the same Telegram person.
    Mutation check: with workspaces named by the tag alone, the second bot reads the first one's code and drops it.
    """
    async with _server(tmp_path) as (url, key):
        await _strangers(tmp_path, url, key, (TERMINAL, FAMILY, PERSON))


async def test_two_bots_on_one_stock_server_are_strangers(tmp_path: Path) -> None:
    """There is one workspace for all there: the names of documents keep them apart."""
    async with FakeLightRag(ours=False) as fake:
        await _strangers(tmp_path, fake.url, "secret", (TERMINAL, FAMILY, PERSON))


@pytest.mark.server
async def test_forgetting_everything_in_one_bot_leaves_the_other(tmp_path: Path) -> None:
    """The whole way: said to two bots by one person, forgotten by one of them; the other one's files still hold it."""
    async with _server(tmp_path) as (url, key), httpx.AsyncClient(headers={"X-API-Key": key}) as http:
        settings = {"rag": {"url": url, "apiKey": key}}
        async with (
            run_chats(tmp_path / "one", settings, WordEmbedder()) as one,
            run_chats(tmp_path / "two", settings, WordEmbedder()) as two,
        ):
            for bot, secret in ((one, "ALPHA7"), (two, "BRAVO9")):
                await bot.say(0, f"The code of the garage is {secret}, my sister Vera knows it too.")
                await bot.parts.longterm.settle(240)
            before = (await http.get(f"{url}/workspaces")).json()["workspaces"]
            await two.parts.eraser.erase_scope(PERSON)
            await two.parts.longterm.settle(240)
            after = (await http.get(f"{url}/workspaces")).json()["workspaces"]
            heard = await _asked(one, PERSON)
            names = [bot.parts.longterm.installation.workspace(PERSON) for bot in (one, two)]

    assert sorted(before) == sorted(names)
    assert after == names[:1]
    assert "ALPHA7" in heard


@pytest.mark.server
async def test_what_was_said_is_indexed_again_under_another_name(tmp_path: Path) -> None:
    """A copied folder whose name was deleted, as docs/memory-server.md says to; the first bot's workspace stays."""
    async with _server(tmp_path) as (url, key), httpx.AsyncClient(headers={"X-API-Key": key}) as http:
        settings = {"rag": {"url": url, "apiKey": key}}
        first = await _copy(tmp_path, url, key)
        async with run_chats(tmp_path / "one", settings, WordEmbedder()) as bot:
            name = bot.parts.longterm.installation.workspace(PERSON)
            async with asyncio.timeout(60):
                while "ALPHA7" not in (heard := await _asked(bot, PERSON)):  # noqa: ASYNC110 - it is a server's turn
                    await asyncio.sleep(0.1)
            await bot.parts.longterm.settle(240)
            names = (await http.get(f"{url}/workspaces")).json()["workspaces"]
            state = (await http.get(f"{url}/workspaces/{name}")).json()

    assert "ALPHA7" in heard
    assert sorted(names) == sorted([first, name])
    assert state["documents"] == {"processed": 1}


async def _copy(folder: Path, url: str, key: str) -> str:
    """Leave behind the folder of a bot without its name; return what that called the workspace."""
    async with run_chats(folder / "one", {"rag": {"url": url, "apiKey": key}}, WordEmbedder()) as bot:
        await bot.say(0, "The code of the garage is ALPHA7, my sister Vera knows it too.")
        await bot.parts.longterm.settle(240)
        forget = "DELETE FROM meta WHERE key = 'installation'"
        await bot.parts.housekeeping.database.write(lambda connection: connection.execute(forget).rowcount)
        bot.folders.installation.unlink()
        return bot.parts.longterm.installation.workspace(PERSON)
