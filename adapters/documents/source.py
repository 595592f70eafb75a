"""A document that is read: what it may cost, what is found out about it, and how its text becomes sections."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from bot.ports.document_reading import DocumentSection

MEGABYTE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The limits of one document: what is over in size, memory or time is refused, in length cut.

    ``size`` and ``memory`` are bytes, ``pages`` counts slides and chapters too, ``seconds`` is wall and CPU time.
    """

    size: int = 20 * MEGABYTE
    pages: int = 2000
    characters: int = 5_000_000
    seconds: float = 60.0
    memory: int = 512 * MEGABYTE

    @property
    def unpacked(self) -> int:
        """Bytes that an archive may hold in all: text packs to a tenth, and media that is packed already to itself."""
        return 10 * self.size


@dataclass(slots=True)
class Source:
    """An open file with its limits; whoever reads it fills in ``title``, ``pages`` and ``cut``.

    ``suffix`` is the ending of its name in small letters (".py"), which decides only between kinds of plain text.
    """

    file: BinaryIO
    kind: str
    suffix: str
    limits: ReadingLimits
    title: str = ""
    pages: int = 0
    cut: bool = False


_LEVELS: Final = 6
_HEADING_CHARS: Final = 200
_SPACES: Final = re.compile(r"\s+")


class Outline:
    """Takes headings and blocks of text in order and gives the sections that are complete.

    A heading of level n ends everything of level n and deeper.  Levels count from 1 and may be skipped.
    """

    def __init__(self, *, page: int = 0) -> None:
        self._page = page
        self._stack: list[tuple[int, str]] = []
        self._blocks: list[str] = []

    @property
    def headings(self) -> tuple[str, ...]:
        """The path to what is added now, outermost first."""
        return tuple(text for _, text in self._stack)

    def add(self, block: str) -> None:
        if block.strip():
            self._blocks.append(block.strip("\n"))

    def open(self, level: int, heading: str) -> Iterator[DocumentSection]:
        yield from self.close()
        text = _SPACES.sub(" ", heading).strip()[:_HEADING_CHARS]
        if text:
            level = min(max(level, 1), _LEVELS)
            self._stack = [(depth, name) for depth, name in self._stack if depth < level]
            self._stack.append((level, text))

    def close(self) -> Iterator[DocumentSection]:
        """Give the section that is open, if there is anything in it."""
        if self._blocks:
            yield DocumentSection(self.headings, "\n\n".join(self._blocks), self._page)
            self._blocks = []
