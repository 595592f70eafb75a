"""Runs the memory server: as Mneme's child, or on its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adapters.rag.process import KEY_VARIABLE
from bot.compose.logs import set_up_logs
from bot.compose.memory_server_vectors import server_embedder
from bot.compose.plugins import all_made, made
from bot.config.environment import name_unread_variables, read_lightrag_variables, read_server_environment
from bot.config.folders import find_model_folder
from memory_server.cli.serve import api_key, serve
from memory_server.options import LlmOptions, Plugins, ServerOptions
from memory_server.ports import Chunker


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a server is to be reached and keeps its data; ``child`` when Mneme itself has started it."""

    data: Path
    models: Path | None
    host: str
    port: int
    child: bool
    open_workspaces: int = 64


async def run_memory_server(where: Listening) -> None:
    """Serve until told to stop; a child also ends when its standard input does."""
    set_up_logs("info", "json" if where.child else "auto")
    data = where.data.expanduser().absolute()
    data.mkdir(parents=True, exist_ok=True)
    variables = read_server_environment(data)
    chosen = read_lightrag_variables(variables)
    if not where.child and (unread := name_unread_variables(variables)):
        sys.stderr.write(f"memory server: {unread}\n")
    options = ServerOptions(
        data_dir=data,
        api_key=os.environ.get(KEY_VARIABLE) or os.environ.get("LIGHTRAG_API_KEY") or api_key(data),
        host=where.host,
        port=where.port,
        most_open=where.open_workspaces,
        parent_pid=os.getppid() if where.child else None,
        storage=os.environ.get("MEMORY_SERVER_STORAGE", "sqlite"),
        chunk_tokens=chosen.chunk_tokens,
        chunk_overlap=chosen.chunk_overlap,
        least_cosine=chosen.least_cosine,
        language=chosen.language,
        llm=LlmOptions(
            url=os.environ.get("LLM_URL", "") if not where.child else "",
            key=os.environ.get("LLM_API_KEY", "") if not where.child else "",
            model=os.environ.get("LLM_MODEL", "") if not where.child else "",
        ),
    )
    embedder = server_embedder(where.models or find_model_folder(data), {} if where.child else os.environ)
    plugged = Plugins(server_chunker(), all_made("loaders", _named("MEMORY_SERVER_LOADERS")))
    serving = asyncio.ensure_future(
        serve(options, embedder, plugged, on_ready=_announce if where.child else _tell(data))
    )
    if where.child:
        asyncio.get_running_loop().run_in_executor(None, _until_abandoned)
    await serving


def server_chunker() -> Chunker | None:
    """Return the plug-in that cuts documents, ``None`` for our own."""
    name = os.environ.get("MEMORY_SERVER_CHUNKER", "").strip()
    chunker: Chunker | None = made("chunkers", name) if name else None
    return chunker


def _named(variable: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in os.environ.get(variable, "").split(",") if name.strip())


def _announce(port: int) -> None:
    sys.stdout.write(json.dumps({"port": port}) + "\n")
    sys.stdout.flush()


def _tell(data: Path) -> Callable[[int], None]:
    """Return what says where the server listens and where its key is; a file is named only if the key is read there."""
    given = next((name for name in (KEY_VARIABLE, "LIGHTRAG_API_KEY") if os.environ.get(name)), None)
    where = f"the one in the environment variable {given}" if given else f"in {data / 'api-key'}"

    def tell(port: int) -> None:
        sys.stderr.write(f"memory server: listening on port {port}; its key is {where}\n")

    return tell


def _until_abandoned() -> None:
    """Block until whoever started us is gone, then end at once: what was acknowledged is on disk."""
    while sys.stdin.buffer.read(1024):
        pass
    os._exit(0)
