"""Delivers events to subscribers in the background.

Publishing puts the event into the queue of each subscriber and returns; a subscriber that fails, hangs or cannot keep
up loses events, never a turn.
"""

import asyncio
from typing import Final

import structlog

from bot.ports.events import Event, Subscriber

_WAITING: Final = 256
_PATIENCE_S: Final = 60.0


class EventBus:
    """Its :meth:`publish` is the port :class:`~bot.ports.events.Publish`; :meth:`run` delivers until cancelled.

    ``waiting`` events at most are kept per subscriber, the oldest go first; ``patience_s`` bounds one delivery.
    """

    def __init__(self, *, waiting: int = _WAITING, patience_s: float = _PATIENCE_S) -> None:
        self._waiting = waiting
        self._patience_s = patience_s
        self._queues: list[tuple[Subscriber, tuple[type, ...], asyncio.Queue[Event]]] = []
        self._arrived = asyncio.Event()

    def subscribe(self, subscriber: Subscriber, *kinds: type) -> None:
        """Tell a subscriber of every event, or of these kinds alone."""
        self._queues.append((subscriber, kinds or (object,), asyncio.Queue(self._waiting)))
        self._arrived.set()

    def publish(self, event: Event) -> None:
        for subscriber, kinds, queue in self._queues:
            if not isinstance(event, kinds):
                continue
            if queue.full():
                lost = queue.get_nowait()
                log = structlog.get_logger()
                log.warning("event lost", subscriber=_name_of(subscriber), kind=type(lost).__name__)
            queue.put_nowait(event)

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            served = 0
            while True:
                for subscriber, _, queue in self._queues[served:]:
                    group.create_task(self._serve(subscriber, queue), name=f"events for {_name_of(subscriber)}")
                served = len(self._queues)
                await self._arrived.wait()
                self._arrived.clear()

    async def _serve(self, subscriber: Subscriber, queue: asyncio.Queue[Event]) -> None:
        while True:
            event = await queue.get()
            try:
                async with asyncio.timeout(self._patience_s):
                    await subscriber(event)
            except Exception as error:  # noqa: BLE001 - the edge to foreign code: a subscriber never breaks anything
                structlog.get_logger().warning(
                    "subscriber failed",
                    subscriber=_name_of(subscriber),
                    kind=type(event).__name__,
                    cause=type(error).__name__,
                )


def _name_of(subscriber: Subscriber) -> str:
    return getattr(subscriber, "__qualname__", type(subscriber).__qualname__)
