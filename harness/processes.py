"""Mneme in processes of its own: one that keeps running while a test talks to it, or a chat from beginning to end.

What such a process has on disk is asked from outside, as an operator would.
"""

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import psutil

from harness.forking import ROOT, fork_program

_LIMIT_S = 240.0
_END_S = 120.0
_LOOK_S = 0.01
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
        return ("--data", str(self.data), "--preferences", str(self.preferences))

    def logged(self) -> str:
        files = [self.log, *sorted((self.data / "logs").glob("mneme.log*"))]
        return "".join(file.read_text(encoding="utf-8") for file in files if file.exists())

    def bytes_of(self, folder: Path | None = None) -> Mapping[Path, bytes]:
        """Return the contents of every file of the installation (or of one folder of it)."""
        return {path: path.read_bytes() for path in (folder or self.root).rglob("*") if path.is_file()}


@dataclass(slots=True)
class Running:
    """A process, forked or started by its command line, and our ends of its standard streams."""

    process: BaseProcess | subprocess.Popen[bytes]
    stdin: int
    stdout: int

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    @property
    def code(self) -> int | None:
        """The exit code, ``None`` while it runs."""
        return self.process.exitcode if isinstance(self.process, BaseProcess) else self.process.poll()

    def signal(self, number: signal.Signals) -> None:
        if self.code is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def wait(self, *, seconds: float = _END_S) -> int:
        """Return the exit code; ``TimeoutError`` if the process does not end in time."""
        async with asyncio.timeout(seconds):
            while (code := self.code) is None:  # noqa: ASYNC110 - another process ends, there is no event
                await asyncio.sleep(_LOOK_S)
        return code

    async def kill(self) -> None:
        """End it as a power cut does."""
        self.signal(signal.SIGKILL)
        await self.wait()

    async def stop(self) -> int:
        """Ask it to stop and return its exit code; ``TimeoutError`` if it takes longer than promised."""
        self.signal(signal.SIGTERM)
        return await self.wait()

    async def say(self, line: str, *, seconds: float = 120.0) -> str:
        """Type a line into a plain chat and return the answer, which is printed in one piece."""
        os.write(self.stdin, f"{line}\n".encode())
        piece = await asyncio.wait_for(asyncio.to_thread(os.read, self.stdout, 65536), seconds)
        return piece.decode().removeprefix("mneme> ").strip()

    async def leave(self) -> int:
        """End a plain chat's input and return its exit code."""
        self.close_input()
        return await self.wait()

    def close_input(self) -> None:
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    async def memory_server(self) -> psutil.Process:
        """Return the embedded memory server once it listens."""
        us = psutil.Process(self.pid)
        async with asyncio.timeout(_END_S):
            while True:
                for child in us.children():
                    with suppress(psutil.Error):
                        if child.net_connections("tcp"):
                            return child
                await asyncio.sleep(0.05)


def count_cpu_s(process: psutil.Process) -> float:
    """Return what a process and its children have used, ended ones too."""
    used = 0.0
    for each in (process, *process.children(recursive=True)):
        try:
            times = each.cpu_times()
        except psutil.NoSuchProcess:
            continue
        used += times.user + times.system + (times.children_user + times.children_system if each == process else 0.0)
    return used


@asynccontextmanager
async def running(
    home: Home, *arguments: str, environment: Mapping[str, str] | None = None, forked: bool = True
) -> AsyncIterator[Running]:
    """Run ``mneme ARGUMENTS`` in its home; it is killed at the end if it is still there.

    A process that is not ``forked`` is started by its command line, which a preloaded library needs.
    """
    command, clean = (*arguments, *home.options()), clean_environment(environment)
    (theirs_in, ours_in), (ours_out, theirs_out) = os.pipe(), os.pipe()
    with home.log.open("ab") as log:
        streams = (theirs_in, theirs_out, log.fileno())
        if forked:
            process: BaseProcess | subprocess.Popen[bytes] = await asyncio.to_thread(
                fork_program, "bot", command, clean, streams
            )
        else:
            process = subprocess.Popen(  # noqa: ASYNC220, S603 - starting blocks for a moment; our own program
                [sys.executable, "-m", "bot", *command],
                stdin=streams[0],
                stdout=streams[1],
                stderr=streams[2],
                cwd=ROOT,
                env=clean,
            )
    os.close(theirs_in)
    os.close(theirs_out)
    mneme = Running(process, ours_in, ours_out)
    try:
        yield mneme
    finally:
        if mneme.code is None:
            await mneme.kill()
        mneme.close_input()
        os.close(ours_out)


def list_children(word: str) -> list[psutil.Process]:
    """Return this process's descendants whose command line has an argument ``word``; one that just ended is none."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if word in child.cmdline():
                found.append(child)
    return found


async def until(condition: Callable[[], object], *, seconds: float = 120.0) -> None:
    """Wait until something holds; ``TimeoutError`` if it does not in time."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - whatever brings it about, there is no event
            await asyncio.sleep(0.02)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a chat printed: one string per answer, and how it ended."""

    answers: tuple[str, ...]
    code: int
    errors: str


def chat(
    data: Path,
    *lines: str,
    settle: bool = False,
    program: tuple[str, ...] = ("bot", "chat", "--plain"),
    environment: Mapping[str, str] | None = None,
) -> Answered:
    """Give the lines to a terminal chat, ``program`` being its module and arguments, and return its answers."""
    module, *more = program
    arguments = (*more, "--data", str(data), *(["--settle"] if settle else []))
    theirs, ours = os.pipe()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        streams = (theirs, output.fileno(), errors.fileno())
        process = fork_program(module, arguments, clean_environment(environment), streams)
        os.close(theirs)
        os.write(ours, "".join(f"{line}\n" for line in lines).encode())
        os.close(ours)
        process.join(_LIMIT_S)
        if process.exitcode is None:
            process.kill()
            raise TimeoutError(f"{module} did not end within {_LIMIT_S:.0f} s")
        output.seek(0)
        errors.seek(0)
        return Answered(split(output.read().decode()), process.exitcode, errors.read().decode())


async def reported(home: Home, *arguments: str) -> dict[str, Any]:  # Any: the report's JSON

    def report() -> dict[str, Any]:  # Any: as above
        with home.log.open("ab") as log, tempfile.TemporaryFile() as output, Path(os.devnull).open("rb") as nothing:
            streams = (nothing.fileno(), output.fileno(), log.fileno())
            process = fork_program("bot", (*arguments, "--json", *home.options()), clean_environment(), streams)
            process.join(_LIMIT_S)
            output.seek(0)
            said: dict[str, Any] = json.loads(output.read())
        return said

    return await asyncio.to_thread(report)


def split(output: str) -> tuple[str, ...]:
    """Return the answers in what a plain chat printed."""
    answers: list[str] = []
    for line in output.splitlines():
        if line.startswith("mneme> "):
            answers.append(line.removeprefix("mneme> "))
        elif answers:
            answers[-1] += "\n" + line.strip()
    return tuple(answers)


def clean_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return our environment without settings of Mneme that a developer may have."""
    mine = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MNEME_", "LLM_", "RAG_", "TELEGRAM_", "OPENAI_", "DATABASE_"))
    }
    return {**mine, "PYTHONUNBUFFERED": "1", **(more or {})}


def count(data: Path, query: str) -> int:
    with closing(sqlite3.connect(data / "mneme.db", timeout=10)) as connection:
        (number,) = connection.execute(query).fetchone()
    return int(number)


def waiting(data: Path) -> int:
    """Return how many documents long-term memory has not confirmed."""
    return count(data, "SELECT count(*) FROM outbox")


def documents(data: Path) -> list[str]:
    """Return the sources of all documents that the embedded memory server has processed, in all workspaces."""
    found: list[str] = []
    for file in sorted((data / "memory-server" / "workspaces").glob("*.sqlite3")):
        with closing(sqlite3.connect(file, timeout=10)) as connection:
            query = "SELECT file_path FROM status WHERE status = 'processed' AND duplicate = 0"
            found += [str(row[0]) for row in connection.execute(query)]
    return found
