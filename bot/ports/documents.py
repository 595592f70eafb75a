"""Documents on their way into long-term memory: how a file becomes text, and how a text is cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Chunker(Protocol):
    """Cuts documents in place of the chunker along headings."""

    @property
    def version(self) -> str:
        """Name and version, stored with every document: those cut by another one are indexed again on ``reindex``."""
        ...

    def chunks(self, text: str, size: int, overlap: int, count: Callable[[str], int]) -> Sequence[str]:
        """Return the chunks of a text in order, of at most ``size`` tokens, about ``overlap`` of them repeated.

        ``count`` returns the tokens of a text.  Runs in a thread.  Raises :class:`~bot.errors.DocumentRejected` for a
        text that it can never cut.
        """
        ...


class Loader(Protocol):
    """Turns uploaded files of some kinds into text."""

    @property
    def endings(self) -> tuple[str, ...]:
        """Endings of the file names it reads, in lower case with the dot: ``(".pdf",)``."""
        ...

    def text(self, content: bytes, name: str) -> str:
        """Return the text of a file, as Markdown where it has headings; runs in a thread.

        Raises :class:`~bot.errors.DocumentRejected`, which says what is wrong with the file.
        """
        ...
