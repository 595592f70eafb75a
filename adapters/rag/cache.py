"""Answers that were given a moment ago, per scope and erase epoch.

What a scope forgets or learns starts a new epoch; an answer that was asked for in an old one is never found again, also
when it arrives late.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from bot.memory.scope import Scope
from bot.ports.rag import QueryMode, RagAnswer

_MOST_EPOCHS: Final = 10_000


@dataclass(frozen=True, slots=True)
class CacheKey:
    """Whose question, in which epoch of their memory, asked how: in which mode, and for how much (``tuning``)."""

    scope: Scope
    epoch: int
    mode: QueryMode
    question: str
    tuning: Hashable


class QueryCache:
    """At most ``size`` answers, each for ``ttl_s()`` seconds of ``monotonic``, 0 for none; the longest unused goes."""

    def __init__(self, size: int, ttl_s: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._size = size
        self._ttl_s = ttl_s
        self._monotonic = monotonic
        self._answers: OrderedDict[CacheKey, tuple[float, RagAnswer]] = OrderedDict()
        self._epochs: OrderedDict[Scope, int] = OrderedDict()
        self._newest = 0

    def key(self, scope: Scope, mode: QueryMode, question: str, tuning: Hashable) -> CacheKey:
        """Return the key of a question asked now; take it before the question goes out."""
        return CacheKey(scope, self._epochs.get(scope, 0), mode, question, tuning)

    def get(self, key: CacheKey) -> RagAnswer | None:
        """Return the answer if it is known and fresh."""
        entry = self._answers.get(key)
        if entry is None:
            return None
        if self._monotonic() - entry[0] >= self._ttl_s():
            del self._answers[key]
            return None
        self._answers.move_to_end(key)
        return entry[1]

    def put(self, key: CacheKey, answer: RagAnswer) -> None:
        """Keep an answer, unless its epoch is over."""
        if key.epoch != self._epochs.get(key.scope, 0) or not self._ttl_s():
            return
        self._answers[key] = (self._monotonic(), answer)
        self._answers.move_to_end(key)
        while len(self._answers) > self._size:
            self._answers.popitem(last=False)

    def forget(self, scope: Scope) -> None:
        """Drop everything of a scope and start its next epoch."""
        self._newest += 1
        self._epochs[scope] = self._newest
        self._epochs.move_to_end(scope)
        for key in [key for key in self._answers if key.scope == scope]:
            del self._answers[key]
        while len(self._epochs) > _MOST_EPOCHS:
            old, _ = self._epochs.popitem(last=False)
            for key in [key for key in self._answers if key.scope == old]:
                del self._answers[key]
