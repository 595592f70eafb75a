"""The embedded memory server as a child process, with a stand-in that keeps or breaks the contract."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import psutil

from adapters.rag.process import MemoryServerProcess, ServerState, Watch, read_server_key
from harness.processes import until

_FAKE = Path(__file__).with_name("fake_process.py")
_QUICK = Watch(start_s=30, every_s=0.02, health_s=5, restart_s=0.02, restart_max_s=0.1, stop_s=0.5)


@asynccontextmanager
async def _server(folder: Path, mood: str, watch: Watch = _QUICK) -> AsyncIterator[MemoryServerProcess]:
    command = [sys.executable, "-S", str(_FAKE), mood, str(folder)]
    server = MemoryServerProcess(command, folder / "server", log=folder / "logs" / "server.log", watch=watch)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def _pids(folder: Path) -> list[int]:
    starts = folder / "starts"
    return [int(line.split()[0]) for line in starts.read_text().splitlines()] if starts.exists() else []


def _started(server: MemoryServerProcess, times: int) -> bool:
    return server.starts >= times


def _alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


async def test_starting_waits_for_nothing_and_readiness_brings_an_address(tmp_path: Path) -> None:
    """``start`` returns at once without an address; once healthy there is one, and whoever asked is told."""
    called: list[str] = []
    command = [sys.executable, "-S", str(_FAKE), "good", str(tmp_path)]
    server = MemoryServerProcess(
        command, tmp_path, log=tmp_path / "server.log", watch=_QUICK, on_ready=lambda: called.append(server.url())
    )
    await server.start()
    before = (server.url(), server.state)
    ready = await server.ready(30)
    url = server.url()
    async with httpx.AsyncClient() as http:
        response = await http.get(f"{url}/health")
    await server.stop()

    assert before == ("", ServerState.STARTING)
    assert ready
    assert called == [url]
    assert response.status_code == 200
    assert (server.url(), server.state) == ("", ServerState.STOPPED)


async def test_the_key_is_kept_for_the_owner_alone_and_given_to_the_child(tmp_path: Path) -> None:
    """The key file has mode 0600, survives a restart, and the child finds the key in its environment."""
    async with _server(tmp_path, "good") as server:
        await server.ready(30)
        key = server.api_key()
    mode = stat.S_IMODE((tmp_path / "server" / "server.key").stat().st_mode)

    assert mode == 0o600
    assert len(key) >= 43
    assert read_server_key(tmp_path / "server" / "server.key") == key
    assert (tmp_path / "starts").read_text().split()[1] == key


async def test_stopping_is_graceful(tmp_path: Path) -> None:
    """The child gets SIGTERM and the time to end by itself."""
    async with _server(tmp_path, "good") as server:
        await server.ready(30)

    assert (tmp_path / "log").read_text() == "ended by itself\n"
    assert not _alive(_pids(tmp_path)[0])


async def test_a_child_that_does_not_want_to_end_is_killed(tmp_path: Path) -> None:
    """After the patience of ``stop`` comes SIGKILL."""
    async with _server(tmp_path, "stubborn") as server:
        await server.ready(30)

    assert not _alive(_pids(tmp_path)[0])
    assert not (tmp_path / "log").exists()


async def test_a_killed_child_is_started_again_at_a_new_port(tmp_path: Path) -> None:
    """A kill -9 takes the address away and brings a new one; the cause is kept."""
    async with _server(tmp_path, "good") as server:
        await server.ready(30)
        os.kill(_pids(tmp_path)[0], signal.SIGKILL)
        await until(lambda: server.starts == 2 and server.state is ServerState.READY)

        assert "code -9" in server.cause
        assert server.url()


async def test_a_hanging_child_is_replaced(tmp_path: Path) -> None:
    """A child that lives but does not answer is ended and started again."""
    attentive = replace(_QUICK, health_s=0.2, misses=2)
    async with _server(tmp_path, "hangs", attentive) as server:
        await server.ready(30)
        await until(lambda: server.starts >= 2)

        assert server.cause == "the memory server does not answer any more"
    assert not any(_alive(pid) for pid in _pids(tmp_path))


async def test_a_child_that_never_gets_ready_is_given_up_in_time(tmp_path: Path) -> None:
    """One that announces nothing, one that is never healthy, one that ends at once: tried again with growing pauses."""
    moods = (("silent", "did not start within", 0.4), ("sick", "did not start within", 0.4), ("refuses", "code 3", 30))
    for mood, cause, start_s in moods:
        folder = tmp_path / mood
        folder.mkdir()
        async with _server(folder, mood, replace(_QUICK, start_s=start_s, health_s=0.1)) as server:
            await until(partial(_started, server, 2))

            assert cause in server.cause
            assert server.url() == ""


async def test_a_command_that_does_not_exist_is_a_cause(tmp_path: Path) -> None:
    """Nothing to start is reported like a crash, without ending the bot."""
    server = MemoryServerProcess(["/no/such/program"], tmp_path, log=tmp_path / "log", watch=_QUICK)
    await server.start()
    await until(lambda: bool(server.cause))
    await server.stop()

    assert "cannot be started" in server.cause


async def test_the_child_does_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    """SIGKILL of Mneme closes the child's stdin, and that ends it.

    Mutation check: a child that ignores the end of stdin is still there.
    """
    parent = tmp_path / "parent.py"
    parent.write_text(
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from adapters.rag.process import MemoryServerProcess\n"
        "async def main():\n"
        "    folder = Path(sys.argv[2])\n"
        "    server = MemoryServerProcess(sys.argv[3:], folder, log=folder / 'server.log')\n"
        "    await server.start()\n"
        "    print(await server.ready(20), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "asyncio.run(main())\n"
    )
    root = Path(__file__).parents[3]
    child = [sys.executable, "-S", str(_FAKE), "good", str(tmp_path)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(parent), str(root), str(tmp_path), *child, stdout=asyncio.subprocess.PIPE, cwd=root
    )
    assert process.stdout is not None
    while (line := await process.stdout.readline()) != b"True\n":
        assert line, "the parent ended before its child was ready"
    pid = _pids(tmp_path)[0]
    alive_before = _alive(pid)
    process.kill()
    await process.wait()
    await until(lambda: not _alive(pid))

    assert alive_before
    assert (tmp_path / "log").read_text() == "ended by itself\n"


async def test_what_the_child_says_is_in_its_log(tmp_path: Path) -> None:
    """Both streams go to the file, which only its owner may read; a line without end cannot fill it."""
    async with _server(tmp_path, "good") as server:
        await server.ready(30)
        log = tmp_path / "logs" / "server.log"
        await until(lambda: b"stderr" in log.read_bytes())

    assert "a line that is no announcement" in log.read_text()
    assert "a line too long to log" in log.read_text()
    assert log.stat().st_size < 70_000
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
