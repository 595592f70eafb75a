"""Copies of the database beside it: made by SQLite's online back-up, verified, a few of them kept.

A copy never holds what was erased: none is finished while something erased can still be in the file, and an erase
deletes those that are there.  Nor does it hold what a restart would do once more: messages that wait to be answered,
replies that wait to be sent.
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import structlog

from adapters.sqlite.engine import connection
from adapters.sqlite.recovery.salvage import open_aside
from adapters.sqlite.rows.meta import CLEAN_DUE, read_meta
from bot.errors import StorageUnavailable

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
_UNFINISHED: Final = (
    "UPDATE journal SET state = 1, committed = 1, payload = NULL, draft_id = NULL, closed_at = 0 WHERE state = 0",
    "DELETE FROM deliveries WHERE state < 2",
)


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished back-up; ``size`` in bytes."""

    path: Path
    made_at: datetime
    size: int


class Backups:
    """The back-ups of one database, in the folder ``backups`` beside it."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._folder = database.with_name("backups")
        self._making = threading.Lock()
        self._unwanted = threading.Event()

    def list_made(self) -> tuple[Backup, ...]:
        """Return what is there, newest first."""
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
                reason = getattr(error, "sqlite_errorname", None) or getattr(error, "strerror", None) or "damaged"
                raise StorageUnavailable(f"no back-up could be made in {self._folder}: {reason}") from error
            finally:
                draft.unlink(missing_ok=True)
        structlog.get_logger().info("back-up made", file=target.name, bytes=target.stat().st_size)
        return Backup(target, now, target.stat().st_size)

    async def drop(self) -> tuple[str, ...]:
        """End one that is being made and delete all, since they may hold what was erased; name those that refuse."""
        self._unwanted.set()
        return await asyncio.to_thread(self._delete_all)

    def stop(self) -> None:
        """End one that is being made."""
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
                erased = erased or copy.execute("SELECT 1 FROM held").fetchone() is not None
            for statement in _UNFINISHED:
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
