"""What a worker does about the chats that it shares a store with others for: takes up, feeds, gives back.

A chat that was given to us is taken up as a restart takes up all: attempts that somebody was cut off in are settled,
what was planned is sent, what was accepted is answered, in this order.  What is accepted from then on, by whichever
worker, is read in the journal.
Choices of chats, and what else is held in memory and written through, are read again when another worker has changed
any; what is known of a scope is compared with the store at every question anyway.

Takes up what was left undone about messages and replies: after a restart, and when a chat goes on.

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
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

import structlog

from bot.core.delivery import Ending, deliver
from bot.errors import LeaseLost, StorageUnavailable
from bot.messages import Accepted, Address
from bot.ports.leases import LEADER, Leases, under
from bot.ports.messenger import Deliveries, Delivery, Messenger, OfferWords, ReachableMessenger, UncertainDeliveries
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
    sending: dict[Address, asyncio.Task[None]] = field(init=False, default_factory=dict)
    """By place: what is sent, or has been, of what was planned before."""

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
            self.sending[address] = asyncio.create_task(sending, name=f"recovery {address.key}")
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
        tasks = [task for place, task in self.sending.items() if address is None or place == address]
        if tasks:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Stop; what was not sent stays planned."""
        for task in self.sending.values():
            task.cancel()
        await asyncio.gather(*self.sending.values(), return_exceptions=True)

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
    """Order the chats by how often their first message was begun before; a chat's own order stays."""
    # If it is a message that ends the process, the others are answered before it does so again.
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
        try:
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
                while (
                    offer := await self.doubts.offer(address, lambda sample: self.words(address, sample))
                ) is not None:
                    if await deliver(self.deliveries, messenger, offer) is Ending.DOUBTFUL:
                        self._again.add(address.key)
                        break
        except StorageUnavailable as error:
            structlog.get_logger().error("offer left to the next start", cause=str(error))
            self.failed(address)


_SWEEP_S: Final = 1.0
"""Between looks that nobody asks for: what was told of may be lost, and whose worker died nobody tells."""
_PAGE: Final = 256
"""Messages of a chat read at once."""
_RESTLESS: Final = 10
"""Looks after a message in which its answer may come: the leader looks for what is to be embedded as long."""


@dataclass(frozen=True, slots=True)
class Taking:
    """What is done with what is found.

    ``queue`` takes a message that may have been begun before, ``take`` one that comes in; ``idle`` waits until nothing
    of a place is under way, ``forget`` empties its queue; ``refresh`` reads again what other workers change; ``lead``
    begins to lead; ``looked`` is told that somebody may have stored something.
    """

    queue: Callable[[Accepted], Awaitable[None]]
    take: Callable[[Accepted], Awaitable[None]]
    idle: Callable[[Address], Awaitable[None]]
    forget: Callable[[Address], None]
    refresh: Callable[[], Awaitable[None]]
    lead: Callable[[], Awaitable[None]]
    looked: Callable[[], None]


class Sharing:
    """Holds the chats of one worker."""

    def __init__(
        self, leases: Leases, journal: Journal, recovery: RestartRecovery, aftercare: Aftercare, taking: Taking
    ) -> None:
        self._leases, self._journal = leases, journal
        self._recovery, self._aftercare = recovery, aftercare
        self._taking = taking
        self._newest = 0
        self._restless = 0
        self._changes: int | None = None
        self._held: dict[str, int] = {}
        """By place: the newest entry that was handed on."""
        self._feeding: dict[str, bool] = {}
        """By place that is being read: whether to read on."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        """Places to be taken up once more when that has ended."""
        self.leading = False
        leases.is_next = self.is_next
        self.ended = asyncio.Event()
        """Set once this worker was declared gone."""

    async def run(self) -> None:
        """Look for work until cancelled, or declared gone."""
        while not self._leases.gone:
            self._leases.news.clear()
            try:
                await self._look()
            except StorageUnavailable as error:
                structlog.get_logger().warning("no work found", cause=str(error))
                await asyncio.sleep(_SWEEP_S)
            try:
                async with asyncio.timeout(_SWEEP_S):
                    await self._leases.news.wait()
            except TimeoutError:
                continue
        structlog.get_logger().error("declared gone: silent for longer than the term; begins anew")
        self.ended.set()
        await asyncio.Event().wait()

    def is_next(self, place: str, entry: int, before: int) -> bool:
        """Return whether a message that was just accepted here is to be handed on as it is; if so it was noted.

        ``before`` is the one that waits before it in its place, 0 for none.
        """
        newest = self._held.get(place)
        if newest is None or place in self._feeding or before > newest:
            self._leases.news.set()
            return False
        self._held[place] = max(newest, entry)
        return True

    def holds(self, address: Address) -> bool:
        """Return whether a place is ours, and nothing of it is to be read again first."""
        return address.key in self._held

    def retake(self, address: Address) -> None:
        """Take a place up anew, as the store knows it: something of it could not be written.

        What is queued of it is dropped in this moment: it is read again behind what comes before it.
        """
        self._let_go(address)
        self._again.add(address.key)
        self._start(address.key, self._take_up(address))

    def _let_go(self, address: Address) -> None:
        """Hold a place no more, in this moment: what is queued of it, or just being read, would overtake the rest."""
        self._held.pop(address.key, None)
        if (reading := self._tasks.get(_name_reading(address.key))) is not None:
            reading.cancel()
        self._taking.forget(address)

    async def close(self, busy: frozenset[Address]) -> None:
        """Take up nothing more, and give back at once whatever is not ``busy``."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await self._keep_only(busy)

    async def give_back(self, busy: frozenset[Address], store_late: Callable[[], Awaitable[None]]) -> None:
        """Give each of these places back as soon as nothing of it is under way, and not when the last one is done.

        ``store_late`` stores before that what could not be stored at once.
        """
        waits = {asyncio.ensure_future(self._taking.idle(place)): place for place in busy}
        while waits:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for ended in done:
                del waits[ended]
            with suppress(StorageUnavailable):
                await store_late()
            await self._keep_only(frozenset(waits.values()))

    async def _keep_only(self, places: frozenset[Address]) -> None:
        with suppress(StorageUnavailable):  # then all are given back at the end, or taken after it
            await self._leases.release(frozenset(place.key for place in places))

    async def _look(self) -> None:
        if self._leases.leads:
            if not self.leading:
                with under(LEADER):
                    await self._leases.hand_over()
                    await self._taking.lead()
                self.leading = True
            await self._leases.assign()
        work = await self._leases.look()
        if work.changes != self._changes:
            await self._taking.refresh()
            self._changes = work.changes
        for place in work.given:
            self._start(place, self._take_up(Address.from_key(place)))
        for place, newest in work.waiting:
            if place in self._feeding:
                self._feeding[place] = True
            elif newest > self._held.get(place, newest):
                self._start(_name_reading(place), self._feed(place, self._take))
            elif place not in self._held:  # ours, and taking it up broke off: nobody else would answer
                self._start(place, self._take_up(Address.from_key(place)))
        self._restless = _RESTLESS if work.newest > self._newest else self._restless - 1
        if self._restless > 0:
            self._taking.looked()
        self._newest = work.newest

    async def _take_up(self, address: Address) -> None:
        """Take up a place from the beginning; tried until it is done, or lost.

        It may be ours already: what comes in meanwhile waits, so that nothing is under way when replies are taken up.
        """
        place = address.key
        self._again.discard(place)
        self._let_go(address)
        while True:
            try:
                with under(place):
                    await self._taking.idle(address)
                    await self._recovery.done(address)
                    if self._recovery.serves(address):
                        await self._recovery.begin(address)
                        await self._aftercare.begin(address)
                        self._held[place] = 0
                        await self._feed(place, self._taking.queue)
                    await self._leases.keep(place)
            except LeaseLost:
                return
            except StorageUnavailable as error:
                structlog.get_logger().warning("chat not taken up yet", cause=str(error))
                self._let_go(address)
                await asyncio.sleep(_SWEEP_S)
            else:
                return

    async def _feed(self, place: str, hand: Callable[[Accepted], Awaitable[None]]) -> None:
        """Hand on what was accepted after what was handed on before."""
        self._feeding[place] = True
        try:
            while self._feeding[place]:
                self._feeding[place] = False
                entries = await self._journal.pending_at(Address.from_key(place), self._held[place], _PAGE)
                if place not in self._held:
                    return  # let go meanwhile: all of it is read again
                for entry in entries:
                    self._held[place] = entry.id
                    await hand(entry)
                self._feeding[place] |= len(entries) == _PAGE
        finally:
            del self._feeding[place]

    async def _take(self, entry: Accepted) -> None:
        """Take a message that nobody has begun: the journal has counted its first attempt."""
        await self._taking.take(replace(entry, attempts=0, begun=True))

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:  # Any: nothing is sent to it
        running = self._tasks.get(name)
        if running is not None and not running.done():
            work.close()
            return
        task = self._tasks[name] = asyncio.create_task(work, name=name)
        task.add_done_callback(lambda ended: self._end(name, ended))

    def _end(self, name: str, ended: asyncio.Task[None]) -> None:
        if self._tasks.get(name) is ended:
            del self._tasks[name]
        if not ended.cancelled() and (error := ended.exception()) is not None:
            structlog.get_logger().warning("chat not read", cause=type(error).__name__)
        if name in self._again and not ended.cancelled():
            self._start(name, self._take_up(Address.from_key(name)))


def _name_reading(place: str) -> str:
    """Return what the task is called that reads what others have accepted for a place."""
    return f"{place} news"
