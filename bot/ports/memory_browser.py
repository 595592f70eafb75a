"""Looking at memory: what is there by kind, person and time, a page of it, and one memory with its history.

Beside :mod:`bot.ports.memory_store`, which finds for a question and changes: this only shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from bot.memory.items import ItemType, MemoryItem
from bot.memory.scope import Scope
from bot.ports.memory_store import ItemPage, Selector
from bot.turn import Exchange


class Likeness(StrEnum):
    """What a listing has in common with one memory."""

    AUTHOR = "author"
    """Said by the same person."""
    TOPIC = "topic"
    """About the same person or thing."""


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which memories a page shows; what is not set leaves nothing out.

    ``like`` is the number of a memory and what the others share with it; a number that is gone leaves nothing.
    ``since`` is inclusive, ``before`` is not; both mean when it was said.  ``search`` keeps what holds all of its
    words.
    """

    selector: Selector = Selector.ALL
    kind: ItemType | None = None
    like: tuple[Likeness, int] | None = None
    since: datetime | None = None
    before: datetime | None = None
    search: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """How many memories are of one author or about one topic; ``newest`` stands for them, by its number and name."""

    newest: MemoryItem
    count: int


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """How much of what a scope remembers; what is not there is left out of ``kinds``, ``authors`` and ``topics``.

    ``authors`` and ``topics`` (persons and things that several facts may be about) come with the largest first.
    ``since`` has, for each border that was asked for, how many memories were said at it or later.
    """

    total: int = 0
    wishes: int = 0
    pinned: int = 0
    history: int = 0
    kinds: Mapping[ItemType, int] = field(default_factory=lambda: MappingProxyType({}))
    authors: tuple[Share, ...] = ()
    topics: tuple[Share, ...] = ()
    since: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenedMemory:
    """One memory with all that is known of it.

    ``uses`` is how often it stood in a prompt, ``restated`` how often it was said again.  ``replaced`` are the memories
    that it took the place of, oldest first, and ``replaced_by`` what took its own.  ``source`` is the exchange that
    said it first, ``None`` where there is none or it is gone.
    """

    item: MemoryItem
    uses: int = 0
    restated: int = 0
    replaced: tuple[MemoryItem, ...] = ()
    replaced_by: MemoryItem | None = None
    source: Exchange | None = None


@dataclass(frozen=True, slots=True)
class SaidExchange:
    """What was once said and answered, with the live memories that it is a source of."""

    exchange: Exchange
    items: tuple[MemoryItem, ...] = ()


class MemoryBrowser(Protocol):
    """Shows what a scope remembers.  Raises :class:`~bot.errors.StorageUnavailable`."""

    async def browse(self, scope: Scope, chosen: ItemFilter, *, offset: int = 0, size: int = 10) -> ItemPage:
        """Return one page of what the filter leaves, newest first."""
        ...

    async def count(self, scope: Scope, since: tuple[datetime, ...] = ()) -> MemoryCounts:
        """Return how much there is."""
        ...

    async def open(self, scope: Scope, number: int) -> OpenedMemory | None:
        """Return the memory of this number (its lower 32 bits, or its whole id); ``None`` if the scope has none."""
        ...

    async def find_said(self, scope: Scope, uid: str) -> SaidExchange | None:
        """Return an exchange by its name, ``None`` if the scope has none of it."""
        ...
