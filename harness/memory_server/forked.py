"""A memory server in a forked process, with a model that costs nothing."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

import structlog

from harness.forking import fork
from harness.memory_server.figures import WordEmbedder
from memory_server.errors import EmbeddingUnavailable
from memory_server.options import ServerOptions, Vectors
from memory_server.serve import serve


class NoEmbedder(WordEmbedder):
    """A model that is out of reach."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise."""
        raise EmbeddingUnavailable("there is no model")


def forked(folder: Path, key: str, *, embeds: bool = True) -> BaseProcess:
    """Start a server on a folder; its port stands in the file ``ready`` once it answers."""
    (folder / "ready").unlink(missing_ok=True)
    return fork(_serve, folder, key, embeds)


async def answering(folder: Path) -> int:
    """Return the port of a server that was started on a folder, once it answers."""
    ready = folder / "ready"
    for _ in range(6000):
        if ready.exists():
            return int(json.loads(ready.read_text("utf-8"))["port"])
        await asyncio.sleep(0.02)
    raise TimeoutError("the server did not start")


def _serve(folder: Path, key: str, embeds: bool) -> None:  # noqa: FBT001 - a process takes no keywords
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    embedder = WordEmbedder() if embeds else NoEmbedder()
    asyncio.run(serve(ServerOptions(folder, key, port=0, ready_file=folder / "ready"), embedder))
