"""The threads of one SQLite file: one that writes in grouped transactions, and some that read beside it.

A :class:`Job` is a piece of work for one of them; its outcome goes back to the event loop that waits for it.
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


@dataclass(slots=True, eq=False)
class Job:
    """``run`` works on a connection; ``waiting`` is settled in its own event loop.

    ``alone`` marks what cannot run inside a transaction (checkpoint, VACUUM).
    """

    run: Callable[[sqlite3.Connection], Any]  # Any: each caller's own type, restored by Database.write and .read
    waiting: asyncio.Future[Any]
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

    def settle(self) -> None:
        """Hand the outcome over; a caller that was cancelled meanwhile wants none."""
        if self.waiting.done():
            return
        if self.error is None:
            self.waiting.set_result(self.result)
        else:
            self.waiting.set_exception(self.error)


def settle(jobs: Iterable[Job]) -> None:
    """Settle jobs from a thread, waking each event loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in jobs:
        by_loop.setdefault(job.waiting.get_loop(), []).append(job)
    for loop, theirs in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle_all, theirs)
        except RuntimeError:  # the loop is closed: nobody waits any more
            structlog.get_logger().debug("storage outcome unclaimed", jobs=len(theirs))


def _settle_all(jobs: list[Job]) -> None:
    for job in jobs:
        job.settle()


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
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"mneme storage reader {number}", daemon=True)
            for number in range(count)
        ]

    def start(self) -> None:
        """Begin to work."""
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job."""
        self._queue.put(job)

    def stop(self) -> None:
        """Finish what is queued and return when all threads have ended (blocks)."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        try:
            while (job := self._queue.get()) is not None:
                if job.waiting.cancelled():
                    continue
                try:
                    connection = connection or self._connect()
                    self._read(connection, job)
                except sqlite3.Error as error:
                    job.error = error
                job.explain(self._explain)
                settle((job,))
        finally:
            if connection is not None:
                connection.close()

    def _read(self, connection: sqlite3.Connection, job: Job) -> None:
        connection.execute("BEGIN")
        try:
            job.attempt(connection)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


_GROUP: Final = 256
"""Most jobs in one transaction: bounds the memory and the wait of the first one."""


class Writer:
    """The one thread that writes: runs jobs in order on one connection, many in one transaction and so one fsync.

    Every job runs inside a savepoint of the group's transaction, so that a failing one takes only itself back.
    Where SQLite gives up the whole transaction (disk full, I/O error), each job is tried again in a transaction of its
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
        self._queue: queue.SimpleQueue[tuple[Job, ...] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="mneme storage writer", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def submit(self, *jobs: Job) -> None:
        """Queue jobs for one transaction; their futures are settled after its fsync."""
        self._queue.put(jobs)

    def stop(self) -> None:
        """Finish what is queued, close the connection and return when the thread has ended (blocks)."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        last = False
        while not last and (jobs := self._queue.get()) is not None:
            group = [*jobs]
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

    def _run(self, jobs: list[Job], how: Callable[[sqlite3.Connection, list[Job]], None]) -> None:
        """Run jobs and settle each of them, whatever happens."""
        if not jobs:
            return
        try:
            self._connection = self._connection or self._connect()
            how(self._connection, jobs)
        except Exception as error:  # noqa: BLE001 - the thread's edge: callers must never wait for a dead thread
            for job in jobs:
                job.error = error
            self._disconnect()
        for job in jobs:
            job.explain(self._explain)
        settle(jobs)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def run_group(connection: sqlite3.Connection, jobs: list[Job]) -> None:
    """Run jobs in one transaction, or each in its own if the common one cannot be committed."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        for job in jobs:
            _in_savepoint(connection, job)
            if not connection.in_transaction:  # SQLite gave up everything, also what the jobs before had written
                break
        else:
            connection.execute("COMMIT")
            return
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        jobs[0].error = error
    if len(jobs) > 1:
        for job in jobs:
            run_group(connection, [job])


def _in_savepoint(connection: sqlite3.Connection, job: Job) -> None:
    connection.execute("SAVEPOINT job")
    job.attempt(connection)
    if job.error is not None and connection.in_transaction:
        connection.execute("ROLLBACK TO job")
    if connection.in_transaction:
        connection.execute("RELEASE job")


def _run_alone(connection: sqlite3.Connection, jobs: list[Job]) -> None:
    for job in jobs:
        job.attempt(connection)
