"""``python -m benchmarks.recall.documents``: what LightRAG adds where answers stand in documents, by query mode.

Documents made from templates are posted to the workspace of a chat (the benchmark's own talk), and the bot's retrieval
is asked for what stands in them alone, and for what was said in the chat.  Per mode, without LightRAG, and with its
results unrated: the share of facts in the first 5 and 10 memories and within 1,000 tokens of the prompt, by kind of
question; recall of the chat's own questions; milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import httpx
import numpy as np
import structlog

from adapters.rag.client import LightRagClient
from benchmarks.recall.answered import prompt_cost
from benchmarks.recall.ingest import Ingested, Memory, ingest, open_memory, query
from benchmarks.recall.longterm import INSTALLATION, Running, index_all, serve, turn_key
from benchmarks.recall.reading import PRODUCT, Source
from bot.memory.items import Recalled
from bot.memory.ranking.fusion import TopicOptions
from bot.ports.rag import QueryMode
from bot.ports.recall import MemoryQuery
from harness.recall.dataset import TALKS, Conversation, load
from harness.recall.documents import Asked, DocumentSet, make_documents
from systems.s20_context_building import Retrieval

_TOKENS: Final = 1000
_FIRST: Final = (5, 10)
_POLL_S: Final = 0.2
_NOT_RATED: Final = " unrated"

WAYS: Final[Mapping[str, Source]] = {
    "rag.enabled false": Source(),
    **{mode.value: Source(mode=mode) for mode in QueryMode},
    **{f"{mode.value}{_NOT_RATED}": Source(mode=mode) for mode in (QueryMode.NAIVE, QueryMode.HYBRID)},
    "hybrid, rag.exchanges true": Source(mode=QueryMode.HYBRID, options=replace(PRODUCT, exchanges=True)),
}


def main() -> int:
    """Print one JSON line per way of asking."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.documents", description=__doc__)
    parser.add_argument("--server", type=Path, help="folder that keeps the filled memory server for the next run")
    parser.add_argument("--every", type=int, default=1, help="ask every n-th question only")
    options = parser.parse_args()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    with tempfile.TemporaryDirectory(prefix="mneme-documents-") as folder:
        asyncio.run(_measured(Path(folder), options.server or Path(folder) / "server", options.every))
    return 0


async def _measured(folder: Path, server_folder: Path, every: int) -> None:
    (talk,), _ = load(TALKS / "en.json")
    made = make_documents()
    asked = made.questions[::every]
    async with open_memory(folder / "data") as memory, serve(server_folder, folder / "model") as running:
        done = await ingest(memory, talk, 0)
        await index_all(running.client, done.exchanges)
        await post_documents(running, done, made)
        for title, source in WAYS.items():
            retrieval = _retrieval(memory, running.client, source, rated=not title.endswith(_NOT_RATED))
            print(json.dumps({"way": title, **await _ask_all(retrieval, talk, done, asked)}), flush=True)


async def post_documents(running: Running, done: Ingested, made: DocumentSet) -> None:
    """Return once every document is indexed in the workspace of the chat; those that are there already stay."""
    headers = {"X-API-Key": running.key, "LIGHTRAG-WORKSPACE": INSTALLATION.workspace(done.scope)}
    async with httpx.AsyncClient(base_url=running.url, headers=headers, timeout=60) as http:
        for name, text in made.documents.items():
            answer = await http.post("/documents/text", json={"text": text, "file_source": name})
            if answer.status_code != httpx.codes.CONFLICT:
                answer.raise_for_status()
        while True:
            counts = (await http.get("/documents/status_counts")).json()["status_counts"]
            if not sum(counts.get(status, 0) for status in ("pending", "processing", "PENDING", "PROCESSING")):
                return
            await asyncio.sleep(_POLL_S)


def _retrieval(memory: Memory, client: LightRagClient, source: Source, *, rated: bool) -> Retrieval:
    return Retrieval(
        recall=memory.recall,
        items=None,
        rag=client if source.mode else None,
        mode=source.mode or QueryMode.NAIVE,
        options=replace(source.options, rag_topics=TopicOptions()),
        rater=memory.recall if rated else None,
    )


async def _ask_all(
    retrieval: Retrieval, talk: Conversation, done: Ingested, asked: Sequence[Asked]
) -> dict[str, object]:
    shares: dict[str, list[float]] = defaultdict(list)
    times: list[float] = []
    about = query(done, talk, talk.questions[0])
    for question in asked:
        found = await _timed(retrieval, done, replace(about, text=question.text), times)
        for name, kept in _fronts(found, talk).items():
            shares[f"{question.kind} {name}"].append(_share(question.facts, kept))
    said: list[float] = []
    for labelled in talk.questions:
        found = await _timed(retrieval, done, query(done, talk, labelled), times)
        first = {done.turns.get(turn_key(memory)) for memory in found[: _FIRST[-1]]}
        said.append(len(first & set(labelled.evidence)) / len(labelled.evidence))
    figures = {name: round(100 * float(np.mean(values)), 1) for name, values in shares.items()}
    return {**figures, "chat@10": round(100 * float(np.mean(said)), 1), "ms": round(float(np.median(times)), 1)}


async def _timed(retrieval: Retrieval, done: Ingested, asked: MemoryQuery, times: list[float]) -> tuple[Recalled, ...]:
    start = time.perf_counter()
    found = (await retrieval(done.scope, asked)).relevant
    times.append(1000 * (time.perf_counter() - start))
    return found


def _fronts(found: tuple[Recalled, ...], talk: Conversation) -> dict[str, tuple[Recalled, ...]]:
    spent = np.cumsum([prompt_cost(memory, talk) for memory in found]) if found else np.zeros(0)
    within = found[: int(np.searchsorted(spent, _TOKENS, side="right"))]
    return {**{f"@{most}": found[:most] for most in _FIRST}, f"{_TOKENS} tokens": within}


def _share(facts: tuple[str, ...], kept: tuple[Recalled, ...]) -> float:
    return sum(any(fact in memory.text for memory in kept) for fact in facts) / len(facts)


if __name__ == "__main__":
    sys.exit(main())
