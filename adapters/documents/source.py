"""The document that a worker reads, and what is found out about it on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from adapters.documents.limits import ReadingLimits


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
