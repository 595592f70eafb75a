"""The memory server as a child process: the default.

Mneme starts it, learns its port, watches it, starts it again when it crashes or hangs, and stops it.  Nobody waits for
it: while it starts, questions are answered without long-term memory and documents wait in the outbox.

The contract with the child: its API key comes in the environment, it prints a line ``{"port": N}`` on stdout, serves
``GET /health`` on loopback, ends on SIGTERM, and ends by itself when its stdin closes, which happens whenever Mneme
goes away, however it dies.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import IO, Final

import httpx
import orjson
import structlog

from bot.errors import MemoryUnavailable, StorageUnavailable
from bot.retry import Backoff, Pauses

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
        self.cause = ""
        """Why the child was started again, "" if it never was."""
        self.starts = 0
        """How often the child was started."""

    @property
    def state(self) -> ServerState:
        if self._task is None:
            return ServerState.STOPPED
        return ServerState.READY if self._ready.is_set() else ServerState.STARTING

    def url(self) -> str:
        return f"http://127.0.0.1:{self._child.port}" if self._child is not None and self._ready.is_set() else ""

    def api_key(self) -> str:
        """Return the server's key, made at the first call.  Raises :class:`~bot.errors.StorageUnavailable`."""
        self._key = self._key or read_server_key(self._key_file)
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
        pauses = Pauses(Backoff(self._watch.restart_s, self._watch.restart_max_s))
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await self._run_child()
            except (MemoryUnavailable, StorageUnavailable, OSError) as error:
                self.cause = str(error)
            if loop.time() - began > self._watch.steady_s:
                pauses.reset()
            pause_s = pauses.next_s()
            structlog.get_logger().warning(
                "memory server ended; starting again", cause=self.cause, pause_s=round(pause_s, 1)
            )
            await asyncio.sleep(pause_s)

    async def _run_child(self) -> None:
        """Start the child and stay with it to its end, or until it hangs."""
        self.starts += 1
        environment = {**(os.environ if self._environment is None else self._environment), KEY_VARIABLE: self.api_key()}
        child = await Child.start(self._command, environment, self._log)
        try:
            async with asyncio.timeout(self._watch.start_s):
                await child.wait_for_port()
            async with httpx.AsyncClient(trust_env=False, timeout=self._watch.health_s) as http:
                await self._wait_until_healthy(child, http)
                self._child = child
                self._ready.set()
                structlog.get_logger().info("memory server ready", port=child.port, pid=child.process.pid)
                self._on_ready()
                await self._attend(child, http)
        except TimeoutError as error:
            raise MemoryUnavailable(f"the memory server did not start within {self._watch.start_s:g} s") from error
        finally:
            self._ready.clear()
            self._child = None
            await asyncio.shield(child.end(self._watch.stop_s))

    async def _wait_until_healthy(self, child: Child, http: httpx.AsyncClient) -> None:
        async with asyncio.timeout(self._watch.start_s):
            while not await _is_healthy(http, child.port):
                if child.process.returncode is not None:
                    raise MemoryUnavailable(
                        f"the memory server ended with code {child.process.returncode} (see {self._log})"
                    )
                await asyncio.sleep(0.1)

    async def _attend(self, child: Child, http: httpx.AsyncClient) -> None:
        misses = 0
        while misses < self._watch.misses:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._watch.every_s):
                    code = await child.process.wait()
                    raise MemoryUnavailable(f"the memory server ended with code {code} (see {self._log})")
            misses = 0 if await _is_healthy(http, child.port) else misses + 1
        raise MemoryUnavailable("the memory server does not answer any more")


async def _is_healthy(http: httpx.AsyncClient, port: int) -> bool:
    try:
        response = await http.get(f"http://127.0.0.1:{port}/health")
    except httpx.HTTPError:
        return False
    return response.is_success


_LARGEST_LOG: Final = 5 * 1024 * 1024
_LONGEST_LINE: Final = 65_536
_LAST_WORDS_S: Final = 1.0


class ChildLog:
    """A file (mode 0600) that starts anew at 5 MB, keeping the one before it as ``NAME.1``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._open()

    def write(self, line: bytes) -> None:
        if self._file.tell() > _LARGEST_LOG:
            self._file.close()
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))
            self._file = self._open()
        self._file.write(line)

    def close(self) -> None:
        self._file.close()

    def _open(self) -> IO[bytes]:
        self._path.touch(mode=0o600)
        return self._path.open("ab", buffering=0)


class Child:
    """A started process that announces its port and writes a log; :meth:`end` must be called in the end.

    Its stdin is a pipe that nobody writes to: it closes when we go away, and that is the child's sign to end.
    """

    def __init__(self, process: asyncio.subprocess.Process, log: ChildLog) -> None:
        self.process = process
        self._log = log
        self._copier: asyncio.Task[None] | None = None
        self.port = 0
        """Known after :meth:`wait_for_port`."""

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str], log: Path) -> Child:
        """Start ``command`` in a session of its own, so that Ctrl-C in a terminal reaches Mneme alone, which stops it.

        Raises :class:`~bot.errors.MemoryUnavailable` when it cannot be started.
        """
        with ExitStack() as undo:
            try:
                written = ChildLog(log)
                undo.callback(written.close)
                process = await asyncio.create_subprocess_exec(
                    *command,
                    env=dict(environment),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.STDOUT,
                    limit=_LONGEST_LINE,
                    start_new_session=True,
                )
            except OSError as error:
                raise MemoryUnavailable(f"the memory server cannot be started: {error}") from error
            undo.pop_all()
        return cls(process, written)

    async def wait_for_port(self) -> None:
        """Read lines until one is ``{"port": N}``; what else is said goes to the log.

        Raises :class:`~bot.errors.MemoryUnavailable` if the process ends without.
        """
        out = self.process.stdout
        while out is not None:
            line = await _line(out)
            if not line:
                code = await self.process.wait()
                raise MemoryUnavailable(f"the memory server ended with code {code} before it was ready")
            if port := _port(line):
                self.port = port
                self._copier = asyncio.create_task(self._copy(out))
                return
            self._log.write(line)

    async def end(self, patience_s: float) -> None:
        """Close stdin and send SIGTERM, then SIGKILL after ``patience_s`` seconds; returns when the process is gone."""
        if self.process.returncode is None:
            if self.process.stdin is not None:
                self.process.stdin.close()
            with suppress(ProcessLookupError):
                self.process.terminate()
            try:
                async with asyncio.timeout(patience_s):
                    await self.process.wait()
            except TimeoutError:
                with suppress(ProcessLookupError):
                    self.process.kill()
                await self.process.wait()
        if self._copier is not None:
            await asyncio.wait([self._copier], timeout=_LAST_WORDS_S)
            self._copier.cancel()
        self._log.close()

    async def _copy(self, out: asyncio.StreamReader) -> None:
        while line := await _line(out):
            self._log.write(line)


async def _line(out: asyncio.StreamReader) -> bytes:
    try:
        return await out.readline()
    except ValueError:  # longer than the limit: readline has dropped what it held and says so this way
        return b"(a line too long to log)\n"


def _port(line: bytes) -> int:
    try:
        said = orjson.loads(line)
    except orjson.JSONDecodeError:
        return 0
    port = said.get("port") if isinstance(said, dict) else None
    return port if isinstance(port, int) and 0 < port < 65_536 else 0  # noqa: PLR2004 - the range of TCP ports


_BYTES = 32
_KEY = re.compile(r"[A-Za-z0-9_-]{20,200}")


def read_server_key(path: Path) -> str:
    """Return the key kept in ``path``, making it (mode 0600, 256 random bits) when it is missing or damaged.

    Only we and the server that we start use it, so that a new one costs nothing but that server's next start.
    Safe when two processes start at once: both get the same key.  Raises :class:`~bot.errors.StorageUnavailable`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            if _KEY.fullmatch(known := path.read_bytes().decode("ascii", "replace").strip()):
                path.chmod(0o600)
                return known
            structlog.get_logger().warning("the memory server's key was damaged; a new one is made", file=str(path))
            path.unlink()
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(_BYTES), "ascii")
        with suppress(FileExistsError):  # another process was quicker: its key is the key
            path.hardlink_to(fresh)
        fresh.unlink()
        return path.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise StorageUnavailable(
            f"the memory server's key cannot be kept in {path} ({error}); make the folder ours to read and write"
        ) from error
