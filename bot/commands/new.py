"""/new: begin a fresh conversation, with a title if one is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.formatting import quote
from bot.commands.language import Voice, make_reply
from bot.memory.sanitise import flatten
from bot.memory.secrets.redaction import redact
from bot.ports.command import CommandCall
from bot.turn import NextSession, Reply

_LONGEST: Final = 80
"""Characters of a title."""


@dataclass(frozen=True, slots=True)
class New:
    """Ends the session with the commit of its reply; memories belong to the chat and stay.

    A title is kept until it is forgotten (``/forget WORD`` finds it), so that what is secret in it is masked.
    """

    texts: Voice

    name: ClassVar[str] = "new"

    async def run(self, call: CommandCall) -> Reply:
        """Return the reply that ends the session."""
        texts = self.texts(call.message)
        title = flatten(redact(call.argument).text, _LONGEST)
        named = texts.sessions.titled.format(title=quote(title)) if title else ""
        return make_reply(texts.basic.new_session, named, next_session=NextSession(title))
