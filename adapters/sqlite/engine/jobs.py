"""A piece of work for a storage thread, and the way its outcome gets back to the event loop."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

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
