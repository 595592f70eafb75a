"""Joins what the local store and long-term memory found into one ranking.

Fused by score, not by rank: the store's score says how well a turn fits, long-term memory gives no scores, only an
order.  So being found there is a bonus on the store's scale, larger for the first: measured on labelled conversations
this lifts questions that need several turns by two points and costs the others nothing, where reciprocal rank fusion
costs seven points of recall (docs/recall.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from bot.memory.items import Channel, Recalled


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """Bonus of the first ``chunk`` and of the first ``derived`` result (entity, relation), in points of the store.

    The bonus halves at rank ``half``.  A chunk of a document, which the store cannot hold, stands where the store's
    result of ``stride`` times its rank does.
    """

    chunk: float = 0.6
    derived: float = 0.3
    half: float = 5.0
    stride: int = 2


_WEIGHTS: Final = FusionWeights()


def fuse(
    turns: tuple[Recalled, ...], found: tuple[Recalled, ...], weights: FusionWeights = _WEIGHTS
) -> tuple[Recalled, ...]:
    """Return one ranking of both channels, best first, with scores on the store's scale.

    A result of long-term memory whose exchange the store found as well strengthens that turn and is not repeated: the
    turn's text is the verbatim one.  Exchanges that the store has not found stand below its last result.
    Either side may be empty: the other is returned as it is.
    """
    if not turns or not found:
        return turns or found
    entries = {turn.key: turn for turn in turns}
    order = sorted((turn.score for turn in turns), reverse=True)
    below = order[-1] - weights.chunk - weights.derived
    places = _places(turns)
    ranks = dict.fromkeys((True, False), 0)
    credited: set[tuple[str, Channel]] = set()
    for memory in found:
        is_chunk = memory.channel is Channel.CHUNK
        key = places.get((memory.exchange, memory.role)) or places.get((memory.exchange, "")) or memory.key
        if (key, memory.channel) in credited:
            continue
        credited.add((key, memory.channel))
        rank = ranks[is_chunk]
        document = is_chunk and not memory.exchange
        entry = order[min(rank * weights.stride, len(order) - 1)] if document else below
        bonus = (weights.chunk if is_chunk else weights.derived) * weights.half / (weights.half + rank)
        ranks[is_chunk] += 1
        entries[key] = _lifted(entries.get(key, replace(memory, score=entry)), memory.channel, bonus)
    return tuple(sorted(entries.values(), key=lambda memory: -memory.score))


def fuse_ranks(turns: tuple[Recalled, ...], found: tuple[Recalled, ...], k: float = 60.0) -> tuple[Recalled, ...]:
    """Return one ranking by reciprocal rank fusion (Cormack et al. 2009): the sum of 1 / (``k`` + rank) over both.

    As with :func:`fuse` a result of an exchange that the store found as well strengthens its turn.
    """
    if not turns or not found:
        return turns or found
    places = _places(turns)
    entries = {turn.key: replace(turn, score=1 / (k + rank)) for rank, turn in enumerate(turns, 1)}
    credited: set[str] = set()
    for memory in found:
        key = places.get((memory.exchange, memory.role)) or places.get((memory.exchange, "")) or memory.key
        if key in credited:
            continue
        credited.add(key)
        share = 1 / (k + len(credited))
        entries[key] = _lifted(entries.get(key, replace(memory, score=0.0)), memory.channel, share)
    return tuple(sorted(entries.values(), key=lambda memory: -memory.score))


def _places(turns: tuple[Recalled, ...]) -> dict[tuple[str, str], str]:
    """Return the key of each exchange's turn by role, and under "" that of its best ranked one."""
    places: dict[tuple[str, str], str] = {}
    for turn in turns:
        if turn.exchange:
            places[turn.exchange, turn.role] = turn.key
            places.setdefault((turn.exchange, ""), turn.key)
    return places


def _lifted(memory: Recalled, channel: Channel, bonus: float) -> Recalled:
    signals = MappingProxyType({**memory.signals, channel.value: round(bonus, 3)})
    return replace(memory, score=memory.score + bonus, signals=signals)
