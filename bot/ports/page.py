"""The page of memory, for whoever asks for it in a chat."""

from __future__ import annotations

from typing import Protocol

from bot.memory.scope import Scope
from bot.messages import InboundMessage


class MemoryPage(Protocol):
    """Opens the page on the machine that Mneme runs on."""

    async def make_link_for(self, message: InboundMessage, scope: Scope) -> str:
        """Return an address that shows this scope alone, to whoever opens it first, once."""
        ...
