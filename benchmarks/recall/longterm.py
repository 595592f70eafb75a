"""Long-term memory as the product uses it: a real memory server process, asked through its REST client."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from adapters.rag.client import LightRagClient
from adapters.rag.process import MemoryServerProcess
from adapters.rag.query import QuerySize
from adapters.rag.transport import ServerNames
from bot.errors import MemoryUnavailable
from bot.memory.items import Channel, Recalled
from bot.memory.scope import Installation
from bot.ports.rag import IndexOutcome
from bot.turn import Exchange, IndexDocument

_AT_ONCE: Final = 16
_POLL_S: Final = 0.05
_START_S: Final = 120.0
_CHUNKS: Final = 60
_ENTITIES: Final = 60
INSTALLATION: Final = Installation("recallbenchmark0")


@dataclass(frozen=True, slots=True)
class Running:
    """A memory server that runs: its client, its address and its key."""

    client: LightRagClient
    url: str
    key: str


@asynccontextmanager
async def server(folder: Path, models: Path) -> AsyncIterator[LightRagClient]:
    """Start a memory server with its data in ``folder``, return its client, and stop it afterwards."""
    async with serve(folder, models) as running:
        yield running.client


@asynccontextmanager
async def serve(folder: Path, models: Path) -> AsyncIterator[Running]:
    """Start a memory server with its data in ``folder`` and stop it afterwards."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    command = (sys.executable, "-m", "bot", "memory-server", "--data", str(folder), "--models", str(models))
    environment = dict(os.environ)
    child = MemoryServerProcess(
        (*command, "--port", "0", "--child"), folder, log=folder / "server.log", environment=environment
    )
    client = LightRagClient(
        child.url,
        child.api_key,
        names=ServerNames(INSTALLATION),
        size=lambda: QuerySize(top_k=_ENTITIES, chunk_top_k=_CHUNKS),
        index_timeout_s=lambda: 60.0,
        cache_ttl_s=lambda: 0.001,
    )
    await child.start()
    try:
        async with asyncio.timeout(_START_S):
            while not child.url():  # noqa: ASYNC110 - the process has no event to wait for
                await asyncio.sleep(_POLL_S)
        yield Running(client, child.url(), child.api_key())
    finally:
        await client.close()
        await child.stop()


async def index_all(client: LightRagClient, exchanges: Sequence[Exchange]) -> None:
    """Return once every exchange is a processed document."""
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(exchange: Exchange) -> None:
        async with room:
            while await _step(client, exchange) is not IndexOutcome.PROCESSED:  # noqa: ASYNC110 - a server
                await asyncio.sleep(_POLL_S)

    async with asyncio.TaskGroup() as group:
        for exchange in exchanges:
            group.create_task(one(exchange))


async def _step(client: LightRagClient, exchange: Exchange) -> IndexOutcome:
    """Bring a document nearer; a server too busy to answer is asked again, as the bot's indexer does."""
    try:
        return await client.index(IndexDocument.from_exchange(exchange))
    except MemoryUnavailable as error:
        structlog.get_logger().warning("indexing waits", cause=str(error))
        return IndexOutcome.WAITING


def turn_key(memory: Recalled) -> str:
    """Return the key of the turn behind a memory of either channel, "" for one that stands for no single turn."""
    if memory.channel is Channel.TURN:
        return memory.key
    return f"turn:{memory.exchange}:{memory.role or 'user'}" if memory.exchange else ""
