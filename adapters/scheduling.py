"""Recurring work through APScheduler.

Jobs derive what is to be done from the database each time, so none has to be stored: a restart repeats at most a look.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.errors import MnemeError


@dataclass(frozen=True, slots=True)
class ScheduledJob:
    """Something to do every ``every_s`` seconds, first after ``first_s``; never twice at once."""

    name: str
    every_s: float
    run: Callable[[], Awaitable[None]]
    first_s: float = 5.0


class Schedule:
    """Runs jobs until it is stopped; a job that fails is logged and comes again."""

    def __init__(self, jobs: tuple[ScheduledJob, ...]) -> None:
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        for job in jobs:
            self._scheduler.add_job(
                _run_guarded,
                "interval",
                args=(job,),
                seconds=job.every_s,
                id=job.name,
                next_run_time=datetime.now(UTC) + timedelta(seconds=job.first_s),
                coalesce=True,
                max_instances=1,
                misfire_grace_time=None,
            )

    def start(self) -> None:
        """Begin; needs a running event loop."""
        self._scheduler.start()

    def stop(self) -> None:
        """Start nothing more; a running job is left to its task."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)


async def _run_guarded(job: ScheduledJob) -> None:
    try:
        await job.run()
    except MnemeError as error:
        structlog.get_logger().warning("scheduled work failed", job=job.name, cause=str(error))
    except Exception:  # noqa: BLE001 - the edge of a job: it comes again
        structlog.get_logger().exception("scheduled work broke", job=job.name)
