"""Cut documents into chunks along their Markdown headings.

A chunk that starts in the middle of a section has lost what it is about; each chunk therefore carries its headings as
``[Section: H1 > H2]``.  Documents without headings go to LightRAG's own chunker.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lightrag.chunker import chunking_by_fixed_token

VERSION = "headings-2"
"""Stored with a document; another version means that its chunks were cut, or read, differently."""

DEEPEST, SMALLEST, SMALL_START = 3, 16, 32
"""Headings below level 3 stay in the body; sections under 16 tokens join the previous chunk, what stands before the
first heading (a file's front matter, a badge) the first section if it is under 32."""

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]++(.+)$")
_CLOSING = re.compile(r"(?<=[ \t])#+\Z")
"""What may stand after a heading's title and is no part of it."""
_FENCE = re.compile(r"^([ \t]*)(?:[-*+>][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})")
"""At any depth: inside a list a fence is indented, and outside of one it is meant as a fence too."""
_SHALLOW = 4
"""A fence indented less than this holds to the end of the text if it is not closed; a deeper one is then none."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARKERS = re.compile(r"<SEP>|<\|#\|>|<\|COMPLETE\|>")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: its final text, prefix included, and the tokens of that text."""

    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Chunk size and overlap, in tokens."""

    size: int = 1200
    overlap: int = 100


@dataclass(frozen=True, slots=True)
class _Section:
    path: tuple[str, ...]
    body: str


def clean(text: str) -> str:
    """Return a text that every store can hold: no lone surrogates, control characters or LightRAG's own markers."""
    plain = text.encode("utf-8", "replace").decode()
    return _MARKERS.sub(" ", _CONTROL.sub("", plain)).strip()


def cut_by_headings(text: str, limits: Limits, tokenizer: Any) -> list[Chunk]:  # Any: LightRAG's tokenizer, untyped
    """Return the chunks of a Markdown document, in order."""
    sections = _sections(text)
    if not any(section.path for section in sections):
        return cut_by_tokens(text, limits, tokenizer)

    def count(part: str) -> int:
        return len(tokenizer.encode(part))

    if len(sections) > 1 and not sections[0].path and count(sections[0].body) < SMALL_START:
        start, first, *others = sections
        sections = [replace(first, body=f"{start.body}\n\n{first.body}".strip()), *others]
    merged: list[_Section] = []
    for section, after in zip(sections, [*sections[1:], _Section((), "")], strict=True):
        if not section.body and after.path[: len(section.path)] == section.path:
            continue  # a heading above other headings: it stands in their prefixes
        if merged and count(section.body) < SMALLEST:
            merged[-1] = _joined(merged[-1], section)
        elif section.body or section.path:
            merged.append(section)
    return [chunk for section in merged for chunk in _windows(section, limits, tokenizer, count)]


def cut_by_tokens(text: str, limits: Limits, tokenizer: Any, **options: Any) -> list[Chunk]:  # Any: LightRAG's
    """Return the chunks of LightRAG's fixed-token chunker."""
    rows = chunking_by_fixed_token(tokenizer, text, limits.size, chunk_overlap_token_size=limits.overlap, **options)
    return [Chunk(row["content"], len(tokenizer.encode(row["content"]))) for row in rows]


def _sections(text: str) -> list[_Section]:
    found: list[_Section] = []
    stack: list[tuple[int, str]] = []
    body: list[str] = []
    path: tuple[str, ...] = ()
    lines = text.splitlines()
    for line, fenced in zip(lines, _fenced(lines), strict=True):
        heading = None if fenced else _HEADING.match(line)
        if heading is None or len(heading[1]) > DEEPEST:
            body.append(line)
            continue
        found.append(_Section(path, "\n".join(body).strip()))
        body = []
        stack = [entry for entry in stack if entry[0] < len(heading[1])] + [(len(heading[1]), _title(heading[2]))]
        path = tuple(title for _, title in stack)
    found.append(_Section(path, "\n".join(body).strip()))
    return [section for section in found if section.path or section.body]


def _title(rest: str) -> str:
    return _CLOSING.sub("", rest.strip()).strip()


def _fenced(lines: list[str]) -> list[bool]:
    """Return for every line whether it belongs to a fenced block, its fences included."""
    marks = [_FENCE.match(line) for line in lines]
    bare = [mark is not None and not line.strip().strip(mark[2][0]) for line, mark in zip(lines, marks, strict=True)]
    closers = _longest_after(marks, bare)
    found: list[bool] = []
    fence = ""
    for mark, closes, after in zip(marks, bare, closers, strict=True):
        if fence:
            found.append(True)
            fence = "" if mark and closes and mark[2].startswith(fence) else fence
            continue
        opens = mark is not None and (len(mark[1].expandtabs(4)) < _SHALLOW or len(mark[2]) <= after[mark[2][0]])
        fence = mark[2] if mark and opens else ""
        found.append(opens)
    return found


def _longest_after(marks: list[re.Match[str] | None], bare: list[bool]) -> list[dict[str, int]]:
    """Return for every line the longest closing fence of either kind that comes after it."""
    found: list[dict[str, int]] = []
    longest = {"`": 0, "~": 0}
    for mark, closes in zip(reversed(marks), reversed(bare), strict=True):
        found.append(longest)
        if mark and closes:
            longest = {**longest, mark[2][0]: max(longest[mark[2][0]], len(mark[2]))}
    return found[::-1]


def _joined(before: _Section, small: _Section) -> _Section:
    """Return the previous section with a small one in it: its heading inline, the prefix cut to what both share."""
    shared = 0
    while shared < min(len(before.path), len(small.path)) and before.path[shared] == small.path[shared]:
        shared += 1
    own = "\n".join([*_inline(before, shared), before.body])
    known = set(own.splitlines())
    inline = [line for line in _inline(small, shared) if line not in known]
    return replace(before, path=before.path[:shared], body="\n".join([own, "", *inline, small.body]).strip())


def _inline(section: _Section, shared: int) -> list[str]:
    """Return the headings of a section below the first ``shared`` as lines of Markdown."""
    return [f"{'#' * (level + 1)} {title}" for level, title in enumerate(section.path) if level >= shared]


def _windows(section: _Section, limits: Limits, tokenizer: Any, count: Callable[[str], int]) -> list[Chunk]:
    prefix = f"[Section: {' > '.join(section.path)}]\n\n" if section.path else ""
    whole = prefix + section.body
    if count(whole) <= limits.size:
        return [Chunk(whole.strip(), count(whole.strip()))]
    room = max(limits.size - count(prefix), SMALLEST)
    windows = cut_by_tokens(section.body, Limits(room, min(limits.overlap, room - 1)), tokenizer)
    texts = [prefix + window.content for window in windows]
    return [Chunk(text, count(text)) for text in texts]
