"""How a structured memory ages: merging, superseding, expiry, decay and promotion.

Everything here is computed from an item's own fields when it is read or rewritten; nothing runs in the background, so
that a clock that jumps or a machine that sleeps changes no memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from bot.memory.items import ItemType, Layer, MemoryItem

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


def merged(old: MemoryItem, new: MemoryItem) -> MemoryItem:
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
        updated_at=_later(old.updated_at, new.updated_at),
    )


def supersedes(new: MemoryItem, old: MemoryItem) -> bool:
    """Whether ``new``, on the same subject, takes the place of ``old``.

    Only the same author can take something back, and never through a text that is less trusted.
    Imported items tell of the past: they only replace what was said before them.  Everything else is newer because it
    comes later, whatever the clocks say.
    """
    if not new.subject or new.subject != old.subject or new.fingerprint == old.fingerprint:
        return False
    if new.provenance.author_id != old.provenance.author_id or new.provenance.trust < old.provenance.trust:
        return False
    return new.provenance.source != "import" or new.provenance.said_at >= old.provenance.said_at


def expired(item: MemoryItem, now: datetime) -> bool:
    """Whether the item's time to live is over; a pinned item lives on."""
    if item.ttl_s is None or item.pinned or item.updated_at is None:
        return False
    return now > item.updated_at + timedelta(seconds=item.ttl_s)


def freshness(item: MemoryItem, now: datetime) -> float:
    """Return 1 for an item that was used or said just now, halving every :data:`HALF_LIFE_DAYS` of its layer."""
    last = _later(item.accessed_at, item.updated_at)
    if last is None:
        return 1.0
    days = max(0.0, (now - last).total_seconds() / 86_400)
    return float(0.5 ** (days / HALF_LIFE_DAYS[item.layer]))


def touched_salience(salience: float) -> float:
    """Return the salience of an item that has just stood in a prompt: a tenth of the way to 1."""
    return min(1.0, salience + (1 - salience) * 0.1)


def promoted(item: MemoryItem, *, restated: int, uses: int) -> MemoryItem | None:
    """Return an episodic item that has proved itself as semantic or procedural, ``None`` if it has not.

    It was said at least twice more, or used four times, and is believed.  Task states never become knowledge.
    """
    proven = restated >= _PROMOTE_RESTATED or uses >= _PROMOTE_USES
    if item.layer is not Layer.EPISODIC or item.type in _FLEETING or item.superseded_by is not None:
        return None
    if not proven or item.confidence < _PROMOTE_CONFIDENCE:
        return None
    return replace(item, layer=Layer.PROCEDURAL if item.type in _PROCEDURAL else Layer.SEMANTIC, ttl_s=None)


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at is not None), default=None)
