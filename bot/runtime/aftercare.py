"""What is left to do about replies when their chats go on: edits to repeat, and offers to see a lost answer again.

An edit is repeated until it is certain: its message stands in the chat and says less than it should.
A first send of unknown fate is never repeated.  As soon as its chat can be reached, also after a restart, the chat is
told that an answer may not have arrived, with a button that shows it.
"""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Callable, Coroutine, Mapping

import structlog

from bot.core.delivery import Ending, deliver
from bot.errors import StorageUnavailable
from bot.ports.deliveries import Deliveries, Delivery, Doubts, OfferWords
from bot.ports.messenger import Messenger, Reachable
from bot.turn import Address

_PAUSES_S = (2.0, 5.0, 15.0, 60.0, 120.0)
"""Seconds before a chat is offered its answer, and between looks whether it can be reached; the last ever again."""
_AT_ONCE = 8
"""Chats asked at the same time whether they can be reached: all may be in doubt after an outage."""


class Aftercare:
    """One task per edit and per chat in doubt; what is not done when it is closed is found again by the next start."""

    def __init__(
        self,
        deliveries: Deliveries,
        doubts: Doubts,
        messengers: Mapping[str, Messenger],
        words: Callable[[str], OfferWords],
    ) -> None:
        self._deliveries = deliveries
        self._doubts = doubts
        self._messengers = messengers
        self._words = words
        self._asking = asyncio.Semaphore(_AT_ONCE)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    async def begin(self) -> None:
        """Take up the chats that an earlier process left in doubt."""
        for address in await self._doubts.doubtful():
            self._offer_at(address)

    def __call__(self, delivery: Delivery, ending: Ending) -> None:
        """Take over what :func:`~bot.core.delivery.deliver` could not settle."""
        if ending is Ending.DOUBTFUL:
            self._offer_at(delivery.address)
        elif ending is Ending.LATER:
            self._start(f"edit {delivery.id}", self._repeat(delivery))

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _offer_at(self, address: Address) -> None:
        if isinstance(self._messengers.get(address.platform), Reachable):
            self._again.add(address.key)
            self._start(f"offer {address.key}", self._offer(address))

    def _start(self, name: str, work: Coroutine[None, None, None]) -> None:
        running = self._tasks.get(name)
        if running is not None and not running.done():
            work.close()
            return
        task = self._tasks[name] = asyncio.create_task(work, name=name)
        task.add_done_callback(lambda ended: self._forget(name, ended))

    def _forget(self, name: str, ended: asyncio.Task[None]) -> None:
        if self._tasks.get(name) is ended:
            del self._tasks[name]

    async def _repeat(self, delivery: Delivery) -> None:
        """Repeat an edit until it is certain; its own pauses begin with the long ones."""
        messenger = self._messengers[delivery.address.platform]
        try:
            await asyncio.sleep(_PAUSES_S[0])
            ending = await deliver(self._deliveries, messenger, delivery, patience_s=math.inf, anew=False)
        except StorageUnavailable as error:
            structlog.get_logger().error("edit left to the next start", delivery=delivery.id, cause=str(error))
            return
        if ending is Ending.DOUBTFUL:
            self._offer_at(delivery.address)

    async def _offer(self, address: Address) -> None:
        """Offer until nothing of this chat is in doubt that it was not told of."""
        pauses = itertools.chain(_PAUSES_S, itertools.repeat(_PAUSES_S[-1]))
        while address.key in self._again:
            await asyncio.sleep(next(pauses))
            messenger = self._messengers[address.platform]
            async with self._asking:
                reached = isinstance(messenger, Reachable) and await messenger.reaches(address)
            if not reached:
                continue
            self._again.discard(address.key)
            try:
                while (offer := await self._doubts.offer(address, self._words)) is not None:
                    if await deliver(self._deliveries, messenger, offer) is Ending.DOUBTFUL:
                        self._again.add(address.key)
                        break
            except StorageUnavailable as error:
                structlog.get_logger().error("offer left to the next start", cause=str(error))
                return
