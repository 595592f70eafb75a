"""Converts the Markdown of language models into plain text plus entities, never markup.

Text with entities cannot fail to parse, whatever the model wrote; MarkdownV2 and HTML can.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from telegramify_markdown import RenderConfig, convert

from adapters.telegram.outbound.markdown_guard import guard, limit_nesting
from adapters.telegram.transport.session import replace_unsendable

MESSAGE_UNITS = 4096
"""Longest message in UTF-16 units, markup not counted: https://core.telegram.org/bots/api#sendmessage."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text and its entities, as ``sendMessage`` takes them."""

    text: str
    entities: tuple[Entity, ...] = ()

    def fits(self) -> bool:
        """Return whether one message holds it."""
        return count_units(self.text) <= MESSAGE_UNITS


def count_units(text: str) -> int:
    """Return the length in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def render(markdown: str) -> Rendered:
    """Convert; empty only for blank text: where Markdown shows nothing, its source is shown."""
    source = limit_nesting(replace_unsendable(markdown))
    formulas = "\\]" in source or "\\)" in source  # looking for them takes quadratic time when none of them ends
    text, entities = convert(guard(source), latex_escape=formulas, config=_make_config())
    if not text.strip():
        return Rendered(source.strip())
    end = count_units(text.rstrip())
    start = count_units(text) - count_units(text.lstrip())
    ranges = (
        clip(Entity(entity.type, entity.offset, entity.length, entity.url, entity.language), start, end)
        for entity in entities
    )
    shown = text.strip()
    return Rendered(shown, keep_allowed(_fold(entity, shown) for entity in ranges))


def _make_config() -> RenderConfig:
    """Return symbols that stay out of the way: headings are bold, without the library's pictures."""
    config = RenderConfig.isolated()
    config.cite_expandable = False  # ours to decide: see _fold
    look = config.markdown_symbol
    look.heading_level_1 = look.heading_level_2 = look.heading_level_3 = look.heading_level_4 = ""
    look.unordered_list_item = "•"
    return config


_FOLDED_LINES = 4
_FOLDED_UNITS = 300
"""A quotation of more lines or units than that is folded: Telegram then shows its first three lines."""


def _fold(entity: Entity, text: str) -> Entity:
    """Return a long quotation as one that is folded until somebody opens it."""
    if entity.type != "blockquote":
        return entity
    quoted = text.encode("utf-16-le", "surrogatepass")[entity.offset * 2 : entity.end * 2].count(b"\n\0") + 1
    long = entity.length > _FOLDED_UNITS or quoted > _FOLDED_LINES
    return replace(entity, type="expandable_blockquote") if long else entity


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


def keep_allowed(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Return the entities that may stand together, outermost first, styles given up first when there are too many.

    https://core.telegram.org/bots/api#messageentity: ranges nest or are apart, code and pre hold nothing and stand in
    nothing but a quotation, no kind stands in itself, and beyond a hundred they are ignored.
    """
    usable = [entity for entity in entities if entity.length > 0 and _is_known(entity)]
    code = sorted((entity for entity in usable if entity.type in _CODE), key=lambda entity: entity.offset)
    pieces = [piece for entity in usable for piece in _cut_out_code(entity, code)]
    pieces.sort(key=lambda entity: (entity.offset, -entity.length, entity.type not in _QUOTES))
    nested = list(_drop_overlaps(pieces))
    if len(nested) > MESSAGE_ENTITIES:
        ranked = sorted(nested, key=lambda entity: (entity.type in _STYLES, entity.offset))[:MESSAGE_ENTITIES]
        keep = set(ranked)
        nested = [entity for entity in nested if entity in keep]
    return tuple(nested)


def clip(entity: Entity, start: int, end: int) -> Entity:
    """Return the part between two offsets, counted from the first."""
    offset = max(entity.offset, start)
    return replace(entity, offset=offset - start, length=min(entity.end, end) - offset)


def _is_known(entity: Entity) -> bool:
    if entity.type == "text_link":
        return bool(entity.url and _LINK.match(entity.url))
    return entity.type in _CODE | _QUOTES | _STYLES


def _drop_overlaps(pieces: list[Entity]) -> Iterator[Entity]:
    """Walk from left to right, dropping what overlaps in part or must not stand where it does."""
    around: list[Entity] = []
    for entity in pieces:
        while around and around[-1].end <= entity.offset:
            around.pop()
        if all(_may_hold(outer, entity) for outer in around):
            around.append(entity)
            yield entity


def _cut_out_code(entity: Entity, code: list[Entity]) -> Iterator[Entity]:
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
