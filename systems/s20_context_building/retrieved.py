"""A question on its way from stage to stage, and what was found for several questions as one."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from bot.memory.chronicle.lines import DigestLine
from bot.memory.items import MemoryItem, Recalled
from bot.memory.overviews import Overview
from bot.memory.ranking.fusion import WindowMessage
from bot.memory.scope import Scope
from bot.ports.recall import MemoryQuery
from bot.ports.understanding import Understood

_AS_IT_IS: Final = Understood()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A question on its way from stage to stage, and at the end what is remembered about it.

    ``turns``, ``documents`` and ``longterm`` are what the store found in what was said and in documents, and what
    long-term memory found; ``relevant`` is all of it as one ranking;
    ``items`` the structured memories with their relevance.  ``notes`` say what failed, ``counts`` how much was read.
    """

    scope: Scope
    query: MemoryQuery
    window: tuple[WindowMessage, ...] = ()
    understood: Understood = _AS_IT_IS
    turns: tuple[Recalled, ...] = ()
    longterm: tuple[Recalled, ...] = ()
    documents: tuple[Recalled, ...] = ()
    items: tuple[tuple[MemoryItem, float], ...] = ()
    relevant: tuple[Recalled, ...] = ()
    notes: tuple[str, ...] = ()
    counts: MappingProxyType[str, int] = field(default_factory=lambda: MappingProxyType({}))
    known: bool = True
    """Whether the best of it is certain enough to be an answer."""
    unread: bool = False
    """Whether the own store was late or broken: what is not here may be remembered all the same."""
    overview: Overview | None = None
    """The question over time or over everything that the message asks, if it asks one."""
    lines: tuple[DigestLine, ...] = ()
    """The chronicle, where such a question is asked."""

    @property
    def chronological(self) -> bool:
        """Whether what is shown is to be in order of time."""
        return self.overview is not None and self.overview.chronological

    def counting(self, **counts: int) -> Retrieved:
        """Return it with more counts."""
        return replace(self, counts=MappingProxyType({**self.counts, **counts}))

    def noting(self, *notes: str) -> Retrieved:
        """Return it with those of ``notes`` that say something."""
        return replace(self, notes=(*self.notes, *(note for note in notes if note)))


def together(found: tuple[Retrieved, ...]) -> Retrieved:
    """Return what was found for several questions as one: the best of each before the second best of any."""
    if len(found) == 1:
        return found[0]
    ranks = itertools.zip_longest(*(one.relevant for one in found))
    relevant = {memory.key: memory for rank in ranks for memory in rank if memory is not None}
    items: dict[int, tuple[MemoryItem, float]] = {}
    for item, relevance in (pair for one in found for pair in one.items):
        if item.id not in items or relevance > items[item.id][1]:
            items[item.id] = (item, relevance)
    counts: Counter[str] = Counter()
    for one in found:
        counts.update(one.counts)
    return replace(
        found[0],
        relevant=tuple(relevant.values()),
        items=tuple(sorted(items.values(), key=lambda pair: -pair[1])),
        notes=tuple(dict.fromkeys(note for one in found for note in one.notes)),
        counts=MappingProxyType(dict(counts)),
        known=any(one.known for one in found),
        unread=any(one.unread for one in found),
    )
