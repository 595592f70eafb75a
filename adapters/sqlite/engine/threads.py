"""The threads of one SQLite file: one that writes in grouped transactions, and some that read beside it.

A :class:`WorkItem` is a piece of work for one of them; its outcome goes back to the event loop that waits for it.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import structlog

_GROUP: Final = 256
"""Most items in one transaction: bounds the memory and the wait of the first one."""


@dataclass(slots=True, eq=False)
class WorkItem:
    """``run`` works on a connection; ``future`` is resolved in its own event loop.

    ``alone`` marks what cannot run inside a transaction (checkpoint, VACUUM).
    """

    run: Callable[[sqlite3.Connection], Any]  # Any: each caller's own type, restored by Database.write and .read
    future: asyncio.Future[Any]
    alone: bool = False
    result: Any = None
    error: BaseException | None = None

    def attempt(self, connection: sqlite3.Connection) -> None:
        """Run on ``connection`` and keep the result or the error."""
        self.result, self.error = None, None
        try:
            self.result = self.run(connection)
        except Exception as error:  # noqa: BLE001 - a worker's edge: whatever it is belongs to the caller who waits
            self.error = error

    def explain(self, explained: Callable[[sqlite3.Error], Exception]) -> None:
        """Put an error of our own tree in the place of SQLite's, which stays its cause."""
        if isinstance(self.error, sqlite3.Error):
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
        self, connect: Callable[[], sqlite3.Connection], explain: Callable[[sqlite3.Error], Exception], count: int
    ) -> None:
        self._connect = connect
        self._explain = explain
        self._queue: queue.SimpleQueue[WorkItem | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"mneme storage reader {number}", daemon=True)
            for number in range(count)
        ]

    def start(self) -> None:
        """Begin to work."""
        for thread in self._threads:
            thread.start()

    def submit(self, item: WorkItem) -> None:
        """Queue a item."""
        self._queue.put(item)

    def stop(self) -> None:
        """Finish what is queued and return when all threads have ended (blocks)."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        try:
            while (item := self._queue.get()) is not None:
                if item.future.cancelled():
                    continue
                try:
                    connection = connection or self._connect()
                    self._read(connection, item)
                except sqlite3.Error as error:
                    item.error = error
                item.explain(self._explain)
                resolve_all((item,))
        finally:
            if connection is not None:
                connection.close()

    def _read(self, connection: sqlite3.Connection, item: WorkItem) -> None:
        connection.execute("BEGIN")
        try:
            item.attempt(connection)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


class Writer:
    """The one thread that writes: runs items in order on one connection, many in one transaction and so one fsync.

    Every item runs inside a savepoint of the group's transaction, so that a failing one takes only itself back.
    Where SQLite gives up the whole transaction (disk full, I/O error), each item is tried again in a transaction of its
    own: the ones that still fit are stored, and each of the others learns its own reason.

    ``connect`` is called in the thread that uses the connection, again after a failure that a connection may not
    survive; ``explain`` turns SQLite's errors into those that callers see.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], explain: Callable[[sqlite3.Error], Exception]
    ) -> None:
        self._connect = connect
        self._explain = explain
        self._connection: sqlite3.Connection | None = None
        self._queue: queue.SimpleQueue[tuple[WorkItem, ...] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="mneme storage writer", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def submit(self, *items: WorkItem) -> None:
        """Queue items for one transaction; their futures are resolved after its fsync."""
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
        except Exception as error:  # noqa: BLE001 - the thread's edge: callers must never wait for a dead thread
            for item in items:
                item.error = error
            self._disconnect()
        for item in items:
            item.explain(self._explain)
        resolve_all(items)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def run_group(connection: sqlite3.Connection, items: list[WorkItem]) -> None:
    """Run items in one transaction, or each in its own if the common one cannot be committed."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        for item in items:
            _in_savepoint(connection, item)
            if not connection.in_transaction:  # SQLite gave up everything, also what the items before had written
                break
        else:
            connection.execute("COMMIT")
            return
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        items[0].error = error
    if len(items) > 1:
        for item in items:
            run_group(connection, [item])


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
