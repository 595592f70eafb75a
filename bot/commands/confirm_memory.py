"""/keep: the button under a text that was proposed for memory.

A turn that has read what others wrote stores nothing by itself: the exact text is shown, and only the asker's own word
stores it, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.commands.formatting import show_verbatim, to_number
from bot.commands.language import Voice, make_reply
from bot.commands.remember import item_of
from bot.errors import CommandInvalid
from bot.ports.command import CommandCall
from bot.ports.memory_store import MemoryEditor
from bot.ports.tickets import Proposals
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class Keep:
    """Stores a proposed text as it was shown; in no menu, because only a button knows its argument."""

    texts: Voice
    editor: MemoryEditor
    proposals: Proposals
    remembering: Callable[[], bool]

    name: ClassVar[str] = "keep"

    async def run(self, call: CommandCall) -> Reply:
        """Store it and show it."""
        texts = self.texts(call.message).remember
        if not self.remembering():
            raise CommandInvalid(texts.off)
        proposal = await self.proposals.take(
            call.argument, call.scope, call.author.id, call.message.update_id, call.now
        )
        if proposal is None:
            raise CommandInvalid(texts.too_late)
        author = replace(call.author, trust=min(proposal.trust, call.author.trust))
        item = item_of(proposal.text, author, call.message.sent_at, call.now)
        item_id = await self.editor.add(call.scope, item, call.message.address)
        return make_reply(texts.done.format(id=to_number(item_id), text=show_verbatim(item.content)))
