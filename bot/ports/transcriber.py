"""Speech to text."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class Transcriber(Protocol):
    """Writes down what is said in a recording."""

    async def transcribe(self, recording: Path, *, name: str) -> str:
        """Return what is said, "" where nothing can be heard; ``name`` has the ending of the recording's format.

        Raises :class:`~bot.errors.ModelUnavailable` or :class:`~bot.errors.ModelRefused`.
        """
        ...
