"""Files that came with messages, fetched from where they lie."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from bot.files import InboundFile


class FileSource(Protocol):
    """Fetches the files of one platform's messages."""

    async def fetch(self, file: InboundFile, into: Path, *, limit: int) -> int:
        """Write the file to ``into`` and return its size in bytes; at most ``limit`` are taken.

        Raises :class:`~bot.errors.FileUnavailable`: too large, gone, or out of reach for now (then ``temporary``).
        """
        ...
