"""/compact: let a summary stand for the older part of this conversation, now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

import structlog

from bot.commands.formatting import quote
from bot.commands.language import Voice, make_reply
from bot.core.sessions import Condensed
from bot.errors import BudgetSpent, ContextTooLong, ModelRefused, ModelUnavailable
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.command import CommandCall
from bot.turn import Reply

_SHOWN = 600
"""Characters of the summary that are shown."""


@dataclass(frozen=True, slots=True)
class Compact:
    """Summarises by one call of the model; what it stands for is kept, and found.

    ``model`` returns the model's name, "" without one; ``compact`` does it.
    """

    texts: Voice
    model: Callable[[], str]
    compact: Callable[[Address, Scope], Awaitable[Condensed]]

    name: ClassVar[str] = "compact"

    async def run(self, call: CommandCall) -> Reply:
        """Return what became of it."""
        words = self.texts(call.message).sessions
        if not self.model():
            return make_reply(words.no_model)
        try:
            done = await self.compact(call.message.address, call.scope)
        except BudgetSpent:
            return make_reply(words.no_budget)
        except (ModelUnavailable, ModelRefused, ContextTooLong) as error:
            structlog.get_logger().warning("session not compacted", cause=str(error))
            return make_reply(words.not_compacted)
        if not done.summary:
            return make_reply(words.too_short)
        told = words.compacted.format(count=done.exchanges, staying=done.staying)
        return make_reply(told, quote(done.summary, _SHOWN))
