"""Promise P2 on the real memory server: SIGKILLs in the middle of indexing lose nothing and double nothing."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from adapters.rag.client import LightRagClient
from adapters.rag.indexer import Indexer
from adapters.rag.process import MemoryServerProcess, Watch
from adapters.rag.transport import DocumentRecords, DocumentState, ServerNames, Transport
from bot.memory.scope import Scope
from bot.ports.rag import OutboxCounts
from harness.fakes.lightrag import INSTALLATION
from harness.processes import until
from tests.adapters.rag.fixtures import SystemClock, document
from tests.adapters.rag.memory_outbox import MemoryOutbox

_DOCUMENTS = int(os.environ.get("MNEME_REAL_DOCUMENTS", "16"))
_KILLS = int(os.environ.get("MNEME_REAL_KILLS", "1"))
_SEED = 5

pytestmark = pytest.mark.usefixtures("forked_servers")


def _reached(outbox: MemoryOutbox, closed: int, server: MemoryServerProcess) -> bool:
    return len(outbox.closed) > closed and bool(server.url())


@pytest.mark.server
async def test_a_server_that_is_killed_again_and_again_has_every_document_once(tmp_path: Path) -> None:
    """16 documents of 4 scopes, a SIGKILL of the server: all processed, none twice, all rows closed.

    ``MNEME_REAL_DOCUMENTS=500 MNEME_REAL_KILLS=20`` runs the full promise.
    """
    dice = random.Random(_SEED)
    outbox, scopes = MemoryOutbox(), [Scope(f"tu{n}") for n in range(4)]
    for number in range(_DOCUMENTS):
        outbox.put(document(scopes[number % 4], number))
    command = (sys.executable, "-m", "bot", "memory-server", "--data", str(tmp_path / "server"), "--child")
    hurry: list[Indexer] = []
    server = MemoryServerProcess(
        command,
        tmp_path / "server",
        log=tmp_path / "server.log",
        watch=Watch(restart_s=0.05, restart_max_s=0.2),
        on_ready=lambda: hurry[0].hurry(),  # noqa: PLW0108 - the indexer is made after the server
    )
    await server.start()
    client = LightRagClient(server.url, server.api_key, names=ServerNames(INSTALLATION))
    hurry.append(Indexer(outbox, client, client, SystemClock(), enabled=lambda: bool(server.url())))
    worker = asyncio.create_task(hurry[0].run())
    step = max(_DOCUMENTS // (_KILLS + 1), 1)
    for kill in range(_KILLS):
        closed = kill * step + dice.randrange(step)
        await until(partial(_reached, outbox, closed, server), seconds=120)
        assert server._child is not None
        os.kill(server._child.process.pid, signal.SIGKILL)
    settled = await hurry[0].settle(120)
    worker.cancel()
    await asyncio.gather(worker, return_exceptions=True)
    transport = Transport(server.url, server.api_key, workspace=INSTALLATION.workspace, largest=2**24, connections=2)
    records = [
        record
        for scope in scopes
        for record in await DocumentRecords(transport, ServerNames(INSTALLATION), lambda: 10).all(scope)
    ]
    await transport.close()
    await client.close()
    await server.stop()

    assert settled, f"seed {_SEED}"
    assert await outbox.counts() == OutboxCounts(waiting=0, dead=0)
    assert server.starts == _KILLS + 1
    assert len(records) == _DOCUMENTS, f"seed {_SEED}"
    assert max(Counter(record.source for record in records).values()) == 1
    assert {record.state for record in records} == {DocumentState.PROCESSED}
