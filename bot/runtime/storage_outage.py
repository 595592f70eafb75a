"""Keeps Mneme answering while the disk does not write, or the database is damaged.

Turns and the fates of replies wait in memory until the disk writes again; a damaged database is recovered while Mneme
runs.  A full disk must not keep an answer from its reader: while the process lives nothing is sent twice; a crash
during the outage may repeat a reply, because nothing could be written down to prevent it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.errors import StorageUnavailable
from bot.messages import Address
from bot.ports.deliveries import Deliveries, Delivery, DeliveryOutcome
from bot.ports.turn_store import TurnRecord, TurnStore
from bot.retry import Backoff, Pauses
from bot.runtime.housekeeping import Housekeeping

_LIMIT = 1000


class PendingTurns:
    """Turns that were answered and could not be stored.

    At most 1,000 records, oldest dropped first (and logged); nothing here survives the process, and users know.
    """

    def __init__(self, turns: TurnStore) -> None:
        self._turns = turns
        self._records: deque[TurnRecord] = deque()
        self._told: set[Address] = set()

    def __len__(self) -> int:
        return len(self._records)

    def trouble(self) -> str:
        """Return what the operator should know, "" when everything is stored."""
        count = len(self._records)
        return f"the disk does not take writes; {count} turns wait in memory to be stored" if count else ""

    def add(self, record: TurnRecord) -> bool:
        """Keep a record; ``True`` if its place has not been told about this outage yet."""
        self._records.append(record)
        if len(self._records) > _LIMIT:
            self._records.popleft()
            structlog.get_logger().error("turn lost: the disk has refused writes for too long")
        first = record.address not in self._told
        self._told.add(record.address)
        return first

    async def retry(self) -> None:
        """Store what can be stored now, in order."""
        while self._records:
            try:
                await self._turns.commit(self._records[0])
            except StorageUnavailable:
                return
            self._records.popleft()
            structlog.get_logger().info("turn stored late", waiting=len(self._records))
        self._told.clear()


class PendingDeliveries:
    """Implements :class:`~bot.ports.deliveries.Deliveries` over another one that may fail to write."""

    def __init__(self, deliveries: Deliveries) -> None:
        self._deliveries = deliveries
        self._begun: set[int] = set()
        self._ended: dict[int, DeliveryOutcome] = {}

    async def begin_attempt(self, delivery_id: int) -> bool:
        """Mark an attempt, in memory if it cannot be on disk; see the port."""
        if delivery_id in self._begun:
            return False
        try:
            return await self._deliveries.begin_attempt(delivery_id)
        except StorageUnavailable as error:
            structlog.get_logger().error("attempt not recorded, sending all the same", cause=str(error))
            self._begun.add(delivery_id)
            return True

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        """Record the outcome, later if it cannot be now."""
        try:
            await self._deliveries.finish(delivery_id, outcome)
            self._begun.discard(delivery_id)
        except StorageUnavailable:
            self._ended[delivery_id] = outcome

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Take the attempt back."""
        self._begun.discard(delivery_id)
        try:
            await self._deliveries.postpone(delivery_id, reason, draft_gone=draft_gone)
        except StorageUnavailable as error:
            # On disk it stays "sending": after a restart nobody knows its fate, and it is listed, not repeated.
            structlog.get_logger().error("postponed attempt not recorded", cause=str(error))

    async def list_unsent(self) -> tuple[Delivery, ...]:
        """Return what a restart must send; see the port."""
        return await self._deliveries.list_unsent()

    async def draft(self, entry_id: int, message_id: int | None) -> None:
        """Remember a draft; one that cannot be remembered is only lost to a crash."""
        try:
            await self._deliveries.draft(entry_id, message_id)
        except StorageUnavailable as error:
            structlog.get_logger().error("draft not recorded", cause=str(error))

    async def find_draft(self, entry_id: int) -> int | None:
        """Return a draft's message id; see the port."""
        return await self._deliveries.find_draft(entry_id)

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        """See the port."""
        return await self._deliveries.find_answer(address, message_id)

    async def retry(self) -> None:
        """Record what can be recorded now."""
        for delivery_id, outcome in list(self._ended.items()):
            try:
                await self._deliveries.finish(delivery_id, outcome)
            except StorageUnavailable:
                return
            del self._ended[delivery_id]
            self._begun.discard(delivery_id)


_BACKOFF: Final = Backoff(2.0, 600.0)
"""Pauses before each recovery but the first, because a dying disk would be filled with set-aside files."""
_STEADY_S: Final = 3600.0
"""After so long without damage the next recovery comes at once again."""


class StorageRecovery:
    """Waits for damage; ``recovered`` is awaited after each recovery (it stores what was refused meanwhile)."""

    def __init__(self, housekeeping: Housekeeping, recovered: Callable[[], Awaitable[None]]) -> None:
        self._housekeeping = housekeeping
        self._recovered = recovered
        self._pauses = Pauses(_BACKOFF)
        self._pause_s = 0.0
        self._last = -_STEADY_S

    def trouble(self) -> str:
        """Return what the operator should know, "" if nothing was found damaged, at the start or since."""
        if self._housekeeping.database.damaged.is_set():
            return "the database is damaged and is being recovered"
        return "; ".join(self._housekeeping.database.problems)

    async def run(self) -> None:
        """Recover whenever damage is met, until cancelled.

        Raises :class:`~bot.errors.StorageUnavailable` when that fails for now; to be run again after a pause.
        """
        database = self._housekeeping.database
        while True:
            await database.damaged.wait()
            if time.monotonic() - self._last >= _STEADY_S:
                self._pauses.reset()
                self._pause_s = 0.0
            await asyncio.sleep(self._pause_s)
            self._pause_s = self._pauses.next_s()
            self._last = time.monotonic()
            found = await database.recover()
            structlog.get_logger().error("database recovered while running", found=list(found))
            await self._housekeeping.resume()
            await self._housekeeping.rebuild()
            await self._recovered()
