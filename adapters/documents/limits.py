"""How much a document may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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
