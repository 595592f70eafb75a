"""Selects among results: a share for each channel of long-term memory, and variety.

Without a reranker chunks, entities and relations have no common score; fixed shares by query mode keep one kind from
crowding out the others.  Variety is maximal marginal relevance (Carbonell and Goldstein 1998).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.memory.items import Channel, Recalled
from language.words import words

_KINDS: Final = (Channel.CHUNK, Channel.ENTITY, Channel.RELATION)
_EVEN: Final = (30, 30, 40)

CHANNEL_SHARES: Final[Mapping[str, tuple[int, int, int]]] = {
    "global": (30, 35, 35),
    "local": (60, 20, 20),
    "hybrid": _EVEN,
    "mix": _EVEN,
    "naive": (100, 0, 0),
}
"""Per cent of chunks, entities and relations, by the name of the query mode."""


def limit_by_channel(
    found: tuple[Recalled, ...], mode: str, top_k: int, *, relations: bool = True
) -> tuple[Recalled, ...]:
    """Return at most ``top_k`` results, each kind within its share of the mode, order kept.

    Room that one kind leaves free goes to the others, best ranked first.  Results of other channels are not counted.
    ``relations=False`` leaves relations out.  An unknown mode has the shares of ``mix``.
    """
    wanted = [memory for memory in found if relations or memory.channel is not Channel.RELATION]
    room = dict(zip(_KINDS, _counts(CHANNEL_SHARES.get(mode, _EVEN), top_k), strict=True))
    kept: set[str] = set()
    for memory in wanted:
        if room.get(memory.channel, 1) > 0:
            kept.add(memory.key)
            if memory.channel in room:
                room[memory.channel] -= 1
    left = sum(room.values())
    for memory in wanted:
        if left > 0 and memory.key not in kept:
            kept.add(memory.key)
            left -= 1
    return tuple(memory for memory in wanted if memory.key in kept)


def _counts(shares: tuple[int, int, int], top_k: int) -> tuple[int, int, int]:
    """Return whole numbers in the proportion of ``shares`` that add up to ``top_k`` (largest remainders)."""
    exact = [top_k * share / 100 for share in shares]
    counts = [int(value) for value in exact]
    order = sorted(range(len(shares)), key=lambda place: counts[place] - exact[place])
    for place in order[: top_k - sum(counts)]:
        counts[place] += 1
    return counts[0], counts[1], counts[2]


_CONSIDERED: Final = 50
"""Results at the front that are put in a new order; the cost grows with their square."""


def diversify(found: tuple[Recalled, ...], strength: float) -> tuple[Recalled, ...]:
    """Return ``found`` in an order that weighs relevance against likeness to what comes before.

    ``strength`` 0 changes nothing, 1 looks at variety alone.  Relevance is the score scaled to 0..1 over the results
    considered, likeness the share of common words (Jaccard).
    """
    if strength <= 0 or len(found) < 2:  # noqa: PLR2004 - one result has one order
        return found
    rest, behind = list(found[:_CONSIDERED]), found[_CONSIDERED:]
    low, high = min(memory.score for memory in rest), max(memory.score for memory in rest)
    said = {memory.key: frozenset(words(memory.text)) for memory in rest}
    relevance = {memory.key: (memory.score - low) / ((high - low) or 1.0) for memory in rest}
    nearest = dict.fromkeys(said, 0.0)
    chosen: list[Recalled] = []
    while rest:
        best = max(rest, key=lambda memory: (1 - strength) * relevance[memory.key] - strength * nearest[memory.key])
        rest.remove(best)
        chosen.append(best)
        for memory in rest:
            nearest[memory.key] = max(nearest[memory.key], _likeness(said[memory.key], said[best.key]))
    return (*chosen, *behind)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (len(one | other) or 1)
