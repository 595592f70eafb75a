"""A server in a process forked from one that has everything imported: it starts in a tenth of a second instead of two.

This module is what that process preloads, which is why it loads LightRAG's routers when it is imported.
"""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

import structlog

from harness.memory_server.figures import WordEmbedder
from memory_server.api import lightrag_routes as lightrag_api
from memory_server.cli.serve import serve
from memory_server.errors import EmbeddingUnavailable
from memory_server.options import ServerOptions
from memory_server.ports import Vectors

lightrag_api.load()


class NoEmbedder(WordEmbedder):
    """A model that is out of reach."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise."""
        raise EmbeddingUnavailable("there is no model")


def forked(folder: Path, key: str, *, embeds: bool = True) -> BaseProcess:
    """Start a server on a folder; its port stands in the file ``ready`` once it answers."""
    (folder / "ready").unlink(missing_ok=True)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=_serve, args=(folder, key, embeds), daemon=True)
    process.start()
    return process


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
