"""What waits for somebody's word before it is remembered."""

from __future__ import annotations

from typing import Protocol

from bot.memory.items import Trust
from bot.memory.scope import Scope


class Proposals(Protocol):
    """Texts that are shown to a user with a button, and stored only if it is pressed."""

    def propose(self, scope: Scope, author_id: int, text: str, trust: Trust) -> str:
        """Keep a text for its asker and return the command that agrees to it (at most 64 bytes).

        ``trust`` is how far the text may be believed once it is stored.
        """
        ...
