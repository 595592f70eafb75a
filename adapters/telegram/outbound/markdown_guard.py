"""Escapes in Markdown what the converter would swallow or misread.

HTML tags vanish (``List<String>`` would be ``List``), ``a || b || c`` becomes a spoiler, ``$5 and 10$`` a formula,
``2*3*4`` and ``__init__`` lose their signs, and the points 2024, 2023 of a list become 2024, 2025.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_right

import pyromark

OPTIONS = (
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
    for event, span in pyromark.events_with_range(source, options=OPTIONS) if _POINTS.search(source) else ():
        kind, value = next(iter(event.items())) if isinstance(event, dict) else (event, None)
        if kind == "Start" and isinstance(value, dict) and "List" in value:
            lists.append([])
        elif kind == "Start" and value == "Item" and (point := _NUMBERED.search(data, span["start"], span["end"])):
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
    blocks = []
    for event, span in pyromark.events_with_range(source, options=OPTIONS):
        start = event.get("Start") if isinstance(event, dict) else None
        if isinstance(start, dict) and "CodeBlock" in start:
            blocks.append((span["start"], span["end"]))
    return sorted(blocks)


def _find_edits(source: str, data: bytes) -> set[_Edit]:
    edits: set[_Edit] = set()
    code: _Spans = []
    tables: _Spans = []
    for event, span in pyromark.events_with_range(source, options=OPTIONS):
        start, end = span["start"], span["end"]
        kind, value = next(iter(event.items())) if isinstance(event, dict) else (event, None)
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
    """Return whether the signs of an emphasis belong to the text.

    CommonMark (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis) asks this of ``_`` alone; here ``*``
    and ``~`` are asked it, too.  The end of a strong emphasis may stand inside a word: people write ``**H**ypertext``.
    ``__name__`` is code, as no language model writes strong emphasis that way.
    """
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
    """Escape every occurrence of a mark."""
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
