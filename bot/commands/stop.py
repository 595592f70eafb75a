"""/stop: end the answer that is being written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bot.commands.voice import Voice, said
from bot.ports.commands import CommandCall
from bot.turn import InboundMessage, Reply


@dataclass(frozen=True, slots=True)
class Stop:
    """Says whether there was something to stop.

    ``stopped`` is asked about the message that holds the command: within a chat turns are ordered, so whoever takes
    messages in must stop the running turn itself, before this one is queued behind it.
    """

    texts: Voice
    stopped: Callable[[InboundMessage], bool]

    name: ClassVar[str] = "stop"

    async def run(self, call: CommandCall) -> Reply:
        """Return what happened."""
        texts = self.texts(call.message).basic
        return said(texts.stopped if self.stopped(call.message) else texts.nothing_to_stop)
