"""A Mneme that keeps running while a test talks to it: on Telegram, or as a terminal chat over pipes."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from harness.terminal_process import ROOT, clean_environment

_END_S = 30.0
_SHIPPED = ROOT / "preferences"

Tree = Mapping[str, Any]  # Any: settings as JSON


@dataclass(slots=True)
class Home:
    """Where one installation lives; ``data`` is its data folder, everything else lies beside it."""

    root: Path

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def preferences(self) -> Path:
        return self.root / "preferences"

    @property
    def config(self) -> Path:
        return self.preferences / "runtime-config.json"

    @property
    def log(self) -> Path:
        return self.root / "stderr.log"

    def configure(self, settings: Tree) -> None:
        """Put the settings in place, replacing the file as editors do."""
        if not self.preferences.exists():
            shutil.copytree(_SHIPPED, self.preferences)
        draft = self.preferences / ".runtime-config.json.new"
        draft.write_text(json.dumps(settings, indent=2), encoding="utf-8")
        draft.replace(self.config)

    def options(self) -> tuple[str, ...]:
        """Return the command line options that name these places."""
        return ("--data", str(self.data), "--preferences", str(self.preferences))

    def logged(self) -> str:
        """Return everything that was logged, by all processes so far."""
        files = [self.log, *sorted((self.data / "logs").glob("mneme.log*"))]
        return "".join(file.read_text(encoding="utf-8") for file in files if file.exists())

    def bytes_of(self, folder: Path | None = None) -> Mapping[Path, bytes]:
        """Return the contents of every file of the installation (or of one folder of it)."""
        return {path: path.read_bytes() for path in (folder or self.root).rglob("*") if path.is_file()}


class Running:
    """A process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def code(self) -> int | None:
        """The exit code, ``None`` while it runs."""
        return self._process.returncode

    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def kill(self) -> None:
        """End it as a power cut does."""
        self.signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> int:
        """Ask it to stop and return its exit code; ``TimeoutError`` if it takes longer than promised."""
        self.signal(signal.SIGTERM)
        return await asyncio.wait_for(self._process.wait(), _END_S)

    async def say(self, line: str, *, seconds: float = 60.0) -> str:
        """Type a line into a plain chat and return the answer, which is printed in one piece."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()
        piece = await asyncio.wait_for(self._process.stdout.read(65536), seconds)
        return piece.decode().removeprefix("mneme> ").strip()

    async def leave(self) -> int:
        """End a plain chat's input and return its exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return await asyncio.wait_for(self._process.wait(), _END_S)

    async def memory_server(self, *, seconds: float = 60.0) -> psutil.Process:
        """Return the embedded memory server once it listens."""
        us = psutil.Process(self.pid)
        async with asyncio.timeout(seconds):
            while True:
                for child in us.children():
                    with suppress(psutil.Error):
                        if child.net_connections("tcp"):
                            return child
                await asyncio.sleep(0.05)


@asynccontextmanager
async def running(home: Home, *arguments: str, environment: Mapping[str, str] | None = None) -> AsyncIterator[Running]:
    """Run ``mneme ARGUMENTS`` in its home; it is killed at the end if it is still there."""
    with home.log.open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            *arguments,
            *home.options(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            cwd=ROOT,
            env=clean_environment(environment),
        )
        mneme = Running(process)
        try:
            yield mneme
        finally:
            if mneme.code is None:
                await mneme.kill()


async def until(condition: Callable[[], object], *, seconds: float = 60.0) -> None:
    """Wait until something holds; ``TimeoutError`` if it does not in time."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - another process brings it about, there is no event
            await asyncio.sleep(0.02)
