"""Structured memory: verbatim turns are the truth, items are derived from them.

Field names and ranges follow the product's specification of structured memory; see docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from types import MappingProxyType


class Layer(StrEnum):
    """How long an item is meant to matter."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class ItemType(StrEnum):
    """What an item is."""

    DECISION = "decision"
    CONSTRAINT = "constraint"
    FAILURE = "failure"
    FIX = "fix"
    PREFERENCE = "preference"
    FACT = "project_fact"
    TASK = "task_state"
    RESULT = "command_result"


class Trust(IntEnum):
    """How far a text may be believed; derived text takes the minimum of its inputs."""

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
    ever.  ``fingerprint`` is equal for items that say the same (:func:`bot.memory.learning.extraction.fingerprint`).
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
    """What the item is about ("sister", "booking code"): a new item with the same subject key supersedes the old."""
    id: int = 0


class Channel(StrEnum):
    """Which part of memory found something."""

    ITEM = "item"
    TURN = "store"
    CHUNK = "lightrag chunk"
    ENTITY = "lightrag entity"
    RELATION = "lightrag relation"


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that was found for a question, with the reasons.

    ``text`` is verbatim what was said (or the item's content); ``score`` is comparable within one answer only, higher
    is better; ``signals`` says what carried it, e.g. ``{"bm25": 2.1, "dense": 0.4}``; ``role`` is "user",
    "assistant", "forwarded" (a user passed on what ``author`` had written) or "" when unknown.  ``trust`` is how far
    the text may be believed, the least of its sources'; unknown is not much.
    ``key`` is stable and unique within a scope: ``turn:<uid>:user``, ``item:7``,
    ``chunk:<chunk id>``, ``entity:<name>``; several channels that found the same exchange share ``exchange``, its uid.
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

    def trust_for(self, reader_id: int, *, alone: bool) -> Trust:
        """Return how far somebody may believe it: what another said is, to them, outside text.

        ``alone`` says that nobody else speaks here: then words without an author's id are the reader's.
        """
        theirs = self.author_id == reader_id or (self.author_id == 0 and alone) or self.role == "assistant"
        return self.trust if theirs else min(self.trust, Trust.FILE)
