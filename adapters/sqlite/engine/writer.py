"""The one thread that writes: whole transactions, grouped so that many callers share one fsync.

Every job runs inside a savepoint of the group's transaction, so that a failing one takes only itself back.
Where SQLite gives up the whole transaction (disk full, I/O error), each job is tried again in a transaction of its own:
the ones that still fit are stored, and each of the others learns its own reason.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable
from typing import Final

from adapters.sqlite.engine.jobs import Job, settle

_GROUP: Final = 256
"""Most jobs in one transaction: bounds the memory and the wait of the first one."""


class Writer:
    """Runs jobs in order on one connection.

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
