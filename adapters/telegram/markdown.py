"""Converts the Markdown of language models into plain text plus entities, never markup.

Text with entities cannot fail to parse, whatever the model wrote; MarkdownV2 and HTML can.
What the converter would swallow or misread is escaped first.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pyromark
from telegramify_markdown import RenderConfig, convert

from adapters.telegram.session import replace_unsendable

MESSAGE_UNITS = 4096
"""Longest message in UTF-16 units, markup not counted: https://core.telegram.org/bots/api#sendmessage."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text and its entities, as ``sendMessage`` takes them."""

    text: str
    entities: tuple[Entity, ...] = ()

    def fits(self) -> bool:
        return count_units(self.text) <= MESSAGE_UNITS


def count_units(text: str) -> int:
    """Return the length in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def render(markdown: str) -> Rendered:
    """Convert; empty only for blank text: where Markdown shows nothing, its source is shown."""
    source = limit_nesting(replace_unsendable(markdown))
    ends = "\\]" in source or "\\)" in source  # looking for formulas takes quadratic time when none of them ends
    formulas = ends and _OPENS_FORMULA.search(source) is not None
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


_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
)
"""As telegramify-markdown parses; the two must read a text alike."""

_MARKS = ("<", "||", "$", "*", "__", "~")
_EMPHASIS = {"Emphasis", "Strong", "Strikethrough"}
_SIGNS = b"*_~\\"
_IDENTIFIER = re.compile(rb"[A-Za-z0-9_\\]+")
_SPACED = {"Lu", "Ll", "Lt", "Nd", "Nl", "No"}
"""Categories of what words are made of where words are set apart by spaces: elsewhere any emphasis is inside a word."""
_OPENS_FORMULA = re.compile(r"(?<!\\)(?:\\\\)*+\\[\[(]")
"""Not behind a backslash that is itself one of the text's: "\\\\[" is a backslash and a bracket."""
_FORMULA = re.compile(r"\\[A-Za-z]|[\^_{}]")
_BARS = re.compile(rb"(?<!\\)\|\|")
_DEFINITION = re.compile(r"\]:")
_DEFINITION_BYTES = re.compile(rb"(?m)^([ \t>*+-]{0,99}(?:\d{1,9}[.)][ \t]{0,99})?)\[(?=[^\[\]\n]{1,999}\]:)")
_DEEP = re.compile(r"(?m)^((?:[ \t]{0,3}(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){24})(?=[ \t]{0,3}[>*+\d-])")
"""A quotation in a quotation in a list … so deep that nobody wrote it to be read; each level costs all the others."""
_POINTS = re.compile(r"(?m)^[ \t>*+-]{0,99}\d{1,9}[.)][ \t]")
_NUMBERED = re.compile(rb"(\d{1,9})[.)]")
_JOINER = "\u2060"
_ROUNDS = 16
"""Two rounds do for almost everything; the limit is for texts made to be read anew each time."""

_Edit = tuple[int, int, bytes]
"""Start and end in UTF-8 bytes, and what stands there instead."""
_Spans = list[tuple[int, int]]


def list_events(source: str) -> Iterator[tuple[str, object, int, int]]:
    """Yield what a parser sees: a kind, what it is of, and start and end in UTF-8 bytes."""
    for event, span in pyromark.events_with_range(source, options=_OPTIONS):
        kind, value = next(iter(event.items())) if isinstance(event, dict) else (event, None)
        yield str(kind), value, span["start"], span["end"]


def limit_nesting(source: str) -> str:
    """Return Markdown with an invisible word joiner where a line opens more than 24 levels: the rest of it is text."""
    return _DEEP.sub(rf"\1{_JOINER}", source)


def guard(source: str) -> str:
    """Return Markdown that shows everything; escaping changes how the rest is read, so it goes on until all is done."""
    source = keep_numbers(source)
    for _ in range(_ROUNDS):
        if not any(mark in source for mark in _MARKS):
            break
        data = source.encode()
        edits = _find_edits(source, data)
        if not edits:
            break
        source = _apply_edits(data, edits).decode()
    return source


def keep_numbers(source: str) -> str:
    """Return Markdown in which a list whose numbers do not count on from its first is no list: it would be renumbered.

    A list of ones stays: that is how Markdown leaves the counting to whoever shows it.
    """
    data = source.encode()
    edits: set[_Edit] = set()
    lists: list[list[re.Match[bytes]]] = []
    for kind, value, start, end in list_events(source) if _POINTS.search(source) else ():
        if kind == "Start" and isinstance(value, dict) and "List" in value:
            lists.append([])
        elif kind == "Start" and value == "Item" and (point := _NUMBERED.search(data, start, end)):
            lists[-1] += [point]
        elif kind == "End" and isinstance(value, dict) and "List" in value:
            points = lists.pop()
            numbers = [int(point[1]) for point in points] if value["List"] else []
            if numbers != list(range(numbers[0], numbers[0] + len(numbers)) if numbers else ()) and set(numbers) != {1}:
                edits |= {(point.end(1), point.end(1), b"\\") for point in points}
    return _apply_edits(data, edits).decode() if edits else source


def _apply_edits(data: bytes, edits: set[_Edit]) -> bytes:
    pieces, at = [], 0
    for start, end, new in sorted(edits):
        pieces += [data[at:start], new]
        at = end
    return b"".join([*pieces, data[at:]])


def escape_definitions(source: str) -> str:
    """Return guarded Markdown in which definitions (``[1]: https://…``) are text like any other.

    A definition is shown nowhere, and one that ends up in another message than its links is lost.
    """
    source = guard(source)
    if not _DEFINITION.search(source):
        return source
    code = _find_code_blocks(source)
    data = source.encode()
    places = [match.end(1) for match in _DEFINITION_BYTES.finditer(data)]
    return _apply_edits(data, {(at, at, b"\\") for at in places if not _is_inside(at, code)}).decode()


def _find_code_blocks(source: str) -> _Spans:
    return sorted(
        (start, end)
        for kind, value, start, end in list_events(source)
        if kind == "Start" and isinstance(value, dict) and "CodeBlock" in value
    )


def _find_edits(source: str, data: bytes) -> set[_Edit]:
    edits: set[_Edit] = set()
    code: _Spans = []
    tables: _Spans = []
    for kind, value, start, end in list_events(source):
        if kind in {"InlineHtml", "Html"}:
            edits |= _escape_all(b"<", data, start, end)
        elif kind in {"InlineMath", "DisplayMath"} and not _FORMULA.search(str(value)):
            edits |= _escape_all(b"$", data, start, end)
        elif kind == "Start" and str(value) in _EMPHASIS and _is_inside_word(data, start, end, str(value)):
            size = _count_signs(data, start, end, str(value))
            edits |= {(at, at, b"\\") for at in (*range(start, start + size), *range(end - size, end))}
        elif kind == "Code" or (kind == "Start" and isinstance(value, dict) and "CodeBlock" in value):
            code.append((start, end))
        elif kind == "Start" and isinstance(value, dict) and "Table" in value:
            tables.append((start, end))
    return edits | _escape_bars(data, code, tables)


def _is_inside_word(data: bytes, start: int, end: int, kind: str) -> bool:
    """Return whether the signs of an emphasis belong to the text."""
    # https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis for "_"; here "*" and "~" are asked it, too.
    sign, size = data[start : start + 1], _count_signs(data, start, end, kind)
    if sign == b"_" and _IDENTIFIER.fullmatch(data, start + size, end - size):
        inside = data[start + size : start + size + 1]
        if kind == "Strong" or inside in b"_\\":
            return True
    before = data[max(0, start - 64) : start].rstrip(_SIGNS)[-4:].decode(errors="ignore")[-1:]
    after = data[end : end + 64].lstrip(_SIGNS)[:4].decode(errors="ignore")[:1]
    if before and (unicodedata.category(before) in _SPACED or (size == 1 and before in ")]")):
        return True
    return size == 1 and bool(after) and unicodedata.category(after) in _SPACED


def _count_signs(data: bytes, start: int, end: int, kind: str) -> int:
    """Return how many signs stand at either end; ``~`` strikes through alone, too."""
    if kind == "Strikethrough":
        return 2 if data[start : start + 2] == data[end - 2 : end] == b"~~" else 1
    return 2 if kind == "Strong" else 1


def _escape_all(mark: bytes, data: bytes, start: int, end: int) -> set[_Edit]:
    return {(at, at, b"\\") for at in range(start, end) if data[at : at + 1] == mark}


def _escape_bars(data: bytes, code: _Spans, tables: _Spans) -> set[_Edit]:
    """Escape double bars outside code; in a table they are an empty cell and get a space instead."""
    return {
        (match.start(), match.end(), b"| |" if _is_inside(match.start(), tables) else b"\\|\\|")
        for match in _BARS.finditer(data)
        if not _is_inside(match.start(), code)
    }


def _is_inside(at: int, spans: _Spans) -> bool:
    """Return whether one of the spans, which are in order and apart, holds a place."""
    before = bisect_right(spans, (at, sys.maxsize))
    return bool(before) and at < spans[before - 1][1]
