"""Cuts documents into chunks along their headings.

A chunk is what is found, shown and quoted, so that it holds a thought or two and lies within one section of one page;
it carries the headings above it, because a chunk from the middle of a section does not say itself what it is about.
A chunk is small enough to be embedded whole: the local model reads some 180 words.

The texts that long-term memory receives for a document, as Markdown with its headings.

A large document goes in parts, because what is indexed is indexed as a whole: a part is done, or repaired, by itself.
Each begins with a line of its own, because LightRAG drops a text that it has seen under another name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final

from bot.memory.sanitise import clean, flatten
from language.sentences import split_sentences

CHUNK_WORDS: Final = 120
"""Words of a chunk at most, and fewer than a memory is shown whole with (:data:`SHOWN_WORDS`)."""
CHUNK_CHARACTERS: Final = 900
"""The same for scripts that put no blanks between words."""
_SMALL_WORDS: Final = 12
"""A section of fewer words joins the one before it if both have the same headings: a page's end, a line of a slide."""
_MOST_HEADINGS, _HEADING_LENGTH = 6, 120
_BLANKS: Final = re.compile(r"[^\S\n]+")
_BREAKS: Final = re.compile(r"\n{3,}")
_RULE: Final = frozenset("|:- ")
"""What the line between the head of a Markdown table and its rows is made of."""


@dataclass(frozen=True, slots=True)
class DocumentChunk:
    """A piece of a document: the path of headings to it, outermost first, and its page from 1, 0 without pages."""

    headings: tuple[str, ...]
    text: str
    page: int = 0


def cut_document(sections: Iterable[DocumentChunk]) -> tuple[DocumentChunk, ...]:
    """Return the chunks of a document's sections, in order; a section without words gives none.

    The rows of a table keep its head in every chunk.
    """
    return tuple(chunk for section in _join_small(map(_tidy, sections)) for chunk in _cut_section(section))


def _tidy(section: DocumentChunk) -> DocumentChunk:
    headings = (" ".join(clean(heading).split())[:_HEADING_LENGTH] for heading in section.headings)
    text = _BREAKS.sub("\n\n", _BLANKS.sub(" ", clean(section.text))).strip()
    return DocumentChunk(tuple(filter(None, headings))[:_MOST_HEADINGS], text, max(section.page, 0))


def _join_small(sections: Iterable[DocumentChunk]) -> Iterator[DocumentChunk]:
    held: DocumentChunk | None = None
    for section in sections:
        if not section.text:
            continue
        small = len(section.text.split()) < _SMALL_WORDS
        if small and held is not None and (held.headings, held.page) == (section.headings, section.page):
            held = replace(held, text=f"{held.text}\n{section.text}")
            continue
        if held is not None:
            yield held
        held = section
    if held is not None:
        yield held


def _cut_section(section: DocumentChunk) -> Iterator[DocumentChunk]:
    for head, rows in groupby(_list_blocks(section.text), itemgetter(0)):
        for body in _pack((piece for _, line in rows for piece in _cut_block(line)), "\n"):
            yield replace(section, text=f"{head}\n{body}" if head else body)


def _pack(pieces: Iterable[str], joint: str) -> Iterator[str]:
    """Yield pieces joined, as many as a chunk has room for."""
    held: list[str] = []
    room = _Room()
    for piece in pieces:
        if held and not room.fits(piece):
            yield joint.join(held)
            held, room = [], _Room()
        held.append(piece)
        room.take(piece)
    if held:
        yield joint.join(held)


@dataclass(slots=True)
class _Room:
    """The words and characters that a chunk has taken so far."""

    words: int = 0
    characters: int = 0

    def fits(self, piece: str) -> bool:
        return self.words + len(piece.split()) <= CHUNK_WORDS and self.characters + len(piece) <= CHUNK_CHARACTERS

    def take(self, piece: str) -> None:
        self.words += len(piece.split())
        self.characters += len(piece)


def _list_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a text, each behind the head of the table whose row it is, "" outside of tables."""
    lines = text.split("\n")
    head = ""
    for number, line in enumerate(lines):
        after = lines[number + 1].strip() if number + 1 < len(lines) else ""
        if not line.lstrip().startswith("|"):
            head = ""
        elif not head and _is_rule(after):
            head = line.strip()[:CHUNK_CHARACTERS]
            continue
        elif head and _is_rule(line.strip()):
            continue
        if line.strip():
            yield head, line.rstrip()


def _is_rule(line: str) -> bool:
    return line.startswith("|") and "-" in line and _RULE.issuperset(line)


def _cut_block(line: str) -> Iterator[str]:
    """Yield a line as it is, or its sentences, packed; a sentence too long for a chunk is cut at words."""
    if _Room().fits(line):
        yield line
    else:
        yield from _pack((part for sentence in split_sentences(line) for part in _cut_words(sentence)), " ")


def _cut_words(sentence: str) -> Iterator[str]:
    if _Room().fits(sentence):
        yield sentence
        return
    words = sentence.split()
    starts = ((word, start) for word in words for start in range(0, len(word), CHUNK_CHARACTERS))
    yield from _pack((word[start : start + CHUNK_CHARACTERS] for word, start in starts), " ")


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
