"""The bot's retrieval compared: with one setting changed, in chats of other kinds, and where documents answer."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

import httpx
import numpy as np

from adapters.rag.client import LightRagClient
from benchmarks.recall.asking import PRODUCT, SOURCES, Source, ask, judged, prompt_cost, run, say, show
from benchmarks.recall.memory import (
    INSTALLATION,
    Ingested,
    Memory,
    Running,
    index_all,
    ingest,
    open_memory,
    query,
    serve,
    turn_key,
)
from bot.memory.items import Recalled
from bot.memory.ranking.fusion import STORE_TOPICS, TopicOptions
from bot.memory.ranking.ranking import SearchBudget
from bot.ports.memory_store import MemoryQuery
from bot.ports.rag import QueryMode
from harness.recall.cached_rag import CachedRag
from harness.recall.dataset import TALKS, TRANSFORMS, Conversation, load, together
from harness.recall.documents import Asked, DocumentSet, make_documents
from harness.recall.metrics import measure
from systems.s20_context_building import Fusion, Retrieval

_TOKENS: Final = 1000
_FIRST: Final = (5, 10)
_POLL_S: Final = 0.2
_SEED: Final = 7
_NOT_RATED: Final = " unrated"

_BUDGET: Final = 1000

_FUSED: Final = SOURCES["fused"]
_EXCHANGES: Final = replace(_FUSED, options=replace(PRODUCT, exchanges=True))
"""LightRAG is asked for what was said as well; these conversations have no documents."""

SWITCHES: Final[Mapping[str, Source]] = {
    "as it is": _FUSED,
    "rag.enabled false": SOURCES["local"],
    "memory.recallEnabled false": replace(_FUSED, local=False),
    **{f"rag.exchanges, {mode.value}": replace(_EXCHANGES, mode=mode) for mode in QueryMode},
    "rag.exchanges, rag.rerank.topK 0": replace(_EXCHANGES, options=replace(_EXCHANGES.options, top_k=0)),
    "recall.fusion rank": replace(_FUSED, options=replace(PRODUCT, fusion=Fusion.RANK)),
    "recall.search 0, 400": replace(_FUSED, options=replace(PRODUCT, budget=SearchBudget(0, 400))),
    "recall.search 0, 50": replace(_FUSED, options=replace(PRODUCT, budget=SearchBudget(0, 50))),
    "recall.distinct": replace(_FUSED, options=replace(PRODUCT, distinct=True)),
    "recall.diversity 0.2": replace(_FUSED, options=replace(PRODUCT, diversity=0.2)),
    "recall.diversity 0.5": replace(_FUSED, options=replace(PRODUCT, diversity=0.5)),
    "recall.compression extractive": replace(_FUSED, options=replace(PRODUCT, compress=True, budget_tokens=_BUDGET)),
}
TOPICS: Final[Mapping[str, Source]] = {
    "three questions": _FUSED,
    "three questions, recall.topics off": replace(_FUSED, options=replace(PRODUCT, store_topics=None, rag_topics=None)),
    "three questions, rag.enabled false": SOURCES["local"],
    "three questions, rag.enabled false, recall.topics.whole": Source(
        options=replace(PRODUCT, store_topics=replace(STORE_TOPICS, whole=True))
    ),
    "three questions, rag.enabled false, recall.topics off": Source(options=replace(PRODUCT, store_topics=None)),
}
WAYS: Final[Mapping[str, Source]] = {
    "rag.enabled false": Source(),
    **{mode.value: Source(mode=mode) for mode in QueryMode},
    **{f"{mode.value}{_NOT_RATED}": Source(mode=mode) for mode in (QueryMode.NAIVE, QueryMode.HYBRID)},
    "hybrid, rag.exchanges true": Source(mode=QueryMode.HYBRID, options=replace(PRODUCT, exchanges=True)),
}


async def compare_documents(folder: Path, server_folder: Path | None = None, every: int = 1) -> None:
    """Print one JSON line per way of asking: what LightRAG adds where answers stand in documents, by query mode.

    Documents made from templates are posted to the workspace of a chat (the benchmark's own talk), and the bot's
    retrieval is asked for what stands in them alone, and for what was said in the chat.  Per mode, without LightRAG,
    and with its results unrated: the share of facts in the first 5 and 10 memories and within 1,000 tokens of the
    prompt, by kind of question; recall of the chat's own questions; milliseconds.
    """
    (talk,), _ = load(TALKS / "en.json")
    made = make_documents()
    asked = made.questions[::every]
    async with (
        open_memory(folder / "data") as memory,
        serve(server_folder or folder / "server", folder / "model") as running,
    ):
        done = await ingest(memory, talk, 0)
        await index_all(running.client, done.exchanges)
        await _post_documents(running, done, made)
        for title, source in WAYS.items():
            retrieval = _retrieval(memory, running.client, source, rated=not title.endswith(_NOT_RATED))
            print(json.dumps({"way": title, **await _ask_all(retrieval, talk, done, asked)}), flush=True)


async def _post_documents(running: Running, done: Ingested, made: DocumentSet) -> None:
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
    about = query(done, talk.questions[0])
    for question in asked:
        found = await _timed(retrieval, done, replace(about, text=question.text), times)
        for name, kept in _fronts(found, done.now).items():
            shares[f"{question.kind} {name}"].append(_share(question.facts, kept))
    said: list[float] = []
    for labelled in talk.questions:
        found = await _timed(retrieval, done, query(done, labelled), times)
        first = {done.turns.get(turn_key(memory)) for memory in found[: _FIRST[-1]]}
        said.append(len(first & set(labelled.evidence)) / len(labelled.evidence))
    figures = {name: round(100 * float(np.mean(values)), 1) for name, values in shares.items()}
    return {**figures, "chat@10": round(100 * float(np.mean(said)), 1), "ms": round(float(np.median(times)), 1)}


async def _timed(retrieval: Retrieval, done: Ingested, asked: MemoryQuery, times: list[float]) -> tuple[Recalled, ...]:
    start = time.perf_counter()
    found = (await retrieval(done.scope, asked)).relevant
    times.append(1000 * (time.perf_counter() - start))
    return found


def _fronts(found: tuple[Recalled, ...], now: datetime) -> dict[str, tuple[Recalled, ...]]:
    spent = np.cumsum([prompt_cost(memory, now) for memory in found]) if found else np.zeros(0)
    within = found[: int(np.searchsorted(spent, _TOKENS, side="right"))]
    return {**{f"@{most}": found[:most] for most in _FIRST}, f"{_TOKENS} tokens": within}


def _share(facts: tuple[str, ...], kept: tuple[Recalled, ...]) -> float:
    return sum(any(fact in memory.text for memory in kept) for fact in facts) / len(facts)


async def compare_switches(conversations: Sequence[Conversation], folder: Path, server_folder: Path | None) -> None:
    """Print one JSON line per switch of the read path, the whole first, then differences from it.

    LightRAG is asked once per question, so that all lines choose from the same.  Messages about several things are
    three questions of one conversation in one message: their evidence is that of all three.
    """
    server_folder = server_folder or folder / "server"
    async with open_memory(folder / "data") as memory, serve(server_folder, folder / "model") as running:
        chats = [await ingest(memory, conversation, number) for number, conversation in enumerate(conversations)]
        for chat in chats:
            await index_all(running.client, chat.exchanges)
            say(f"long-term memory holds {chat.scope}")
        heard = CachedRag(running.client)
        pairs = [(chat, each.questions) for each, chat in zip(conversations, chats, strict=True)]
        joined = [(chat, together(each)) for each, chat in zip(conversations, chats, strict=True)]
        for switches, asked in ((SWITCHES, pairs), (TOPICS, joined)):
            whole: dict[str, float] = {}
            for title, source in switches.items():
                answers = [
                    await ask(memory, heard, source, chat, question)
                    for chat, questions in asked
                    for question in questions
                ]
                figures = show(measure(judged(answers)))
                effect = {name: round(value - whole.get(name, 0.0), 2) for name, value in figures.items()}
                ms = round(float(np.median([answer.ms for answer in answers])), 1)
                print(json.dumps({"switch": title, **effect, "ms": ms}), flush=True)
                whole = whole or figures


async def compare_chats(conversations: Sequence[Conversation], folder: Path) -> None:
    """Print one JSON line per kind of chat, one configuration for all: the data in other clothes, and other languages.

    The conversations in three languages are those of ``harness/recall/talks/``.
    """
    sets: dict[str, Sequence[Conversation]] = {
        title: [transform(conversation, random.Random(_SEED)) for conversation in conversations]
        for title, transform in TRANSFORMS.items()
    }
    sets |= {f"talk {talk.stem}": load(talk)[0] for talk in sorted(TALKS.glob("*.json"))}
    for number, (title, part) in enumerate(sets.items()):
        found = await run(part, folder / f"{number}" / "data")
        print(json.dumps({"chats": title, **show(measure(judged(found["local"].answered)))}), flush=True)
