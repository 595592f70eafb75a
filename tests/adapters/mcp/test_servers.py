"""Servers of tools as real processes: started, used, changed, killed."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from adapters.mcp.servers import McpServers
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.tickets import SqliteTickets, SqliteToolApprovals
from bot.features.tools.settings import McpSettings
from bot.ports.tool import ServerState, ToolOutcome, ToolRequest
from bot.retry import Backoff
from harness.processes import until
from harness.samples import HeldClock
from tests.adapters.mcp.tool_server import INJECTION

SECRETS = {"LLM_API_KEY": "sk-ours", "VOICE_API_KEY": "sk-heard", "TELEGRAM_TOKEN": "42:ours", "ELSEWHERE": "not named"}
WANTED = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "NOTES_KEY": "key-of-the-notes"}
QUICK = Backoff(0.05, 0.2)


def stdio(folder: Path, *options: str, **more: Any) -> dict[str, Any]:  # Any: settings as JSON
    """A server that is a child process."""
    args = ("-m", "tests.adapters.mcp.tool_server", "stdio", str(folder), *options)
    return {"name": "notes", "command": sys.executable, "args": args, "environment": ("PYTHONPATH",), **more}


@asynccontextmanager
async def serving(folder: Path, *servers: dict[str, Any]) -> AsyncIterator[McpServers]:  # Any: as above
    """Servers that have been connected to, or have failed to be; ended afterwards."""
    database = Database(folder / "mneme.db", ROOMS)
    await database.open()
    held = [McpSettings.model_validate({"servers": servers})]
    found = McpServers(
        lambda: held[0].servers,
        lambda: {**SECRETS, **WANTED},
        SqliteToolApprovals(database),
        SqliteTickets(database),
        "allow",
        HeldClock().now,
        backoff=QUICK,
    )
    running = asyncio.create_task(found.run())
    try:
        await asyncio.sleep(0)
        await asyncio.wait_for(found.settle(), 240)
        yield found
    finally:
        running.cancel()
        await asyncio.wait({running})
        await database.close()


async def call(servers: McpServers, tool: str, arguments: str = "{}") -> ToolOutcome:
    """Make a call of a tool as it is now."""
    (server,) = servers.list_servers()
    version = next(each.version for each in server.tools if each.name == tool)
    return await servers.carry_out(ToolRequest(server.name, tool, version, arguments))


async def test_a_server_is_a_child_with_no_secret_of_ours(tmp_path: Path) -> None:
    """Its tools are offered under its name, its results are text, its environment is what the settings name.

    Nothing of a call's failure is said in the server's words outside the result; the child ends with its connection.
    """
    async with serving(
        tmp_path, stdio(tmp_path, tools=("write_note", "show_environment", "draw", "talk_long", "fail"))
    ) as found:
        (server,) = found.list_servers()
        names = [tool.spec.name for tool in found.list_tools()]
        written = await call(found, "write_note", '{"name": "a", "text": "hi"}')
        variables = (await call(found, "show_environment")).text.split()
        picture = await call(found, "draw")
        long = await call(found, "talk_long", '{"size": 3000000}')
        failed = await call(found, "fail")
        wrong = await call(found, "write_note", '{"name": 3}')
        pid = int((tmp_path / "pid").read_text())
        alive = psutil.pid_exists(pid)

    assert server.state is ServerState.READY
    assert names == [f"notes__{name}" for name in ("write_note", "show_environment", "draw", "talk_long", "fail")]
    assert written == ToolOutcome("written: 2 characters")
    assert "PYTHONPATH" in variables
    assert not set(variables) & {*SECRETS, "NOTES_KEY"}
    assert picture.text.startswith("[image/png, about 72 bytes")
    assert len(long.text) < 20_100
    assert "[cut: the first 20000 of 3000000 characters]" in long.text
    assert failed.failed
    assert wrong.failed
    assert (tmp_path / "calls").read_text() == "write_note 'a' 'hi'\n"
    assert alive
    assert not psutil.pid_exists(pid)


async def test_what_a_server_says_later_is_held_until_somebody_agrees(tmp_path: Path) -> None:
    """A changed description is neither offered nor called, is told, and may be approved as it is, not as it will be.

    A question that stood open meanwhile asked for the tool as it was: its button calls nothing.
    Shown to fail with the approvals left out of what is offered, and with the version left out of ``carry_out``.
    """
    settings = stdio(tmp_path, tools=("read_note", "write_note"))
    async with serving(tmp_path, settings) as found:
        first = {tool.spec.name for tool in found.list_tools()}
        trusted = next(tool for tool in found.list_servers()[0].tools if tool.name == "read_note")
    (tmp_path / "poison").touch()
    async with serving(tmp_path, settings) as found:
        then = {tool.spec.name for tool in found.list_tools()}
        trouble = found.trouble()
        changed = next(tool for tool in found.list_servers()[0].tools if tool.name == "read_note")
        called = await found.carry_out(ToolRequest("notes", "read_note", trusted.version, '{"name": "a"}'))
        held = await found.carry_out(ToolRequest("notes", "read_note", changed.version, '{"name": "a"}'))
        guessed = await found.approve("notes", "read_note", trusted.version)
        agreed = await found.approve("notes", "read_note", changed.version)
        old = await found.carry_out(ToolRequest("notes", "read_note", trusted.version, '{"name": "a"}'))
        after = {tool.spec.name for tool in found.list_tools()}
    other = {**settings, "args": (*settings["args"], "elsewhere")}
    async with serving(tmp_path, other) as found:
        anew = {tool.spec.name for tool in found.list_tools()}

    assert first == after == anew == {"notes__read_note", "notes__write_note"}
    assert then == {"notes__write_note"}
    assert trouble == "the tool server notes changed what it says of read_note; held until you approve it: /tools"
    assert INJECTION in changed.description
    assert called.failed
    assert held.failed
    assert not (tmp_path / "calls").exists()
    assert not guessed
    assert agreed
    assert old == ToolOutcome("the tool read_note of notes is not what it was", failed=True)


async def test_a_server_that_dies_hangs_or_refuses_costs_its_call_alone(tmp_path: Path) -> None:
    """Nobody knows what a call has done that broke off; the server is started again, its tools stay offered."""
    async with serving(tmp_path, stdio(tmp_path, timeout_seconds=3.0)) as found:
        hung = await call(found, "hang")
        died = await call(found, "die")
        await until(lambda: found.list_servers()[0].state is ServerState.DOWN)
        down, offered = found.trouble(), len(found.list_tools())
        gone = await call(found, "hang")
        await until(lambda: found.list_servers()[0].state is ServerState.READY, seconds=120)
        back = await call(found, "write_note", '{"name": "a", "text": "hi"}')

    assert hung == ToolOutcome("the tool server notes did not answer within 3 seconds", unsure=True)
    assert died.unsure
    assert down == "the tool server notes cannot be reached"
    assert offered == 8
    assert gone == ToolOutcome("the tool server notes is not there now", failed=True)
    assert back == ToolOutcome("written: 2 characters")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"args": ("-c", "import sys; sys.exit('no licence for this machine')")}, "no licence for this machine"),
        ({"command": "no-such-program"}, "no-such-program cannot be started: No such file or directory"),
        ({"environment": ("NOT_SET",)}, "the environment variable NOT_SET is not set"),
        ({"environment": ("LLM_API_KEY",)}, "the variable LLM_API_KEY is a secret of Mneme's own"),
        ({"args": ("-c", "import time; time.sleep(60)"), "start_seconds": 1.0}, "it did not say in time"),
    ],
)
async def test_a_server_that_cannot_be_used_says_why(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    """In its own last words, or in ours; nobody has waited for it."""
    async with serving(tmp_path, stdio(tmp_path, **changes)) as found:
        (server,) = found.list_servers()

    assert server.state is ServerState.DOWN
    assert server.reason.startswith(reason)
    assert found.list_tools() == ()


async def test_without_what_speaks_to_servers_each_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel leaves it to an extra; all else runs."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    async with serving(tmp_path, stdio(tmp_path)) as found:
        (server,) = found.list_servers()

    assert (server.state, server.tools, found.trouble()) == (
        ServerState.DOWN,
        (),
        "the tool server notes cannot be reached",
    )
    assert "pip install 'mneme[mcp]'" in server.reason


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked in the way of Linux")
async def test_a_server_dies_with_us_however_we_die(tmp_path: Path) -> None:
    """Also one that does not look at its input.  Without the launcher it stayed behind."""
    stubborn = "import os, time, pathlib; pathlib.Path('pid').write_text(str(os.getpid())); time.sleep(600)"
    parent = textwrap.dedent(
        f"""
        import asyncio
        import sys
        from adapters.mcp.connection import open_transport
        from adapters.mcp.options import McpServer

        async def main():
            server = McpServer(name="x", command={sys.executable!r}, args=("-c", {stubborn!r}))
            async with open_transport(server, {{}}, sys.stderr, print):
                await asyncio.sleep(600)

        asyncio.run(main())
        """
    )
    environment = {**os.environ, **WANTED}
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", parent, cwd=tmp_path, env=environment)
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "", seconds=120)
    child = int((tmp_path / "pid").read_text())
    process.kill()
    await process.wait()
    await until(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE)


async def test_a_server_over_http_is_asked_with_its_header(tmp_path: Path) -> None:
    """The key comes from the environment; a server that goes away and comes back is used again.

    At first it answers by events, then by JSON.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.adapters.mcp.tool_server", "http", str(tmp_path), str(port)]
    header = {"name": "Authorization", "variable": "NOTES_KEY", "prefix": "Bearer "}
    settings = {"name": "notes", "url": f"http://127.0.0.1:{port}/mcp", "headers": (header,), "timeout_seconds": 5.0}
    environment = {**os.environ, **WANTED}
    process = await asyncio.create_subprocess_exec(*command, env=environment)
    try:
        await until(lambda: _listens(port), seconds=120)
        async with serving(tmp_path, settings) as found:
            written = await call(found, "write_note", '{"name": "a", "text": "hi"}')
            long = await call(found, "talk_long", '{"size": 17000000}')
            process.kill()
            await process.wait()
            gone = await call(found, "write_note", '{"name": "b", "text": "hi"}')
            await until(lambda: found.list_servers()[0].state is ServerState.DOWN, seconds=120)
            process = await asyncio.create_subprocess_exec(*command, "json", env=environment)
            await until(lambda: found.list_servers()[0].state is ServerState.READY, seconds=120)
            back = await call(found, "write_note", '{"name": "c", "text": "hi"}')
        async with serving(tmp_path, {**settings, "headers": ()}) as found:
            (refused,) = found.list_servers()
    finally:
        process.kill()
        await process.wait()

    assert written == back == ToolOutcome("written: 2 characters")
    assert long.unsure
    assert gone.unsure or gone.failed
    assert refused.state is ServerState.DOWN


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def test_settings_act_while_we_run(tmp_path: Path) -> None:
    """A server that is switched off is ended; its tools are offered no more."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    held = [McpSettings.model_validate({"servers": (stdio(tmp_path),)})]
    told: list[int] = []
    found = McpServers(
        lambda: held[0].servers,
        lambda: WANTED,
        SqliteToolApprovals(database),
        SqliteTickets(database),
        "allow",
        HeldClock().now,
    )
    found.changed = lambda: told.append(len(found.list_tools()))
    running = asyncio.create_task(found.run())
    await asyncio.sleep(0)
    await asyncio.wait_for(found.settle(), 240)
    pid = int((tmp_path / "pid").read_text())
    held[0] = McpSettings.model_validate({"servers": (stdio(tmp_path, enabled=False),)})
    found.settings_changed()
    await until(lambda: told[-1] == 0, seconds=120)
    alive = psutil.pid_exists(pid)
    running.cancel()
    await asyncio.wait({running})
    await database.close()

    assert 8 in told
    assert not alive
    assert found.list_servers() == ()
