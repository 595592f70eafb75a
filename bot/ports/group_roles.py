"""Who runs a group."""

from __future__ import annotations

from typing import Protocol

from bot.messages import Address


class GroupRoles(Protocol):
    """Asks a platform, anew every time: whoever was an admin yesterday may be none today."""

    async def is_admin(self, address: Address, user_id: int) -> bool:
        """Return whether a user runs the group that a place belongs to; ``False`` where that cannot be learned."""
        ...
