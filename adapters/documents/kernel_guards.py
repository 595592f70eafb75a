"""What Linux takes from a process for good: the network, other programs, signals to others, files but libraries.

Three guards that need no privileges: a network namespace of its own (``unshare(2)``), which containers often forbid, a
filter of system calls (``seccomp(2)``) and rules for files (``landlock(7)``), which they do not.
Each function says whether its guard holds.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

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


_CALLS: Final = {
    "x86_64": (
        (41, 53, 42, 49, 50, 288, 44),  # socket, socketpair, connect, bind, listen, accept4, sendto
        (59, 322, 57, 58, 101, 310, 311),  # execve, execveat, fork, vfork, ptrace, process_vm_readv, …_writev
        (62, 200, 234, 424, 438),  # kill, tkill, tgkill, pidfd_send_signal, pidfd_getfd
        (425, 321),  # io_uring_setup, bpf: they do by themselves what is refused here
        (76, 77, 85, 437, 82, 264, 316, 87, 263),  # truncate, ftruncate, creat, openat2, rename…, unlink…
        (83, 258, 84, 86, 265, 88, 266, 90, 91, 268),  # mkdir…, rmdir, link…, symlink…, chmod…
    ),
    "aarch64": (
        (198, 199, 203, 200, 201, 242, 206),
        (221, 281, 117, 270, 271),
        (129, 130, 131, 424, 438),
        (425, 280),
        (45, 46, 437, 38, 276, 35),
        (34, 37, 36, 52, 53),
    ),
}
"""The numbers of calls that are refused, by machine (asm/unistd.h)."""
_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""From linux/audit.h."""
_OPENING: Final = {"x86_64": ((2, 24), (257, 32)), "aarch64": ((56, 32),)}
"""open and openat, with the place of their flags in ``struct seccomp_data``: refused where they would write."""
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_X32: Final = 0x40000000
"""Marks the calls of a second table on x86_64, which nothing here uses."""
_LOAD, _EQUALS, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | 1
"""Go on, end the process, fail with EPERM."""
_Step = tuple[int, int, int, int]


def filter_calls(libc: ctypes.CDLL) -> bool:
    """Have the kernel refuse sockets, other programs, signals to others, and changing files."""
    machine = platform.machine()
    if machine not in _CALLS or libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    steps = _build_filter(machine)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = struct.pack("@HP", len(steps), ctypes.addressof(code))
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0) == 0)


def _build_filter(machine: str) -> tuple[_Step, ...]:
    """Return the program of the filter; each refusal stands right behind its condition."""
    refusal: _Step = (_RETURN, 0, 0, _REFUSE)
    number: _Step = (_LOAD, 0, 0, 0)
    steps: list[_Step] = [
        (_LOAD, 0, 0, 4),
        (_EQUALS, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        number,
        (_AT_LEAST, 0, 1, _X32),
        refusal,
    ]
    for call in (call for group in _CALLS[machine] for call in group):
        steps += [(_EQUALS, 0, 1, call), refusal]
    for call, flags in _OPENING[machine]:
        steps += [(_EQUALS, 0, 4, call), (_LOAD, 0, 0, flags), (_ANY_BIT, 0, 1, _WRITING), refusal, number]
    return (*steps, (_RETURN, 0, 0, _ALLOW))


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
