"""Processes forked from one that has everything imported: they start in a tenth of a second instead of four.

Each is a process like any other: it can be killed, and has its own environment, standard streams and working folder.
"""

import asyncio
import gc
import io
import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import forkserver, reduction
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, BinaryIO

from language.patterns import PatternAtUse

ROOT = Path(__file__).resolve().parents[1]
_PRELOADED = "harness.preloaded"


class _Descriptor:
    """A file descriptor that the child inherits when this is handed to it."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:  # Any: what multiprocessing sends
        return _detach, (reduction.DupFd(self.number),)


def _detach(inherited: Any) -> int:  # Any: as above
    return int(inherited.detach())


def compile_patterns() -> None:
    """Compile what waits for its first use: each process that is forked from this one would do it again."""
    for each in [each for each in gc.get_objects() if isinstance(each, PatternAtUse)]:
        each.pattern  # noqa: B018 - asked, it is compiled


def share_forks() -> None:
    """Start what processes are forked from; those that ``os.fork`` makes of this one use it, too, and start none."""
    multiprocessing.set_forkserver_preload([_PRELOADED])
    forkserver.ensure_running()
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign] # noqa: SLF001 - it asks for a child


def fork(target: Callable[..., None], *arguments: object) -> BaseProcess:
    """Start a function of a module in a process of its own; it is killed with this one."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_PRELOADED])
    process = context.Process(target=target, args=arguments, daemon=True)
    process.start()
    return process


def fork_program(
    module: str, arguments: tuple[str, ...], environment: Mapping[str, str], streams: tuple[int, int, int]
) -> BaseProcess:
    """Start what ``python -m MODULE ARGUMENTS`` would; ``streams`` are its standard input, output and errors."""
    return fork(_program, module, arguments, dict(environment), *map(_Descriptor, streams))


class ForkedChild:
    """A forked program with what the product uses of an :class:`asyncio.subprocess.Process`: one stream of output."""

    def __init__(self, process: BaseProcess, stdin: BinaryIO, stdout: asyncio.StreamReader) -> None:
        assert process.pid is not None
        self.pid, self.stdin, self.stdout = process.pid, stdin, stdout
        self.kill, self.terminate = process.kill, process.terminate
        self._process, self._ended = process, asyncio.Event()
        asyncio.get_running_loop().add_reader(process.sentinel, self._note)

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    async def wait(self) -> int:
        await self._ended.wait()
        return self._process.exitcode or 0

    def _note(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self.stdin.close()
        self._ended.set()


async def fork_child(command: Sequence[str], environment: Mapping[str, str]) -> ForkedChild:
    """Start ``PYTHON -m MODULE ARGUMENTS``, forked; it is among the active children by the name of what it runs."""
    (theirs_in, ours_in), (ours_out, theirs_out) = os.pipe(), os.pipe()
    module, *arguments = command[2:]
    process = await asyncio.to_thread(
        fork_program, module, tuple(arguments), environment, (theirs_in, theirs_out, theirs_out)
    )
    process.name = " ".join(command[2:])
    os.close(theirs_in)
    os.close(theirs_out)
    output = asyncio.StreamReader()
    pipe = os.fdopen(ours_out, "rb", buffering=0)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(output), pipe)
    return ForkedChild(process, os.fdopen(ours_in, "wb", buffering=0), output)


def _program(module: str, arguments: tuple[str, ...], environment: dict[str, str], *streams: int) -> None:
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", write_through=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests run in the background ignore it, and so would this
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
