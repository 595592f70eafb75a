"""One SQLite file: writes on one thread in grouped transactions, reads beside them.

Everything durable in Mneme goes through :meth:`Database.write`, so that "acknowledged" has one meaning: fsynced.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import structlog

from adapters.sqlite.engine import connection
from adapters.sqlite.engine.schema import Component, list_components, migrate
from adapters.sqlite.engine.threads import Readers, WorkItem, Writer
from adapters.sqlite.recovery.startup_check import get_mark_path, recover_if_damaged
from bot.errors import StorageDamaged, StorageUnavailable

T = TypeVar("T")

_ALONG_S: Final = 1.0
"""How long a write that nobody waits for looks for company."""


class Database:
    """The file at ``path``; :meth:`open` before use, :meth:`close` after it.

    ``problems`` holds a sentence for the operator per thing that was found damaged when the file was opened.
    ``damaged`` is set when damage is met later; :meth:`recover` then does what a start does.
    """

    def __init__(self, path: Path, *, readers: int = 2, schema: tuple[Component, ...] | None = None) -> None:
        self.path = path
        self.problems: tuple[str, ...] = ()
        self.damaged = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._readers_wanted = readers
        self._schema = schema
        self._writer: Writer | None = None
        self._readers: Readers | None = None
        self._along: list[WorkItem] = []
        self._alone_at: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Create or migrate the file.

        Raises :class:`~bot.errors.StorageUnavailable` when the folder cannot be used and
        :class:`~bot.errors.ConfigInvalid` when a newer Mneme has written the file.
        """
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._prepare)
        self._writer = Writer(lambda: connection.open_writer(self.path), self._explain)
        self._readers = Readers(lambda: connection.open_reader(self.path), self._explain, self._readers_wanted)
        self._writer.start()
        self._readers.start()

    async def close(self) -> None:
        """Finish queued work and close; closing twice is harmless."""
        if self._along:
            self._submit()
        writer, readers = self._writer, self._readers
        self._writer = self._readers = None
        if readers is not None:
            await asyncio.to_thread(readers.stop)
        if writer is not None:
            await asyncio.to_thread(writer.stop)

    async def recover(self) -> tuple[str, ...]:
        """Close, keep what is readable of a damaged file as a start does, open again; return what was found.

        Meanwhile reads and writes raise :class:`~bot.errors.StorageUnavailable`.  Raises the same as :meth:`open`;
        then the file stays closed and ``damaged`` set, to be tried again.
        """
        earlier = self.problems
        await self.close()
        try:
            await self.open()
        finally:
            found, self.problems = self.problems, earlier
        self.damaged.clear()
        self.problems = earlier + found
        return found

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` in a transaction and return its result once that is on disk.

        ``work`` may share the transaction with others and may be run again when a shared one fails: it must depend on
        nothing but the connection.  Its exception takes back what it wrote and is raised here.
        A cancelled call has been stored or not.
        Raises :class:`~bot.errors.StorageUnavailable` (nothing was stored), for a damaged file
        :class:`~bot.errors.StorageDamaged`.
        """
        return await self._run_writer(work, alone=False)

    def write_along(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """The same as :meth:`write` for what nobody waits for: it goes along with the next transaction.

        Without one it goes alone after a second; a crash before that loses it.
        """
        if self._writer is None:
            raise self._closed()
        loop = asyncio.get_running_loop()
        item = WorkItem(work, loop.create_future())
        self._along.append(item)
        if len(self._along) == 1:
            self._alone_at = loop.call_later(_ALONG_S, self._submit)
        return item.future

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` on a snapshot of everything committed and return its result; same errors as :meth:`write`."""
        if self._readers is None:
            raise self._closed()
        item = WorkItem(work, asyncio.get_running_loop().create_future())
        self._readers.submit(item)
        result: T = await item.future
        return result

    async def checkpoint(self) -> None:
        """Move everything from the write-ahead log into the file and cut the log to nothing."""
        await self._run_writer(_checkpoint, alone=True)

    async def scrub(self) -> None:
        """Take deleted rows' words out of full-text indexes, which keep them until they are merged, and empty the log.

        Cheap; only :meth:`vacuum` also reaches the unused parts of pages.
        """
        await self._run_writer(_scrub, alone=True)

    async def vacuum(self) -> None:
        """Scrub, and rewrite the file without free pages; needs as much free disk as the file is large."""
        await self._run_writer(_vacuum, alone=True)

    async def _run_writer(self, work: Callable[[sqlite3.Connection], T], *, alone: bool) -> T:
        if self._writer is None:
            raise self._closed()
        item = WorkItem(work, asyncio.get_running_loop().create_future(), alone)
        self._submit(item)
        result: T = await item.future
        return result

    def _closed(self) -> StorageUnavailable:
        if self.damaged.is_set():
            return StorageDamaged(f"{self.path} is being recovered from damage; try again in a moment")
        return StorageUnavailable(f"{self.path} is not open")

    def _submit(self, *items: WorkItem) -> None:
        """Queue work for one transaction with those that go along."""
        along, self._along = self._along, []
        if self._alone_at is not None:
            self._alone_at.cancel()
            self._alone_at = None
        if self._writer is not None:
            self._writer.submit(*along, *items)

    def _prepare(self) -> None:
        try:
            schema = self._schema if self._schema is not None else list_components()
            connection.create_file(self.path)
            self.problems = recover_if_damaged(self.path, schema)
            opened = connection.open_writer(self.path)
            try:
                migrate(opened, schema, self.path)
            finally:
                opened.close()
        except OSError as error:
            raise StorageUnavailable(f"{self.path} cannot be created: {error.strerror}") from error
        except sqlite3.Error as error:
            raise self._explain(error) from error

    def _explain(self, error: sqlite3.Error) -> Exception:
        explained = connection.translate_error(error, self.path)
        if isinstance(explained, StorageDamaged):
            try:
                get_mark_path(self.path).touch()
            except OSError as refused:
                structlog.get_logger().error("damage not marked for the next start", reason=refused.strerror)
            if self._loop is not None:
                with suppress(RuntimeError):  # the loop is closed: the next start looks for the damage
                    self._loop.call_soon_threadsafe(self.damaged.set)
        return explained or error


def _checkpoint(opened: sqlite3.Connection) -> None:
    busy, *_ = opened.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StorageUnavailable("the write-ahead log is still being read; try again")


def _scrub(opened: sqlite3.Connection) -> None:
    _optimize_words(opened)
    _checkpoint(opened)


def _vacuum(opened: sqlite3.Connection) -> None:
    _optimize_words(opened)
    opened.execute("VACUUM")
    _checkpoint(opened)


def _optimize_words(opened: sqlite3.Connection) -> None:
    if opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'items_fts'").fetchone() is not None:
        opened.execute("INSERT INTO items_fts (items_fts) VALUES ('optimize')")
