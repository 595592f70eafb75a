"""What calls to language models cost in tokens, what they were made for, and whose conversation they belong to.

Who makes a call in the background knows neither the ledger nor, often, the chat: the work is charged where it begins
(:func:`charged_to`), and everything that is awaited or started in there belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several model calls, as the server counts them; 0 where it says nothing.

    ``cached`` are those of ``prompt`` that it had read before and need not read again, ``reasoning`` those of
    ``completion`` that nobody sees.  ``cost`` is what it says the call costs, in billionths of a unit of its currency,
    ``None`` where it does not say.  ``cache_writes`` are those of ``prompt`` that it kept for later, for a price.
    """

    prompt: int = 0
    completion: int = 0
    calls: int = 0
    cached: int = 0
    reasoning: int = 0
    cost: int | None = None
    cache_writes: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.calls + other.calls,
            self.cached + other.cached,
            self.reasoning + other.reasoning,
            _add_costs(self.cost, other.cost),
            self.cache_writes + other.cache_writes,
        )


def _add_costs(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


class UsageKind(StrEnum):
    """What a call was made for; all but answers are background."""

    ANSWER = "answer"
    SUMMARY = "summary"
    LEARNING = "learning"
    SEARCH = "search"
    """Reading a question before memory is asked, and shortening what was found."""
    CHECK = "check"


_CHARGED: Final[ContextVar[Scope | None]] = ContextVar("charged scope", default=None)


@contextmanager
def charged_to(scope: Scope) -> Iterator[None]:
    """Charge every model call in this block, and in tasks begun in it, to a scope."""
    before = _CHARGED.set(scope)
    try:
        yield
    finally:
        _CHARGED.reset(before)


def find_charged() -> Scope | None:
    """Return the scope that pays for what runs now, ``None`` outside of any conversation."""
    return _CHARGED.get()
