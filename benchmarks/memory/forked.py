"""A server in a process forked from one that has everything imported: it starts in a tenth of a second instead of two.

This module is what that process preloads, which is why it loads LightRAG's routers when it is imported.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from multiprocessing.process import BaseProcess
from pathlib import Path

import structlog

from adapters.memory_server.options import ServerOptions
from adapters.memory_server.routes import lightrag_api
from adapters.memory_server.serve import serve
from benchmarks.memory.figures import WordEmbedder

lightrag_api.load()


def forked(folder: Path, key: str) -> BaseProcess:
    """Start a server on a folder; its port stands in the file ``ready`` once it answers."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=_serve, args=(folder, key), daemon=True)
    process.start()
    return process


def _serve(folder: Path, key: str) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(serve(ServerOptions(folder, key, port=0, ready_file=folder / "ready"), WordEmbedder()))
