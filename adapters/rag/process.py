"""The embedded default: a memory server of our own as a child process.

Mneme starts it, learns its port, watches it, starts it again when it crashes or hangs, and stops it.  Nobody waits for
it: while it starts, questions are answered without long-term memory and documents wait in the outbox.

The contract with the child: its API key comes in the environment, it prints a line ``{"port": N}`` on stdout, serves
``GET /health`` on loopback, ends on SIGTERM, and ends by itself when its stdin closes, which happens whenever Mneme
goes away, however it dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

import httpx
import structlog

from adapters.rag.child import Child, spawn
from adapters.rag.server_key import server_key
from bot.errors import MemoryUnavailable, StorageUnavailable

KEY_VARIABLE: Final = "MNEME_MEMORY_KEY"
"""The environment variable that carries the API key to the child."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Seconds, but ``misses``: that many health checks in a row without an answer mean that the child hangs.

    A child that indexes is slow to answer, so ``health_s`` is generous; ``steady_s`` of health end a back-off.
    """

    start_s: float = 60.0
    every_s: float = 5.0
    health_s: float = 10.0
    misses: int = 3
    restart_s: float = 0.5
    restart_max_s: float = 30.0
    steady_s: float = 60.0
    stop_s: float = 5.0


class ServerState(StrEnum):
    """What the child is doing."""

    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"


class MemoryServerProcess:
    """Keeps the child alive between :meth:`start` and :meth:`stop`.

    ``data_dir`` gets the key file; ``log`` is the file that the child's output is appended to (kept under 2 × 5 MB).
    ``on_ready`` is called whenever the child has become healthy.
    """

    def __init__(
        self,
        command: Sequence[str],
        data_dir: Path,
        *,
        log: Path,
        environment: Mapping[str, str] | None = None,
        on_ready: Callable[[], None] = lambda: None,
        watch: Watch | None = None,
    ) -> None:
        self._command = tuple(command)
        self._key_file = data_dir / "server.key"
        self._log = log
        self._environment = environment
        self._on_ready = on_ready
        self._watch = watch or Watch()
        self._task: asyncio.Task[None] | None = None
        self._child: Child | None = None
        self._ready = asyncio.Event()
        self._key = ""
        self._cause = ""
        self.starts = 0
        """How often the child was started."""

    @property
    def state(self) -> ServerState:
        """Return what the child is doing."""
        if self._task is None:
            return ServerState.STOPPED
        return ServerState.READY if self._ready.is_set() else ServerState.STARTING

    @property
    def cause(self) -> str:
        """Return why the child was started again, "" if it never was."""
        return self._cause

    def url(self) -> str:
        """Return the server's address, "" while there is none."""
        return f"http://127.0.0.1:{self._child.port}" if self._child is not None and self._ready.is_set() else ""

    def api_key(self) -> str:
        """Return the server's key, made at the first call.  Raises :class:`~bot.errors.StorageUnavailable`."""
        self._key = self._key or server_key(self._key_file)
        return self._key

    async def start(self) -> None:
        """Begin to keep the child alive; returns at once."""
        if self._task is None:
            self._task = asyncio.create_task(self._keep_alive(), name="memory server")

    def adjust(self, command: Sequence[str], start_s: float) -> None:
        """Start the child by this command, and wait so long for it, from its next start on."""
        self._command = tuple(command)
        self._watch = replace(self._watch, start_s=start_s)

    async def ready(self, timeout_s: float) -> bool:
        """Wait until the child is healthy; ``False`` if it is not after ``timeout_s`` seconds."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._ready.wait()
        except TimeoutError:
            return False
        return True

    async def stop(self) -> None:
        """End the child: SIGTERM, then SIGKILL after ``Watch.stop_s``; returns when it is gone."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _keep_alive(self) -> None:
        pause_s = self._watch.restart_s
        loop = asyncio.get_running_loop()
        log = structlog.get_logger()
        while True:
            began = loop.time()
            try:
                await self._one_life()
            except (MemoryUnavailable, StorageUnavailable, OSError) as error:
                self._cause = str(error)
            if loop.time() - began > self._watch.steady_s:
                pause_s = self._watch.restart_s
            log.warning("memory server ended; starting again", cause=self._cause, pause_s=round(pause_s, 1))
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, self._watch.restart_max_s)

    async def _one_life(self) -> None:
        """Start the child and stay with it to its end, or until it hangs."""
        self.starts += 1
        environment = {**(os.environ if self._environment is None else self._environment), KEY_VARIABLE: self.api_key()}
        child = await spawn(self._command, environment, self._log)
        try:
            async with asyncio.timeout(self._watch.start_s):
                await child.announced()
            async with httpx.AsyncClient(trust_env=False, timeout=self._watch.health_s) as http:
                await self._healthy_once(child, http)
                self._child = child
                self._ready.set()
                structlog.get_logger().info("memory server ready", port=child.port, pid=child.pid)
                self._on_ready()
                await self._attend(child, http)
        except TimeoutError as error:
            raise MemoryUnavailable(f"the memory server did not start within {self._watch.start_s:g} s") from error
        finally:
            self._ready.clear()
            self._child = None
            await asyncio.shield(child.end(self._watch.stop_s))

    async def _healthy_once(self, child: Child, http: httpx.AsyncClient) -> None:
        async with asyncio.timeout(self._watch.start_s):
            while not await _healthy(http, child.port):
                if child.returncode is not None:
                    raise MemoryUnavailable(f"the memory server ended with code {child.returncode} (see {self._log})")
                await asyncio.sleep(0.1)

    async def _attend(self, child: Child, http: httpx.AsyncClient) -> None:
        misses = 0
        while misses < self._watch.misses:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._watch.every_s):
                    code = await child.wait()
                    raise MemoryUnavailable(f"the memory server ended with code {code} (see {self._log})")
            misses = 0 if await _healthy(http, child.port) else misses + 1
        raise MemoryUnavailable("the memory server does not answer any more")


async def _healthy(http: httpx.AsyncClient, port: int) -> bool:
    try:
        response = await http.get(f"http://127.0.0.1:{port}/health")
    except httpx.HTTPError:
        return False
    return response.is_success
