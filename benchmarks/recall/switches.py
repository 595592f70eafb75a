"""``python -m benchmarks.recall.switches --data FILE``: what each switch of the read path does to recall.

Every line is the bot's own retrieval with one setting changed; LightRAG is asked once per question, so that all lines
choose from the same.  Messages about several things are three questions of one conversation in one message: their
evidence is that of all three.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import structlog

from benchmarks.recall.answered import judged
from benchmarks.recall.ingest import ingest, open_memory
from benchmarks.recall.longterm import index_all, server
from benchmarks.recall.reading import PRODUCT, SOURCES, Source, ask
from bot.memory.ranking.fusion import STORE_TOPICS
from bot.memory.ranking.ranking import SearchBudget
from bot.ports.rag import QueryMode
from harness.recall.cached_rag import CachedRag
from harness.recall.dataset import Conversation, load
from harness.recall.metrics import Judged, measure
from harness.recall.transforms import together
from systems.s20_context_building import Fusion

_SHOWN: Final = ("recall@1", "recall@5", "recall@10", "recall@50", "ndcg@10", "recall@1000tokens")
_MULTI_HOP: Final = "1"
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


def main() -> int:
    """Print one JSON line per switch, the whole first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.switches", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--server", type=Path, help="folder that keeps the filled memory server for the next run")
    options = parser.parse_args()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    conversations, _ = load(options.data)
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        asyncio.run(_measured(conversations, Path(folder), options.server or Path(folder) / "server"))
    return 0


async def _measured(conversations: Sequence[Conversation], folder: Path, server_folder: Path) -> None:
    async with open_memory(folder / "data") as memory, server(server_folder, folder / "model") as client:
        chats = [await ingest(memory, conversation, number) for number, conversation in enumerate(conversations)]
        for chat in chats:
            await index_all(client, chat.exchanges)
            print(f"long-term memory holds {chat.scope}", file=sys.stderr, flush=True)
        heard = CachedRag(client)
        pairs = [(each, chat, each.questions) for each, chat in zip(conversations, chats, strict=True)]
        joined = [(each, chat, together(each)) for each, chat, _ in pairs]
        for switches, asked in ((SWITCHES, pairs), (TOPICS, joined)):
            whole: dict[str, float] = {}
            for title, source in switches.items():
                answers = [
                    await ask(memory, heard, source, conversation, chat, question)
                    for conversation, chat, questions in asked
                    for question in questions
                ]
                figures = _figures(judged(answers), [answer.ms for answer in answers])
                effect = {name: round(value - whole.get(name, 0.0), 2) for name, value in figures.items()}
                print(json.dumps({"switch": title, **effect, "ms": round(figures["ms"], 1)}), flush=True)
                whole = whole or figures


def _figures(rows: Sequence[Judged], times_ms: Sequence[float]) -> dict[str, float]:
    summary = measure(rows)
    overall, categories = summary["overall"], summary["categories"]
    assert isinstance(overall, dict)  # noqa: S101 - tells the type checker
    assert isinstance(categories, dict)  # noqa: S101 - as above
    multi_hop = categories.get(_MULTI_HOP, {}).get("recall@10", 0.0)
    return {**{name: overall[name] for name in _SHOWN}, "multi-hop@10": multi_hop, "ms": float(np.median(times_ms))}


if __name__ == "__main__":
    sys.exit(main())
