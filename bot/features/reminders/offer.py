"""System 47: offer to move a reminder where somebody tells that what it is about has another time now.

"They moved the meeting to Friday" is learned like anything that is told; the reminder is moved at a press, not by that.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.features.reminders.changes import ReminderOrders
from bot.memory.learning.kinds import LIKELY, SentenceKind, decide_kind
from bot.memory.learning.speech_acts import list_own_sentences
from bot.messages import MessageKind
from bot.ports.system import OnError
from bot.turn import ReplyKind, Turn

_ANSWERS: Final = frozenset({ReplyKind.ANSWER, ReplyKind.NOTED, ReplyKind.RECALLED})


@dataclass(frozen=True, slots=True)
class ReminderOffer:
    """Add the offer to the reply; a message whose kind was not read, or that corrects nothing, reads nothing."""

    orders: ReminderOrders

    order: ClassVar[int] = 47
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with the reminder named in its reply that the message means, if it means exactly one."""
        reply = turn.reply
        if reply is None or reply.kind not in _ANSWERS or not turn.is_own or turn.message.kind is MessageKind.EDITED:
            return turn
        said = list_own_sentences(turn.analysed)
        told = [each for each in said if decide_kind(each, LIKELY) is SentenceKind.CORRECTION]
        offer = await self.orders.offer_move(turn, told[0]) if len(told) == 1 else None
        if offer is None:
            return turn
        changed = replace(reply, text=f"{reply.text}\n\n{offer.text}", buttons=(*reply.buttons, *offer.buttons))
        return replace(turn, reply=changed)
