"""Splits the room for results of long-term memory among chunks, entities and relations, by query mode.

Without a reranker the three kinds have no common score; fixed shares keep one kind from crowding out the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.memory.items import Channel, Recalled

_KINDS: Final = (Channel.CHUNK, Channel.ENTITY, Channel.RELATION)
_EVEN: Final = (30, 30, 40)

SHARES: Final[Mapping[str, tuple[int, int, int]]] = {
    "global": (30, 35, 35),
    "local": (60, 20, 20),
    "hybrid": _EVEN,
    "mix": _EVEN,
    "naive": (100, 0, 0),
}
"""Per cent of chunks, entities and relations, by the name of the query mode."""


def limited(found: tuple[Recalled, ...], mode: str, top_k: int, *, relations: bool = True) -> tuple[Recalled, ...]:
    """Return at most ``top_k`` results, each kind within its share of the mode, order kept.

    Room that one kind leaves free goes to the others, best ranked first.  Results of other channels are not counted.
    ``relations=False`` leaves relations out.  An unknown mode has the shares of ``mix``.
    """
    wanted = [memory for memory in found if relations or memory.channel is not Channel.RELATION]
    room = dict(zip(_KINDS, _counts(SHARES.get(mode, _EVEN), top_k), strict=True))
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
