"""Workers of a run of tests: forked once all is imported, since importing takes ten seconds, thirty without byte code.

pytest-xdist starts each worker as a new interpreter that imports all of it again.  Here its workers are forks of the
process that gives them their tests, made before that has a thread; a worker that replaces a crashed one starts anew.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys
import traceback
import warnings
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import BinaryIO

import pytest
from _pytest.config import apply_warning_filters  # what pytest does for imports of its own
from execnet import XSpec, gateway_io
from execnet.gateway_base import ExecModel

_start_anew = gateway_io.create_io


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[XSpec]) -> None:
    """Import the tests that are asked for, and let the workers be forks of this process."""
    _import(config)
    forks = [_fork() for spec in specs if spec.popen]

    def create_io(spec: XSpec, execmodel: ExecModel) -> gateway_io.Popen2IOMaster:
        return _Fork(*forks.pop(), execmodel) if spec.popen and forks else _start_anew(spec, execmodel)

    gateway_io.create_io = create_io


class _Fork(gateway_io.Popen2IOMaster):
    """What execnet asks of a process it has started."""

    def __init__(self, pid: int, stdin: BinaryIO, stdout: BinaryIO, execmodel: ExecModel) -> None:
        super(gateway_io.Popen2IOMaster, self).__init__(stdin, stdout, execmodel)  # the master's starts a program
        self._pid = pid

    def wait(self) -> int | None:
        """Return the exit code once it has ended, ``None`` for one that was waited for."""
        with suppress(ChildProcessError):
            return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return None

    def kill(self) -> None:
        """End it."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)


def _import(config: pytest.Config) -> None:
    """Import modules of tests; one that cannot be imported fails in a worker, which tells why."""
    paths = [config.invocation_params.dir / each.partition("::")[0] for each in config.args]
    files = [file for path in paths for file in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]
    with warnings.catch_warnings():
        apply_warning_filters(config.getini("filterwarnings"), [])
        for file in files:
            with suppress(Exception, pytest.skip.Exception):
                import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))
    if "harness.forking" in sys.modules:
        sys.modules["harness.forking"].share_forks()
        sys.modules["harness.forking"].compile_patterns()
    gc.collect()
    gc.freeze()  # pages that no collection touches stay shared


def _fork() -> tuple[int, BinaryIO, BinaryIO]:
    """Return a process that waits for what execnet has it run, and the ends of its standard input and output."""
    sys.stdout.flush()  # or the fork writes it, too
    (theirs_in, ours_in), (ours_out, theirs_out) = os.pipe(), os.pipe()
    if (pid := os.fork()) == 0:
        os.dup2(theirs_in, 0)
        os.dup2(theirs_out, 1)
        try:
            _work()
        except BaseException:  # noqa: BLE001 - nothing of this goes on in what was forked
            traceback.print_exc()
        finally:
            atexit._run_exitfuncs()
            os._exit(0)
    os.close(theirs_in)
    os.close(theirs_out)
    return pid, os.fdopen(ours_in, "wb"), os.fdopen(ours_out, "rb")


def _work() -> None:
    sys.modules["__main__"] = ModuleType("__main__")  # as python -c has it: its children run pytest's program no more
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(io.FileIO(2, "w", closefd=False)), "utf-8", write_through=True)
    exec(eval(sys.stdin.readline()), {})  # noqa: S307,S102 - what execnet has an interpreter run
