"""Work in the background: jobs that come again and again, and tasks that are started anew when they end unexpectedly.

Jobs derive what is to be done from the database each time, so no run has to be stored or made up for: only the
monotonic clock is looked at, and a wall clock that jumps changes nothing.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog

from bot.errors import MnemeError
from bot.retry import Backoff, Pauses


@dataclass(frozen=True, slots=True)
class ScheduledJob:
    """Something to do, first after ``first_s`` and then ``every_s`` seconds after it is done; never twice at once."""

    name: str
    every_s: float
    run: Callable[[], Awaitable[None]]
    first_s: float = 5.0


class WatchedWork:
    """Does a job's work, and keeps why it failed last, until it succeeds: nobody else notices that it is not done."""

    def __init__(self, what: str, run: Callable[[], Awaitable[None]]) -> None:
        """``what`` says, before the cause, what is not done."""
        self._what = what
        self._run = run
        self._failure = ""

    async def __call__(self) -> None:
        """Do it.  Raises what it raises."""
        try:
            await self._run()
        except MnemeError as error:
            self._failure = f"{self._what}: {error}"
            raise
        self._failure = ""

    def trouble(self) -> str:
        """Return what the operator should know, "" while it is done."""
        return self._failure


class Schedule:
    """Runs jobs until it is stopped; a job that fails is logged and comes again."""

    def __init__(self, jobs: tuple[ScheduledJob, ...]) -> None:
        self.jobs = jobs
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    def start(self) -> None:
        """Begin; needs a running event loop."""
        self._tasks = tuple(asyncio.create_task(_repeat(job), name=job.name) for job in self.jobs)

    def stop(self) -> None:
        """Start nothing more, and cancel what is running."""
        for task in self._tasks:
            task.cancel()


async def _repeat(job: ScheduledJob) -> None:
    await asyncio.sleep(job.first_s)
    while True:
        try:
            await job.run()
        except MnemeError as error:
            structlog.get_logger().warning("scheduled work failed", job=job.name, cause=str(error))
        except Exception:  # noqa: BLE001 - the edge of a job: it comes again
            structlog.get_logger().exception("scheduled work broke", job=job.name)
        await asyncio.sleep(job.every_s)


_BACKOFF: Final = Backoff(1.0, 60.0)
"""Pauses before a background task that ended is started again."""
_STEADY_S: Final = 300.0
"""A background task that ran so long begins again with the shortest pause."""


async def supervise(
    name: str,
    run: Callable[[], Awaitable[None]],
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> None:
    """Run ``run`` until this is cancelled, and again whenever it ends, whatever it ended with."""
    pauses = Pauses(_BACKOFF)
    while True:
        began = monotonic()
        try:
            await run()
        except MnemeError as error:
            structlog.get_logger().error("background task ended", task=name, cause=str(error))
        except Exception:  # noqa: BLE001 - the edge of a background task: it is started again
            structlog.get_logger().exception("background task broke", task=name)
        else:
            structlog.get_logger().error("background task ended", task=name, cause="it returned")
        if monotonic() - began >= _STEADY_S:
            pauses.reset()
        await sleep(pauses.next_s())
