"""Turns that were answered while the disk did not write: kept in memory, stored when it does again."""

from __future__ import annotations

from collections import deque

import structlog

from bot.errors import StorageUnavailable
from bot.ports.turns import TurnRecord, TurnStore

_LIMIT = 1000


class Unsaved:
    """At most 1,000 records, oldest dropped first (and logged); nothing here survives the process, and users know."""

    def __init__(self, turns: TurnStore) -> None:
        self._turns = turns
        self._records: deque[TurnRecord] = deque()
        self._told: set[str] = set()

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
        first = record.address.key not in self._told
        self._told.add(record.address.key)
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
