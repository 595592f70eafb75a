"""How relevant an item is to a question: match first, everything else only bends it.

An item that matches nothing is not made relevant by being new or important; among items that match, recency,
salience, confidence and type decide.  Standing instructions (preferences, constraints) keep a small share without a
match, because they hold for every answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from bot.memory.items import ItemType, MemoryItem
from bot.memory.lifecycle import freshness

_TYPE_WEIGHT: Final[Mapping[ItemType, float]] = MappingProxyType(
    {
        ItemType.CONSTRAINT: 1.0,
        ItemType.PREFERENCE: 1.0,
        ItemType.DECISION: 0.9,
        ItemType.FACT: 0.9,
        ItemType.FIX: 0.8,
        ItemType.FAILURE: 0.7,
        ItemType.TASK: 0.7,
        ItemType.RESULT: 0.5,
    }
)
_STANDING: Final = frozenset({ItemType.PREFERENCE, ItemType.CONSTRAINT})
_STANDING_MATCH: Final = 0.25
_PRIOR_SHARE: Final = 0.4
"""The most that recency, salience, confidence and type together can take off a perfect match."""
_COSINE_NOISE: Final = 0.2
_COSINE_CERTAIN: Final = 0.75
"""Sentence embeddings of unrelated short texts lie below the first, paraphrases above the second (MiniLM)."""


@dataclass(frozen=True, slots=True)
class Match:
    """How an item met the question: shares of the question's weighted words, and of meaning, both in 0..1."""

    lexical: float = 0.0
    dense: float = 0.0

    @property
    def strength(self) -> float:
        """Both together: two weak signs are stronger than one, and a perfect one needs no other."""
        return 1 - (1 - self.lexical) * (1 - self.dense)


def relevance(item: MemoryItem, match: Match, now: datetime) -> float:
    """Return the relevance in 0..1; a pinned item has 1."""
    if item.pinned:
        return 1.0
    strength = match.strength
    if item.type in _STANDING:
        strength = max(strength, _STANDING_MATCH)
    prior = (freshness(item, now) + item.salience + item.confidence + _TYPE_WEIGHT[item.type]) / 4
    return strength * (1 - _PRIOR_SHARE * (1 - prior))


def dense_share(cosine: float) -> float:
    """Return a cosine similarity as a share in 0..1."""
    return min(1.0, max(0.0, (cosine - _COSINE_NOISE) / (_COSINE_CERTAIN - _COSINE_NOISE)))


def word_weights(words: Iterable[str], frequency: Mapping[str, int], total: int) -> dict[str, float]:
    """Return what each word of a question tells, by how few of the scope's ``total`` items have it.

    Robertson and Sparck Jones' idf, as in BM25 (https://doi.org/10.1561/1500000019), smoothed to stay positive.
    """
    return {
        word: math.log(1 + (total - frequency.get(word, 0) + 0.5) / (frequency.get(word, 0) + 0.5)) for word in words
    }


def best(
    scored: Iterable[tuple[MemoryItem, float]], *, floor: float, limit: int
) -> tuple[tuple[MemoryItem, float], ...]:
    """Return what reaches ``floor``, best first, newest first among equals, at most ``limit``."""
    kept: Sequence[tuple[MemoryItem, float]] = [pair for pair in scored if pair[1] >= floor]
    return tuple(sorted(kept, key=lambda pair: (-pair[1], -pair[0].id))[:limit])
