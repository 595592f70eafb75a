"""Escapes in Markdown what the converter would swallow or misread.

HTML tags vanish (``List<String>`` would be ``List``), ``a || b || c`` becomes a spoiler, ``$5 and 10$`` a formula.
"""

from __future__ import annotations

import re

import pyromark

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
)
"""As telegramify-markdown parses; the two must read a text alike."""

_MARKS = ("<", "||", "$")
_FORMULA = re.compile(r"\\[A-Za-z]|[\^_{}]")
_BARS = re.compile(rb"(?<!\\)\|\|")
_DEFINITION = re.compile(r"\]:")
_DEFINITION_BYTES = re.compile(rb"(?m)^([ \t>*+-]*(?:\d+[.)][ \t]*)?)\[(?=[^\[\]\n]+\]:)")
_ROUNDS = 16
"""Two rounds do for almost everything; the limit is for texts made to be read anew each time."""

_Edit = tuple[int, int, bytes]
"""Start and end in UTF-8 bytes, and what stands there instead."""
_Spans = list[tuple[int, int]]


def guarded(source: str) -> str:
    """Return Markdown that shows everything; escaping changes how the rest is read, so it goes on until all is done."""
    for _ in range(_ROUNDS):
        if not any(mark in source for mark in _MARKS):
            break
        data = source.encode()
        edits = _edits(source, data)
        if not edits:
            break
        for start, end, new in sorted(edits, reverse=True):
            data = data[:start] + new + data[end:]
        source = data.decode()
    return source


def spelled_out(source: str) -> str:
    """Return guarded Markdown in which definitions (``[1]: https://…``) are text like any other.

    A definition is shown nowhere, and one that ends up in another message than its links is lost.
    """
    source = guarded(source)
    if not _DEFINITION.search(source):
        return source
    code = _code_blocks(source)
    data = source.encode()
    for match in reversed(list(_DEFINITION_BYTES.finditer(data))):
        if not _inside(match.end(1), code):
            data = data[: match.end(1)] + b"\\" + data[match.end(1) :]
    return data.decode()


def _code_blocks(source: str) -> _Spans:
    blocks = []
    for event, span in pyromark.events_with_range(source, options=OPTIONS):
        start = event.get("Start") if isinstance(event, dict) else None
        if isinstance(start, dict) and "CodeBlock" in start:
            blocks.append((span["start"], span["end"]))
    return blocks


def _edits(source: str, data: bytes) -> set[_Edit]:
    edits: set[_Edit] = set()
    code: _Spans = []
    tables: _Spans = []
    for event, span in pyromark.events_with_range(source, options=OPTIONS):
        start, end = span["start"], span["end"]
        kind, value = next(iter(event.items())) if isinstance(event, dict) else (event, None)
        if kind in {"InlineHtml", "Html"}:
            edits |= _before(b"<", data, start, end)
        elif kind in {"InlineMath", "DisplayMath"} and not _FORMULA.search(str(value)):
            edits |= _before(b"$", data, start, end)
        elif kind == "Code" or (kind == "Start" and isinstance(value, dict) and "CodeBlock" in value):
            code.append((start, end))
        elif kind == "Start" and isinstance(value, dict) and "Table" in value:
            tables.append((start, end))
    return edits | _bars(data, code, tables)


def _before(mark: bytes, data: bytes, start: int, end: int) -> set[_Edit]:
    """Escape every occurrence of a mark."""
    return {(at, at, b"\\") for at in range(start, end) if data[at : at + 1] == mark}


def _bars(data: bytes, code: _Spans, tables: _Spans) -> set[_Edit]:
    """Escape double bars outside code; in a table they are an empty cell and get a space instead."""
    return {
        (match.start(), match.end(), b"| |" if _inside(match.start(), tables) else b"\\|\\|")
        for match in _BARS.finditer(data)
        if not _inside(match.start(), code)
    }


def _inside(at: int, spans: _Spans) -> bool:
    return any(start <= at < end for start, end in spans)
