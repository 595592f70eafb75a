"""Drains the outbox into long-term memory: nothing lost, nothing twice, in order per scope.

A row is closed only when LightRAG says ``processed`` (or, for an erase, when the document is proven gone).
All that is kept here is pacing; whoever kills this worker loses nothing but time.
"""

from __future__ import annotations

import asyncio
import random
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

import structlog

from adapters.rag.back_off import Gate, Pace
from adapters.rag.poll_schedule import Agenda
from bot.errors import DocumentRejected, MemoryUnavailable, MnemeError, StorageUnavailable, WorkspaceTaken
from bot.memory.scope import Scope
from bot.ports.clock import Clock
from bot.ports.outbox import Outbox, OutboxRow
from bot.ports.rag import IndexOutcome, RagEraser, RagPort
from bot.retry import Backoff

_POISON: Final = 5
"""Tries of a row that makes our own code fail."""
_FAR: Final = timedelta(days=3650)


class Indexer:
    """The worker; run one per process.

    ``enabled`` is asked before every request: ``False`` leaves the rows waiting.  ``wake`` is set by whoever commits a
    turn.  ``workers`` bounds the scopes that are served at the same time, and is asked at every round.
    """

    def __init__(
        self,
        outbox: Outbox,
        rag: RagPort,
        eraser: RagEraser,
        clock: Clock,
        *,
        workers: Callable[[], int] = lambda: 4,
        enabled: Callable[[], bool] = lambda: True,
        wake: asyncio.Event | None = None,
        pace: Pace | None = None,
        dice: random.Random | None = None,
    ) -> None:
        self._outbox = outbox
        self._rag = rag
        self._eraser = eraser
        self._clock = clock
        self._workers = workers
        self._enabled = enabled
        self._wake = wake or asyncio.Event()
        self._pace = pace or Pace()
        self._dice = dice or random.Random()
        self._gate = Gate(self._pace, self._dice)
        self._backoff = Backoff(self._pace.retry_s, self._pace.retry_max_s, jitter=0.5)
        self._agenda = Agenda(self._pace)
        self._busy: dict[Scope, asyncio.Task[None]] = {}
        """One step at a time per scope: a row that an erase has withdrawn may still be on its way."""

    def wake(self) -> None:
        """Look at the outbox now: something was committed."""
        self._wake.set()

    def hurry(self) -> None:
        """Try everything now, whatever its pause: the server is known to have come back."""
        self._agenda.hurry()
        self._gate.open_now()
        self._wake.set()

    async def run(self) -> None:
        """Drain until cancelled; requests that are under way are then cancelled, their rows stay."""
        try:
            while True:
                pause_s = await self._round()
                with suppress(TimeoutError):  # not wait_for: in Python 3.11 it can swallow a cancellation
                    async with asyncio.timeout(pause_s):
                        await self._wake.wait()
                self._wake.clear()
        finally:
            tasks = list(self._busy.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def settle(self, timeout_s: float) -> bool:
        """Wait until no row is waiting; ``False`` if some still are after ``timeout_s`` seconds."""
        self.wake()
        try:
            async with asyncio.timeout(timeout_s):
                while (await self._outbox.counts()).waiting:  # noqa: ASYNC110 - rows also leave it without us
                    await asyncio.sleep(self._pace.poll_s)
        except TimeoutError:
            return False
        return True

    async def _round(self) -> float:
        """Start what can be started and return the seconds until there may be more to do."""
        now = self._clock.monotonic()
        if not self._enabled():
            return self._pace.idle_s
        if (closed_s := self._gate.closed_for(now)) > 0:
            return closed_s
        free = (1 if self._gate.probing else self._workers()) - len(self._busy)
        try:
            rows = await self._due(now)
        except StorageUnavailable as error:
            structlog.get_logger().warning("rag index failed", cause=str(error))
            return self._pace.idle_s
        for row in rows:
            if free <= 0:
                break
            if row.document.scope not in self._busy and self._agenda.is_time(row.id, now):
                free -= 1
                self._busy[row.document.scope] = asyncio.create_task(self._serve(row))
        return self._pace.idle_s if len(self._busy) >= self._workers() else self._agenda.next_in(now)

    async def _due(self, now: float) -> tuple[OutboxRow, ...]:
        """Read the oldest row of each scope, and enough of them to find new ones behind those that we know.

        Pauses are kept by the monotonic clock; what the outbox remembers of them, by the wall clock, only counts when
        there are too many, so that a clock that jumps delays nothing.
        """
        self._agenda.expire(now)
        room = self._agenda.size + len(self._busy) + 2 * self._workers()
        rows = await self._outbox.due(self._clock.now() + (timedelta(0) if self._agenda.crowded else _FAR), room)
        self._agenda.keep((row.id for row in rows), now)
        return rows

    async def _serve(self, row: OutboxRow) -> None:
        """Take one step with one row.  This is a worker's edge: no error of a row may stop the others."""
        try:
            try:
                await self._step(row)
            except WorkspaceTaken as error:  # the server is well, and others may use it
                await self._postpone(row, str(error), error.retry_after_s)
            except MemoryUnavailable as error:
                self._gate.failed(self._clock.monotonic(), error.retry_after_s)
                await self._postpone(row, str(error), error.retry_after_s)
            except DocumentRejected as error:
                await self._bury(row, str(error))
            except StorageUnavailable as error:
                structlog.get_logger().warning("rag index failed", cause=str(error), scope=row.document.scope.tag)
                self._agenda.look_again(row.id, self._clock.monotonic(), after_s=self._pace.idle_s)
            except Exception as error:  # noqa: BLE001 - the worker's edge: a bug costs a row, not the worker
                await self._bewildered(row, error)
        except MnemeError as error:
            structlog.get_logger().warning("rag index failed", cause=str(error), scope=row.document.scope.tag)
            self._agenda.look_again(row.id, self._clock.monotonic(), after_s=self._pace.idle_s)
        finally:
            self._busy.pop(row.document.scope, None)
            self._wake.set()

    async def _step(self, row: OutboxRow) -> None:
        document = row.document
        if row.erase:
            gone = (
                await self._eraser.erase(document.scope, document.source)
                if document.source
                else await self._eraser.erase_scope(document.scope)
            )
            outcome = IndexOutcome.PROCESSED if gone else IndexOutcome.WAITING
        else:
            outcome = await self._rag.index(document)
        if self._gate.succeeded():
            self._agenda.hurry()
            structlog.get_logger().info("rag index: the server is back")
        match outcome:
            case IndexOutcome.PROCESSED:
                await self._outbox.close(row.id)
                self._agenda.done(row.id)
                chars = len(document.text)
                event = "rag index: erased" if row.erase else f"rag index: {chars} characters indexed"
                structlog.get_logger().info(event, scope=document.scope.tag, chars=chars)
            case IndexOutcome.FAILED:
                await self._bury(row, "long-term memory could not process the document, twice")
            case IndexOutcome.WAITING:
                if not (row.posted or row.erase or self._agenda.is_under_way(row.id)):
                    await self._outbox.posted(row.id)
                self._agenda.look_again(row.id, self._clock.monotonic())

    async def _postpone(self, row: OutboxRow, reason: str, retry_after_s: float | None) -> None:
        structlog.get_logger().warning("rag index failed", cause=reason, scope=row.document.scope.tag)
        pause_s = max(self._backoff.pause_s(row.attempts, self._dice), retry_after_s or 0.0)
        self._agenda.postpone(row.id, self._clock.monotonic() + pause_s)
        await self._outbox.retry(row.id, self._clock.now() + timedelta(seconds=pause_s), reason)

    async def _bewildered(self, row: OutboxRow, error: Exception) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]  # the error's own text may quote the document
        where = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
        structlog.get_logger().error("rag index failed", cause="a defect", where=where)
        if row.attempts + 1 < _POISON:
            await self._postpone(row, f"a defect: {type(error).__name__}", None)
        else:
            await self._bury(row, f"a defect, {_POISON} times: {type(error).__name__}")

    async def _bury(self, row: OutboxRow, reason: str) -> None:
        structlog.get_logger().error("rag index failed; set aside", cause=reason, scope=row.document.scope.tag)
        self._agenda.done(row.id)
        await self._outbox.bury(row.id, reason)
