"""Maximal marginal relevance (Carbonell and Goldstein 1998): prefer what the results before do not say already."""

from __future__ import annotations

from typing import Final

from bot.memory.items import Recalled
from language.words import words

_CONSIDERED: Final = 50
"""Results at the front that are put in a new order; the cost grows with their square."""


def diversified(found: tuple[Recalled, ...], strength: float) -> tuple[Recalled, ...]:
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
