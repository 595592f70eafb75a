"""Ingests conversations once and asks every question of each source and peer."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from adapters.rag.client import LightRagClient
from benchmarks.recall.answered import Answered
from benchmarks.recall.ingest import Ingested, Memory, ingest, open_memory
from benchmarks.recall.longterm import index_all, server
from benchmarks.recall.peers import Bm25, MiniLm
from benchmarks.recall.reading import SOURCES, ask
from bot.memory.helpfulness import Weights
from harness.recall.cached_rag import CachedRag
from harness.recall.dataset import Conversation, Labelled

Report = Callable[[str], None]
Ask = Callable[[Labelled], Awaitable[Answered]]


@dataclass(slots=True)
class Run:
    """Everything that a run has found and cost."""

    answered: list[Answered] = field(default_factory=list)
    turns: int = 0
    write_ms: float = 0.0
    embed_ms: float = 0.0
    longterm_ms: float = 0.0
    disk_bytes: int = 0


async def run(
    conversations: Sequence[Conversation],
    folder: Path,
    weights: Weights | None,
    report: Report,
    sources: Sequence[str] = ("local",),
    server_folder: Path | None = None,
) -> dict[str, Run]:
    """Return one run per name in ``sources``: names of :data:`SOURCES`, "bm25" or "minilm".

    ``server_folder`` keeps the memory server's data between runs: what it holds already is not indexed again.
    """
    server_folder = server_folder or folder.parent / "server"
    runs = {name: Run() for name in sources}
    async with AsyncExitStack() as stack:
        memory = await stack.enter_async_context(open_memory(folder, weights))
        chats = [
            (conversation, await _ingested(memory, conversation, number, runs, report))
            for number, conversation in enumerate(conversations)
        ]
        heard = None
        if any(name in SOURCES and SOURCES[name].mode for name in runs):
            client = await stack.enter_async_context(server(server_folder, folder.parent / "model"))
            await _feed(client, [done for _, done in chats], runs, report)
            heard = CachedRag(client)
        for name, result in runs.items():
            for conversation, done in chats:
                ask = await _asker(name, memory, heard, conversation, done)
                result.answered += [await ask(question) for question in conversation.questions]
                report(f"{name}: asked {len(conversation.questions)} questions about {conversation.name}")
        await memory.database.checkpoint()
    for result in runs.values():
        result.disk_bytes = size_of(folder) + size_of(server_folder)
    return runs


def size_of(folder: Path) -> int:
    """Return the bytes of all files below ``folder``."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


async def _ingested(
    memory: Memory, conversation: Conversation, number: int, runs: Mapping[str, Run], report: Report
) -> Ingested:
    done = await ingest(memory, conversation, number)
    for result in runs.values():
        result.turns += len(conversation.said)
        result.write_ms += done.write_ms
        result.embed_ms += done.embed_ms
    report(f"ingested {conversation.name}: {len(conversation.said)} turns")
    return done


async def _feed(client: LightRagClient, ingested: Sequence[Ingested], runs: Mapping[str, Run], report: Report) -> None:
    for done in ingested:
        start = time.perf_counter()
        await index_all(client, done.exchanges)
        for result in runs.values():
            result.longterm_ms += 1000 * (time.perf_counter() - start)
        report(f"long-term memory holds {done.scope}: {len(done.exchanges)} documents")


async def _asker(name: str, memory: Memory, heard: CachedRag | None, conversation: Conversation, done: Ingested) -> Ask:
    if name == "bm25":
        return await Bm25().ready(conversation)
    if name == "minilm":
        return await MiniLm(memory.embedder).ready(conversation)
    return partial(ask, memory, heard, SOURCES[name], conversation, done)
