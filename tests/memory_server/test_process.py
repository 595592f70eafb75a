"""A real server process: killed, orphaned, started twice."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.memory_server.kills import kill_alone
from harness.memory_server.serving import ForkedServer
from memory_server.serve import api_key

pytestmark = pytest.mark.server
SERVER = """
import asyncio, logging, sys
from pathlib import Path
import structlog
from memory_server.options import ServerOptions
from memory_server.serve import serve
from harness.samples import WordEmbedder
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
folder = Path(sys.argv[1])
asyncio.run(serve(ServerOptions(folder, "process", port=0), WordEmbedder()))
"""


async def test_nothing_acknowledged_is_lost_by_kills(tmp_path: Path) -> None:
    """After SIGKILLs at random moments every text answered with 200 is processed without help, none twice.

    The full mark is ``python -m benchmarks.memory_server kills --kills 1000``.  Mutation check: with the text committed
    after the answer (a task instead of an await in the insert route) this test is red.
    """
    tally = await kill_alone(tmp_path, kills=3, seed=11)

    assert tally.kills == 3
    assert (tally.lost, tally.double, tally.unclean) == (0, 0, 0)
    assert tally.acknowledged


async def test_the_server_ends_with_its_parent(tmp_path: Path) -> None:
    """A server that was told its parent's process id stops when that process is killed."""
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(600)")
    server = ForkedServer(tmp_path, parent_pid=parent.pid)
    await server.start()
    alive = (await server.http.get("/health")).status_code
    parent.kill()
    await parent.wait()
    await server.http.aclose()
    assert server.process is not None
    await asyncio.to_thread(server.process.join, 120)

    assert alive == 200
    assert server.process.exitcode == 0


async def test_sigterm_ends_it_cleanly_and_a_second_server_is_refused(tmp_path: Path) -> None:
    """Two servers never share a folder; SIGTERM ends with exit code 0 and an empty log file."""
    server = ForkedServer(tmp_path)
    await server.start()
    second = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVER, str(tmp_path), stderr=asyncio.subprocess.PIPE
    )
    _, complaint = await second.communicate()
    assert server.process is not None
    server.process.terminate()
    await asyncio.to_thread(server.process.join, 120)
    await server.http.aclose()

    assert server.process.exitcode == 0
    assert second.returncode
    assert b"another memory server uses" in complaint


async def test_a_client_that_sends_too_much_learns_why(tmp_path: Path) -> None:
    """A body over the limit is read to its end and refused with 413, although nobody said how long it would be.

    Mutation check: answered before the rest was read, the client sees a broken connection and this test is red.
    """

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(60):
            yield b"x" * 1_000_000

    server = ForkedServer(tmp_path)
    await server.start()
    answer = await server.http.post("/documents/text", content=pieces())
    alive = await server.http.get("/health")
    await server.kill()

    assert answer.status_code == 413
    assert "32 MB" in answer.json()["detail"]
    assert alive.status_code == 200


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    """The first start makes a key that only its owner can read; later starts find it."""
    first, second = api_key(tmp_path), api_key(tmp_path)

    assert first == second
    assert len(first) >= 32
    if os.name == "posix":
        assert (tmp_path / "api-key").stat().st_mode & 0o077 == 0
