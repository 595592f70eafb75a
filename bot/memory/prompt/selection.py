"""Chooses which memories a prompt shows, before anything is rendered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from bot.memory.items import MemoryItem, Recalled


class Told(Protocol):
    """An exchange that stands in the prompt's history word for word."""

    @property
    def uid(self) -> str:
        """Its name within the scope, as memories give it in ``exchange``."""
        ...

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts of it, in the order in which they are shown."""
        ...


@dataclass(frozen=True, slots=True)
class SelectionLimits:
    """What is chosen at most.

    Below ``relevance_floor`` (0..1) only pinned items count.  ``top_k_per_layer`` limits items by the name of their
    layer; a layer without an entry is not limited.
    """

    relevance_floor: float = 0.15
    top_k_per_layer: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Selection:
    """The memories that a prompt is to show: items in their order, and others best first.

    ``left_out_items`` and ``left_out`` count what is relevant and was left out for want of room: the prompt says so.
    """

    items: tuple[MemoryItem, ...] = ()
    relevant: tuple[Recalled, ...] = ()
    left_out_items: int = 0
    left_out: int = 0


def select_memories(
    found_items: tuple[tuple[MemoryItem, float], ...],
    relevant: tuple[Recalled, ...],
    *,
    history: Iterable[Told],
    asking: bool,  # noqa: ARG001 - a question and a statement are shown alike so far
    limits: SelectionLimits,
) -> Selection:
    """Return what of ``found_items`` (with relevance 0..1) and ``relevant`` (best first) the prompt is to show.

    Pinned items come first, then by relevance.  What stands in ``history`` is not shown again.  ``asking`` says that
    the message is a question or a request.
    """
    told = {exchange.uid for exchange in history}
    return Selection(
        _choose_items(found_items, limits), tuple(memory for memory in relevant if memory.exchange not in told)
    )


def _choose_items(items: tuple[tuple[MemoryItem, float], ...], limits: SelectionLimits) -> tuple[MemoryItem, ...]:
    most = limits.top_k_per_layer
    room: Counter[str] = Counter(dict(most))
    chosen = []
    for item, relevance in sorted(items, key=lambda pair: (not pair[0].pinned, -pair[1])):
        layer = str(item.layer)
        if not item.pinned and (relevance < limits.relevance_floor or (layer in most and room[layer] <= 0)):
            continue
        room[layer] -= 1
        chosen.append(item)
    return tuple(chosen)
