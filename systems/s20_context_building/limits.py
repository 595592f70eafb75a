"""Limits of system 20: how much it reads and shows, and how it chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from bot.memory.helpfulness import HELP_FLOOR
from bot.memory.ranking.fusion import STORE_TOPICS, TopicOptions
from bot.memory.ranking.ranking import FLOOR
from bot.memory.ranking.weights import SEARCH_BUDGET, SearchBudget


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """How much is shown.  Sizes in tokens.  The history is cut in steps of half of what it may hold."""

    history_exchanges: int = 200
    history_tokens: int = 12_000
    summary_tokens: int = 1000
    relevance_floor: float = 0.15
    help_floor: float = HELP_FLOOR
    """Probability of being of use below which no memory is shown but pinned items."""
    disclosure: str = "selective_detail"
    top_k_per_layer: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Items of each layer at most, by the layer's name; a layer without an entry is not limited."""
    soft_tokens: int = 600
    max_tokens: int = 1000
    relevant_tokens: int = 1000
    focus_tokens: int = 3000
    """In its place where a message is about certain documents: then they are all that there is to answer from."""
    wish_tokens: int = 600
    section_tokens: int = 2000
    skill_tokens: int = 2000


class Fusion(StrEnum):
    """How the store and long-term memory become one ranking."""

    SCORE = "score"
    RANK = "rank"


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """How memories are read and chosen.  Times in seconds.

    ``deadline_s`` is for everything after the understanding of the question, which has ``understanding_s`` of its own;
    ``rag_deadline_s`` and ``rerank_s`` lie within it.  The store may take ``store_deadline_s`` if that is longer: where
    memory is all there is to answer from.  ``budget`` is how thoroughly the store is searched.
    ``store_topics`` and ``rag_topics`` are ``None`` where long messages are asked whole.  ``window`` counts the earlier
    messages that are asked with the current one.
    ``exchanges`` asks long-term memory for what was said even where the store answers.
    ``top_k`` bounds what long-term memory or a reranker may contribute, 0 for all.  ``diversity`` in 0..1 trades
    relevance for variety (maximal marginal relevance).  ``known_floor`` is the certainty below which memory does not
    know (:mod:`bot.memory.ranking.ranking`).  ``budget_tokens`` is what compression makes the memories fit into.
    """

    deadline_s: float = 1.0
    store_deadline_s: float = 0.0
    rag_deadline_s: float = 0.8
    understanding_s: float = 2.0
    rerank_s: float = 0.5
    results: int = 50
    budget: SearchBudget = SEARCH_BUDGET
    store_topics: TopicOptions | None = STORE_TOPICS
    rag_topics: TopicOptions | None = field(default_factory=TopicOptions)
    window: int = 0
    exchanges: bool = False
    fusion: Fusion = Fusion.SCORE
    top_k: int = 20
    distinct: bool = False
    diversity: float = 0.0
    compress: bool = False
    compression_s: float = 5.0
    budget_tokens: int = 1000
    known_floor: float = FLOOR
