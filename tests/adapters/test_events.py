"""Events reach every subscriber, and no subscriber reaches back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.events import EventBus
from bot.memory.scope import Scope
from bot.ports.events import Event, ExchangeIndexed, MemoryErased


class Listener:
    """Keeps what it hears, or fails, or hangs."""

    def __init__(self, *, fails: bool = False, hangs: bool = False) -> None:
        self.heard: list[Event] = []
        self._fails, self._hangs = fails, hangs

    async def __call__(self, event: Event) -> None:
        self.heard.append(event)
        if self._fails:
            raise RuntimeError("subscriber")
        if self._hangs:
            await asyncio.sleep(60)


@asynccontextmanager
async def _running(bus: EventBus) -> AsyncIterator[None]:
    task = asyncio.create_task(bus.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_broken_or_slow_subscriber_costs_the_others_nothing() -> None:
    """Each has its own queue; without the handler in ``_serve`` the broken one ends the delivery to all."""
    bus = EventBus()
    broken, slow, well = Listener(fails=True), Listener(hangs=True), Listener()
    for listener in (broken, slow, well):
        bus.subscribe(listener)
    told = [MemoryErased(Scope(f"tu{number}")) for number in range(3)]

    async with _running(bus):
        for event in told:
            bus.publish(event)
        async with asyncio.timeout(60):
            while len(well.heard) < 3 or len(broken.heard) < 3:  # noqa: ASYNC110 - they have no event to wait for
                await asyncio.sleep(0.01)

    assert well.heard == told
    assert broken.heard == told
    assert slow.heard == told[:1]


async def test_a_subscriber_that_hangs_is_cut_off() -> None:
    """After its time the next event is delivered."""
    bus, slow = EventBus(patience_s=0.05), Listener(hangs=True)
    bus.subscribe(slow)

    async with _running(bus):
        bus.publish(MemoryErased(Scope("tu1")))
        bus.publish(MemoryErased(Scope("tu2")))
        async with asyncio.timeout(60):
            while len(slow.heard) < 2:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)


async def test_events_that_nobody_takes_are_bounded() -> None:
    """The oldest go; telling never waits and never raises."""
    bus, listener = EventBus(waiting=2), Listener()
    bus.subscribe(listener)
    for number in range(5):
        bus.publish(MemoryErased(Scope(f"tu{number}")))

    async with _running(bus):
        async with asyncio.timeout(60):
            while len(listener.heard) < 2:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.02)

    assert listener.heard == [MemoryErased(Scope("tu3")), MemoryErased(Scope("tu4"))]


async def test_a_subscriber_that_comes_later_hears_what_follows() -> None:
    """Also while events are being delivered."""
    bus, late = EventBus(), Listener()

    async with _running(bus):
        bus.publish(MemoryErased(Scope("tu1")))
        await asyncio.sleep(0)
        bus.subscribe(late)
        bus.publish(MemoryErased(Scope("tu2")))
        async with asyncio.timeout(60):
            while not late.heard:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)

    assert late.heard == [MemoryErased(Scope("tu2"))]


async def test_a_subscriber_to_one_kind_hears_of_no_other() -> None:
    """Who looks at answers alone is not woken for an erase."""
    bus, listener = EventBus(), Listener()
    bus.subscribe(listener, ExchangeIndexed)
    indexed = ExchangeIndexed(Scope("tu1"), "tu1:a")

    async with _running(bus):
        for event in (MemoryErased(Scope("tu1")), indexed):
            bus.publish(event)
        async with asyncio.timeout(60):
            while not listener.heard:  # noqa: ASYNC110 - it has no event to wait for
                await asyncio.sleep(0)

    assert listener.heard == [indexed]
