"""Replies that were sent while the disk did not write: noted in memory, recorded when it does again.

A full disk must not keep an answer from its reader.  While the process lives nothing is sent twice; a crash during the
outage may repeat a reply, because nothing could be written down to prevent it.
"""

from __future__ import annotations

import structlog

from bot.errors import StorageUnavailable
from bot.ports.deliveries import Deliveries, Delivery, Outcome
from bot.turn import Address


class Unrecorded:
    """Implements :class:`~bot.ports.deliveries.Deliveries` over another one that may fail to write."""

    def __init__(self, deliveries: Deliveries) -> None:
        self._deliveries = deliveries
        self._begun: set[int] = set()
        self._ended: dict[int, Outcome] = {}

    async def sending(self, delivery_id: int) -> bool:
        """Mark an attempt, in memory if it cannot be on disk; see the port."""
        if delivery_id in self._begun:
            return False
        try:
            return await self._deliveries.sending(delivery_id)
        except StorageUnavailable as error:
            structlog.get_logger().error("attempt not recorded, sending all the same", cause=str(error))
            self._begun.add(delivery_id)
            return True

    async def finish(self, delivery_id: int, outcome: Outcome) -> None:
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

    async def unsent(self) -> tuple[Delivery, ...]:
        """Return what a restart must send; see the port."""
        return await self._deliveries.unsent()

    async def draft(self, entry_id: int, message_id: int | None) -> None:
        """Remember a draft; one that cannot be remembered is only lost to a crash."""
        try:
            await self._deliveries.draft(entry_id, message_id)
        except StorageUnavailable as error:
            structlog.get_logger().error("draft not recorded", cause=str(error))

    async def draft_of(self, entry_id: int) -> int | None:
        """Return a draft's message id; see the port."""
        return await self._deliveries.draft_of(entry_id)

    async def answer_to(self, address: Address, message_id: int) -> int | None:
        """See the port."""
        return await self._deliveries.answer_to(address, message_id)

    async def retry(self) -> None:
        """Record what can be recorded now."""
        for delivery_id, outcome in list(self._ended.items()):
            try:
                await self._deliveries.finish(delivery_id, outcome)
            except StorageUnavailable:
                return
            del self._ended[delivery_id]
            self._begun.discard(delivery_id)
