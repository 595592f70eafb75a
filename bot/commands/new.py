"""/new: begin a fresh conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.commands.language import Voice, make_reply
from bot.ports.command import CommandCall
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class New:
    """Ends the session with the commit of its reply; memories belong to the chat and stay."""

    texts: Voice

    name: ClassVar[str] = "new"

    async def run(self, call: CommandCall) -> Reply:
        """Return the reply that ends the session."""
        return make_reply(self.texts(call.message).basic.new_session, end_session=True)
