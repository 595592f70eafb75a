"""``python -m benchmarks.recall.cost --data FILE``: what a question and a turn cost as one scope grows.

The turns of the data are said again and again in one chat; their embeddings are made once and remembered, so that
``embed_ms`` is the index's own share.  Questions go through the product's read path, embedding included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import psutil

from adapters.embedding.words import MiniLmWords
from adapters.storage.recall.search import SqliteRecall
from benchmarks.recall.dataset import Conversation, Labelled, Said, load
from benchmarks.recall.ingest import Ingested, Memory, committed, opened, query
from benchmarks.recall.run import size_of
from bot.ports.embedder import Vectors, WordVectors

_QUESTIONS = 100


class Remembering:
    """The local model, asked once per text."""

    def __init__(self, inner: MiniLmWords) -> None:
        self._inner = inner
        self._known: dict[str, WordVectors] = {}
        self.model, self.dimension = inner.model, inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text."""
        return await self._inner.embed(texts)

    async def embed_words(self, texts: Sequence[str], *, patient: bool = False) -> tuple[WordVectors, ...]:
        """Return each text's vectors, remembered when nobody waits."""
        if not patient:
            return await self._inner.embed_words(texts)
        for text in texts:
            if text not in self._known:
                (self._known[text],) = await self._inner.embed_words([text], patient=True)
        return tuple(self._known[text] for text in texts)


def main() -> int:
    """Grow one scope step by step and measure at each size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.cost", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--turns", type=int, nargs="+", default=[700, 10_000, 100_000])
    options = parser.parse_args()
    conversations, _ = load(options.data)
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        for row in asyncio.run(grown(conversations, Path(folder) / "data", options.turns)):
            print(json.dumps(row), flush=True)
    return 0


async def grown(conversations: Sequence[Conversation], folder: Path, sizes: Sequence[int]) -> list[dict[str, object]]:
    """Return one measurement per size."""
    rows = []
    async with opened(folder) as product:
        recall = SqliteRecall(product.database, Remembering(product.embedder))
        memory = replace(product, recall=recall)
        questions = [question for conversation in conversations for question in conversation.questions][:_QUESTIONS]
        said = said_again(conversations, max(sizes))
        chat = Conversation("grown", (), tuple(questions))
        done = None
        start = 0
        for size in sizes:
            part = replace(chat, said=said[start:size])
            began = time.perf_counter()
            done = await committed(memory, part, 0, done)
            written = time.perf_counter()
            while await recall.embed_missing(256):
                pass
            embedded = time.perf_counter()
            began_cold = time.perf_counter()
            await recall.recall(done.scope, query(done, part, questions[0]))
            cold = time.perf_counter() - began_cold
            times = [await _asked(memory, done, part, question) for question in questions]
            rows.append(
                {
                    "turns": size,
                    "query_ms": {f"p{cut}": round(float(np.percentile(times, cut)), 2) for cut in (50, 95)},
                    "first_query_ms": round(1000 * cold, 1),
                    "write_ms": round(1000 * (written - began) / len(part.said), 3),
                    "index_ms": round(1000 * (embedded - written) / len(part.said), 3),
                    "rss_mb": round(psutil.Process().memory_info().rss / 1e6),
                    "disk_mb": round(size_of(folder) / 1e6, 1),
                }
            )
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
            start = size
    return rows


def said_again(conversations: Sequence[Conversation], count: int) -> tuple[Said, ...]:
    """Return ``count`` turns: those of the data over and over, each round a year later."""
    once = [turn for conversation in conversations for turn in conversation.said]
    turns = islice(cycle(once), count)
    return tuple(
        replace(turn, id=f"T{place}", session=place // 25, at=once[0].at + timedelta(minutes=20 * place))
        for place, turn in enumerate(turns)
    )


async def _asked(memory: Memory, done: Ingested, chat: Conversation, question: Labelled) -> float:
    start = time.perf_counter()
    await memory.recall.recall(done.scope, query(done, chat, question))
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    sys.exit(main())
