"""The memory server with the local embedding model; as a program it is the server that the bot starts.

``mneme memory-server`` has the same commands; this has none of the bot in memory beside the model.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from adapters.embedding.use import Loaded, UseEmbedder
from bot import errors
from bot.config.folders import find_model_folder
from memory_server.commands import create_app
from memory_server.errors import EmbeddingUnavailable, MemoryServerError
from memory_server.options import Embedder


class LocalEmbedder(UseEmbedder):
    """A :class:`~memory_server.options.WindowedEmbedder`."""

    def load(self, report: Callable[[str], None] = lambda _: None) -> Loaded:
        """Return the model; raises the server's error when it cannot be had."""
        try:
            return super().load(report)
        except errors.EmbeddingUnavailable as error:
            raise EmbeddingUnavailable(str(error)) from error


def main() -> None:
    """Run the memory server's command line; errors we know become one line and exit code 1."""
    try:
        create_app(local_model)()
    except MemoryServerError as error:
        sys.stderr.write(f"memory server: {error}\n")
        sys.exit(1)


def local_model(data: Path, models: Path | None) -> Embedder:
    """Return the model that comes along, its files in ``models``, else where the bot with this data keeps them."""
    # So many lines, because what was said of a name lately is embedded with what is said of it now.
    return LocalEmbedder(models or find_model_folder(data), cached_lines=4096, niceness=19)


if __name__ == "__main__":
    main()
