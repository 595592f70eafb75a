"""One run of a child process that announces its port and writes a log.

Its stdin is a pipe that nobody writes to: it closes when we go away, and that is the child's sign to end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Final

import orjson

from bot.errors import MemoryUnavailable

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
        """Append a line."""
        if self._file.tell() > _LARGEST_LOG:
            self._file.close()
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))
            self._file = self._open()
        self._file.write(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _open(self) -> IO[bytes]:
        self._path.touch(mode=0o600)
        return self._path.open("ab", buffering=0)


async def spawn(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Child:
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
    return Child(process, written)


class Child:
    """A started process; :meth:`end` must be called in the end."""

    def __init__(self, process: asyncio.subprocess.Process, log: ChildLog) -> None:
        self._process = process
        self._log = log
        self._copier: asyncio.Task[None] | None = None
        self.port = 0
        """Known after :meth:`announced`."""

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Return the exit code, negative for a signal, ``None`` while the process runs."""
        return self._process.returncode

    async def announced(self) -> None:
        """Read lines until one is ``{"port": N}``; what else is said goes to the log.

        Raises :class:`~bot.errors.MemoryUnavailable` if the process ends without.
        """
        out = self._process.stdout
        while out is not None:
            line = await _line(out)
            if not line:
                code = await self._process.wait()
                raise MemoryUnavailable(f"the memory server ended with code {code} before it was ready")
            if port := _port(line):
                self.port = port
                self._copier = asyncio.create_task(self._copy(out))
                return
            self._log.write(line)

    async def wait(self) -> int:
        """Return the exit code once the process has ended."""
        return await self._process.wait()

    async def end(self, patience_s: float) -> None:
        """Close stdin and send SIGTERM, then SIGKILL after ``patience_s`` seconds; returns when the process is gone."""
        if self._process.returncode is None:
            if self._process.stdin is not None:
                self._process.stdin.close()
            with suppress(ProcessLookupError):
                self._process.terminate()
            try:
                async with asyncio.timeout(patience_s):
                    await self._process.wait()
            except TimeoutError:
                with suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
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
