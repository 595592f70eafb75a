"""Calls that wait for a press of a button: exactly what was shown is done, at most once, for who was asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.scope import Scope
from bot.ports.tool_servers import ToolOutcome, ToolRequest


@dataclass(frozen=True, slots=True)
class TakenCall:
    """A call that somebody agreed to.

    ``first`` says that it may be made now.  Otherwise it was begun before, by the same press: ``outcome`` is what came
    of it, ``None`` when nobody knows.
    """

    request: ToolRequest
    first: bool
    outcome: ToolOutcome | None = None


class PendingCalls(Protocol):
    """Calls that are made only if their asker agrees; they last as long as their button."""

    async def propose(self, scope: Scope, author_id: int, request: ToolRequest, now: datetime) -> str:
        """Keep a call for its asker and return the command that agrees to it."""
        ...

    async def take(self, token: str, scope: Scope, author_id: int, update_id: int, now: datetime) -> TakenCall | None:
        """Mark a call as begun, durably, and return it; ``None`` for everything else.

        Only the update that took it gets it again, and then it is not ``first``: a turn may be run twice, a call not.
        """
        ...

    async def settle(self, token: str, outcome: ToolOutcome) -> None:
        """Keep what came of a call for as long as the call itself."""
        ...
