"""What a question and a turn cost as one scope grows.

The turns of the data are said again and again in one chat; their embeddings are made once and remembered, so that
``index_ms`` is the index's own share and ``embed_ms`` that of the model.  Questions go through the product's read path,
embedding included.  BM25 and E5 answer the same questions over the same turns in the same run.
Wall times are those of the machine at that moment; ``cpu_ms`` is the processor time of this process, per question.
``mapped_mb`` of its memory are files, which the system takes back when it wants; ``own_mb`` is the rest.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import psutil

from adapters.embedding.e5 import E5Embedder
from adapters.sqlite.turn_search.search import SqliteRecall
from benchmarks.recall.asking import (
    Ingested,
    Memory,
    committed,
    index_vectors,
    index_words,
    open_memory,
    query,
    say,
    size_of,
)
from bot.ports.embedder import Vectors, WordVectors
from harness.options import Report
from harness.recall.dataset import Conversation, Labelled, Said, load

_QUESTIONS = 100


class Remembering:
    """The local model, asked once per text."""

    def __init__(self, inner: E5Embedder) -> None:
        self._inner = inner
        self.seconds, self.made = 0.0, 0
        self._vectors: dict[str, Vectors] = {}
        self._known: dict[str, WordVectors] = {}
        self.model, self.dimension = inner.model, inner.dimension

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """Return one row per text; those of a whole chat are made once each."""
        if question:
            return await self._inner.embed(texts, question=True)
        for text in texts:
            if text not in self._vectors:
                (self._vectors[text],) = await self._inner.embed([text])
        return np.stack([self._vectors[text] for text in texts])

    async def embed_words(
        self, texts: Sequence[str], *, question: bool = False, patient: bool = False
    ) -> tuple[WordVectors, ...]:
        """Return each text's vectors, remembered when nobody waits."""
        if not patient:
            return await self._inner.embed_words(texts, question=question)
        for text in texts:
            if text not in self._known:
                start = time.perf_counter()
                (self._known[text],) = await self._inner.embed_words([text], patient=True)
                self.seconds += time.perf_counter() - start
                self.made += 1
        return tuple(self._known[text] for text in texts)


async def measure_cost(folder: Path, *, data: Path, turns: tuple[int, ...] = (700, 10_000, 100_000)) -> Report:
    """Grow one scope step by step and tell of each system and size."""
    (conversations, _), found = load(data), list[Report]()
    async with open_memory(folder / "data") as product:
        remembering = Remembering(product.embedder)
        recall = SqliteRecall(product.database, remembering, patience_s=60.0)
        memory = replace(product, recall=recall)
        questions = [question for conversation in conversations for question in conversation.questions][:_QUESTIONS]
        said = _say_again(conversations, max(turns))
        done = None
        start = 0
        for size in turns:
            part = Conversation("grown", said[start:size], tuple(questions))
            began = time.perf_counter()
            done = await committed(memory, part, 0, done)
            written = time.perf_counter()
            while await recall.embed_missing(256):
                pass
            embedded = time.perf_counter()
            embedding = remembering.seconds
            cold = await _asked(partial(_ask_store, memory, done), questions[:1])
            await recall.lay_out(done.scope)
            recall = SqliteRecall(product.database, remembering, patience_s=60.0)  # as after a start
            memory = replace(memory, recall=recall)
            mapped = await _asked(partial(_ask_store, memory, done), questions[:1])
            product.embedder.forget()
            ours = await _asked(partial(_ask_store, memory, done), questions)
            used = psutil.Process().memory_info()
            shared = getattr(used, "shared", 0)
            _note(
                found,
                "mneme",
                size,
                **ours,
                first_query=cold,
                first_mapped=mapped,
                write_ms=round(1000 * (written - began) / len(part.said), 3),
                index_ms=round(1000 * (embedded - written - embedding) / len(part.said), 3),
                embed_ms=round(1000 * embedding / max(remembering.made, 1), 3),
                own_mb=round((used.rss - shared) / 1e6),
                mapped_mb=round(shared / 1e6),
                disk_mb=round(size_of(folder / "data") / 1e6, 1),
            )
            remembering.seconds, remembering.made = 0.0, 0
            await _peers(
                found, Conversation("grown", said[:size], tuple(questions)), remembering, product.embedder.forget
            )
            start = size
    return {"systems": found}


async def _peers(found: list[Report], chat: Conversation, embedder: Remembering, forget: Callable[[], None]) -> None:
    for name in ("bm25", "e5"):
        forget()
        began = time.perf_counter()
        ask = index_words(chat) if name == "bm25" else await index_vectors(chat, embedder)
        index_ms = round(1000 * (time.perf_counter() - began) / len(chat.said), 3)
        _note(found, name, len(chat.said), **await _asked(ask, chat.questions), index_ms=index_ms)


def _note(found: list[Report], system: str, turns: int, **figures: object) -> None:
    found.append({"system": system, "turns": turns, **figures})
    say(str(found[-1]))


def _say_again(conversations: Sequence[Conversation], count: int) -> tuple[Said, ...]:
    """Return ``count`` turns: those of the data over and over, each round a year later."""
    once = [turn for conversation in conversations for turn in conversation.said]
    turns = islice(cycle(once), count)
    return tuple(
        replace(turn, id=f"T{place}", session=place // 25, at=once[0].at + timedelta(minutes=20 * place))
        for place, turn in enumerate(turns)
    )


async def _asked(ask: Callable[[Labelled], Awaitable[object]], questions: Sequence[Labelled]) -> dict[str, object]:
    """Ask every question and return milliseconds: p50, p95, and the mean processor time."""
    times: list[float] = []
    cpu = time.process_time()
    for question in questions:
        start = time.perf_counter()
        await ask(question)
        times.append(1000 * (time.perf_counter() - start))
    cpu_ms = 1000 * (time.process_time() - cpu) / len(questions)
    shown = {f"p{cut}": round(float(np.percentile(times, cut)), 2) for cut in (50, 95)}
    return {"query_ms": shown, "cpu_ms": round(cpu_ms, 2)}


async def _ask_store(memory: Memory, done: Ingested, question: Labelled) -> None:
    await memory.recall.recall(done.scope, query(done, question))
