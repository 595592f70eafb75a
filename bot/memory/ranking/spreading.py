"""Spreads what was found over the sessions it was said in, for questions that no single stretch of talk answers.

The best ten passages for "how did the move go" are ten of the day on which most was said about it.  So each further
result of a session counts for less, and what the user told counts for more than what was answered.
Sessions are told by time: results that lie further apart than a person pauses within a conversation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bot.memory.items import Recalled

GAP_S: Final = 6 * 3600.0
"""Seconds between two messages of different sessions at least, where nothing else tells them apart."""
AGAIN: Final = 0.85
"""What the next result of a session counts, of what the one before it did."""
TOLD: Final = 0.1
"""Added to the relevance (0..1) of what a user said."""
_CONSIDERED: Final = 120
"""Results at the front that are put in a new order; the cost grows with their square."""


def spread_over_sessions(
    found: tuple[Recalled, ...], *, again: float = AGAIN, told: float = TOLD
) -> tuple[Recalled, ...]:
    """Return ``found`` (best first) in an order that takes turns between sessions.

    Relevance is the score scaled to 0..1 over the results considered; results without a time stand for a session each.
    Scores are left as they are.
    """
    front, behind = found[:_CONSIDERED], found[_CONSIDERED:]
    if len(front) < 2:  # noqa: PLR2004 - one result has one order
        return found
    low, high = min(memory.score for memory in front), max(memory.score for memory in front)
    sessions = number_sessions(front)
    worth = [(memory.score - low) / ((high - low) or 1.0) + told * (memory.role == "user") for memory in front]
    rest = sorted(range(len(front)), key=lambda place: -worth[place])
    taken: Counter[int] = Counter()
    order: list[Recalled] = []
    while rest:
        best = max(rest, key=lambda place: worth[place] * again ** taken[sessions[place]])
        rest.remove(best)
        taken[sessions[best]] += 1
        order.append(front[best])
    return (*order, *behind)


def number_sessions(found: Sequence[Recalled]) -> list[int]:
    """Return a number per result, equal for those that were said in one stretch of talk."""
    numbers = [-1 - place for place in range(len(found))]
    dated = [(memory.said_at.timestamp(), place) for place, memory in enumerate(found) if memory.said_at is not None]
    number, before = 0, None
    for at, place in sorted(dated):
        number += before is not None and at - before > GAP_S
        numbers[place], before = number, at
    return numbers
