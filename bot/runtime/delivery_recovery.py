"""Takes up what was left undone about messages and replies: after a restart, and when a chat goes on.

After a restart, replies that were planned and not sent, and messages that were accepted and not answered, are taken up
chat by chat, before anything new of that chat, so that the order of a conversation survives a crash; a chat that cannot
be reached holds up nobody but itself.
An edit is repeated until it is certain: its message stands in the chat and says less than it should.
A first send of unknown fate is never repeated.  As soon as its chat can be reached, also after a restart, the chat is
told that an answer may not have arrived, with a button that shows it.
"""

import asyncio
import itertools
import math
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from bot.core.delivery import Ending, deliver
from bot.errors import StorageUnavailable
from bot.messages import Accepted, Address
from bot.ports.deliveries import Deliveries, Delivery, OfferWords, UncertainDeliveries
from bot.ports.messenger import Messenger, ReachableMessenger
from bot.ports.turn_store import Journal


@dataclass(slots=True, eq=False)
class RestartRecovery:
    """Takes up what a restart finds.

    Runs once, before messages are received, or for each chat that a worker is given; ``submit`` queues an accepted
    message.

    ``afterwards`` takes replies that could not be settled when their chat goes on; ``say_refused`` says of a file that
    its chat did not take it; ``failed`` is told of a place whose replies could not be marked.
    """

    deliveries: Deliveries
    journal: Journal
    messengers: Mapping[str, Messenger]
    submit: Callable[[Accepted], None]
    afterwards: Callable[[Delivery, Ending], None]
    say_refused: Callable[[Delivery], str] = lambda _: ""
    failed: Callable[[Address], None] = lambda _: None
    _sending: dict[Address, asyncio.Task[None]] = field(init=False, default_factory=dict)

    async def begin(self, place: Address | None = None) -> None:
        """Read what is left and take it up; returns before anything of it is sent.

        Nothing may be accepted before this returns: it would be found here and answered a second time.
        Of one ``place`` the replies alone, none of which may be under way.
        """
        unsent: dict[Address, list[Delivery]] = {}
        for delivery in await self.deliveries.list_unsent(place):
            if self.serves(delivery.address):
                unsent.setdefault(delivery.address, []).append(delivery)
        waiting = [
            entry
            for entry in (await self.journal.pending() if place is None else ())
            if self.serves(entry.message.address)
        ]
        for address, deliveries in unsent.items():
            sending = self._send(self.messengers[address.platform], deliveries)
            self._sending[address] = asyncio.create_task(sending, name=f"recovery {address.key}")
        for entry in _least_suspect_first(waiting):
            self.submit(entry)
        if unsent or waiting:
            replies = sum(map(len, unsent.values()))
            structlog.get_logger().info("recovered", replies_to_send=replies, messages_to_answer=len(waiting))

    def serves(self, address: Address) -> bool:
        """Return whether there is a way to a place."""
        return address.platform in self.messengers

    async def done(self, address: Address | None = None) -> None:
        """Wait until the planned replies of a place (or of all) are out; what went wrong is in the log."""
        tasks = [task for place, task in self._sending.items() if address is None or place == address]
        if tasks:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Stop; what was not sent stays planned."""
        for task in self._sending.values():
            task.cancel()
        await asyncio.gather(*self._sending.values(), return_exceptions=True)

    async def _send(self, messenger: Messenger, deliveries: list[Delivery]) -> None:
        for delivery in deliveries:
            try:
                ending = await deliver(self.deliveries, messenger, delivery, anew=False, say_refused=self.say_refused)
            except StorageUnavailable as error:
                structlog.get_logger().error("reply not sent after the restart", cause=str(error))
                self.failed(delivery.address)
                return
            if ending is not Ending.SETTLED:
                self.afterwards(delivery, ending)


def _least_suspect_first(entries: Sequence[Accepted]) -> list[Accepted]:
    """Order the chats by how often their first message was begun before; a chat's own order stays.

    If it is a message that ends the process, the others are answered before it does so again.
    """
    begun: dict[Address, int] = {}
    for entry in entries:
        begun.setdefault(entry.message.address, entry.attempts)
    return sorted(entries, key=lambda entry: begun[entry.message.address])


_PAUSES_S = (2.0, 5.0, 15.0, 60.0, 120.0)
"""Seconds before a chat is offered its answer, and between looks whether it can be reached; the last ever again."""
_AT_ONCE = 8
"""Chats asked at the same time whether they can be reached: all may be in doubt after an outage."""


@dataclass(slots=True, eq=False)
class Aftercare:
    """One task per edit and per chat in doubt; what is not done when it is closed is found again by the next start.

    ``failed`` is told of a place of which something could not be written.
    Nobody asked for an offer at that moment: it waits as long as ``quiet_s`` says, the seconds that its chat is quiet.
    """

    deliveries: Deliveries
    doubts: UncertainDeliveries
    messengers: Mapping[str, Messenger]
    words: Callable[[Address, str], OfferWords]
    quiet_s: Callable[[Address], float] = lambda _: 0.0
    failed: Callable[[Address], None] = lambda _: None
    _asking: asyncio.Semaphore = field(init=False, default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    _tasks: dict[str, asyncio.Task[None]] = field(init=False, default_factory=dict)
    _again: set[str] = field(init=False, default_factory=set)

    async def begin(self, place: Address | None = None) -> None:
        """Take up the chats, or the one, that an earlier process left in doubt."""
        for address in await self.doubts.list_uncertain_chats(place):
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
        if isinstance(self.messengers.get(address.platform), ReachableMessenger):
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
        messenger = self.messengers[delivery.address.platform]
        try:
            await asyncio.sleep(_PAUSES_S[0])
            ending = await deliver(self.deliveries, messenger, delivery, patience_s=math.inf, anew=False)
        except StorageUnavailable as error:
            structlog.get_logger().error("edit left to the next start", delivery=delivery.id, cause=str(error))
            self.failed(delivery.address)
            return
        if ending is Ending.DOUBTFUL:
            self._offer_at(delivery.address)

    async def _offer(self, address: Address) -> None:
        """Offer until nothing of this chat is in doubt that it was not told of."""
        pauses = itertools.chain(_PAUSES_S, itertools.repeat(_PAUSES_S[-1]))
        while address.key in self._again:
            await asyncio.sleep(next(pauses))
            if (quiet_s := self.quiet_s(address)) > 0:
                await asyncio.sleep(min(quiet_s, _PAUSES_S[-1]))  # the chat may change its mind meanwhile
                continue
            messenger = self.messengers[address.platform]
            async with self._asking:
                reached = isinstance(messenger, ReachableMessenger) and await messenger.can_reach(address)
            if not reached:
                continue
            self._again.discard(address.key)
            try:
                while (
                    offer := await self.doubts.offer(address, lambda sample: self.words(address, sample))
                ) is not None:
                    if await deliver(self.deliveries, messenger, offer) is Ending.DOUBTFUL:
                        self._again.add(address.key)
                        break
            except StorageUnavailable as error:
                structlog.get_logger().error("offer left to the next start", cause=str(error))
                self.failed(address)
                return
