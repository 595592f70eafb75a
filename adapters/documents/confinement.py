"""Takes from the worker what it does not need: memory, time, the network, other programs, files.

A parser is fed what strangers wrote, and so is supposed to be taken over one day: what it could do then is decided
before it sees the first byte.  Each layer stands by itself, because not every system has all of them (docs/reading.md
says which holds where).
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
import sysconfig
from pathlib import Path
from typing import Final, NoReturn

from adapters.documents.kernel_guards import die_with_parent, filter_calls, leave_network, limit_files

_OPEN_FILES: Final = 64
_LIBRARIES: Final = 512 * 1024 * 1024
"""Address space for what is mapped from files, which is not memory."""
_ROOT: Final = Path(__file__).parents[2]
_OURS: Final = ("adapters", "bot", "language")
_SYSTEM: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")


def confine(*, memory: int, seconds: float) -> tuple[str, ...]:
    """Confine this process for good; returns the names of the layers that hold.

    ``memory`` is in bytes.  The guard of the interpreter holds everywhere, the others are Linux's, and a container may
    forbid a network of one's own.
    """
    held = {"memory": _limit(memory, seconds)}
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        held["parent"] = die_with_parent(libc)
        held["network"] = leave_network(libc)
        held["files"] = limit_files(libc, _list_libraries())
        held["calls"] = filter_calls(libc)
    sys.addaudithook(_audit)
    return (*(name for name, holds in held.items() if holds), "interpreter")


def _limit(memory: int, seconds: float) -> bool:
    """Set the limits of the process; ``False`` where the system does not keep the one of memory."""
    cpu = max(1, round(seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
    if sys.platform != "linux":
        return False
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_AS, (memory + _LIBRARIES, memory + _LIBRARIES))
    return True


def _list_libraries() -> tuple[Path, ...]:
    """Return the folders that imports read, and no other."""
    paths = sysconfig.get_paths()
    python = sorted({paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})
    return (*map(Path, python), *(_ROOT / name for name in _OURS), *map(Path, _SYSTEM))


_REFUSED: Final = (
    *("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.kill", "signal."),
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.utime"),
    *("os.chmod", "os.chown", "os.chflags", "os.setxattr"),
)
"""How the audit events begin (https://docs.python.org/3/library/audit_events.html)."""
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse what Python is asked to do for the network, programs, signals and changes of files (PEP 578)."""
    if event.startswith(_REFUSED):
        _refuse(event)
    if event == "open" and isinstance(flags := arguments[2], int) and flags & _WRITING:
        _refuse(event)


def _refuse(event: str) -> NoReturn:
    raise PermissionError(f"the reader of documents may not do that: {event}")
