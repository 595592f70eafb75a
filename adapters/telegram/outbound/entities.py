"""Formatting as ranges over a text, brought into the shape that Telegram demands.

The rules are those of https://core.telegram.org/bots/api#messageentity: ranges nest or are apart, code and pre hold
nothing and stand in nothing but a quotation, no kind stands in itself, and beyond a hundred they are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

MESSAGE_ENTITIES = 100
_LINK = re.compile(r"(?:https?|tg|mailto|tel|ton):", re.IGNORECASE)
_CODE = frozenset({"code", "pre"})
_QUOTES = frozenset({"blockquote", "expandable_blockquote"})
_STYLES = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler"})


@dataclass(frozen=True, slots=True)
class Entity:
    """One formatted range; ``offset`` and ``length`` count UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None

    @property
    def end(self) -> int:
        """The first unit after the range."""
        return self.offset + self.length


def allowed(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Return the entities that may stand together, outermost first, styles given up first when there are too many."""
    usable = [entity for entity in entities if entity.length > 0 and _known(entity)]
    code = sorted((entity for entity in usable if entity.type in _CODE), key=lambda entity: entity.offset)
    pieces = [piece for entity in usable for piece in _outside(entity, code)]
    pieces.sort(key=lambda entity: (entity.offset, -entity.length, entity.type not in _QUOTES))
    nested = list(_nested(pieces))
    if len(nested) > MESSAGE_ENTITIES:
        ranked = sorted(nested, key=lambda entity: (entity.type in _STYLES, entity.offset))[:MESSAGE_ENTITIES]
        keep = set(ranked)
        nested = [entity for entity in nested if entity in keep]
    return tuple(nested)


def clipped(entity: Entity, start: int, end: int) -> Entity:
    """Return the part between two offsets, counted from the first."""
    offset = max(entity.offset, start)
    return replace(entity, offset=offset - start, length=min(entity.end, end) - offset)


def _known(entity: Entity) -> bool:
    if entity.type == "text_link":
        return bool(entity.url and _LINK.match(entity.url))
    return entity.type in _CODE | _QUOTES | _STYLES


def _nested(pieces: list[Entity]) -> Iterator[Entity]:
    """Walk from left to right, dropping what overlaps in part or must not stand where it does."""
    around: list[Entity] = []
    for entity in pieces:
        while around and around[-1].end <= entity.offset:
            around.pop()
        if all(_may_hold(outer, entity) for outer in around):
            around.append(entity)
            yield entity


def _outside(entity: Entity, code: list[Entity]) -> Iterator[Entity]:
    """Cut the ranges of code out of styles and links."""
    if entity.type in _CODE | _QUOTES:
        yield entity
        return
    start = entity.offset
    for hole in code:
        if hole.offset >= entity.end:
            break
        if hole.end <= start:
            continue
        if hole.offset > start:
            yield replace(entity, offset=start, length=hole.offset - start)
        start = hole.end
    if start < entity.end:
        yield replace(entity, offset=start, length=entity.end - start)


def _may_hold(outer: Entity, inner: Entity) -> bool:
    if inner.end > outer.end or outer.type in _CODE or outer.type == inner.type:
        return False
    return not (outer.type in _QUOTES and inner.type in _QUOTES)
