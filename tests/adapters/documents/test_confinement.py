"""What the kernel is told to let pass: read from the program that it gets, against the kernel's own numbers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.documents import worker as confinement
from adapters.documents.worker import filter_calls, leave_network, limit_files
from tests.cases import each_row

_HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of linux/audit.h."""
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
"""SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO with EPERM, SECCOMP_RET_KILL_PROCESS of linux/seccomp.h."""
_READING = {
    *("read", "write", "close", "lseek", "mmap", "mprotect", "munmap", "brk", "mremap", "rt_sigaction"),
    *(
        "rt_sigprocmask",
        "getpid",
        "gettid",
        "futex",
        "sched_getaffinity",
        "getdents64",
        "newfstatat",
        "openat",
        "fcntl",
    ),
    *("getrandom", "exit_group", "open", "stat", "fstat", "lstat", "statx", "pread64", "readv", "writev", "madvise"),
    *("rt_sigreturn", "sched_yield", "exit", "gettimeofday", "clock_gettime"),
}
MACHINES = pytest.mark.parametrize(
    "machine",
    [
        pytest.param(name, marks=pytest.mark.skipif(not path.exists(), reason="no headers of the kernel"))
        for name, path in _HEADERS.items()
    ],
)


def read_numbers(machine: str) -> dict[str, int]:
    """Return the numbers of a machine's calls by their names; the generic header names some for both word sizes."""
    text = _HEADERS[machine].read_text(encoding="utf-8")
    found = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    return {"newfstatat" if machine == "aarch64" and name == "fstatat" else name: each for name, each in found.items()}


def decide(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """Return what the kernel does with a call: the program is run as the kernel does (classic BPF)."""
    words = {0: number, 4: _AUDIT[machine] if audit is None else audit}
    words |= {16 + 8 * place: value for place, value in enumerate(arguments)}
    steps, place, held = confinement._build_filter(machine), 0, 0
    while True:
        code, true, false, value = steps[place]
        place += 1
        match code:
            case 0x20:  # BPF_LD | BPF_W | BPF_ABS
                assert true == false == 0
                held = words.get(value, 0)
            case 0x15:  # BPF_JMP | BPF_JEQ | BPF_K
                place += true if held == value else false
            case 0x45:  # BPF_JMP | BPF_JSET | BPF_K
                place += true if held & value else false
            case 0x06:  # BPF_RET | BPF_K
                assert true == false == 0
                return value
            case _:
                raise AssertionError(code)


@MACHINES
def test_only_what_reading_needs_passes(machine: str) -> None:
    """By the kernel's own numbers, of all calls that there are and of some that are not yet."""
    named = {number: name for name, number in read_numbers(machine).items()}
    passed = {named.get(number, str(number)) for number in range(1_000) if decide(machine, number) == _ALLOW}
    there = {name for name in _READING if name in named.values()}

    assert passed == there
    assert {decide(machine, number) for number in range(1_000)} == {_ALLOW, _REFUSE}
    assert {each.name for each in confinement._CALLS} == _READING


@MACHINES
def test_a_file_is_opened_for_reading_alone(machine: str) -> None:
    """Whatever else is asked along with it."""
    numbers = read_numbers(machine)
    ways = [(numbers["openat"], 2)] + ([(numbers["open"], 1)] if "open" in numbers else [])
    for number, place in ways:
        before = (0,) * place
        assert decide(machine, number, *before, os.O_RDONLY | os.O_CLOEXEC) == _ALLOW
        for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND):
            assert decide(machine, number, *before, flag | os.O_CLOEXEC) == _REFUSE


@MACHINES
def test_a_descriptor_is_copied_and_looked_at(machine: str) -> None:
    """F_DUPFD, F_GETFD, F_GETFL and F_DUPFD_CLOEXEC of fcntl.h: nothing that locks, signals or changes."""
    fcntl = read_numbers(machine)["fcntl"]
    passed = {command for command in range(1_100) if decide(machine, fcntl, 0, command) == _ALLOW}

    assert passed == {0, 1, 3, 1030}


@MACHINES
def test_another_machines_numbers_end_the_process(machine: str) -> None:
    """A program of 32 bits has other numbers for the same calls."""
    number = read_numbers(machine)["read"]

    assert decide(machine, number, audit=0x40000003) == _KILL


class Kernel:
    """Gives the answers that it was told to."""

    def __init__(self, *answers: int) -> None:
        self._answers: Iterator[int] = iter(answers)

    def __getattr__(self, name: str) -> Any:  # Any: a function of any arguments
        return lambda *_: next(self._answers)


@each_row(("answers", "left"), [((0,), True), ((-1, 0), True), ((-1, -1), False)])
def test_what_does_not_hold_is_not_said_to(answers: tuple[int, ...], *, left: bool) -> None:
    """A network of one's own may need a user of one's own, or be forbidden."""
    assert leave_network(Kernel(*answers)) is left  # type: ignore[arg-type]  # what it asks of the C library


@pytest.mark.parametrize(
    ("answers", "limited"),
    [((-1,), False), ((None, -1), False), ((None, 0, -1), False), ((None, 0, 0, -1), False), ((None, 0, 0, 0), True)],
)
def test_files_are_limited_wholly_or_not(tmp_path: Path, answers: tuple[int | None, ...], *, limited: bool) -> None:
    """A rule that the kernel does not take, or a set that it does not enforce, is no guard."""
    ruleset = os.open(tmp_path, os.O_RDONLY)
    told = [ruleset if each is None else each for each in answers]
    held = limit_files(Kernel(*told), [tmp_path, tmp_path / "missing"])  # type: ignore[arg-type]  # as above
    if told[0] != ruleset:
        os.close(ruleset)

    assert held is limited
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(ruleset)


def test_a_machine_without_numbers_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says so."""
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    assert not filter_calls(Kernel())  # type: ignore[arg-type]  # as above


_CONFINED = """
import json, resource, sys
from adapters.documents import worker as confinement
confinement.leave_network = confinement.limit_files = confinement.filter_calls = lambda *_: False
held = confinement.confine(memory=200_000_000, seconds=3.4)
kinds = ("CPU", "CORE", "FSIZE", "NOFILE", "DATA", "AS")
limits = [resource.getrlimit(getattr(resource, f"RLIMIT_{kind}")) for kind in kinds]
try:
    open(sys.argv[1], "a")
    said = ""
except PermissionError as error:
    said = str(error)
print(json.dumps([held, limits, said]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
def test_a_confined_process_has_its_limits_and_the_guard_of_the_interpreter(tmp_path: Path) -> None:
    """Seconds, no core file, no byte written, few files, memory and what is mapped beside it."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _CONFINED, str(tmp_path / "a")], capture_output=True, text=True, check=True
    ).stdout
    held, limits, said = json.loads(done)

    assert held == ["memory", "parent", "interpreter"]
    assert limits == [[3, 4], [0, 0], [0, 0], [64, 64], [200_000_000] * 2, [200_000_000 + (1 << 29)] * 2]
    assert said == "the reader of documents may not do that: open"
    assert list(tmp_path.iterdir()) == []
