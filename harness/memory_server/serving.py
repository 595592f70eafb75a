"""A memory server in this process, or in a forked one that can be killed; vectors may cost nothing."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx
import structlog

from harness.forking import fork
from harness.samples import WordEmbedder
from memory_server.api.app import MemoryServer, create_server
from memory_server.options import Embedder, ServerOptions
from memory_server.serve import serve

KEY = "benchmark"
MODES = ("naive", "local", "global", "hybrid", "mix")
Json = Any  # bodies and answers


@asynccontextmanager
async def serving(
    folder: Path, embedder: Embedder, *, workspace: str = ""
) -> AsyncIterator[tuple[MemoryServer, httpx.AsyncClient]]:
    """Run a server in this process and yield it with a client, of one workspace if it is named."""
    server = create_server(ServerOptions(folder, KEY, most_open=32), embedder)
    headers = {"X-API-Key": KEY, **({"LIGHTRAG-WORKSPACE": workspace} if workspace else {})}
    transport = httpx.ASGITransport(server.asgi)
    async with (
        server.running(),
        httpx.AsyncClient(transport=transport, base_url="http://m", headers=headers, timeout=120) as http,
    ):
        yield server, http


@dataclass(slots=True)
class ForkedServer:
    """A server in a process of its own, on a folder; ``embedder`` makes its model there, ``parent_pid`` is its end.

    ``database_url`` names the PostgreSQL of its workspaces, "" keeps them in the folder.
    """

    folder: Path
    embedder: Callable[[], Embedder] = WordEmbedder
    parent_pid: int | None = None
    database_url: str = ""
    process: BaseProcess | None = None
    port: int = 0
    http: httpx.AsyncClient = field(default_factory=httpx.AsyncClient)

    async def start(self) -> None:
        ready = self.folder / "ready"
        ready.unlink(missing_ok=True)
        self.process = fork(_serve, self.folder, self.embedder, self.parent_pid, self.database_url)
        async with asyncio.timeout(120):
            while not ready.exists():  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.02)
        self.port = int(ready.read_text("ascii"))
        self.http = httpx.AsyncClient(base_url=self.url, headers={"X-API-Key": KEY}, timeout=120)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            self.process.kill()
            await asyncio.to_thread(self.process.join)
        await self.http.aclose()

    async def ask(self, method: str, path: str, workspace: str, body: Json = None) -> Json:
        headers = {"LIGHTRAG-WORKSPACE": workspace} if workspace else {}
        answer = await self.http.request(method, path, json=body, headers=headers)
        answer.raise_for_status()
        return answer.json()

    async def wait_until_indexed(self, workspace: str) -> None:
        """Return once every document of a workspace is processed, or failed."""
        async with asyncio.timeout(300):
            while True:
                counts = (await self.ask("GET", "/documents/status_counts", workspace))["status_counts"]
                if counts.get("processed", 0) + counts.get("failed", 0) == counts.get("all", -1):
                    return
                await asyncio.sleep(0.05)


def _serve(folder: Path, embedder: Callable[[], Embedder], parent_pid: int | None, url: str) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL if url else logging.ERROR))
    options = ServerOptions(folder, KEY, port=0, parent_pid=parent_pid, database_url=url)
    asyncio.run(serve(options, embedder(), on_ready=partial(_tell_ready, folder)))


def _tell_ready(folder: Path, port: int) -> None:
    """Write down where a server listens, once it does."""
    draft = folder / ".ready"
    draft.write_text(str(port), "ascii")
    draft.replace(folder / "ready")
