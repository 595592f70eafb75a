"""Proposals: texts that wait for a user's word before they are remembered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.items import Trust
from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class Proposal:
    """A text and how far it may be believed once it is stored."""

    text: str
    trust: Trust


class Proposals(Protocol):
    """Texts that are shown to a user with a button, and stored only if it is pressed; they last for a day."""

    async def propose(self, scope: Scope, author_id: int, proposal: Proposal, now: datetime) -> str:
        """Keep a text for its asker and return the command that agrees to it."""
        ...

    async def take(self, token: str, scope: Scope, author_id: int, update_id: int, now: datetime) -> Proposal | None:
        """Return what this author was asked in this scope, once; ``None`` for everything else.

        The same update gets it again: a turn may be run twice.
        """
        ...
