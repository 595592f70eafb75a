"""Hostile documents harm nothing: each is refused for what it is, or read, and takes nothing with it."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from adapters.documents.reader import SubprocessReader
from adapters.documents.source import MEGABYTE, ReadingLimits
from bot.errors import DocumentUnreadable
from harness.documents.samples import ATTACKS, Attack, write_long_html
from harness.processes import list_children
from language import languages
from language.registry import get_texts

ROOT = Path(__file__).parents[3]
_CHANGING = """
import os, signal, sys
from adapters.documents.worker import _audit
a, b = sys.argv[1], sys.argv[1] + "b"
attacks = {
    "truncate": lambda: os.truncate(a, 0), "chmod": lambda: os.chmod(a, 0o777), "chown": lambda: os.chown(a, -1, -1),
    "utime": lambda: os.utime(a, (0, 0)), "link": lambda: os.link(a, b), "symlink": lambda: os.symlink(a, b),
    "mkdir": lambda: os.mkdir(b), "rmdir": lambda: os.rmdir(b), "rename": lambda: os.rename(a, b),
    "replace": lambda: os.replace(a, b), "overwrite": lambda: open(a, "r+"), "remove": lambda: os.remove(a),
    "kill": lambda: os.kill(0, 0), "killpg": lambda: os.killpg(0, 0),
    "thread": lambda: signal.pthread_kill(__import__("threading").get_ident(), 0),
}
sys.addaudithook(_audit)
for name, attack in attacks.items():
    try:
        attack()
        print(name)
    except PermissionError:
        pass
    except OSError:
        print(name)
"""
_ALIKE = {
    *("external-entity.epub", "billion-laughs.epub", "laughing.eml", "far-cell.xlsx", "far-row.xlsx"),
    *("truncated.pdf", "noise.pdf", "flipped.pdf", "flipped.pptx"),
}
"""What takes the way of another attack; ``python -m benchmarks.documents`` makes them all."""
_GUARDED = sys.platform == "linux" and platform.machine() in {"x86_64", "aarch64"}


async def _wait_for_worker() -> psutil.Process:
    async with asyncio.timeout(120):
        while not (workers := _list_workers()):  # noqa: ASYNC110 - another process begins, which tells nobody
            await asyncio.sleep(0.01)
    return workers[0]


def _list_workers() -> list[psutil.Process]:
    return list_children("adapters.documents.worker")


@pytest.mark.parametrize("attack", [one for one in ATTACKS if one.name not in _ALIKE], ids=lambda attack: attack.name)
async def test_an_attack_is_refused_or_read_within_its_limits(tmp_path: Path, attack: Attack) -> None:
    """Bombs, entities, locks, wrecks, noise and lies; nothing of this machine's files is in what is read.

    Mutation check: without the check of how tightly an archive is packed the bomb is unpacked, and without the look for
    declared entities the document with an external one is read.
    """
    path = tmp_path / "file"
    path.write_bytes(attack.build())
    reader = SubprocessReader(lambda: ReadingLimits(seconds=20, memory=150 * MEGABYTE))
    why, text = "", ""

    try:
        document = await reader.read(path, name=attack.name)
        text = "".join(section.text for section in document.sections)
    except DocumentUnreadable as error:
        why = error.why

    assert why in attack.whys
    assert "root:" not in text
    assert "haha" not in text


def test_every_refusal_has_a_reason_in_every_language() -> None:
    """Whatever the readers raise, the chat is told in its own words."""
    source = "".join(file.read_text("utf-8") for file in (ROOT / "adapters" / "documents").rglob("*.py"))
    raised = set(re.findall(r'why="(\w+)"', source)) | set(re.findall(r'"why": "(\w+)"', source))

    assert len(raised) > 5
    assert {each.code: raised - set(get_texts(each.code).documents.reasons) for each in languages()} == {
        each.code: set() for each in languages()
    }


async def test_a_document_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    """Its process is gone by then."""
    (tmp_path / "a.html").write_bytes(write_long_html(2_000_000))
    reader = SubprocessReader(lambda: ReadingLimits(seconds=0.3))

    with pytest.raises(DocumentUnreadable, match="timeoutSeconds") as refused:
        await reader.read(tmp_path / "a.html", name="a.html")

    assert refused.value.why == "timed_out"
    assert _list_workers() == []


async def test_nobody_waiting_ends_the_reading(tmp_path: Path) -> None:
    """A cancelled reading kills its process and leaves room for the next."""
    (tmp_path / "a.html").write_bytes(write_long_html(1_000_000))
    reader = SubprocessReader(ReadingLimits)
    tasks = [asyncio.create_task(reader.read(tmp_path / "a.html", name="a.html")) for _ in range(3)]
    await _wait_for_worker()

    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert _list_workers() == []
    (tmp_path / "b.txt").write_text("hello there")
    assert (await reader.read(tmp_path / "b.txt", name="b.txt")).sections[0].text == "hello there"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
async def test_a_document_that_takes_too_much_memory_is_refused(tmp_path: Path) -> None:
    """A list that needs more than the limit, while the same file is read within a larger one."""
    (tmp_path / "a.json").write_text(json.dumps([{"number": number} for number in range(50_000)]))
    small = SubprocessReader(lambda: ReadingLimits(memory=30 * MEGABYTE))

    with pytest.raises(DocumentUnreadable) as refused:
        await small.read(tmp_path / "a.json", name="a.json")

    assert refused.value.why == "too_large"
    assert (await SubprocessReader(ReadingLimits).read(tmp_path / "a.json", name="a.json")).kind == "json"


def look_at_machine(victim: psutil.Process, file: Path) -> tuple[object, ...]:
    """Return everything that attacks would change."""
    stat = file.stat()
    return (
        victim.status() in psutil.STATUS_ZOMBIE,
        victim.nice(),
        victim.rlimit(psutil.RLIMIT_NOFILE),
        victim.cpu_affinity(),
        (stat.st_mode, stat.st_uid, stat.st_mtime, file.read_text()),
        sorted(file.parent.iterdir()),
        sorted(each.name for each in Path("/dev/shm").iterdir() if each.name.startswith("taken")),  # noqa: S108 - looked at
        *((Path("/proc/sysvipc") / kind).read_text().count(str(0x7A7A)) for kind in ("shm", "sem", "msg")),
        [one.pid for one in psutil.process_iter(["cmdline"]) if "taken_over" in " ".join(one.info["cmdline"] or ())],
    )


@pytest.mark.skipif(not _GUARDED, reason="the kernel's guards are Linux's")
def test_a_worker_that_was_taken_over_can_do_nothing(tmp_path: Path) -> None:
    """Code in the real worker, below Python: no attack of the table is done, no other call is open, nothing is left.

    Mutation check: with the list of what is forbidden in the place of that of what is allowed, signals, limits,
    priorities, modes, children and shared memory are done; without ``limit_files`` files are read.
    """
    private = tmp_path / "mneme.db"
    private.write_text("token")
    private.chmod(0o600)
    (tmp_path / "order").mkdir()
    order = tmp_path / "order" / "a.txt"
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as victim:
        try:
            order.write_text(f"{victim.pid}\n{private}")
            before = look_at_machine(psutil.Process(victim.pid), private)
            reader = SubprocessReader(ReadingLimits, "tests.adapters.documents.taken_over")
            document, figures = asyncio.run(reader.measure(order, name="a.txt"))
            after = look_at_machine(psutil.Process(victim.pid), private)
        finally:
            victim.kill()

    assert json.loads(document.sections[0].text) == {"done": [], "open": []}
    assert after == before
    assert {"memory", "files", "calls", "interpreter"} <= set(figures.guards)


def test_python_itself_changes_no_file_where_the_kernel_has_no_guard(tmp_path: Path) -> None:
    """The audit hook alone, as on systems other than Linux.

    Red when it refused opening for writing alone: files were deleted, renamed and given other rights.
    """
    (tmp_path / "a").write_text("kept")
    before = tmp_path.joinpath("a").stat()
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _CHANGING, str(tmp_path / "a")], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    after = tmp_path.joinpath("a").stat()

    assert done == ""
    assert [each.name for each in tmp_path.iterdir()] == ["a"]
    assert (after.st_mode, after.st_mtime, after.st_size) == (before.st_mode, before.st_mtime, before.st_size)


async def test_a_worker_is_told_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the environment of the bot nor the name of the file is its business."""
    monkeypatch.setenv("LLM_API_KEY", "sk-hidden")
    (tmp_path / "a.html").write_bytes(write_long_html(500_000))
    reading = asyncio.create_task(SubprocessReader(ReadingLimits).read(tmp_path / "a.html", name="private-name.html"))
    worker = await _wait_for_worker()
    environment, command = worker.environ(), worker.cmdline()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)

    assert sorted(environment) == ["PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONUTF8"]
    assert not any("private-name" in part or str(tmp_path) in part for part in command)
    assert os.environ["LLM_API_KEY"] == "sk-hidden"


def test_a_worker_loads_little() -> None:
    """It starts for each document and has little memory: nothing of memory, settings or language belongs to it.

    Seen to fail when the values that it hands over stood in a file with the port of the store: 64 MB instead of 22.
    """
    program = "import sys, adapters.documents.worker; print(*(name for name in sys.modules if name.startswith('bot.')))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()  # noqa: S603 - our own program

    assert set(loaded) <= {"bot.errors", "bot.ports", "bot.ports.document_reading"}
