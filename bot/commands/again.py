"""/again: show an answer that may not have arrived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.commands.language import Voice, make_reply
from bot.ports.command import CommandCall
from bot.ports.deliveries import UncertainDeliveries
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class Again:
    """Answers the button of an offer, ``/again NUMBER``; typed without a number it shows all that is in doubt here.

    The texts are this chat's own and were meant for it, so that whoever reads along may ask.  They come without the
    buttons they had: those stand for what was so then.
    """

    texts: Voice
    doubts: UncertainDeliveries

    name: ClassVar[str] = "again"

    async def run(self, call: CommandCall) -> Reply:
        """Return the answers as they were, in one reply."""
        number = int(call.argument) if call.argument.isdecimal() and len(call.argument) < 18 else None  # noqa: PLR2004 - SQLite's integers
        missed = (
            ()
            if call.argument and number is None
            else await self.doubts.list_for_repetition(call.message.address, number)
        )
        if not missed:
            return make_reply(self.texts(call.message).doubt.nothing)
        return make_reply(*(delivery.text for delivery in missed))
