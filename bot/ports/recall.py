"""Search of what was said: the local channel over verbatim turns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.items import Recalled
from bot.memory.ranking.weights import SEARCH_BUDGET, SearchBudget
from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """A question to memory.

    ``author_id`` and ``author_name`` say who asks, so that "I" and "my" mean them; ``now`` resolves "yesterday".
    ``limit`` bounds the number of results of each kind; ``budget`` is how thoroughly verbatim turns are searched.
    """

    text: str
    author_id: int
    author_name: str
    now: datetime
    limit: int = 50
    budget: SearchBudget = SEARCH_BUDGET


class Recall(Protocol):
    """Finds what was said: the local channel over verbatim turns."""

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return verbatim turns that may hold the answer, best first; empty when nothing matches at all.

        Turns become visible with the commit of their exchange.
        """
        ...
