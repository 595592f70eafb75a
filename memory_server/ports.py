"""Protocols that the memory server is given implementations of: the embedder, and plug-ins for documents.

They are structural: whatever has these methods fits, without importing this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:  # the command line is read before numpy is imported, whose threads are set by variables
    import numpy as np
    import numpy.typing as npt

Vectors: TypeAlias = "npt.NDArray[np.float32]"


class Embedder(Protocol):
    """A model that places texts in a space where near means alike."""

    @property
    def model(self) -> str:
        """Name and version: vectors of different names are never compared or mixed."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one L2-normalised row per text: shape ``(len(texts), dimension)``, in order.

        The vector of a text does not depend on the other texts of the call.
        An empty sequence gives shape ``(0, dimension)``; an empty text gives some valid vector.
        Raises :class:`~memory_server.errors.EmbeddingUnavailable`.
        """
        ...


@runtime_checkable
class WindowedEmbedder(Embedder, Protocol):
    """A model that reads so much of a text and ignores the rest, and knows where that is."""

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """Return what to embed so that all of the text is read: at least one part, the first being its beginning.

        A text that is read whole is its own only window.  With ``topics`` the parts may be small, for texts to be
        found; without they are as few as can be, for questions.
        """
        ...


class Chunker(Protocol):
    """Cuts documents in place of the chunker along headings."""

    @property
    def version(self) -> str:
        """Name and version, stored with every document: those cut by another one are indexed again on ``reindex``."""
        ...

    def chunks(self, text: str, size: int, overlap: int, count: Callable[[str], int]) -> Sequence[str]:
        """Return the chunks of a text in order, of at most ``size`` tokens, about ``overlap`` of them repeated.

        ``count`` returns the tokens of a text.  Runs in a thread.  Raises
        :class:`~memory_server.errors.DocumentRejected` for a text that it can never cut.
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

        Raises :class:`~memory_server.errors.DocumentRejected`, which says what is wrong with the file.
        """
        ...
