"""What a restart finds: replies that were planned and not sent, messages that were accepted and not answered.

Both are taken up chat by chat, before anything new of that chat, so that the order of a conversation survives a crash;
a chat that cannot be reached holds up nobody but itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from bot.core.delivery import Ending, deliver
from bot.errors import StorageUnavailable
from bot.ports.deliveries import Delivery
from bot.ports.messenger import Messenger
from bot.runtime.container import Parts
from bot.turn import Accepted, Address


class Recovery:
    """Runs once, before messages are received; ``submit`` queues an accepted message.

    ``afterwards`` takes replies that could not be settled when their chat goes on.
    """

    def __init__(
        self, parts: Parts, submit: Callable[[Accepted], None], afterwards: Callable[[Delivery, Ending], None]
    ) -> None:
        self._parts = parts
        self._submit = submit
        self._afterwards = afterwards
        self._sending: dict[str, asyncio.Task[None]] = {}

    async def begin(self) -> None:
        """Read what is left and take it up; returns before anything of it is sent.

        Nothing may be accepted before this returns: it would be found here and answered a second time.
        """
        parts = self._parts
        unsent: dict[str, list[Delivery]] = {}
        for delivery in await parts.deliveries.unsent():
            if delivery.address.platform in parts.messengers:
                unsent.setdefault(delivery.address.key, []).append(delivery)
        waiting = [
            entry for entry in await parts.journal.pending() if entry.message.address.platform in parts.messengers
        ]
        for key, deliveries in unsent.items():
            sending = self._send(parts.messengers[deliveries[0].address.platform], deliveries)
            self._sending[key] = asyncio.create_task(sending, name=f"recovery {key}")
        for entry in _least_suspect_first(waiting):
            self._submit(entry)
        if unsent or waiting:
            replies = sum(map(len, unsent.values()))
            structlog.get_logger().info("recovered", replies_to_send=replies, messages_to_answer=len(waiting))

    async def done(self, address: Address | None = None) -> None:
        """Wait until the planned replies of a place (or of all) are out; what went wrong is in the log."""
        tasks = [task for key, task in self._sending.items() if address is None or key == address.key]
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
                ending = await deliver(self._parts.deliveries, messenger, delivery, anew=False)
            except StorageUnavailable as error:
                structlog.get_logger().error("reply not sent after the restart", cause=str(error))
                return
            if ending is not Ending.SETTLED:
                self._afterwards(delivery, ending)


def _least_suspect_first(entries: Sequence[Accepted]) -> list[Accepted]:
    """Order the chats by how often their first message was begun before; a chat's own order stays.

    If it is a message that ends the process, the others are answered before it does so again.
    """
    begun: dict[str, int] = {}
    for entry in entries:
        begun.setdefault(entry.message.address.key, entry.attempts)
    return sorted(entries, key=lambda entry: begun[entry.message.address.key])
