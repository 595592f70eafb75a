"""Short-term memory: verbatim turns and structured items of a scope."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.memory.items import Layer, MemoryItem, Recalled
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


class Selector(StrEnum):
    """Which items a listing shows."""

    ALL = "all"
    PINNED = "pinned"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of items, newest first, of ``total``."""

    items: tuple[MemoryItem, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an erase removed, counted, and what a search for it finds afterwards (must be nothing).

    ``pending`` says that long-term memory was asked and has not confirmed yet; the outbox keeps asking.
    ``answers`` counts later answers that repeated what was erased and were blanked.
    ``undo`` names the erase for as long as it can be taken back, ``undo_s`` seconds from now; "" when it cannot.
    """

    exchanges: int
    items: int
    documents: int
    residue: tuple[str, ...] = ()
    pending: bool = False
    answers: int = 0
    undo: str = ""
    undo_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Named:
    """What is to be erased: items by id, exchanges by uid, and other things that hold a text (:class:`Found`)."""

    items: tuple[int, ...] = ()
    exchanges: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Something kept that holds words: ``ref`` names it ("item:ID", "turn:UID", or a copy: "summary:…", "entry:…").

    ``share`` is how many of the words stand in it, 1 when all do; ``certain`` that all do, beyond doubt.
    ``author_id`` and ``role`` say whose words they are, ``said_at`` when they were said, if that is known.
    """

    ref: str
    text: str
    share: float
    certain: bool
    author_id: int = 0
    author: str = ""
    role: str = "user"
    said_at: datetime | None = None


class KeptTexts(Protocol):
    """Looks through everything that is kept, remembered or not: to forget a word, all that holds it must be found."""

    async def find(self, scope: Scope, words: tuple[str, ...]) -> tuple[Found, ...]:
        """Return what holds any of these words, whole, in any inflection; most of them first, one per exchange.

        Copies (summaries, explanations, waiting texts) are named only where no memory of the same text is.
        """
        ...

    async def list_texts(self, scope: Scope, named: Named) -> tuple[str, ...]:
        """Return the texts that would go if this were erased, oldest first; () if none of it is of this scope.

        An item takes the exchanges that said it with it, an exchange its other versions and its items.
        """
        ...


class Recall(Protocol):
    """Finds what was said: the local channel over verbatim turns."""

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return verbatim turns that may hold the answer, best first; empty when nothing matches at all.

        Turns become visible with the commit of their exchange.
        """
        ...


class MemoryStore(Protocol):
    """Finds structured items for a question."""

    async def items(self, scope: Scope, query: MemoryQuery) -> tuple[tuple[MemoryItem, float], ...]:
        """Return live items (not superseded, not expired) with a relevance score in 0..1, best first.

        Reading refreshes nothing; :meth:`touch` does.
        """
        ...

    async def touch(self, scope: Scope, item_ids: tuple[int, ...], at: datetime) -> None:
        """Refresh items that were put into a prompt."""
        ...


class MemoryEditor(Protocol):
    """What /memory, /remember, /forget and the memory tools do."""

    async def page(
        self, scope: Scope, selector: Selector, *, search: str = "", offset: int = 0, size: int = 10
    ) -> Page:
        """Return one page of the scope's items."""
        ...

    async def layers(self, scope: Scope) -> dict[Layer, int]:
        """Return how many live items each layer holds."""
        ...

    async def add(self, scope: Scope, item: MemoryItem) -> int:
        """Store one item (merging and superseding as a commit does) and return its id."""
        ...

    async def edit(self, scope: Scope, item_id: int, content: str, at: datetime) -> bool:
        """Replace an item's content; ``False`` if this scope has no such item."""
        ...

    async def pin(self, scope: Scope, item_id: int, *, pinned: bool) -> bool:
        """Keep an item in every prompt, or stop that; ``False`` if this scope has no such item."""
        ...


class Eraser(Protocol):
    """Forgets, with a receipt.  Documents of erased exchanges are queued for removal from long-term memory.

    A single erase may be taken back for a while (:class:`Undo`); nothing finds what it took meanwhile.
    """

    async def erase(self, scope: Scope, named: Named, *, author_id: int = 0) -> Receipt:
        """Forget what is named, the exchanges that items come from, and everything derived from them.

        ``author_id`` is who may take it back; 0 anybody in the scope.
        """
        ...

    async def erase_items(self, scope: Scope, item_ids: tuple[int, ...]) -> Receipt:
        """Forget items and the exchanges they come from."""
        ...

    async def erase_exchanges(self, scope: Scope, exchanges: tuple[str, ...]) -> Receipt:
        """Forget exchanges, by uid, and everything derived from them."""
        ...

    async def erase_scope(self, scope: Scope) -> Receipt:
        """Forget everything of a scope and leave a tombstone that keeps pending work from bringing it back."""
        ...


class Undo(Protocol):
    """Takes an erase back."""

    async def undo(self, scope: Scope, author_id: int, uid: str = "") -> tuple[int, int] | None:
        """Bring back what the newest erase of this author, or the one named, took: how many exchanges and items.

        Returns ``None`` when there is nothing (any more) that this author may take back.
        """
        ...
