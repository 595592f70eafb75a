"""Memory: the items of a scope, and what the search of items, turns and chronicle is asked and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from bot.memory.chronicle import DigestLine
from bot.memory.items import MemoryItem, Recalled
from bot.memory.learning.correction import Correction
from bot.memory.ranking.ranking import SEARCH_BUDGET, SearchBudget
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.turn import Exchange


class Selector(StrEnum):
    """Which items a listing shows."""

    ALL = "all"
    PINNED = "pinned"
    HISTORY = "history"
    WISHES = "wishes"


@dataclass(frozen=True, slots=True)
class ItemPage:
    """A page of items, newest first, of ``total``."""

    items: tuple[MemoryItem, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """A memory whose words were put right by its author: what it said before, and what it says now."""

    item_id: int
    before: str
    after: str


class MemoryStore(Protocol):
    """Finds structured items for a question."""

    async def items(self, scope: Scope, query: MemoryQuery) -> tuple[tuple[MemoryItem, float], ...]:
        """Return live items (not superseded, not expired) with a relevance score in 0..1, best first.

        Reading refreshes nothing; :meth:`touch` does.
        """

    async def wishes(self, scope: Scope) -> tuple[MemoryItem, ...]:
        """Return the live standing wishes of all authors, pinned ones first, then the newest, at most 100.

        The order changes only with what it holds.
        """

    async def touch(self, scope: Scope, item_ids: tuple[int, ...], at: datetime) -> None:
        """Refresh items that were put into a prompt."""


class MemoryEditor(Protocol):
    """What /memory, /remember, /forget and the memory tools do."""

    async def page(
        self, scope: Scope, selector: Selector, *, search: str = "", offset: int = 0, size: int = 10
    ) -> ItemPage:
        """Return one page of the scope's items."""

    async def add(self, scope: Scope, item: MemoryItem, at: Address | None = None, message_id: int = 0) -> int:
        """Store one item (merging and superseding as a commit does) and return its id.

        Words that stand in no exchange yet are stored as one, which their author said in the chat ``at``: in the
        message ``message_id``, so that an edit of it takes their place.
        """

    async def edit(
        self,
        scope: Scope,
        item_id: int,
        content: str,
        now: datetime,
        editor: Author,
        at: Address | None = None,
        message_id: int = 0,
    ) -> bool:
        """Replace an item's content by a new word of the editor's; ``False`` if this scope has no such item.

        From then on it is what they said at that time, in the chat ``at`` and the message ``message_id``: nobody
        else's, and it takes the place of nobody else's.  What was said before leaves answers and prompts and stays in
        the history.
        """

    async def correct(
        self, scope: Scope, correction: Correction, by: str, now: datetime, editor: Author, at: Address
    ) -> Corrected | None:
        """Let what an author says now, in the exchange ``by``, hold instead of a sentence of theirs, as an edit does.

        A sentence that no memory was made of becomes one, so that it can be seen and put back.  ``None`` if they have
        not said it, or it holds no longer.
        """

    async def find_corrected(self, scope: Scope, by: str) -> tuple[Corrected, ...]:
        """Return what the exchange ``by`` has corrected: a turn that a crash cut off tells it when it is run again."""

    async def take_back(
        self, scope: Scope, since: datetime, now: datetime, editor: Author, at: Address
    ) -> Corrected | None:
        """Put the former words of an editor's newest edit back, which is an edit, too.

        ``None`` where they have edited nothing since then.
        """

    async def pin(self, scope: Scope, item_id: int, *, pinned: bool) -> bool:
        """Keep an item in every prompt, or stop that; ``False`` if this scope has no such item."""


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


@dataclass(frozen=True, slots=True)
class Said:
    """An exchange, and what its author said right ``before`` it where it says nothing without that."""

    exchange: Exchange
    before: str = ""


class Mentions(Protocol):
    """Finds everything in which somebody or something is meant."""

    async def find_said(self, scope: Scope, words: tuple[str, ...]) -> tuple[Said, ...]:
        """Return what was said with one of these words in it, in any form, the newest first, some hundreds at most.

        With it comes what was said right behind and says nothing without it.  Raises
        :class:`~bot.errors.StorageUnavailable`.
        """


class Chronicle(Protocol):
    """Reads the lines of a scope; they appear and vanish with their exchanges."""

    async def read_lines(self, scope: Scope) -> tuple[DigestLine, ...]:
        """Return the lines of the scope's newest exchanges in order of time, some thousands at most.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
