"""/keep: the button under a text that was proposed for memory.

A turn that has read what others wrote stores nothing by itself: the exact text is shown, and only the asker's own word
stores it, byte for byte.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.numbering import number_of
from bot.commands.quoting import verbatim
from bot.commands.remember import item_of
from bot.commands.voice import Voice, said
from bot.errors import CommandInvalid
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.ports.commands import CommandCall
from bot.ports.memory import MemoryEditor
from bot.turn import Reply

_MOST: Final = 1000
_TOKEN_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Proposal:
    """A text, whose memory it is for, and who may agree."""

    scope: Scope
    author_id: int
    text: str
    trust: Trust


class Pending:
    """The port :class:`~bot.ports.proposals.Proposals`: the newest thousand, in memory.

    A restart forgets them: whoever presses an old button is told so and can send /remember.
    """

    def __init__(self) -> None:
        self._proposals: OrderedDict[str, Proposal] = OrderedDict()

    def propose(self, scope: Scope, author_id: int, text: str, trust: Trust) -> str:
        """Keep a text and return the command that agrees to it."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._proposals[token] = Proposal(scope, author_id, text, trust)
        while len(self._proposals) > _MOST:
            self._proposals.popitem(last=False)
        return f"/{Keep.name} {token}"

    def take(self, token: str, scope: Scope, author_id: int) -> Proposal | None:
        """Return what this author was asked in this scope, once; ``None`` for everything else."""
        proposal = self._proposals.get(token)
        if proposal is None or proposal.scope != scope or proposal.author_id != author_id:
            return None
        return self._proposals.pop(token)


@dataclass(frozen=True, slots=True)
class Keep:
    """Stores a proposed text as it was shown; in no menu, because only a button knows its argument."""

    texts: Voice
    editor: MemoryEditor
    pending: Pending
    remembering: Callable[[], bool]

    name: ClassVar[str] = "keep"

    async def run(self, call: CommandCall) -> Reply:
        """Store it and show it."""
        texts = self.texts(call.message).remember
        if not self.remembering():
            raise CommandInvalid(texts.off)
        proposal = self.pending.take(call.argument, call.scope, call.author.id)
        if proposal is None:
            raise CommandInvalid(texts.too_late)
        item = item_of(proposal.text, call, min(proposal.trust, call.author.trust))
        item_id = await self.editor.add(call.scope, item)
        return said(texts.done.format(id=number_of(item_id), text=verbatim(item.content)))
