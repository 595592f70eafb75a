"""The worker with a parser that was taken over: it tries attacks below Python, and tells which were done.

Run in the place of :mod:`adapters.documents.worker`, whose ``main`` it calls: everything but the parser is real.
The document says the number of a process and the path of a file that are none of the worker's business.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from adapters.documents import worker
from adapters.documents.source import Source
from adapters.documents.worker import _CALLS
from bot.ports.document_reading import DocumentSection

_COLUMN = 0 if platform.machine() == "x86_64" else 1
_HERE = -100
_EVERY_CALL = 1000
_OF_PROBES = {335, 336}
"""uretprobe and uprobe, which the kernel lets pass any filter, and which end a process that has no probe in it."""
_FLAG_CREATE = 0o1000
_LIBC = ctypes.CDLL(None, use_errno=True)


def call(x86_64: int, aarch64: int, *arguments: Any) -> Callable[[], int]:  # Any: what ctypes takes
    """Return a system call by its numbers."""
    return lambda: int(_LIBC.syscall((x86_64, aarch64)[_COLUMN], *arguments))


def list_attacks(victim: int, path: str) -> dict[str, Callable[[], Any]]:  # Any: nobody looks at it
    """Return what is tried: each fails by -1 or an exception, or is done."""
    file = path.encode()
    queued = struct.pack("=iii", signal.SIGTERM, 0, -1).ljust(128, b"\0")
    limit, two = struct.pack("=QQ", 7, 7), struct.pack("=Q", 1)
    return {
        "signal": call(62, 129, victim, signal.SIGTERM),
        "queued signal": call(129, 138, victim, signal.SIGTERM, queued),
        "queued signal to a thread": call(297, 240, victim, victim, signal.SIGTERM, queued),
        "signal to a thread": call(234, 131, victim, victim, signal.SIGTERM),
        "another's handle": call(434, 434, victim, 0),
        "limits of another": call(302, 261, victim, 7, limit, None),
        "own limits": call(302, 261, 0, 4, limit, None),
        "priority of another": call(141, 140, 0, victim, 19),
        "disk priority of another": call(251, 30, 1, victim, 3 << 13),
        "processor of another": call(203, 122, victim, 8, two),
        "scheduler of another": call(144, 119, victim, 3, struct.pack("=i", 0)),
        "memory of another": call(310, 270, victim, b"\0" * 16, 1, b"\0" * 16, 1, 0),
        "tracing another": call(101, 117, 0x4206, victim, 0, 0),
        "signals by a lock": call(72, 25, 0, 8, victim),
        "mode": call(268, 53, _HERE, file, 0o777),
        "mode by the newer call": call(452, 452, _HERE, file, 0o777, 0),
        "owner": call(260, 54, _HERE, file, 1, 1, 0),
        "times": call(280, 88, _HERE, file, None, 0),
        "attributes": call(188, 5, file, b"user.x", b"x", 1, 0),
        "emptying": call(76, 45, file, 0),
        "renaming": call(316, 276, _HERE, file, _HERE, file + b".old", 0),
        "removing": call(263, 35, _HERE, file, 0),
        "linking": call(265, 37, _HERE, file, _HERE, file + b".link", 0),
        "special file": call(259, 33, _HERE, file + b".pipe", 0o010600, 0),
        "reading": call(257, 56, _HERE, file, os.O_RDONLY),
        "writing": call(257, 56, _HERE, file, os.O_RDWR),
        "reading by the newer call": call(437, 437, _HERE, file, b"\0" * 24, 24),
        "reading the other's environment": call(257, 56, _HERE, f"/proc/{victim}/environ".encode(), os.O_RDONLY),
        "shared memory by name": call(257, 56, _HERE, b"/dev/shm/taken-over", os.O_RDWR | os.O_CREAT, 0o600),
        "shared memory by key": call(29, 194, 0x7A7A, 4096, _FLAG_CREATE | 0o600),
        "semaphores": call(64, 190, 0x7A7A, 1, _FLAG_CREATE | 0o600),
        "messages by key": call(68, 186, 0x7A7A, _FLAG_CREATE | 0o600),
        "messages by name": call(240, 180, b"taken-over", os.O_RDWR | os.O_CREAT, 0o600, None),
        "memory as a file": call(319, 279, b"x", 0),
        "keys": call(248, 217, b"user", b"x", b"x", 1, -4),
        "child": _leave_child,
        "thread": call(56, 220, 0x10F00, 0, 0, 0, 0),
        "session of its own": call(112, 157),
        "group of its own": call(109, 154, 0, 0),
        "program": call(59, 221, b"/bin/true", None, None),
        "program by python": lambda: subprocess.run(["true"], check=False),  # noqa: S607 - whatever it is
        "socket": call(41, 198, 1, 1, 0),
        "pair of sockets": call(53, 199, 1, 1, 0, b"\0" * 8),
        "socket by python": socket.socket,
        "rings": call(425, 425, 1, b"\0" * 120),
        "kernel programs": call(321, 280, 0, b"\0" * 48, 48),
        "counters": call(298, 241, b"\0" * 128, victim, -1, -1, 0),
        "page faults": call(323, 282, 1),
        "namespaces": call(272, 97, 0x10000000),
        "terminal": call(16, 29, 1, 0x5412, b"x"),
        "parent's death": call(157, 167, 1, 0, 0, 0, 0),
        "watching": call(294, 26, 0),
        "memory beyond the limit": lambda: bytearray(1 << 30),
        "writing by python": lambda: open(path, "a"),  # noqa: PTH123 - it shall fail
    }


def _leave_child() -> int:
    child = int(_LIBC.fork())
    if not child:
        _LIBC.setsid()
        time.sleep(5)
        os._exit(0)
    return child


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield, as JSON, the names of attacks that were done and the numbers of calls that nobody has allowed."""
    victim, path = source.file.read().decode().splitlines()
    done = [name for name, attack in list_attacks(int(victim), path).items() if not _fails(attack)]
    guarded = call(110, 173)() == -1  # asking for the parent's number: without the filter the rest would do harm
    allowed = {(one.x86_64, one.aarch64)[_COLUMN] for one in _CALLS}
    rest = sorted({*range(_EVERY_CALL), *(1 << 30 | number for number in range(_EVERY_CALL))} - allowed - _OF_PROBES)
    open_calls = [number for number in rest if not guarded or not _is_refused(number)]
    yield DocumentSection((), json.dumps({"done": done, "open": open_calls}))


def _fails(attack: Callable[[], Any]) -> bool:  # Any: as above
    try:
        return bool(attack() == -1)
    except (OSError, MemoryError):
        return True


def _is_refused(number: int) -> bool:
    ctypes.set_errno(0)
    return bool(_LIBC.syscall(number, -1, -1, -1, -1, -1, -1) == -1 and ctypes.get_errno() == errno.EPERM)


if __name__ == "__main__":
    sys.modules["adapters.documents.formats.plain"] = sys.modules["__main__"]
    sys.exit(worker.main(sys.argv[1:]))
