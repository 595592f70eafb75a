"""Structured memory and the parts of messages: verbatim turns are the truth, items are derived from them.

Only the words that its author typed are theirs.  A forward, what looks pasted, a quotation, a file's name and what a
tool brought are somebody else's, however they came in, and stay so wherever they are kept, shown or learned from.
Field names and ranges follow the product's specification of structured memory; see docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from types import MappingProxyType


class Layer(StrEnum):
    """The time for which an item is meant to matter."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class ItemType(StrEnum):
    """The kind of an item."""

    DECISION = "decision"
    CONSTRAINT = "constraint"
    FAILURE = "failure"
    FIX = "fix"
    PREFERENCE = "preference"
    FACT = "project_fact"
    TASK = "task_state"
    RESULT = "command_result"


class Trust(IntEnum):
    """The degree to which a text may be believed; derived text takes the minimum of its inputs."""

    TOOL = 0
    FILE = 1
    BOT = 2
    USER = 3
    OWNER = 4


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a memory comes from.

    ``author_id`` is the numeric id of who said it (0 for the assistant); ``exchange`` the uid of the exchange it was
    derived from, "" if there is none; ``source`` a short word: "chat", "remember", "summary", "import".
    """

    author_id: int
    author_name: str
    source: str
    trust: Trust
    said_at: datetime
    exchange: str = ""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One structured memory.

    ``confidence`` and ``salience`` lie in 0..1.  ``ttl_s`` is the life in seconds since ``updated_at``, ``None`` for
    ever.  ``fingerprint`` is equal for items that say the same, see
    :func:`~bot.memory.learning.statements.compute_fingerprint`.
    ``superseded_by`` names the item that contradicts and replaces this one; it stays readable in history.
    ``id`` is 0 until the store has given one.
    """

    layer: Layer
    type: ItemType
    title: str
    content: str
    provenance: Provenance
    fingerprint: str
    confidence: float = 0.7
    salience: float = 0.5
    tags: tuple[str, ...] = ()
    ttl_s: int | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    accessed_at: datetime | None = None
    references: tuple[int, ...] = ()
    superseded_by: int | None = None
    pinned: bool = False
    subject: str = ""
    """Its subject ("sister", "booking code"): a new item with the same subject key supersedes the old."""
    id: int = 0


class Channel(StrEnum):
    """The part of memory that found something."""

    ITEM = "item"
    TURN = "store"
    DIGEST = "digest"
    DOCUMENT = "document"
    CHUNK = "lightrag chunk"
    ENTITY = "lightrag entity"
    RELATION = "lightrag relation"


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where in a document something stands: its uid and name, the headings above it, the page (0 without pages)."""

    uid: str
    name: str
    headings: tuple[str, ...] = ()
    page: int = 0


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that was found for a question, with the reasons.

    ``text`` is verbatim what was said (or the item's content); ``score`` is comparable within one answer only, higher
    is better; ``signals`` says what carried it, e.g. ``{"bm25": 2.1, "dense": 0.4}``; ``role`` is "user",
    "assistant", "forwarded" (a user passed on what ``author`` had written) or "" when unknown.  ``trust`` is how far
    the text may be believed, the least of its sources'; unknown is not much.
    ``key`` is stable and unique within a scope: ``turn:<uid>:user``, ``item:7``,
    ``document:<uid>:<number of the chunk>``, ``chunk:<chunk id>``, ``entity:<name>``; several channels that found the
    same exchange share ``exchange``, its uid.
    """

    key: str
    text: str
    channel: Channel
    score: float
    author: str = ""
    author_id: int = 0
    role: str = ""
    said_at: datetime | None = None
    exchange: str = ""
    signals: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    trust: Trust = Trust.FILE
    forwarder: str = ""
    """Who passed it on, where ``role`` is "forwarded"; "" where nobody knows."""
    forwarder_id: int = 0
    place: DocumentPlace | None = None
    """Of a document: where in it the text stands."""

    def trust_for(self, reader_id: int, *, alone: bool) -> Trust:
        """Return how far somebody may believe it: what another said is, to them, outside text.

        ``alone`` says that nobody else speaks here: then words without an author's id are the reader's.
        """
        theirs = self.author_id == reader_id or (self.author_id == 0 and alone) or self.role == "assistant"
        return self.trust if theirs else min(self.trust, Trust.FILE)


class Origin(StrEnum):
    """The way by which a text that its author did not type came into a message."""

    FORWARDED = "forwarded"
    PASTED = "pasted"
    QUOTED = "quoted"
    FILE = "file"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Part:
    """A text that the author of its message did not write: ``author`` did, "" and 0 where nobody knows who.

    A part of a tool has the tool's name for its author and holds no text, because results are not kept: but for that of
    a call that a user agreed to, which stands in the history of its session.
    """

    origin: Origin
    text: str
    author: str = ""
    author_id: int = 0
    trust: Trust = Trust.FILE


PASSED_ON = frozenset({Origin.FORWARDED, Origin.PASTED})
"""How the text of a message itself comes to be another's."""


def merge_forwarded(parts: Sequence[Part]) -> Part | None:
    """Return what was forwarded or pasted, as one part; ``None`` when nothing was."""
    found = [part for part in parts if part.origin in PASSED_ON]
    if len(found) < 2:  # noqa: PLR2004  one is itself
        return found[0] if found else None
    names = ", ".join(dict.fromkeys(part.author for part in found if part.author))
    ids = {part.author_id for part in found}
    return Part(
        Origin.PASTED if all(part.origin is Origin.PASTED for part in found) else Origin.FORWARDED,
        "\n".join(part.text for part in found),
        names,
        ids.pop() if len(ids) == 1 else 0,
        min(part.trust for part in found),
    )


def get_lowest_trust(parts: Sequence[Part], own: Trust) -> Trust:
    """Return how far a text made of ``parts`` and of a text of trust ``own`` may be believed: the minimum."""
    return min((own, *(part.trust for part in parts)))
