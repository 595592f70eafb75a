"""What lies beside the database for bad days: back-ups, a copy of its list of tables, and what was found damaged.

A back-up is made by SQLite's online back-up and verified.  It never holds what was erased: none is finished while
something erased can still be in the file, and an erase deletes those that are there.  Nor does it hold what a restart
would do once more: messages that wait to be answered, replies that wait to be sent.

The list of tables says where each begins and how it was made.  In the file itself one page says it, and when that page
is destroyed SQLite finds no table any more.  The copy is made anew after migrations and after a rewrite of the file.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson
import structlog

from adapters.sqlite import connection
from adapters.sqlite.connection import open_aside
from adapters.sqlite.recovery.pages import HEADER_BYTES
from adapters.sqlite.rows.codec import CLEAN_DUE, read_meta
from adapters.sqlite.rows.derived import Rooms, list_tables
from bot.errors import StorageUnavailable
from bot.files import write_whole

_NAME: Final = re.compile(r"mneme-(\d{8}T\d{6})Z\.db")
_STAMP: Final = "%Y%m%dT%H%M%S"
_DAY: Final = timedelta(days=1)
_HOUR: Final = timedelta(hours=1)
_SMALL_BYTES: Final = 64 << 20
"""Up to this size the day's back-up is made anew every hour in which something was written."""
_STEP_PAGES: Final = 256
_PAUSE_S: Final = 0.005
"""Between steps of a megabyte, so that a chat that writes meanwhile finds the disk free."""
_NICE: Final = 10
_HELD: Final = "SELECT 1 FROM sqlite_master WHERE name = 'held'"
"""Whether the file knows erases that can be taken back: an older one does not."""
_COUNT: Final = "SELECT (SELECT count(*) FROM exchanges), (SELECT count(*) FROM items)"


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished back-up; ``size`` in bytes."""

    path: Path
    made_at: datetime
    size: int


class Backups:
    """The back-ups of one database, in the folder ``backups`` beside it."""

    def __init__(self, database: Path, rooms: Rooms) -> None:
        self._database = database
        self._finishing = tuple(table.finished for table in list_tables(rooms) if table.finished)
        self._folder = database.with_name("backups")
        self._making = threading.Lock()
        self._unwanted = threading.Event()

    def list_made(self) -> tuple[Backup, ...]:
        found = []
        for path in self._folder.glob("mneme-*.db"):
            if (match := _NAME.fullmatch(path.name)) is not None:
                made_at = datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC)
                found.append(Backup(path, made_at, path.stat().st_size))
        return tuple(sorted(found, key=lambda each: each.made_at, reverse=True))

    async def make_if_due(self, now: datetime, keep: int) -> Backup | None:
        """Make a back-up if the newest is too old, and keep the newest of each of ``keep`` days; 0 wants none.

        Too old is a day, or an hour in which something was written if the file is small.

        Raises :class:`~bot.errors.StorageUnavailable`; the next call tries again.
        """
        made = await asyncio.to_thread(self.list_made)
        if keep and (not made or abs(now - made[0].made_at) >= self._choose_age(made[0])):
            pool = ThreadPoolExecutor(1, "mneme back-up", _yield_to_others)  # its thread stays low: not one of all's
            try:
                new = await asyncio.get_running_loop().run_in_executor(pool, self.make, now)
            finally:
                self.stop()
                pool.shutdown(wait=False)
        else:
            new = None
        there = (*((new,) if new else ()), *made)
        days = {each.made_at.date(): each for each in reversed(there)}  # the newest of a day is the last to be put
        kept = sorted(days.values(), key=lambda each: each.made_at, reverse=True)[:keep]
        for each in there:
            if each not in kept:
                each.path.unlink(missing_ok=True)
        return new

    def _choose_age(self, newest: Backup) -> timedelta:
        """Return how old the newest may grow."""
        files = [
            file for file in (self._database, self._database.with_name(f"{self._database.name}-wal")) if file.exists()
        ]
        written = max((file.stat().st_mtime for file in files), default=0.0) > newest.path.stat().st_mtime
        return _HOUR if written and sum(file.stat().st_size for file in files) <= _SMALL_BYTES else _DAY

    def make(self, now: datetime) -> Backup | None:
        """Make a back-up (blocks); ``None`` if one may not be made now, since something was just erased.

        Raises :class:`~bot.errors.StorageUnavailable` when the disk refuses, or the copy is not what it should be.
        """
        now = now.astimezone(UTC).replace(microsecond=0)
        target = self._folder / f"mneme-{now.strftime(_STAMP)}Z.db"
        draft = target.with_suffix(".draft")
        with self._making:
            self._unwanted.clear()
            try:
                self._folder.mkdir(mode=0o700, exist_ok=True)
                for stale in self._folder.glob("mneme-*.draft*"):  # of a process that was killed
                    stale.unlink(missing_ok=True)
                connection.create_file(draft)
                if not self._copy(draft) or self._unwanted.is_set():
                    return None
                draft.replace(target)
            except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
                reason = connection.translate_error(error, draft) or f"{draft} is damaged"
                raise StorageUnavailable(f"no back-up could be made: {reason}") from error
            finally:
                draft.unlink(missing_ok=True)
        structlog.get_logger().info("back-up made", file=target.name, bytes=target.stat().st_size)
        return Backup(target, now, target.stat().st_size)

    async def drop(self) -> tuple[str, ...]:
        """End one that is being made and delete all, since they may hold what was erased; name those that refuse."""
        self._unwanted.set()
        return await asyncio.to_thread(self._delete_all)

    def stop(self) -> None:
        self._unwanted.set()

    def _delete_all(self) -> tuple[str, ...]:
        left = []
        with self._making:
            for path in self._folder.glob("mneme-*"):
                try:
                    path.unlink(missing_ok=True)
                except OSError:
                    left.append(f"back-up {path.name}")
        return tuple(left)

    def _copy(self, draft: Path) -> bool:
        """Copy the database as it is now, and look at the copy; whether it may be kept."""
        with (
            closing(open_aside(self._database)) as source,
            closing(sqlite3.connect(draft, isolation_level=None)) as copy,
        ):
            source.execute("BEGIN")  # one snapshot: what is written meanwhile does not make it begin anew
            counts = source.execute(_COUNT).fetchone()
            try:
                source.backup(copy, pages=_STEP_PAGES, sleep=_PAUSE_S, progress=self._go_on)
            except InterruptedError:
                return False
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()
            copy.execute("PRAGMA secure_delete = ON").fetchone()
            erased = read_meta(copy, CLEAN_DUE) is not None
            if copy.execute(_HELD).fetchone() is not None:
                erased = erased or copy.execute("SELECT 1 FROM held WHERE lapses_at > 0").fetchone() is not None
            for statement in self._finishing:
                copy.execute(statement)
            (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok" or copy.execute(_COUNT).fetchone() != counts:
                raise sqlite3.DatabaseError("the copy is not what was copied")
            return not erased

    def _go_on(self, _status: int, _remaining: int, _total: int) -> None:
        if self._unwanted.is_set():
            raise InterruptedError


def _yield_to_others() -> None:
    if sys.platform == "linux":  # elsewhere a thread has no priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


_TREES: Final = "SELECT name, rootpage, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY rowid"
_VERSIONS: Final = "SELECT component, version FROM schema_versions ORDER BY component"


@dataclass(frozen=True, slots=True)
class SchemaCopy:
    """What was known of a file: its first bytes, the first page of each tree, what made them, the versions."""

    header: bytes = b""
    roots: dict[str, int] = field(default_factory=dict)
    statements: dict[str, str] = field(default_factory=dict)
    versions: tuple[tuple[str, int], ...] = ()

    def contradicts(self, now: SchemaCopy) -> bool:
        """Whether the same versions have other tables now: a schema that can be read, but is not what was written."""
        return bool(self.statements) and self.versions == now.versions and self.statements != now.statements


def get_copy_path(path: Path) -> Path:
    """Return the copy's place."""
    return path.with_name(f"{path.name}.schema")


def read_schema(opened: sqlite3.Connection, path: Path) -> SchemaCopy:
    """Return the list of tables of an open file."""
    rows = opened.execute(_TREES).fetchall()
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    return SchemaCopy(
        header,
        {name: root for name, root, _ in rows if root},
        {name: sql or "" for name, _, sql in rows},
        tuple(opened.execute(_VERSIONS).fetchall()),
    )


def read_schema_copy(path: Path) -> SchemaCopy:
    """Return the copy beside a file, an empty one where there is none or it is damaged itself."""
    try:
        digest, _, content = get_copy_path(path).read_bytes().partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            return SchemaCopy()
        held: dict[str, Any] = orjson.loads(content)  # Any: JSON, checked by its digest
    except (OSError, ValueError):
        return SchemaCopy()
    versions = tuple((name, version) for name, version in held["versions"])
    return SchemaCopy(bytes.fromhex(held["header"]), held["roots"], held["statements"], versions)


def write_schema_copy(opened: sqlite3.Connection) -> None:
    """Bring the copy beside an open file up to date; a disk that refuses it is reported and keeps nothing else back."""
    path = Path(opened.execute("PRAGMA database_list").fetchone()[2])
    now, held = read_schema(opened, path), read_schema_copy(path)
    if (now.roots, now.statements, now.versions) == (held.roots, held.statements, held.versions):
        return
    fields = {"header": now.header.hex(), "roots": now.roots, "statements": now.statements, "versions": now.versions}
    content = orjson.dumps(fields)
    try:
        write_whole(get_copy_path(path), hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    except OSError as error:
        structlog.get_logger().warning("copy of the schema not written", cause=error.strerror)


def _get_findings_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.damage")


def read_findings(path: Path) -> tuple[str, ...]:
    """Return a sentence per finding that nobody has acknowledged, oldest first."""
    try:
        return tuple(_get_findings_path(path).read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:  # there is none
        return ()


def add_finding(path: Path, sentence: str) -> None:
    """Keep a sentence; a disk that refuses it is reported."""
    try:
        with _get_findings_path(path).open("a", encoding="utf-8") as file:
            file.write(f"{' '.join(sentence.split())}\n")
    except OSError as error:
        structlog.get_logger().error("finding not kept", finding=sentence, cause=error.strerror)


def acknowledge_findings(path: Path) -> int:
    """Forget the findings and return how many there were; the damaged files stay."""
    count = len(read_findings(path))
    _get_findings_path(path).unlink(missing_ok=True)
    return count
