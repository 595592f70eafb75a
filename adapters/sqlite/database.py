"""One SQLite file: writes on one thread in grouped transactions, reads beside them.

Everything durable in Mneme goes through :meth:`Database.write`, so that "acknowledged" has one meaning: fsynced.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from mmap import mmap
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, Protocol, Self, TypeVar

import structlog

from adapters.sqlite import connection
from adapters.sqlite.connection import IMPATIENT_MS, PATIENT_MS, is_locked, is_older, migrate
from adapters.sqlite.recovery.beside import Backups, read_findings, write_schema_copy
from adapters.sqlite.recovery.salvage import REPLACED, SecondCopies, get_mark_path, recover_if_damaged
from adapters.sqlite.rows.codec import utc_now
from adapters.sqlite.rows.derived import Rooms
from bot.errors import StorageDamaged, StorageUnavailable
from bot.memory.scope import Scope

P = ParamSpec("P")
S = TypeVar("S", bound="Store")
T = TypeVar("T")
Values = tuple[Any, ...]  # Any: column values

_ALONG_S: Final = 1.0
"""How long a write that nobody waits for looks for company."""
_PATIENCE: Final[ContextVar[float]] = ContextVar("seconds that a write waits for company", default=0.0)


@contextmanager
def patiently(within_s: float) -> Iterator[None]:
    """Let what this block writes, and tasks begun in it, wait ``within_s`` seconds for other writes to go along with.

    For work beside the conversation: each transaction of its own costs an fsync, and the pages it shares with others.
    """
    before = _PATIENCE.set(within_s)
    try:
        yield
    finally:
        _PATIENCE.reset(before)


@dataclass(frozen=True, slots=True)
class NamedLayout:
    """What the database says of the layout of a scope number."""

    scope_no: int
    generation: int
    token: str


class LayoutRows(Protocol):
    """Keeps the layouts of long chats in a database that several machines use."""

    async def store(self, scope: Scope, named: NamedLayout, body: mmap, end: bytes) -> bool:
        """Keep a layout, and no other of its scope; ``False`` where something of the scope was removed since.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """

    async def load(self, named: NamedLayout) -> tuple[mmap, bytes] | None:
        """Return body and end of a layout, ``None`` where it is not there; same errors."""


class Database:
    """The file at ``path``; :meth:`open` before use, :meth:`close` after it, or both by ``async with``.

    ``rooms`` say what is kept and what becomes of it; ``copies`` are texts that others have of what was
    said here, for a recovery.
    ``problems`` holds a sentence for the operator per damage that was found and not acknowledged.
    ``damaged`` is set when damage is met later; :meth:`recover` then does what a start does.
    """

    def __init__(self, path: Path, rooms: Rooms, *, readers: int = 2, copies: SecondCopies = tuple) -> None:
        self.path = path
        self.rooms = rooms
        self._copies = copies
        self.backups = Backups(path, rooms)
        self.damaged = asyncio.Event()
        self.backed_up_by = "Mneme"
        """Who makes back-ups."""
        self.shared = False
        """Whether other workers have it open, too."""
        self.layouts: LayoutRows | None = None
        """What keeps layouts of chats in it; ``None``: they are files beside it."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._readers_wanted = readers
        self._writer: Writer | None = None
        self._readers: Readers | None = None
        self._asked: list[WorkItem] = []
        self._along: list[WorkItem] = []
        self._alone_at: asyncio.TimerHandle | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """What was found damaged, at an opening or since, until somebody has taken note of it."""
        return read_findings(self.path)

    async def open(self) -> None:
        """Create or migrate the file.

        Raises :class:`~bot.errors.StorageUnavailable` when the folder cannot be used and
        :class:`~bot.errors.ConfigInvalid` when a newer Mneme has written the file.
        """
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._prepare)
        self._writer = Writer(self._open_writer, self.explain)
        self._readers = Readers(self.open_reader, self.explain, self._readers_wanted)

    async def close(self) -> None:
        """Finish queued work and close; closing twice is harmless."""
        self.backups.stop()
        self._ask()
        self.hurry()
        writer, readers = self._writer, self._readers
        self._writer = self._readers = None
        if readers is not None:
            await asyncio.to_thread(readers.stop)
        if writer is not None:
            await asyncio.to_thread(writer.stop)

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def recover(self) -> tuple[str, ...]:
        """Close, keep what is readable of a damaged file as a start does, open again; return what was found.

        Meanwhile reads and writes raise :class:`~bot.errors.StorageUnavailable`.  Raises the same as :meth:`open`;
        then the file stays closed and ``damaged`` set, to be tried again.
        """
        earlier = self.problems
        await self.close()
        await self.open()
        self.damaged.clear()
        return tuple(each for each in self.problems if each not in earlier)

    async def write(self, work: Callable[[sqlite3.Connection], T], touches: tuple[str, ...] = ()) -> T:
        """Run ``work`` in a transaction and return its result once that is on disk.

        ``touches`` names all that it reads and writes by places and scopes: where several may write at once, only work
        that touches the same waits for it.  () is everything.
        ``work`` may share the transaction with others and may be run again when a shared one fails: it must depend on
        nothing but the connection.  Its exception takes back what it wrote and is raised here.
        A cancelled call has been stored or not.
        Raises :class:`~bot.errors.StorageUnavailable` (nothing was stored), for a damaged file
        :class:`~bot.errors.StorageDamaged`.
        Inside :func:`patiently` it goes along with other transactions, like :meth:`write_along`.
        """
        if (within_s := _PATIENCE.get()) > 0:
            return await self.write_along(work, within_s, touches)
        return await self._run_writer(work, alone=False, touches=touches)

    async def write_all(self, work: Callable[[sqlite3.Connection], int]) -> int:
        """Run work that is done in pieces, each in a transaction, until it returns 0; return how much was done."""
        done = 0
        while count := await self.write(work):
            done += count
        return done

    def write_along(
        self, work: Callable[[sqlite3.Connection], T], within_s: float = _ALONG_S, touches: tuple[str, ...] = ()
    ) -> asyncio.Future[T]:
        """The same as :meth:`write` for what nobody waits for: it goes along with the next transaction.

        Without one it goes alone after ``within_s`` seconds; a crash before that loses it.
        """
        if self._writer is None:
            raise self._closed()
        loop = asyncio.get_running_loop()
        item = WorkItem(work, loop.create_future(), touches=touches)
        self._along.append(item)
        due = self._alone_at
        if due is None or due.when() > loop.time() + within_s:
            if due is not None:
                due.cancel()
            self._alone_at = loop.call_later(within_s, self._submit)
        return item.future

    def hurry(self) -> None:
        """Have what waits for company written now: somebody waits for it after all."""
        if self._along:
            self._submit()

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` on a snapshot of everything committed and return its result; same errors as :meth:`write`.

        What is asked for in the same moment is read together, in one snapshot and on one thread.
        """
        if self._readers is None:
            raise self._closed()
        loop = asyncio.get_running_loop()
        item = WorkItem(work, loop.create_future())
        self._asked.append(item)
        if len(self._asked) == 1:
            loop.call_soon(loop.call_soon, self._ask)  # a step later: tasks that were begun in this one ask, too
        result: T = await item.future
        return result

    async def fetch(self, query: str, values: Values = ()) -> list[Any]:  # Any: rows, as sqlite3 types them
        return await self.read(lambda connection: connection.execute(query, values).fetchall())

    async def fetch_one(self, query: str, values: Values = ()) -> Any:  # Any: as above
        return await self.read(lambda connection: connection.execute(query, values).fetchone())

    async def has(self, query: str, values: Values = ()) -> bool:
        return await self.fetch_one(query, values) is not None

    async def change(self, statement: str, values: Values = (), touches: tuple[str, ...] = ()) -> int:
        """Run one statement that writes, as :meth:`write` does, and return how many rows it changed."""
        return await self.write(lambda connection: connection.execute(statement, values).rowcount, touches)

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

    def list_left_files(self) -> list[Path]:
        """Return files that may hold what was said here before, and that no erase reaches."""
        return [*self.path.parent.glob("*.damaged-*")]

    def drop_replaced(self) -> None:
        """Delete stores that a restored back-up has replaced: they hold what is forgotten from now on."""
        for file in self.path.parent.glob(f"{self.path.name}.{REPLACED}-*"):
            file.unlink(missing_ok=True)

    async def measure(self) -> int:
        """Return how many bytes :meth:`vacuum` would write."""
        return self.path.stat().st_size

    async def describe_standbys(self) -> str:
        """Return what a failover to a copy may lose, "" where there is no copy or nothing is lost."""
        return ""

    async def _run_writer(
        self, work: Callable[[sqlite3.Connection], T], *, alone: bool, touches: tuple[str, ...] = ()
    ) -> T:
        if self._writer is None:
            raise self._closed()
        item = WorkItem(work, asyncio.get_running_loop().create_future(), alone, touches)
        self._submit(item)
        result: T = await item.future
        return result

    def _open_writer(self) -> sqlite3.Connection:
        return connection.open_writer(self.path)

    def open_reader(self) -> sqlite3.Connection:
        """Return a connection for a long reading, apart from those of :meth:`read`; its caller closes it."""
        return connection.open_reader(self.path)

    def _closed(self) -> StorageUnavailable:
        if self.damaged.is_set():
            return StorageDamaged(f"{self.path} is being recovered from damage; try again in a moment")
        return StorageUnavailable(f"{self.path} is not open")

    def _ask(self) -> None:
        while self._asked and self._readers is not None:
            together, self._asked = self._asked[:_READ_AT_ONCE], self._asked[_READ_AT_ONCE:]
            self._readers.submit(together)

    def _submit(self, *items: WorkItem) -> None:
        along, self._along = self._along, []
        if self._alone_at is not None:
            self._alone_at.cancel()
            self._alone_at = None
        if self._writer is not None:
            self._writer.submit(*along, *items)

    def _prepare(self) -> None:
        try:
            connection.create_file(self.path)
            recover_if_damaged(self.path, self.rooms, self._copies)
            opened = connection.open_writer(self.path)
            try:
                if is_older(opened, self.rooms):
                    self._back_up_before_migration()
                migrate(opened, self.rooms, self.path)
                write_schema_copy(opened)
            finally:
                opened.close()
        except (OSError, sqlite3.Error) as error:
            raise self.explain(error) from error

    def _back_up_before_migration(self) -> None:
        """Keep the file as it is; a disk that has no room for it does not keep anybody from starting."""
        try:
            self.backups.make(datetime.now(UTC))
        except StorageUnavailable as error:
            structlog.get_logger().warning("no back-up before the migration", cause=str(error))

    def explain(self, error: Exception) -> Exception:
        """Return what an error of a connection means to callers."""
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


class Store:
    """A part of what is kept in a database.

    Methods marked :func:`reading` or :func:`writing` are awaited without their connection, which has a transaction.
    They run in a thread, which knows no chat: what time it is "here" is asked before.
    """

    def __init__(self, database: Database) -> None:
        self.database = database


class TimedStore(Store):
    """One that keeps when something was done, by the clock that ``now`` reads."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(database)
        self._now = now


def reading(
    work: Callable[Concatenate[S, sqlite3.Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Run a store's method on a snapshot, as :meth:`Database.read` does."""

    @wraps(work)
    async def read(store: S, /, *args: P.args, **values: P.kwargs) -> T:
        return await store.database.read(lambda connection: work(store, connection, *args, **values))

    return read


def writing(
    work: Callable[Concatenate[S, sqlite3.Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Run a store's method in a transaction, as :meth:`Database.write` does; it may be run again, as is said there."""

    @wraps(work)
    async def write(store: S, /, *args: P.args, **values: P.kwargs) -> T:
        return await store.database.write(lambda connection: work(store, connection, *args, **values))

    return write


def _checkpoint(opened: sqlite3.Connection) -> None:
    busy, *_ = opened.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StorageUnavailable("the write-ahead log is still being read; try again")


def _scrub(opened: sqlite3.Connection) -> None:
    _merge_words(opened)
    _checkpoint(opened)


def _vacuum(opened: sqlite3.Connection) -> None:
    _merge_words(opened)
    opened.execute("VACUUM")
    _checkpoint(opened)
    write_schema_copy(opened)


_FULL_TEXT: Final = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'"


def _merge_words(opened: sqlite3.Connection) -> None:
    """Merge every full-text index there is into one piece, which has no words of deleted rows any more."""
    # FTS5's own secure-delete needs SQLite 3.42, and makes the file unreadable for older ones.
    for (table,) in opened.execute(_FULL_TEXT).fetchall():
        opened.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - a name of the schema


# The threads of one SQLite file: one that writes in grouped transactions, and some that read beside it.
#
# A :class:`WorkItem` is a piece of work for one of them; its outcome goes back to the event loop that waits for it.

_GROUP: Final = 256
"""Most items in one transaction: bounds the memory and the wait of the first one."""
_READ_AT_ONCE: Final = 8
"""Most items in one snapshot: none is answered before all are, and beyond these another thread may help."""


@dataclass(slots=True, eq=False)
class WorkItem:
    """``run`` works on a connection; ``future`` is resolved in its own event loop.

    ``alone`` marks what cannot run inside a transaction (checkpoint, VACUUM); ``touches`` is as in
    :meth:`Database.write`.
    """

    run: Callable[[sqlite3.Connection], Any]  # Any: each caller's own type, restored by Database.write and .read
    future: asyncio.Future[Any]
    alone: bool = False
    touches: tuple[str, ...] = ()
    result: Any = None
    error: BaseException | None = None

    def attempt(self, connection: sqlite3.Connection) -> None:
        """Run on ``connection`` and keep the result or the error."""
        self.result, self.error = None, None
        if (open_up := getattr(connection, "open_up", None)) is not None:  # what ran before may have asked for a scope
            open_up()
        try:
            self.result = self.run(connection)
        except Exception as error:  # noqa: BLE001 - a worker's edge: whatever it is belongs to the caller who waits
            self.error = error

    def explain(self, explained: Callable[[Exception], Exception]) -> None:
        """Put an error of our own tree in the place of SQLite's, which stays its cause."""
        if isinstance(self.error, sqlite3.Error | UnicodeDecodeError | OSError):
            reason, self.error = self.error, explained(self.error)
            if self.error is not reason:
                self.error.__cause__ = reason

    def resolve(self) -> None:
        """Hand the outcome over; a caller that was cancelled meanwhile wants none."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


def resolve_all(items: Iterable[WorkItem]) -> None:
    """Resolve items from a thread, waking each event loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[WorkItem]] = {}
    for item in items:
        by_loop.setdefault(item.future.get_loop(), []).append(item)
    for loop, theirs in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve_each, theirs)
        except RuntimeError:  # the loop is closed: nobody waits any more
            structlog.get_logger().debug("storage outcome unclaimed", items=len(theirs))


def _resolve_each(items: list[WorkItem]) -> None:
    for item in items:
        item.resolve()


class Readers:
    """A pool of ``count`` reading threads, each with its own connection, each read in one snapshot.

    They never wait for the writer, nor it for them (WAL); two are enough, because a read takes a fraction of a
    millisecond.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], explain: Callable[[Exception], Exception], count: int
    ) -> None:
        self._connect = connect
        self._explain = explain
        self._queue: queue.SimpleQueue[list[WorkItem] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"mneme storage reader {number}", daemon=True)
            for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, items: list[WorkItem]) -> None:
        self._queue.put(items)

    def stop(self) -> None:
        """Finish what is queued and return when all threads have ended (blocks)."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        try:
            while (items := self._queue.get()) is not None:
                wanted = [item for item in items if not item.future.cancelled()]
                try:
                    connection = connection or self._connect()
                    _read_together(connection, wanted)
                except Exception as error:  # noqa: BLE001 - the thread's edge: callers must never wait for a dead thread
                    for item in wanted:
                        item.error = error
                for item in wanted:
                    item.explain(self._explain)
                resolve_all(wanted)
        finally:
            if connection is not None:
                connection.close()


def _read_together(connection: sqlite3.Connection, items: list[WorkItem]) -> None:
    """Run items in one snapshot; one that SQLite ends it for leaves the others another."""
    try:
        for item in items:
            if not connection.in_transaction:
                connection.execute("BEGIN")
            item.attempt(connection)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


class Writer:
    """The one thread that writes: runs items in order on one connection, many in one transaction and so one fsync.

    Every item runs inside a savepoint of the group's transaction, so that a failing one takes only itself back.
    Where SQLite gives up the whole transaction (disk full, I/O error), each item is tried again in a transaction of its
    own: the ones that still fit are stored, and each of the others learns its own reason.  Where another program's
    transaction keeps all of them out, or nobody knows whether all were stored, none is.

    ``connect`` is called in the thread that uses the connection, again after a failure that a connection may not
    survive; ``explain`` turns SQLite's errors into those that callers see.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], explain: Callable[[Exception], Exception]) -> None:
        self._connect = connect
        self._explain = explain
        self._connection: sqlite3.Connection | None = None
        self._locked = False
        self._queue: queue.SimpleQueue[tuple[WorkItem, ...] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="mneme storage writer", daemon=True)
        self._thread.start()

    def submit(self, *items: WorkItem) -> None:
        self._queue.put(items)

    def stop(self) -> None:
        """Finish what is queued, close the connection and return when the thread has ended (blocks)."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        last = False
        while not last and (items := self._queue.get()) is not None:
            group = [*items]
            while not last and not group[-1].alone and len(group) < _GROUP:
                try:
                    following = self._queue.get_nowait()
                except queue.Empty:
                    break
                last = following is None
                group.extend(following or ())
            alone = [group.pop()] if group[-1].alone else []
            self._run(group, run_group)
            self._run(alone, _run_alone)
        self._disconnect()

    def _run(self, items: list[WorkItem], how: Callable[[sqlite3.Connection, list[WorkItem]], None]) -> None:
        """Run items and settle each of them, whatever happens."""
        if not items:
            return
        try:
            self._connection = self._connection or self._connect()
            how(self._connection, items)
            self._note_lock(self._connection, locked=any(item.error and is_locked(item.error) for item in items))
        except Exception as error:  # noqa: BLE001 - the thread's edge: callers must never wait for a dead thread
            for item in items:
                item.error = error
            self._disconnect()
        for item in items:
            item.explain(self._explain)
        resolve_all(items)

    def _note_lock(self, connection: sqlite3.Connection, *, locked: bool) -> None:
        """Wait for another program's transaction once: while it lasts nobody waits for each of their writes again."""
        if locked != self._locked:
            connection.execute(f"PRAGMA busy_timeout = {IMPATIENT_MS if locked else PATIENT_MS}")
            self._locked = locked

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self._locked = False
        if connection is not None:
            connection.close()


def run_group(connection: sqlite3.Connection, items: list[WorkItem]) -> None:
    """Run items in one transaction, or each in its own if the common one cannot be committed."""
    try:
        _begin(connection, items)
        for item in items:
            if len(items) > 1:
                _in_savepoint(connection, item)
            else:
                item.attempt(connection)
            if not connection.in_transaction:  # SQLite gave up everything, also what the items before had written
                break
        else:
            connection.execute("ROLLBACK" if len(items) == 1 and items[0].error is not None else "COMMIT")
            return
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        items[0].error = error
        if is_locked(error) or getattr(error, "unsure", False):  # nor is done again what may be done
            for item in items:
                item.error = error
            return
    if len(items) > 1:
        for item in items:
            run_group(connection, [item])


def _begin(connection: sqlite3.Connection, items: list[WorkItem]) -> None:
    if (narrow := getattr(connection, "narrow", None)) is not None:  # a store that several may write to at once
        narrow({name for item in items for name in item.touches} if all(item.touches for item in items) else ())
    connection.execute("BEGIN IMMEDIATE")


def _in_savepoint(connection: sqlite3.Connection, item: WorkItem) -> None:
    connection.execute("SAVEPOINT job")
    item.attempt(connection)
    if item.error is not None and connection.in_transaction:
        connection.execute("ROLLBACK TO job")
    if connection.in_transaction:
        connection.execute("RELEASE job")


def _run_alone(connection: sqlite3.Connection, items: list[WorkItem]) -> None:
    for item in items:
        item.attempt(connection)
