"""System 12: read the pages that a message is nothing but the address of, or asks to have read.

A page becomes a document like a file.  An address that is merely mentioned is not fetched: what leaves this machine is
what the user asked for.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.memory.document import find_addresses, find_request
from bot.messages import MessageKind
from bot.ports.system import OnError
from bot.turn import Reply, ReplyKind, Turn


@dataclass(frozen=True, slots=True)
class LinkReading:
    """Have the pages read by ``read``, one after the other, unless ``wanted`` says that none is."""

    read: Callable[[Turn, str, int], Awaitable[Turn]]
    """A turn, an address, and which document of the turn it is, from 1."""
    wanted: Callable[[], bool]

    order: ClassVar[int] = 12
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with its pages read; with the receipts as its reply where nothing else was said."""
        if turn.reply is not None or turn.message.kind is MessageKind.BUTTON or not self.wanted():
            return turn
        addresses = find_addresses(turn.typed)
        for number, address in enumerate(addresses, 1 + len(turn.files)):
            turn = await self.read(turn, address, number)
        if not addresses or find_request(turn.typed):
            return turn
        return replace(turn, reply=Reply("\n\n".join(turn.receipts), ReplyKind.NOTED))
