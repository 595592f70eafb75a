"""The threads that read: each with its own connection, each read in one snapshot.

They never wait for the writer, nor it for them (WAL); two are enough, because a read takes a fraction of a millisecond.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable

from adapters.sqlite.engine.jobs import Job, settle


class Readers:
    """A pool of ``count`` reading threads."""

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
