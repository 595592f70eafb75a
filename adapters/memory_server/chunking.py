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

DEEPEST, SMALLEST = 3, 16
"""Headings below level 3 stay in the body; sections under 16 tokens join the previous chunk."""

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
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


def by_headings(text: str, limits: Limits, tokenizer: Any) -> list[Chunk]:  # Any: LightRAG's tokenizer, untyped
    """Return the chunks of a Markdown document, in order."""
    sections = _sections(text)
    if not any(section.path for section in sections):
        return by_tokens(text, limits, tokenizer)

    def count(part: str) -> int:
        return len(tokenizer.encode(part))

    merged: list[_Section] = []
    for section, after in zip(sections, [*sections[1:], _Section((), "")], strict=True):
        if not section.body and after.path[: len(section.path)] == section.path:
            continue  # a heading above other headings: it stands in their prefixes
        if merged and count(section.body) < SMALLEST:
            merged[-1] = _joined(merged[-1], section)
        elif section.body or section.path:
            merged.append(section)
    return [chunk for section in merged for chunk in _windows(section, limits, tokenizer, count)]


def by_tokens(text: str, limits: Limits, tokenizer: Any, **options: Any) -> list[Chunk]:  # Any: LightRAG's own options
    """Return the chunks of LightRAG's fixed-token chunker."""
    rows = chunking_by_fixed_token(tokenizer, text, limits.size, chunk_overlap_token_size=limits.overlap, **options)
    return [Chunk(row["content"], len(tokenizer.encode(row["content"]))) for row in rows]


def _sections(text: str) -> list[_Section]:
    found: list[_Section] = []
    stack: list[tuple[int, str]] = []
    body: list[str] = []
    fence = ""
    path: tuple[str, ...] = ()
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not line.strip().strip(fence[0]))):
            fence = "" if fence else mark[1]
        heading = None if fence or mark else _HEADING.match(line)
        if heading is None or len(heading[1]) > DEEPEST:
            body.append(line)
            continue
        found.append(_Section(path, "\n".join(body).strip()))
        body = []
        stack = [entry for entry in stack if entry[0] < len(heading[1])] + [(len(heading[1]), heading[2].strip())]
        path = tuple(title for _, title in stack)
    found.append(_Section(path, "\n".join(body).strip()))
    return [section for section in found if section.path or section.body]


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
    windows = by_tokens(section.body, Limits(room, min(limits.overlap, room - 1)), tokenizer)
    texts = [prefix + window.content for window in windows]
    return [Chunk(text, count(text)) for text in texts]
