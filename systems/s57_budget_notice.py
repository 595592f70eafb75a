"""System 57: say that a budget is nearly or wholly used up.

It adds to the reply after system 50 has planned what is remembered, so that sentences about money are neither memories
nor something that a model reads as its own words in the next turn.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.ports.system import OnError
from bot.turn import ReplyKind, Turn

_SPOKEN = frozenset({ReplyKind.ANSWER, ReplyKind.RECALLED, ReplyKind.NOTED})


@dataclass(frozen=True, slots=True)
class BudgetNotice:
    """Add ``notice``, "" for none, to what answers a message; commands and notices are left as they are."""

    notice: Callable[[Turn], str]

    order: ClassVar[int] = 57
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with the notice in its reply."""
        if turn.reply is None or turn.reply.kind not in _SPOKEN or not (notice := self.notice(turn)):
            return turn
        return replace(turn, reply=replace(turn.reply, text=f"{turn.reply.text}\n\n{notice}".strip()))
