"""Events for counters, evaluation and plug-ins.

An event is told after the fact; whoever hears it can neither change nor hold up what told it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.items import Recalled
from bot.memory.scope import Scope
from bot.turn import Turn


@dataclass(frozen=True, slots=True)
class RetrievalCompleted:
    """Both memories were asked for ``question``: what they found as one ranking, and what went wrong."""

    scope: Scope
    question: str
    found: tuple[Recalled, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContextBuilt:
    """The system prompt of a turn stands; ``turn.trace.memories`` are those in it."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class AnswerProduced:
    """A turn is stored with its reply; ``turn.system_prompt`` and ``turn.context`` are what the model is told."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn has run through all systems, sending included; ``turn.trace.durations_ms`` has the time of each."""

    turn: Turn
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class ExchangeIndexed:
    """Long-term memory has processed a document (see :class:`~bot.turn.IndexDocument`)."""

    scope: Scope
    source: str


@dataclass(frozen=True, slots=True)
class MemoryErased:
    """Something of a scope, or all of it, was forgotten."""

    scope: Scope


Event = RetrievalCompleted | ContextBuilt | AnswerProduced | TurnEnded | ExchangeIndexed | MemoryErased

Publish = Callable[[Event], None]
"""Tells everybody of an event; returns at once and never raises."""


class Subscriber(Protocol):
    """Hears of every event, one at a time and in order."""

    async def __call__(self, event: Event) -> None:
        """Look at ``event``; what this raises is logged, and what takes too long is cut off."""
