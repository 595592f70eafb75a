"""What /stop does the moment it comes in: it must not wait behind what it is to end."""

from __future__ import annotations

import structlog

from bot.commands.router import parse
from bot.commands.stop import Halted, Stop
from bot.core.dispatch import Dispatcher
from bot.errors import Corrupt, StorageUnavailable
from bot.ports.journal import Journal
from bot.turn import Accepted, InboundMessage, MessageKind

_REMEMBERED = 1_000
_WAITING = 1_000
"""More messages than that are not counted one by one."""

_Key = tuple[str, int]


class Stopping:
    """Ends what a chat has running, and drops what waits there if that is wanted.

    What it did is kept for the command that tells the chat of it.
    """

    def __init__(self, dispatcher: Dispatcher, journal: Journal) -> None:
        self._dispatcher = dispatcher
        self._journal = journal
        self._halted: dict[_Key, Halted] = {}

    @staticmethod
    def wanted(message: InboundMessage) -> bool:
        """Whether a message asks to stop now; a forwarded command is somebody else's, an edited one is from before."""
        parsed = parse(message.text)
        own = message.forwarded_from is None and message.kind is not MessageKind.EDITED
        return own and parsed is not None and parsed[0] == Stop.name

    async def take(self, accepted: Accepted) -> None:
        """End the running answer at once, then see to what waits."""
        message = accepted.message
        ended = self._dispatcher.stop(message.address)
        parsed = parse(message.text)
        if parsed is not None and parsed[1].casefold() == Stop.ALL:
            done = Halted(ended, dropped=await self._drop(accepted))
        else:
            done = Halted(ended, waiting=len(await self._waiting(accepted)))
        self._halted[_key(message)] = done
        if len(self._halted) > _REMEMBERED:
            del self._halted[next(iter(self._halted))]

    def done(self, message: InboundMessage) -> Halted:
        """Return, once, what a message that asked to stop has done; nothing for one that a restart has found."""
        return self._halted.pop(_key(message), Halted())

    async def _waiting(self, accepted: Accepted) -> tuple[int, ...]:
        """Return the entries that wait in this chat, of the queue and of the journal alone."""
        queued = self._dispatcher.waiting(accepted.message.address)
        after = self._dispatcher.spilled_after(accepted.message.address)
        if after is None:
            return queued
        try:
            rest = await self._journal.pending_at(accepted.message.address, after, _WAITING)
        except (StorageUnavailable, Corrupt) as error:
            structlog.get_logger().warning("waiting messages not counted", cause=str(error))
            return queued
        return (*queued, *(entry.id for entry in rest if entry.id < accepted.id and entry.id not in queued))

    async def _drop(self, accepted: Accepted) -> int:
        waiting = await self._waiting(accepted)
        dropped = {*waiting, *self._dispatcher.drop(accepted.message.address, accepted.id)}
        try:
            await self._journal.drop(tuple(entry for entry in dropped if entry > 0))
        except (StorageUnavailable, Corrupt) as error:
            structlog.get_logger().error("dropped messages stay in the journal", cause=str(error))
        return len(dropped)


def _key(message: InboundMessage) -> _Key:
    return message.address.key, message.update_id
