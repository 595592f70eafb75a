"""Search of what was said: the local channel over verbatim turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.memory.items import Recalled
from bot.memory.ranking.ranking import SEARCH_BUDGET, SearchBudget
from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """A question to memory.

    ``author_id`` and ``author_name`` say who asks, so that "I" and "my" mean them; ``now`` resolves "yesterday".
    ``limit`` bounds the number of results of each kind; ``budget`` is how thoroughly verbatim turns are searched.
    ``documents`` are those that alone are asked, by uid; () for all of memory.
    """

    text: str
    author_id: int
    author_name: str
    now: datetime
    limit: int = 50
    budget: SearchBudget = SEARCH_BUDGET
    documents: tuple[str, ...] = ()


class Recall(Protocol):
    """Finds what was said: the local channel over verbatim turns."""

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return verbatim turns that may hold the answer, best first; empty when nothing matches at all.

        Turns become visible with the commit of their exchange.
        """
        ...


@dataclass(frozen=True, slots=True)
class RatedText:
    """Text number ``number`` of those that were given: its best passage, with score and signals as a turn has them."""

    number: int
    passage: str
    score: float
    signals: Mapping[str, float]


@runtime_checkable
class TextRater(Protocol):
    """Rates texts that were not said, such as chunks of documents, on the scale of what was."""

    async def rate(self, scope: Scope, query: MemoryQuery, texts: Sequence[str]) -> tuple[RatedText, ...]:
        """Return a rating for each text that has words, best first.

        How much of the texts is read for meaning is bounded; the first count most.  Raises
        :class:`~bot.errors.StorageUnavailable`.
        """
        ...
