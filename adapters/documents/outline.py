"""Gathers lines under headings into sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.ports.documents import DocumentSection

_LEVELS: Final = 6
_HEADING_CHARS: Final = 200
_SPACES: Final = re.compile(r"\s+")


class Outline:
    """Takes headings and blocks of text in order and gives the sections that are complete.

    A heading of level n ends everything of level n and deeper.  Levels count from 1 and may be skipped.
    """

    def __init__(self, *, page: int = 0, above: tuple[str, ...] = ()) -> None:
        self._page = page
        self._above = above
        self._stack: list[tuple[int, str]] = []
        self._blocks: list[str] = []

    @property
    def headings(self) -> tuple[str, ...]:
        """The path to what is added now, outermost first."""
        return (*self._above, *(text for _, text in self._stack))

    def add(self, block: str) -> None:
        """Add a block of text below the last heading."""
        if block.strip():
            self._blocks.append(block.strip("\n"))

    def open(self, level: int, heading: str) -> Iterator[DocumentSection]:
        """Begin a section, giving the one before it."""
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
