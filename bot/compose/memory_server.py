"""The local embedding model, as the memory server is handed it: with the server's error in place of the bot's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from adapters.embedding.use import Loaded, UseEmbedder
from bot import errors
from bot.config.folders import find_model_folder
from memory_server.errors import EmbeddingUnavailable
from memory_server.options import Embedder


class LocalEmbedder(UseEmbedder):
    """A :class:`~memory_server.options.WindowedEmbedder`."""

    def load(self, report: Callable[[str], None] = lambda _: None) -> Loaded:
        """Return the model; raises the server's error when it cannot be had."""
        try:
            return super().load(report)
        except errors.EmbeddingUnavailable as error:
            raise EmbeddingUnavailable(str(error)) from error


def local_model(data: Path, models: Path | None) -> Embedder:
    """Return the model that comes along, its files in ``models``, else where the bot with this data keeps them."""
    return LocalEmbedder(models or find_model_folder(data), niceness=19)
