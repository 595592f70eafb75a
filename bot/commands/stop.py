"""/stop: end the answer that is being written; /stop all: drop what waits, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bot.commands.language import Voice, make_reply
from bot.messages import InboundMessage
from bot.ports.command import CommandCall
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class Halted:
    """What came of a /stop: whether an answer was ended, how many messages still wait, how many were dropped."""

    ended: bool = False
    waiting: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """Says what was stopped and offers to drop what waits.

    ``halted`` is asked about the message that holds the command: whoever takes messages in must end the running turn
    itself, and have this command answered beside the queue of its chat.
    """

    texts: Voice
    halted: Callable[[InboundMessage], Halted]

    name: ClassVar[str] = "stop"
    ALL: ClassVar[str] = "all"

    async def run(self, call: CommandCall) -> Reply:
        """Return what happened."""
        texts = self.texts(call.message).basic
        halted = self.halted(call.message)
        lines = [texts.stopped if halted.ended else texts.nothing_to_stop]
        if halted.dropped:
            lines = [*([texts.stopped] if halted.ended else []), texts.dropped.format(count=halted.dropped)]
        if not halted.waiting:
            return make_reply(*lines)
        text = "\n".join((*lines, texts.waiting.format(count=halted.waiting)))
        return make_reply(text, buttons=((texts.drop_waiting, f"/{self.name} {self.ALL}"),))
