"""Settings changed while Mneme runs: their effect, and what is said of one that waits for a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

from bot.compose.health import list_health_lines, run_check
from bot.config.schema import Settings
from bot.memory.scope import Scope
from bot.ports.rag import QueryMode
from bot.runtime.installation import list_waiting_settings, only_mneme, record_start
from bot.runtime.long_term_memory import LongTermMemory
from harness.application import NO_RAG, console_message, make_folders, run_console

Json = dict[str, Any]  # Any: settings as JSON
SERVER = "http://rag.test"
TOKEN = "42:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

pytestmark = pytest.mark.usefixtures("forked_servers")


def _rag(**settings: object) -> Json:
    return {"rag": {"url": SERVER, "indexMinLength": 0, **settings}, "memory": {"scopeDirect": "chat"}}


def list_servers() -> list[BaseProcess]:
    """Return the memory servers that run."""
    return [each for each in active_children() if each.name.startswith("bot.compose.memory_server ")]


async def _until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not done():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


@pytest.fixture
def server(respx_mock: respx.Router) -> respx.Router:
    """A memory server of ours that finds nothing."""
    respx_mock.get(f"{SERVER}/health").respond(json={"status": "healthy", "mneme": {}})
    respx_mock.post(f"{SERVER}/query/data").respond(json={"status": "success", "data": {}, "metadata": {}})
    respx_mock.route(host="rag.test").respond(404)
    return respx_mock


async def test_the_cache_can_be_switched_off(tmp_path: Path, server: respx.Router) -> None:
    """``rag.cacheSeconds``: an answer that was kept is not given again once nothing may be kept."""
    asked = server.routes[1]
    async with run_console(tmp_path, _rag(cacheSeconds=600)) as chat:
        longterm = chat.app.parts.longterm
        for _ in range(2):
            await longterm.query(Scope("cc1"), "Where does Vera live?", QueryMode.MIX, deadline_s=10)
        kept = asked.call_count
        chat.configure(_rag(cacheSeconds=0))
        await longterm.query(Scope("cc1"), "Where does Vera live?", QueryMode.MIX, deadline_s=10)

    assert (kept, asked.call_count) == (1, 2)


async def test_more_workers_take_up_what_waits(tmp_path: Path, server: respx.Router) -> None:
    """``rag.indexWorkers``: with one, one chat's document is under way; with three, those of all three."""
    under_way: set[str] = set()

    async def hang(request: httpx.Request) -> httpx.Response:
        under_way.add(request.headers["LIGHTRAG-WORKSPACE"])
        await asyncio.Event().wait()
        raise AssertionError

    server.routes.clear()
    server.get(f"{SERVER}/health").respond(json={"status": "healthy", "mneme": {}})
    server.post(f"{SERVER}/documents/text").mock(side_effect=hang)
    server.route(host="rag.test").respond(404)
    async with run_console(tmp_path, _rag(indexWorkers=1, timeoutSeconds=600)) as chat:
        for number in range(1, 4):
            await chat.app.accept(
                console_message(f"My locker code number {number} is {number}-G0.", number, chat=number)
            )
        await chat.app.answered()
        await _until(lambda: bool(under_way))
        with_one = len(under_way)
        chat.configure(_rag(indexWorkers=3, timeoutSeconds=600))
        await _until(lambda: len(under_way) == 3)

    assert with_one == 1


async def test_the_log_follows_its_level(tmp_path: Path) -> None:
    """``log.level``: lines of less importance appear, and stop."""
    log = tmp_path / "log"
    async with run_console(tmp_path, {**NO_RAG, "log": {"level": "info"}}, log=log) as chat:
        chat.configure({**NO_RAG, "log": {"level": "error"}})
        await chat.say("hello")
        quiet = log.read_text(encoding="utf-8").count('"event": "turn"')
        chat.configure({**NO_RAG, "log": {"level": "info"}})
        await chat.say("hello again")

    assert quiet == 0
    assert log.read_text(encoding="utf-8").count('"event": "turn"') == 1


@pytest.mark.server
async def test_the_embedded_server_is_started_again_with_its_new_settings(tmp_path: Path) -> None:
    """``rag.embedded``: the child that runs is replaced; what has nothing to do with it leaves it alone."""
    settings: Json = {"rag": {"embedded": {"openWorkspaces": 5}}}
    async with run_console(tmp_path, {"rag": {"embedded": {}}}) as chat:
        chat.app.parts.longterm.start()
        assert await chat.app.parts.longterm.ready(240)
        (first,) = list_servers()
        chat.configure({"language": "ru"})
        await asyncio.sleep(0.2)
        (same,) = list_servers()
        chat.configure(settings)
        await _until(lambda: (now := list_servers()) != [] and now != [first])
        assert await chat.app.parts.longterm.ready(240)
        (second,) = list_servers()

    assert first is same
    assert "--open-workspaces 5" in second.name


@pytest.mark.server
async def test_the_embedded_server_starts_when_it_is_needed(tmp_path: Path, model_dir: Path) -> None:
    """Not with Mneme: with the first text to index, and after a restart with the first question to what it holds."""
    (tmp_path / "models").symlink_to(model_dir)
    running: list[int] = []

    async def look(longterm: LongTermMemory) -> None:
        assert await longterm.ready(240)
        running.append(len(list_servers()))

    async with run_console(tmp_path, {"rag": {"embedded": {}, "indexMinLength": 0}}) as chat:
        longterm = chat.app.parts.longterm
        await chat.say("hello")
        empty = await longterm.query(Scope("cu42"), "Where does Vera live?", QueryMode.HYBRID, deadline_s=5)
        await look(longterm)
        state = await longterm.health()
        await chat.say("My sister Vera lives in Porto and works there as a baker.")
        assert await longterm.settle(240)
        await look(longterm)
    async with run_console(tmp_path, {"rag": {"embedded": {}, "indexMinLength": 0}}) as again:
        longterm = again.app.parts.longterm
        running.append(len(list_servers()))
        await longterm.query(Scope("cu42"), "Where does Vera live?", QueryMode.HYBRID, deadline_s=5)
        await look(longterm)

    assert (empty.found, empty.note) == ((), "")
    assert state[0] == "ok"
    assert running == [0, 1, 0, 1]


async def test_a_setting_that_needs_a_restart_is_named(tmp_path: Path) -> None:
    """Once per change in the log, in ``/status`` for as long as it waits; its value is not told."""
    log = tmp_path / "log"
    async with run_console(tmp_path, NO_RAG, log=log) as chat:
        chat.app.parts.troubles["telegram"] = str  # so that nobody asks Telegram
        chat.configure({**NO_RAG, "telegram": {"token": TOKEN}, "plugins": {"subscribers": ["ear"]}})
        chat.configure({**NO_RAG, "telegram": {"token": TOKEN}, "plugins": {"subscribers": ["ear"]}, "language": "en"})
        config = (await list_health_lines(chat.app.parts))[0]
        chat.configure(NO_RAG)
        after = (await list_health_lines(chat.app.parts))[0]
    told = [line for line in log.read_text(encoding="utf-8").splitlines() if "next start" in line]

    assert config.state == "ok"
    assert config.reason == "takes effect at the next start: telegram.token, plugins.subscribers"
    assert after.reason == ""
    assert [json.loads(line)["event"] for line in told] == [config.reason]
    assert TOKEN not in log.read_text(encoding="utf-8")


def test_another_process_sees_what_is_not_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``mneme check`` compares the disk with what was started, ``.env`` included; only hashes are kept."""
    monkeypatch.chdir(tmp_path)
    for name in ("TELEGRAM_TOKEN", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    folders = make_folders(tmp_path, NO_RAG)
    begun = Settings.model_validate({"telegram": {"token": TOKEN}})
    (tmp_path / ".env").write_text("LLM_MODEL=one\n", encoding="utf-8")
    record_start(folders, begun)
    at_start = list_waiting_settings(folders, begun)
    (tmp_path / ".env").write_text("LLM_MODEL=two\n", encoding="utf-8")
    later = list_waiting_settings(
        folders, Settings.model_validate({"telegram": {"token": "43:B", "strangers": "answer"}})
    )
    kept = folders.data / "state" / "started.json"

    assert at_start == ()
    assert later == ("telegram.token", "LLM_MODEL (.env)")
    assert TOKEN not in kept.read_text(encoding="utf-8")
    assert kept.stat().st_mode & 0o077 == 0


def test_a_variable_that_the_shell_lacks_is_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service is given its token in its environment, whoever runs ``mneme check`` is not."""
    folders = make_folders(tmp_path, NO_RAG)
    monkeypatch.setenv("TELEGRAM_TOKEN", TOKEN)
    record_start(folders, Settings.model_validate({"telegram": {"token": TOKEN}}))
    monkeypatch.delenv("TELEGRAM_TOKEN")

    assert list_waiting_settings(folders, Settings()) == ()


def test_a_damaged_note_says_nothing(tmp_path: Path) -> None:
    """What cannot be compared is no change."""
    folders = make_folders(tmp_path, NO_RAG)
    (folders.data / "state" / "started.json").write_text('{"key": [', encoding="utf-8")

    assert list_waiting_settings(folders, Settings()) == ()


async def test_check_names_what_waits_for_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While another Mneme runs on the folder; without one everything is read at the next start anyway."""
    monkeypatch.delenv("TELEGRAM_TOKEN", raising=False)
    folders = make_folders(tmp_path, {**NO_RAG, "plugins": {"subscribers": ["ear"]}})
    record_start(folders, Settings.model_validate(NO_RAG))
    with only_mneme(folders):
        await run_check(folders, as_json=True)
    checked = json.loads(capsys.readouterr().out)
    while_running = checked["config"]
    await run_check(folders, as_json=True)
    alone = json.loads(capsys.readouterr().out)["config"]

    assert while_running == {"state": "ok", "reason": "takes effect at the next start: plugins.subscribers"}
    assert alone == {"state": "ok", "reason": ""}
    assert checked["plug-ins"] == {"state": "degraded", "reason": "not loaded: plugins.subscribers ear"}
