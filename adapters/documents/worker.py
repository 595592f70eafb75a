"""Reads one document from its standard input and writes the sections to its output, as a line of JSON each.

Run by :mod:`adapters.documents.reader`, one process per document: what a document does to it dies with it.
The last line says what the document is, or why it cannot be read.

Takes from the worker what it does not need: memory, time, the network, other programs, files.

A parser is fed what strangers wrote, and so is supposed to be taken over one day: what it could do then is decided
before it sees the first byte.  Each layer stands by itself, because not every system has all of them (docs/reading.md
says which holds where).

Of Linux three guards are asked that need no privileges: a network namespace of its own (``unshare(2)``), which
containers often forbid, a filter of system calls (``seccomp(2)``) and rules for files (``landlock(7)``), which they do
not.  Each function says whether its guard holds.
"""

import ctypes
import json
import mimetypes
import os
import platform
import re
import resource
import struct
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from adapters.documents.formats import read_sections
from adapters.documents.recognition import recognise
from adapters.documents.source import ReadingLimits, Source
from bot.errors import DocumentUnreadable

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
_OPENED_TO_WRITE: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse what Python is asked to do for the network, programs, signals and changes of files (PEP 578)."""
    if event.startswith(_REFUSED):
        _refuse(event)
    if event == "open" and isinstance(flags := arguments[2], int) and flags & _OPENED_TO_WRITE:
        _refuse(event)


def _refuse(event: str) -> NoReturn:
    raise PermissionError(f"the reader of documents may not do that: {event}")


_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWNET: Final = 0x40000000
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_SECCOMP: Final = 22
_PR_SET_NO_NEW_PRIVS: Final = 38
_SECCOMP_MODE_FILTER: Final = 2
_SIGKILL: Final = 9


def die_with_parent(libc: ctypes.CDLL) -> bool:
    """Be killed when the parent goes away, however it goes."""
    return bool(libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0) == 0)


def leave_network(libc: ctypes.CDLL) -> bool:
    """Move to a network of our own, which has nothing but a loopback that is down."""
    return bool(libc.unshare(_CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0)


_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""From linux/audit.h."""
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DUPLICATE, _GET_FLAGS, _GET_STATUS, _DUPLICATE_CLOSED = 0, 1, 3, 1030
"""Commands of fcntl; others lock files or send signals."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A system call that is allowed, by its name and numbers (asm/unistd.h; ``None`` where a machine has none).

    ``argument`` counts from 0: it must be one of ``values`` if there are some, and have no bit of ``without``.
    """

    name: str
    x86_64: int | None
    aarch64: int | None
    argument: int = 0
    values: tuple[int, ...] = ()
    without: int = 0


_CALLS: Final = (
    # Counted with strace over all samples and attacks.
    _Call("read", 0, 63),
    _Call("write", 1, 64),  # there is nothing open to write to but the two outputs
    _Call("close", 3, 57),
    _Call("lseek", 8, 62),
    _Call("mmap", 9, 222),
    _Call("mprotect", 10, 226),
    _Call("munmap", 11, 215),
    _Call("brk", 12, 214),
    _Call("mremap", 25, 216),
    _Call("rt_sigaction", 13, 134),
    _Call("rt_sigprocmask", 14, 135),
    _Call("getpid", 39, 172),
    _Call("gettid", 186, 178),
    _Call("futex", 202, 98),
    _Call("sched_getaffinity", 204, 123),
    _Call("getdents64", 217, 61),
    _Call("newfstatat", 262, 79),
    _Call("openat", 257, 56, argument=2, without=_WRITING),
    _Call("fcntl", 72, 25, argument=1, values=(_DUPLICATE, _GET_FLAGS, _GET_STATUS, _DUPLICATE_CLOSED)),
    _Call("getrandom", 318, 278),
    _Call("exit_group", 231, 94),
    # What other versions of the C library and of Python ask in their place.
    _Call("open", 2, None, argument=1, without=_WRITING),
    _Call("stat", 4, None),
    _Call("fstat", 5, 80),
    _Call("lstat", 6, None),
    _Call("statx", 332, 291),
    _Call("pread64", 17, 67),
    _Call("readv", 19, 65),
    _Call("writev", 20, 66),
    _Call("madvise", 28, 233),
    _Call("rt_sigreturn", 15, 139),
    _Call("sched_yield", 24, 124),
    _Call("exit", 60, 93),
    _Call("gettimeofday", 96, 169),
    _Call("clock_gettime", 228, 113),
)
"""What reading needs: no process, thread, signal, socket, shared memory, limit, owner or mode of anything is in it."""
_LOAD, _EQUALS, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | 1
"""Go on, end the process, fail with EPERM."""
_ARGUMENTS: Final = 16
"""Where the arguments begin in ``struct seccomp_data``, of eight bytes each, the lower four of which are looked at."""
_Step = tuple[int, int, int, int]


def filter_calls(libc: ctypes.CDLL) -> bool:
    """Have the kernel refuse every system call but those that reading needs."""
    machine = platform.machine()
    if machine not in _ARCHITECTURES or libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    steps = _build_filter(machine)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = struct.pack("@HP", len(steps), ctypes.addressof(code))
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0) == 0)


def _build_filter(machine: str) -> tuple[_Step, ...]:
    """Return the program of the filter; what follows a number is skipped for others."""
    steps: list[_Step] = [
        (_LOAD, 0, 0, 4),
        (_EQUALS, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    for call in _CALLS:
        number = call.x86_64 if machine == "x86_64" else call.aarch64
        if number is not None:
            decision = _decide(call)
            steps += [(_EQUALS, 0, len(decision), number), *decision]
    return (*steps, (_RETURN, 0, 0, _REFUSE))


def _decide(call: _Call) -> list[_Step]:
    """Return the steps for a call once its number is known, each way of which returns."""
    allow, refuse = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)
    look: _Step = (_LOAD, 0, 0, _ARGUMENTS + 8 * call.argument)
    if call.without:
        return [look, (_ANY_BIT, 0, 1, call.without), refuse, allow]
    if call.values:
        return [look, *(step for value in call.values for step in ((_EQUALS, 0, 1, value), allow)), refuse]
    return [allow]


_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The numbers of landlock's calls, the same on every machine."""
_PATH_BENEATH: Final = 1
_EVERY_ACCESS: Final = 0x1FFF
"""All that landlock's first version can handle: running, reading, writing, making and removing files."""
_READING: Final = 0x4 | 0x8
"""Files and directories."""


def limit_files(libc: ctypes.CDLL, readable: Iterable[Path]) -> bool:
    """Let nothing be opened but what lies below these folders, for reading; what is open stays open."""
    handled = struct.pack("=Q", _EVERY_ACCESS)
    ruleset = libc.syscall(_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    if ruleset < 0:
        return False
    try:
        for folder in readable:
            if folder.is_dir() and not _allow(libc, ruleset, folder):
                return False
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            return False
        return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, folder: Path) -> bool:
    place = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", _READING, place)
        return bool(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0) == 0)
    finally:
        os.close(place)


_KIBIBYTE: Final = 1024
_PEAK: Final = re.compile(rb"VmHWM:\s*(\d+) kB")


def main(arguments: list[str]) -> int:
    """Read the document; the arguments are its suffix and its limits as JSON."""
    limits = ReadingLimits(**json.loads(arguments[1]))
    mimetypes.init(())  # the system's own list is out of reach, and tells nothing
    sys.modules["numpy"] = None  # type: ignore[assignment]  # openpyxl does without, and starts in a third of the time
    memory = _open_memory_figures()
    held = confine(memory=limits.memory, seconds=limits.seconds)
    with open(0, "rb", closefd=False) as file:
        source = Source(file, "", arguments[0], limits)
        try:
            written = _write_sections(source)
            last = {"title": source.title, "kind": source.kind, "pages": source.pages, "cut": source.cut}
            if not written:
                last = {"why": "empty", "message": "there is no text in the document"}
        except DocumentUnreadable as error:
            last = {"why": error.why, "message": str(error)}
        except MemoryError:
            last = {"why": "too_large", "message": "reading the document needs more memory than it may take"}
        except RecursionError:
            last = {"why": "damaged", "message": "the document is nested beyond measure"}
    _write({**last, "peak": _measure_peak(memory), "held": held})
    return 0


def _open_memory_figures() -> BinaryIO | None:
    """Return Linux's figures of this process, opened while files can be; ``None`` elsewhere."""
    try:
        return open("/proc/self/status", "rb")  # noqa: PTH123 - stays open to the end of the process
    except OSError:
        return None


def _measure_peak(figures: BinaryIO | None) -> int:
    """Return the most memory that this process had, in bytes: ``getrusage`` would count its parent's at the start."""
    if figures is None:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures.seek(0)
    found = _PEAK.search(figures.read())
    return int(found[1]) * _KIBIBYTE if found is not None else 0


def _write_sections(source: Source) -> int:
    source.kind = recognise(source.file, source.suffix)
    written = 0
    for section in read_sections(source):
        left = source.limits.characters - written
        text = section.text[:left]
        if text.strip():
            _write({"headings": section.headings, "text": text, "page": section.page})
        written += len(text)
        if len(section.text) > left:
            source.cut = True
            break
    return written


def _write(line: dict[str, Any]) -> None:  # Any: JSON
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
