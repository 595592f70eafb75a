"""The texts that long-term memory receives for a document, as Markdown with its headings.

A large document goes in parts, because what is indexed is indexed as a whole: a part is done, or repaired, by itself.
Each begins with a line of its own, because LightRAG drops a text that it has seen under another name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.memory.documents.chunking import DocumentChunk
from bot.memory.sanitise import flatten

PART_CHARACTERS: Final = 60_000
"""Of a part: some fifteen thousand tokens."""
_PART: Final = "p"
"""Stands between a document's uid, which has no such letter, and the number of a part but the first."""
_LEVELS: Final = 6


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A run of chunks, from number ``first`` to ``last``, both included, that is indexed as one."""

    first: int
    last: int


def split_parts(chunks: Sequence[DocumentChunk]) -> tuple[DocumentPart, ...]:
    """Return the parts of a document, () for one without chunks."""
    return tuple(_split(chunks))


def _split(chunks: Sequence[DocumentChunk]) -> Iterator[DocumentPart]:
    first, spent = 0, 0
    for number, chunk in enumerate(chunks):
        if number > first and spent + len(chunk.text) > PART_CHARACTERS:
            yield DocumentPart(first, number - 1)
            first, spent = number, 0
        spent += len(chunk.text)
    if chunks:
        yield DocumentPart(first, len(chunks) - 1)


def name_part(uid: str, number: int) -> str:
    """Return what the name of a part of a document calls it, counted from 1."""
    return uid if number == 1 else f"{uid}{_PART}{number}"


def find_document_uid(name: str) -> str:
    """Return the document that a part, named by :func:`name_part`, belongs to."""
    return name.partition(_PART)[0]


def render_part(name: str, title: str, added_at: datetime, source: str, chunks: Sequence[DocumentChunk]) -> str:
    """Return the text of a part; ``source`` is its own name, which no other text holds."""
    about = flatten(name if title in {"", name} else f"{name} ({title})", 200)
    blocks = [f"Document: {about}, added {added_at:%Y-%m-%d}. Ref: {source}"]
    open_path: tuple[str, ...] = ()
    for chunk in chunks:
        blocks += _render_headings(chunk.headings, open_path)
        open_path = chunk.headings
        blocks.append(chunk.text)
    return "\n\n".join(blocks)


def _render_headings(path: tuple[str, ...], before: tuple[str, ...]) -> Iterator[str]:
    shared = 0
    while shared < min(len(path), len(before)) and path[shared] == before[shared]:
        shared += 1
    for level, heading in enumerate(path[shared:], shared + 1):
        yield f"{'#' * min(level, _LEVELS)} {flatten(heading, 200)}"
