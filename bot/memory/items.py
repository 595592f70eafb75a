"""Structured memory and the parts of messages: verbatim turns are the truth, items are derived from them.

Only the words that its author typed are theirs.  A forward, what looks pasted, a quotation, a file's name and what a
tool brought are somebody else's, however they came in, and stay so wherever they are kept, shown or learned from.
Field names and ranges follow the product's specification of structured memory; see docs/architecture.md.
What becomes of an item is computed from its own fields when it is read or rewritten; nothing runs in the background, so
that a clock that jumps or a machine that sleeps changes no memory.
Relevance is a match first, which everything else only bends: an item that matches nothing is not made relevant by being
new or important; among items that match, recency, salience, confidence and type decide.  Standing instructions
(preferences, constraints) keep a small share without a match, because they hold for every answer.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final, Self


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
    """The degree to which a text may be believed; derived text takes the minimum of its inputs.

    What is stored as a level that does not exist is believed least.
    """

    TOOL = 0
    FILE = 1
    BOT = 2
    USER = 3
    OWNER = 4

    @classmethod
    def _missing_(cls, _: object) -> Self:
        return cls.TOOL


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


def name_words(exchange: str) -> str:
    """Return the key of what somebody typed in an exchange, given its uid."""
    return f"turn:{exchange}:user"


def name_sentence(exchange: str, number: int) -> str:
    """Return the key of a sentence of what somebody typed, counted from 0; -1 is the only one, and so all of it."""
    return name_words(exchange) if number < 0 else f"{name_words(exchange)}:{number}"


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
    signals: Mapping[str, float] = field(default_factory=partial(MappingProxyType, {}))
    trust: Trust = Trust.FILE
    forwarder: str = ""
    """Who passed it on, where ``role`` is "forwarded"; "" where nobody knows."""
    forwarder_id: int = 0
    place: DocumentPlace | None = None
    """Of a document: where in it the text stands."""
    before: str = ""
    """What its author said right before it, where it says nothing without that: "She is a goldsmith"."""
    changing: Mapping[str, float] = field(default_factory=partial(MappingProxyType, {}))
    """How likely, 0..1, what earlier memories say holds no more as it says this, by their keys, or those of their
    sentences, of those that a model read beside it."""
    vector: bytes = field(default=b"", compare=False, repr=False)
    """Of what was said: what it means, in int8 numbers of any length (:func:`~bot.memory.ranking.vectors.liken`)."""

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
    return min(own, *(part.trust for part in parts)) if parts else own


HALF_LIFE_DAYS: Final[Mapping[Layer, float]] = MappingProxyType(
    {Layer.WORKING: 2.0, Layer.EPISODIC: 45.0, Layer.SEMANTIC: 365.0, Layer.PROCEDURAL: 365.0}
)
"""Days without use after which an item counts half: a task state is stale soon, a fact about a person is not."""

_DURABILITY: Final = (Layer.WORKING, Layer.EPISODIC, Layer.SEMANTIC, Layer.PROCEDURAL)
_PROCEDURAL: Final = frozenset({ItemType.FIX, ItemType.RESULT})
_FLEETING: Final = frozenset({ItemType.TASK})
_PROMOTE_RESTATED: Final = 2
_PROMOTE_USES: Final = 4
_PROMOTE_CONFIDENCE: Final = 0.6
_MOST_CERTAIN: Final = 0.99


def merge_items(old: MemoryItem, new: MemoryItem) -> MemoryItem:
    """Return ``old`` refreshed by ``new``, which says the same.

    Saying something again makes it more certain.  A source that is less trusted than the old one changes nothing: text
    from a web page must not strengthen, pin, tag or key what a person said.
    Id, creation and first provenance stay; a more trusted source takes over the provenance.
    """
    if new.provenance.trust < old.provenance.trust:
        return old
    confidence = 1 - (1 - old.confidence) * (1 - new.confidence / 2)
    return replace(
        old,
        layer=max(old.layer, new.layer, key=_DURABILITY.index),
        provenance=new.provenance if new.provenance.trust > old.provenance.trust else old.provenance,
        confidence=max(old.confidence, min(_MOST_CERTAIN, confidence)),
        salience=max(old.salience, new.salience),
        tags=tuple(dict.fromkeys((*old.tags, *new.tags))),
        references=tuple(dict.fromkeys((*old.references, *new.references))),
        subject=old.subject or new.subject,
        ttl_s=None if old.ttl_s is None or new.ttl_s is None else max(old.ttl_s, new.ttl_s),
        pinned=old.pinned or new.pinned,
        updated_at=_choose_later(old.updated_at, new.updated_at),
    )


def supersedes(new: MemoryItem, old: MemoryItem) -> bool:
    """Return whether ``new``, on the same subject, takes the place of ``old``.

    Only the same author can take something back, and never through a text that is less trusted.
    Imported items tell of the past: they only replace what was said before them.  Everything else is newer because it
    comes later, whatever the clocks say.
    """
    if not new.subject or new.subject != old.subject or new.fingerprint == old.fingerprint:
        return False
    if new.provenance.author_id != old.provenance.author_id or new.provenance.trust < old.provenance.trust:
        return False
    return new.provenance.source != "import" or new.provenance.said_at >= old.provenance.said_at


def is_expired(item: MemoryItem, now: datetime) -> bool:
    """Return whether the item's time to live is over; a pinned item lives on."""
    if item.ttl_s is None or item.pinned or item.updated_at is None:
        return False
    return now > item.updated_at + timedelta(seconds=item.ttl_s)


def rate_freshness(item: MemoryItem, now: datetime) -> float:
    """Return 1 for an item that was used or said just now, halving every :data:`HALF_LIFE_DAYS` of its layer."""
    last = _choose_later(item.accessed_at, item.updated_at)
    if last is None:
        return 1.0
    days = max(0.0, (now - last).total_seconds() / 86_400)
    return float(0.5 ** (days / HALF_LIFE_DAYS[item.layer]))


def raise_salience(salience: float) -> float:
    """Return the salience of an item that has just stood in a prompt: a tenth of the way to 1."""
    return min(1.0, salience + (1 - salience) * 0.1)


def promote_item(item: MemoryItem, *, restated: int, uses: int) -> MemoryItem | None:
    """Return an episodic item that has proved itself as semantic or procedural, ``None`` if it has not.

    It was said at least twice more, or used four times, and is believed.  Task states never become knowledge.
    """
    proven = restated >= _PROMOTE_RESTATED or uses >= _PROMOTE_USES
    if item.layer is not Layer.EPISODIC or item.type in _FLEETING or item.superseded_by is not None:
        return None
    if not proven or item.confidence < _PROMOTE_CONFIDENCE:
        return None
    return replace(item, layer=Layer.PROCEDURAL if item.type in _PROCEDURAL else Layer.SEMANTIC, ttl_s=None)


def _choose_later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at is not None), default=None)


_TYPE_WEIGHT: Final[Mapping[ItemType, float]] = MappingProxyType(
    {
        ItemType.CONSTRAINT: 1.0,
        ItemType.PREFERENCE: 1.0,
        ItemType.DECISION: 0.9,
        ItemType.FACT: 0.9,
        ItemType.FIX: 0.8,
        ItemType.FAILURE: 0.7,
        ItemType.TASK: 0.7,
        ItemType.RESULT: 0.5,
    }
)
_STANDING: Final = frozenset({ItemType.PREFERENCE, ItemType.CONSTRAINT})
_STANDING_MATCH: Final = 0.25
_PRIOR_SHARE: Final = 0.4
"""The most that recency, salience, confidence and type together can take off a perfect match."""
_COSINE_NOISE: Final = 0.35
_COSINE_CERTAIN: Final = 0.8
"""Sentence embeddings of unrelated short texts lie below the first, paraphrases above the second."""


@dataclass(frozen=True, slots=True)
class Match:
    """The match of an item and a question: shares of the question's weighted words, and of meaning, both in 0..1."""

    lexical: float = 0.0
    dense: float = 0.0

    @property
    def strength(self) -> float:
        """Both together: two weak signs are stronger than one, and a perfect one needs no other."""
        return 1 - (1 - self.lexical) * (1 - self.dense)


def rate_relevance(item: MemoryItem, match: Match, now: datetime) -> float:
    """Return the relevance in 0..1; a pinned item has 1."""
    if item.pinned:
        return 1.0
    strength = match.strength
    if item.type in _STANDING:
        strength = max(strength, _STANDING_MATCH)
    prior = (rate_freshness(item, now) + item.salience + item.confidence + _TYPE_WEIGHT[item.type]) / 4
    return strength * (1 - _PRIOR_SHARE * (1 - prior))


def scale_cosine(cosine: float) -> float:
    """Return a cosine similarity as a share in 0..1."""
    return min(1.0, max(0.0, (cosine - _COSINE_NOISE) / (_COSINE_CERTAIN - _COSINE_NOISE)))


def weigh_words(words: Iterable[str], frequency: Mapping[str, int], total: int) -> dict[str, float]:
    """Return what each word of a question tells, by how few of the scope's ``total`` items have it.

    Robertson and Sparck Jones' idf, as in BM25 (https://doi.org/10.1561/1500000019), smoothed to stay positive.
    """
    return {
        word: math.log(1 + (total - frequency.get(word, 0) + 0.5) / (frequency.get(word, 0) + 0.5)) for word in words
    }


def select_best(
    items: Iterable[MemoryItem], matches: Mapping[int, Match], now: datetime, limit: int
) -> tuple[tuple[MemoryItem, float], ...]:
    """Return items that hold still with their relevance, best first, newest first among equals, at most ``limit``."""
    rated = [(each, rate_relevance(each, matches[each.id], now)) for each in items if not is_expired(each, now)]
    kept = [pair for pair in rated if pair[1] > 0]
    return tuple(sorted(kept, key=lambda pair: (-pair[1], -pair[0].id))[:limit])
