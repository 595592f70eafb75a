"""The worker that drains the outbox into long-term memory: nothing lost, nothing twice, in order per scope.

A row is closed only when LightRAG says ``processed`` (or, for an erase, when the document is proven gone).
All that is kept here is pacing; whoever kills this worker loses nothing but time.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

import structlog

from bot.errors import DocumentRejected, MemoryUnavailable, MnemeError, StorageUnavailable, WorkspaceTaken
from bot.memory.scope import Scope
from bot.ports.rag import IndexOutcome, Outbox, OutboxRow, RagEraser, RagPort
from bot.ports.when import Clock
from bot.retry import Backoff
from bot.turn import IndexDocument

_POISON: Final = 5
"""Tries of a row that makes our own code fail."""
_FAR: Final = timedelta(days=3650)


class Indexer:
    """The worker; run one per process.

    ``enabled`` is asked before anything is looked for: ``False`` leaves the rows where they are.
    ``begin`` is asked where some wait: it starts the server if need be, and says whether that can take them now.
    ``workers`` bounds the scopes that are served at the same time, and is asked at every round.
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
        begin: Callable[[], bool] = lambda: True,
        times: IndexerTimes | None = None,
    ) -> None:
        self._outbox, self._rag, self._eraser, self._clock = outbox, rag, eraser, clock
        self._workers, self._enabled, self._begin = workers, enabled, begin
        self._wake = asyncio.Event()
        self._times = times or IndexerTimes()
        self._outage = OutageBackoff(self._times)
        self._backoff = Backoff(self._times.retry_s, self._times.retry_max_s, jitter=0.5)
        self._schedule = PollSchedule(self._times)
        self._busy: dict[Scope, asyncio.Task[None]] = {}
        """One step at a time per scope: a row that an erase has withdrawn may still be on its way."""

    def wake(self) -> None:
        """Look at the outbox now: something was committed."""
        self._wake.set()

    def hurry(self) -> None:
        """Try everything now, whatever its pause: the server is known to have come back."""
        self._schedule.hurry()
        self._outage.open_now()
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
                    await asyncio.sleep(self._times.poll_s)
        except TimeoutError:
            return False
        return True

    async def _round(self) -> float:
        """Start what can be started and return the seconds until there may be more to do."""
        if not self._enabled():
            return self._times.idle_s
        now = self._clock.monotonic()
        if (closed_s := self._outage.closed_for(now)) > 0:
            return closed_s
        free = (1 if self._outage.probing else self._workers()) - len(self._busy)
        try:
            rows = await self._due(now)
        except StorageUnavailable as error:
            structlog.get_logger().warning("rag index failed", cause=str(error))
            return self._times.idle_s
        if rows and not self._begin():
            return self._times.idle_s
        for row in rows:
            if free <= 0:
                break
            if row.document.scope not in self._busy and self._schedule.is_time(row.id, now):
                free -= 1
                self._busy[row.document.scope] = asyncio.create_task(self._serve(row))
        return self._times.idle_s if len(self._busy) >= self._workers() else self._schedule.next_in(now)

    async def _due(self, now: float) -> tuple[OutboxRow, ...]:
        """Read the oldest row of each scope, and enough of them to find new ones behind those that we know."""
        self._schedule.expire(now)
        room = self._schedule.size + len(self._busy) + 2 * self._workers()
        rows = await self._outbox.due(self._clock.now() + (timedelta(0) if self._schedule.crowded else _FAR), room)
        self._schedule.keep((row.id for row in rows), now)
        return rows

    async def _serve(self, row: OutboxRow) -> None:
        """Take one step with one row.  This is a worker's edge: no error of a row may stop the others."""
        try:
            try:
                await self._step(row)
            except MemoryUnavailable as error:
                if not isinstance(error, WorkspaceTaken):  # then the server is well, and others may use it
                    self._outage.failed(self._clock.monotonic(), error.retry_after_s)
                await self._postpone(row, str(error), error.retry_after_s)
            except DocumentRejected as error:
                await self._bury(row, str(error))
            except StorageUnavailable:
                raise
            except Exception as error:  # noqa: BLE001 - the worker's edge: a bug costs a row, not the worker
                await self._note_defect(row, error)
        except MnemeError as error:
            structlog.get_logger().warning("rag index failed", cause=str(error), scope=row.document.scope.tag)
            self._schedule.look_again(row.id, self._clock.monotonic(), after_s=self._times.idle_s)
        finally:
            self._busy.pop(row.document.scope, None)
            self._wake.set()

    async def _step(self, row: OutboxRow) -> None:
        document = row.document
        if not row.erase:
            outcome = await self._rag.index(document)
        elif await self._erase(document):
            outcome = IndexOutcome.PROCESSED
        else:
            outcome = IndexOutcome.WAITING
        if self._outage.succeeded():
            self._schedule.hurry()
            structlog.get_logger().info("rag index: the server is back")
        match outcome:
            case IndexOutcome.PROCESSED:
                await self._outbox.close(row.id)
                self._schedule.done(row.id)
                chars = len(document.text)
                event = "rag index: erased" if row.erase else f"rag index: {chars} characters indexed"
                structlog.get_logger().info(event, scope=document.scope.tag, chars=chars)
            case IndexOutcome.FAILED:
                await self._bury(row, "long-term memory could not process the document, twice")
            case IndexOutcome.WAITING:
                if not (row.posted or row.erase or self._schedule.is_under_way(row.id)):
                    await self._outbox.mark_posted(row.id)
                self._schedule.look_again(row.id, self._clock.monotonic())

    async def _erase(self, document: IndexDocument) -> bool:
        if not document.source:
            return await self._eraser.erase_scope(document.scope)
        return await self._eraser.erase(document.scope, document.source)

    async def _postpone(self, row: OutboxRow, reason: str, retry_after_s: float | None) -> None:
        structlog.get_logger().warning("rag index failed", cause=reason, scope=row.document.scope.tag)
        pause_s = max(self._backoff.pause_s(row.attempts), retry_after_s or 0.0)
        self._schedule.postpone(row.id, self._clock.monotonic() + pause_s)
        await self._outbox.retry(row.id, self._clock.now() + timedelta(seconds=pause_s), reason)

    async def _note_defect(self, row: OutboxRow, error: Exception) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]  # the error's own text may quote the document
        where = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
        structlog.get_logger().error("rag index failed", cause="a defect", where=where)
        if row.attempts + 1 < _POISON:
            await self._postpone(row, f"a defect: {type(error).__name__}", None)
        else:
            await self._bury(row, f"a defect, {_POISON} times: {type(error).__name__}")

    async def _bury(self, row: OutboxRow, reason: str) -> None:
        structlog.get_logger().error("rag index failed; set aside", cause=reason, scope=row.document.scope.tag)
        self._schedule.done(row.id)
        await self._outbox.bury(row.id, reason)


@dataclass(frozen=True, slots=True)
class IndexerTimes:
    """Pauses and limits of the indexer; all in seconds but the counts.

    A document under way is looked at after ``poll_s``, then ever more rarely up to ``poll_max_s``.
    A failed one is tried again after ``retry_s`` doubling to ``retry_max_s``.
    After ``gate_after`` failures in a row, of any documents, nothing is sent for ``gate_s`` doubling to ``gate_max_s``,
    and then one document as a probe.
    The outbox is read at least every ``idle_s``.
    ``window`` bounds how many documents are under way, ``most_postponed`` how many pauses are kept in memory.
    """

    poll_s: float = 0.05
    poll_max_s: float = 5.0
    retry_s: float = 0.5
    retry_max_s: float = 60.0
    gate_after: int = 3
    gate_s: float = 1.0
    gate_max_s: float = 30.0
    idle_s: float = 2.0
    window: int = 64
    most_postponed: int = 256


class OutageBackoff:
    """Keeps rows back while the server is known to be down: an outage costs a request per pause, not one per row."""

    def __init__(self, times: IndexerTimes) -> None:
        self._times = times
        self._backoff = Backoff(times.gate_s, times.gate_max_s, jitter=0.5)
        self._failures = 0
        self._opens_at = 0.0

    @property
    def probing(self) -> bool:
        """Whether the server has failed so often that one document at a time is enough."""
        return self._failures >= self._times.gate_after

    def closed_for(self, now: float) -> float:
        """Return the seconds until something may be sent again; 0 when it may be now.  ``now`` is monotonic."""
        return max(self._opens_at - now, 0.0) if self.probing else 0.0

    def failed(self, now: float, retry_after_s: float | None) -> None:
        """Count a failure; ``retry_after_s`` is the pause that the server asked for."""
        self._failures += 1
        if self.probing:
            pause_s = self._backoff.pause_s(self._failures - self._times.gate_after)
            self._opens_at = now + max(pause_s, retry_after_s or 0.0)

    def succeeded(self) -> bool:
        """Open; ``True`` when the server was thought to be down until now."""
        recovered, self._failures = self.probing, 0
        return recovered

    def open_now(self) -> None:
        """Let one probe through at once."""
        self._opens_at = 0.0


_SLOWER: Final = 1.6
_SOONEST_S: Final = 0.001


class PollSchedule:
    """The rows that are looked at later: documents under way ever more rarely, failed rows after a pause.

    It is kept between two rounds and may be lost.  All times are monotonic seconds, so that a wall clock that jumps
    delays nothing.
    """

    def __init__(self, times: IndexerTimes) -> None:
        self._times = times
        self._looks: dict[int, tuple[float, float]] = {}
        """When each document under way is looked at again, and how long the pause before that is."""
        self._postponed: dict[int, float] = {}

    @property
    def size(self) -> int:
        return len(self._looks) + len(self._postponed)

    @property
    def crowded(self) -> bool:
        """Whether so many rows are postponed that the outbox has to remember the pauses of further ones."""
        return len(self._postponed) >= self._times.most_postponed

    def is_under_way(self, row_id: int) -> bool:
        """Whether the server has the document and works on it."""
        return row_id in self._looks

    def is_time(self, row_id: int, now: float) -> bool:
        """Whether the row may be taken now; a new one only while not too many are under way."""
        if row_id in self._postponed:
            return False
        look = self._looks.get(row_id)
        return len(self._looks) < self._times.window if look is None else look[0] <= now

    def look_again(self, row_id: int, now: float, *, after_s: float | None = None) -> None:
        """Look at a document under way later: after ``after_s``, else after a longer pause than last time."""
        if after_s is None:
            _, last_s = self._looks.get(row_id, (0.0, self._times.poll_s / _SLOWER))
            after_s = min(last_s * _SLOWER, self._times.poll_max_s)
        self._looks[row_id] = now + after_s, after_s

    def postpone(self, row_id: int, until: float) -> None:
        self._looks.pop(row_id, None)
        if not self.crowded:
            self._postponed[row_id] = until

    def done(self, row_id: int) -> None:
        self._looks.pop(row_id, None)

    def hurry(self) -> None:
        self._postponed.clear()

    def expire(self, now: float) -> None:
        self._postponed = {row_id: at for row_id, at in self._postponed.items() if at > now}

    def keep(self, row_ids: Iterable[int], now: float) -> None:
        """Forget rows that should be looked at and are not in the outbox any more."""
        here = set(row_ids)
        self._looks = {row_id: look for row_id, look in self._looks.items() if row_id in here or look[0] > now}

    def next_in(self, now: float) -> float:
        """Return the seconds until something is to be looked at, at most ``idle_s``."""
        times = [at for at, _ in self._looks.values() if at > now] + list(self._postponed.values())
        return max(min([self._times.idle_s, *(at - now for at in times)]), _SOONEST_S)
