"""Reads documents in processes of their own.

A parser of a format that grew for thirty years meets files of strangers here: it may crash, hang, eat memory or be
taken over, and must take nothing with it.  Each document has a process, which is confined before it sees the file, is
given the open file alone (no name, no environment), and is killed with all it may have started when it is done, late,
or nobody waits any more.  What it writes is checked like anything that a stranger says.
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import structlog

from adapters.documents.source import MEGABYTE, ReadingLimits
from bot.errors import DocumentUnreadable
from bot.memory.sanitise import clean, flatten
from bot.ports.document_reading import DocumentContent, DocumentSection

_ROOT: Final = Path(__file__).parents[2]
_AT_ONCE: Final = 2
"""Documents read at the same time; others wait."""
_SUFFIX: Final = re.compile(r"\.[a-z0-9]{1,10}")
_SUFFIXES: Final = {
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/json": ".json",
    "application/x-ndjson": ".jsonl",
    "application/jsonl": ".jsonl",
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "message/rfc822": ".eml",
    "application/mbox": ".mbox",
}
"""Of media types, where a name has no suffix."""
_PER_CHARACTER: Final = 12
"""Bytes of a character outside the basic plane in JSON without other characters than ASCII."""
_LINE: Final = 64 * 1024
_HEADINGS: Final = 20
_HEADING: Final = 200


@dataclass(frozen=True, slots=True)
class ReadingFigures:
    """What reading a document took: seconds of wall time, bytes of memory at the peak, the guards that held."""

    seconds: float
    peak: int
    guards: tuple[str, ...]


class SubprocessReader:
    """Reads documents; ``limits`` is asked anew for each, ``worker`` is the module that a process runs."""

    def __init__(self, limits: Callable[[], ReadingLimits], worker: str = "adapters.documents.worker") -> None:
        self._limits = limits
        self._worker = worker
        self._free = asyncio.Semaphore(_AT_ONCE)

    async def read(self, path: Path, *, name: str, media_type: str = "") -> DocumentContent:
        content, _ = await self.measure(path, name=name, media_type=media_type)
        return content

    async def measure(self, path: Path, *, name: str, media_type: str = "") -> tuple[DocumentContent, ReadingFigures]:
        limits = self._limits()
        size = await asyncio.to_thread(_measure_file, path)
        if not size:
            raise DocumentUnreadable("the file is empty", why="empty")
        if size > limits.size:
            most = limits.size // MEGABYTE
            raise DocumentUnreadable(f"the file is larger than {most} MB (`documents.maxMegabytes`)", why="too_large")
        async with self._free:
            began = asyncio.get_running_loop().time()
            code, output = await _run_worker(self._worker, path, _find_suffix(name, media_type), limits)
            seconds = asyncio.get_running_loop().time() - began
        content, peak, guards = await asyncio.to_thread(_read_output, output, code, name)
        figures = ReadingFigures(round(seconds, 3), peak, guards)
        structlog.get_logger().info(
            "document read",
            kind=content.kind,
            sections=len(content.sections),
            characters=sum(len(section.text) for section in content.sections),
            cut=content.cut,
            seconds=figures.seconds,
            peak_mb=round(peak / MEGABYTE),
        )
        return content, figures


async def _run_worker(module: str, path: Path, suffix: str, limits: ReadingLimits) -> tuple[int, bytes]:
    """Return the worker's exit code and output.  Raises :class:`~bot.errors.DocumentUnreadable` for a late one."""
    command = (sys.executable, "-P", "-s", "-m", module, suffix, json.dumps(asdict(limits)))
    try:
        with path.open("rb") as file:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=file,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={"PYTHONPATH": str(_ROOT), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"},
                cwd=os.sep,
                start_new_session=True,
                limit=_LINE,
            )
    except OSError as error:
        raise DocumentUnreadable(f"the reader cannot be started: {error.strerror}", why="damaged") from error
    try:
        async with asyncio.timeout(limits.seconds):
            output = await _collect(process, _PER_CHARACTER * limits.characters + limits.size)
            return await process.wait(), output
    except TimeoutError as error:
        seconds = f"{limits.seconds:g}"
        raise DocumentUnreadable(
            f"reading took longer than {seconds} s (`documents.timeoutSeconds`)", why="timed_out"
        ) from error
    finally:
        await asyncio.shield(_end(process))


async def _collect(process: asyncio.subprocess.Process, most: int) -> bytes:
    output = bytearray()
    assert process.stdout is not None  # noqa: S101 - it was asked for
    while chunk := await process.stdout.read(_LINE):
        output += chunk
        if len(output) > most:
            raise DocumentUnreadable("the document holds more text than is read of one", why="too_large")
    return bytes(output)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill whatever is left of the process and of what it may have started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


_OVER_TIME: Final = -signal.SIGXCPU
_OVER_MEMORY: Final = -signal.SIGKILL


def _read_output(output: bytes, code: int, name: str) -> tuple[DocumentContent, int, tuple[str, ...]]:
    """Return the content, the peak of memory in bytes and the guards."""
    *lines, last = output.splitlines() or [b""]
    ending = _parse(last)
    if code == _OVER_TIME:
        raise DocumentUnreadable("reading took too long (`documents.timeoutSeconds`)", why="timed_out")
    if code == _OVER_MEMORY:
        raise DocumentUnreadable("reading took more memory than there is", why="too_large")
    if "why" in ending:
        raise DocumentUnreadable(flatten(str(ending.get("message"))), why=flatten(str(ending["why"]), 20))
    if code or "kind" not in ending:
        raise DocumentUnreadable(f"the reader broke on the document (code {code})", why="damaged")
    sections = tuple(section for section in map(_build_section, map(_parse, lines)) if section.text)
    content = DocumentContent(
        title=flatten(str(ending.get("title") or "")) or flatten(Path(clean(name)).stem),
        kind=flatten(str(ending["kind"]), 20),
        sections=sections,
        pages=_read_number(ending.get("pages")),
        cut=ending.get("cut") is True,
    )
    if not sections:
        raise DocumentUnreadable("there is no text in the document", why="empty")
    guards = tuple(str(guard) for guard in ending.get("held") or ())
    return content, _read_number(ending.get("peak")), guards


def _parse(line: bytes) -> dict[str, Any]:  # Any: JSON of the worker, checked by whoever takes it
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _build_section(line: dict[str, Any]) -> DocumentSection:  # Any: as above
    headings = line.get("headings")
    told = headings[:_HEADINGS] if isinstance(headings, list) else []
    path = tuple(flat for heading in told if (flat := flatten(str(heading), _HEADING)))
    return DocumentSection(path, clean(str(line.get("text") or "")).strip("\n"), _read_number(line.get("page")))


def _read_number(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _find_suffix(name: str, media_type: str) -> str:
    suffix = Path(clean(name)).suffix.lower()
    return suffix if _SUFFIX.fullmatch(suffix) else _SUFFIXES.get(media_type.partition(";")[0].strip().lower(), "")


def _measure_file(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise DocumentUnreadable("the file is gone", why="empty") from error
