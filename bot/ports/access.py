"""Access: users who were paired by a one-time code, beside the allow list of the configuration."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Access(Protocol):
    """Paired users, beside the allow list of the configuration."""

    async def is_paired(self, bot_id: int, user_id: int) -> bool:
        """Whether this user redeemed a pairing code of this bot before."""
        ...

    async def issue(self, bot_id: int, code: str, expires_at: datetime) -> None:
        """Store a one-time code (only its hash)."""
        ...

    async def redeem(self, bot_id: int, user_id: int, code: str, now: datetime) -> bool:
        """Pair the user if the code is valid, unexpired and unused; wrong codes leave no trace of the user."""
        ...

    async def unpair(self, bot_id: int, user_id: int) -> bool:
        """Take a user's pairing back; ``False`` if there was none.  Their next message is a stranger's."""
        ...

    async def list_paired(self, bot_id: int) -> tuple[int, ...]:
        """Return the users who are paired with this bot, by id."""
        ...
