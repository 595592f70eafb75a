"""Runs tests in forks of a process that has imported the libraries once: that is most of the time of a small test.

It is started in the copied tree and imports nothing of ours itself.  Each line of its input is a run: what pytest gets,
its limit in seconds and the file for what it prints; each line of its output is an exit code, 124 for a run that took
longer.
"""

import importlib
import json
import os
import resource
import signal
import sys
import time
from contextlib import suppress

_LIBRARIES = (
    *("pytest", "_pytest.assertion.rewrite", "pytest_asyncio", "pytest_timeout", "hypothesis"),
    *("aiogram", "aiohttp.web", "httpx", "respx", "numpy", "pydantic", "orjson", "structlog", "snowballstemmer"),
    *("telegramify_markdown", "pyromark", "psutil", "stamina"),
)
_TOO_LONG = 124


def _child(arguments: list[str], limit_s: float, output: str) -> None:
    os.setsid()
    # A change may never end, and whoever watches it may be killed first.
    most_s = int(limit_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most_s, most_s))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    printed = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for descriptor in (1, 2):
        os.dup2(printed, descriptor)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - what python -m does
    pytest = importlib.import_module("pytest")
    code = 1
    try:
        code = int(pytest.main(arguments))
    finally:
        os._exit(code)


def _code(pid: int, limit_s: float) -> int:
    """Return the exit code of a run, or end it and all that it started."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return _TOO_LONG


def main() -> None:
    """Serve until the input ends."""
    for library in _LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(library)
    for line in sys.stdin:
        run = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _child(run["arguments"], run["limit_s"], run["output"])
        sys.stdout.write(f"{_code(pid, run['limit_s'])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
