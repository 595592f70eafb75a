"""The local embedding model, as the memory server is handed it: with the server's errors in place of the bot's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from adapters.embedding.minilm import MiniLmEmbedder
from bot import errors
from bot.config.folders import find_model_folder
from memory_server.errors import EmbeddingUnavailable
from memory_server.options import Embedder, Vectors, WindowedEmbedder


@dataclass(frozen=True, slots=True)
class LocalEmbedder:
    """A :class:`~memory_server.options.WindowedEmbedder` over one that raises the bot's errors."""

    inner: WindowedEmbedder

    @property
    def model(self) -> str:
        """Name and version of the model."""
        return self.inner.model

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self.inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one normalised row per text."""
        with _server_errors():
            return await self.inner.embed(texts)

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """Return what to embed so that all of the text is read."""
        with _server_errors():
            return await self.inner.windows(text, topics=topics)


def local_model(data: Path, models: Path | None) -> Embedder:
    """Return the model that comes along, its files in ``models``, else where the bot with this data keeps them."""
    return LocalEmbedder(MiniLmEmbedder(models or find_model_folder(data)))


@contextmanager
def _server_errors() -> Iterator[None]:
    try:
        yield
    except errors.EmbeddingUnavailable as error:
        raise EmbeddingUnavailable(str(error)) from error
