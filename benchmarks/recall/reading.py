"""Asks as system 20 asks: the very retrieval that context building runs, with the defaults of the settings."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.recall.answered import Answered, prompt_cost
from benchmarks.recall.ingest import Ingested, Memory, query
from benchmarks.recall.longterm import turn_key
from bot.compose.retrieval import build_retrieval_options
from bot.config.schema import Settings
from bot.memory.helpfulness import KNOWN
from bot.memory.items import Recalled
from bot.ports.rag import QueryMode
from harness.recall.cached_rag import CachedRag
from harness.recall.dataset import Conversation, Labelled
from systems.s20_context_building import Retrieval, RetrievalOptions

_DEADLINE_S: Final = 60.0
"""Long, because quality is measured; the product's own is 0.8 s."""

PRODUCT: Final = replace(build_retrieval_options(Settings()), deadline_s=_DEADLINE_S, rag_deadline_s=_DEADLINE_S)
"""What the bot does without settings, but for its patience."""

_UNLIMITED: Final = replace(PRODUCT, top_k=0)
"""LightRAG alone is not limited by type: it is ranked to the end."""


@dataclass(frozen=True, slots=True)
class Source:
    """Which channels answer, and how: the store, long-term memory in a mode, or both."""

    local: bool = True
    mode: QueryMode | None = None
    options: RetrievalOptions = PRODUCT


MODE: Final = QueryMode(Settings().rag.query_mode)
"""How the product asks LightRAG without settings."""

SOURCES: Final[Mapping[str, Source]] = {
    "local": Source(),
    "lightrag": Source(local=False, mode=MODE, options=_UNLIMITED),
    "fused": Source(mode=MODE),
    "lightrag-naive": Source(local=False, mode=QueryMode.NAIVE, options=_UNLIMITED),
    "lightrag-mix": Source(local=False, mode=QueryMode.MIX, options=_UNLIMITED),
}


async def ask(
    memory: Memory,
    heard: CachedRag | None,
    source: Source,
    conversation: Conversation,
    done: Ingested,
    question: Labelled,
) -> Answered:
    """Ask one question as context building does."""
    asked = replace(query(done, conversation, question), budget=source.options.budget)
    retrieval = Retrieval(
        recall=memory.recall if source.local else None,
        items=None,
        rag=heard if source.mode is not None else None,
        mode=source.mode or MODE,
        options=source.options,
    )
    saved = heard.saved_ms if heard is not None else 0.0
    start = time.perf_counter()
    found = (await retrieval(done.scope, asked)).relevant
    ms = 1000 * (time.perf_counter() - start) + (heard.saved_ms - saved if heard is not None else 0.0)
    return answered(conversation, done, question, found, ms)


def answered(
    conversation: Conversation, done: Ingested, question: Labelled, found: tuple[Recalled, ...], ms: float
) -> Answered:
    """Return the ranking of turns behind a ranking of memories: the first memory that stands for a turn counts."""
    first: dict[str, Recalled] = {}
    for one in found:
        turn = done.turns.get(turn_key(one))
        if turn is not None:
            first.setdefault(turn, one)
    return Answered(
        conversation=conversation.name,
        question=question,
        ranked=tuple(first),
        cost=tuple(prompt_cost(one, conversation) for one in first.values()),
        scores=tuple(one.score for one in first.values()),
        ms=ms,
        sure=max((one.signals.get(KNOWN, 0.0) for one in found[:5]), default=0.0),
    )
