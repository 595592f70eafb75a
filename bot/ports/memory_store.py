"""Memory: the items of a scope, and what the search of items, turns and chronicle is asked and answers.

Memory as it is looked at: items, the timeline of what was said, and the names in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from bot.memory.chronicle import DigestLine
from bot.memory.items import ItemType, MemoryItem, Recalled
from bot.memory.learning.correction import Correction
from bot.memory.names import NameKind
from bot.memory.ranking.ranking import SEARCH_BUDGET, SearchBudget
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.turn import Exchange, Trace


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

        From then on it is what they said at that time, or at that of words that it only spells or details, in the chat
        ``at`` and the message ``message_id``: nobody else's, and it takes the place of nobody else's.  What was said
        before leaves answers and prompts and stays in the history.
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
    """An exchange, and what its author said right ``before`` it where it says nothing without that.

    ``changing`` says what it has changed (:class:`~bot.memory.items.Recalled`).
    """

    exchange: Exchange
    before: str = ""
    changing: Mapping[str, float] = field(default_factory=dict)


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
class OpenedExchange:
    """One exchange with what it taught, and what its answer was based on (``None`` when that is not known any more)."""

    exchange: Exchange
    items: tuple[MemoryItem, ...] = ()
    trace: Trace | None = None


class MemoryBrowser(Protocol):
    """Shows what a scope remembers.  Raises :class:`~bot.errors.StorageUnavailable`."""

    async def browse(self, scope: Scope, chosen: ItemFilter, *, offset: int = 0, size: int = 10) -> ItemPage:
        """Return one page of what the filter leaves, newest first."""

    async def count(self, scope: Scope, since: tuple[datetime, ...] = ()) -> MemoryCounts:
        """Return how much there is."""

    async def open(self, scope: Scope, number: int) -> OpenedMemory | None:
        """Return the memory of this number (its lower 32 bits, or its whole id); ``None`` if the scope has none."""

    async def find_said(self, scope: Scope, uid: str) -> OpenedExchange | None:
        """Return an exchange with the live memories that it is a source of, ``None`` if the scope has none of it."""


Place = tuple[float, int]
"""Where a page of the timeline ends: seconds since 1970 (UTC), and the number within the scope, of its oldest exchange.
"""


@dataclass(frozen=True, slots=True)
class ScopeSummary:
    """A scope that something is kept of: how many exchanges and live items, and who spoke last and when."""

    scope: Scope
    exchanges: int
    items: int
    name: str = ""
    newest: datetime | None = None


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """Exchanges, newest first; ``older`` is where the next page begins, ``None`` at the end.

    ``changing`` says by uid what an exchange has changed (:class:`~bot.memory.items.Recalled`).
    """

    exchanges: tuple[Exchange, ...]
    older: Place | None = None
    changing: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


class Timeline(Protocol):
    """Shows what was said.  Everything raises :class:`~bot.errors.StorageUnavailable`."""

    async def list_scopes(self) -> tuple[ScopeSummary, ...]:
        """Return every scope that something is kept of, the one that spoke last first."""

    async def read(
        self, scope: Scope, *, before: Place | None = None, until: datetime | None = None, size: int = 50
    ) -> TimelinePage:
        """Return a page: what was said before a place, or before a moment, newest first; everything without either.

        What an edit replaced is left out.
        """

    async def count_months(self, scope: Scope, zone: tzinfo | None) -> tuple[tuple[date, int], ...]:
        """Return the first days of the months in which something was said, newest first, and how many exchanges."""

    async def open(self, scope: Scope, uid: str) -> OpenedExchange | None:
        """Return one exchange, ``None`` if the scope has none of that name."""

    async def find(self, scope: Scope, uids: tuple[str, ...]) -> tuple[Exchange, ...]:
        """Return those of these exchanges that are there, oldest first."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """Somebody or something that is named: by how many messages, and from when to when.

    ``id`` counts within the scope; ``relation`` is a concept ("sister"), "" where nobody said who they are, ``own``
    whether they are the author's own.
    """

    id: int
    shown: str
    kind: NameKind
    count: int
    first: datetime
    last: datetime
    relation: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class NamePage:
    """Names, the most named first, of ``total``."""

    names: tuple[KnownName, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NameLink:
    """Two names, by id, and in how many messages they stand together."""

    one: int
    other: int
    count: int


@dataclass(frozen=True, slots=True)
class OpenedName:
    """A name with those that it is named together with, most often first, and a page of where it is named.

    ``exchanges`` are uids, newest first; ``more`` says that there are older ones.
    """

    name: KnownName
    others: tuple[tuple[KnownName, int], ...]
    exchanges: tuple[str, ...]
    more: bool = False


class Names(Protocol):
    """Shows whom and what a scope knows by name; names appear and vanish with the exchanges that hold them.

    Everything raises :class:`~bot.errors.StorageUnavailable`.
    """

    async def list_names(self, scope: Scope, *, search: str = "", offset: int = 0, size: int = 50) -> NamePage:
        """Return a page of names; ``search`` keeps those that hold it, in whatever case."""

    async def list_links(self, scope: Scope, ids: tuple[int, ...]) -> tuple[NameLink, ...]:
        """Return which of these names stand together in messages, the most often first."""

    async def open_name(self, scope: Scope, number: int, *, offset: int = 0, size: int = 20) -> OpenedName | None:
        """Return a name by its number, with where it is named; ``None`` if the scope has none."""

    async def named_in(self, scope: Scope, uid: str) -> tuple[KnownName, ...]:
        """Return the names that one exchange holds."""
