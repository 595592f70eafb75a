"""Chats of a platform on which they neither move nor disappear."""

from __future__ import annotations

from bot.messages import Address


class StaticChats:
    """Implements :class:`Chats` for a platform whose chats stay where they are."""

    def home(self, bot_id: int, chat_id: int) -> int:
        """Return the id itself."""
        return chat_id

    def current(self, address: Address) -> Address:
        """Return the address itself."""
        return address

    def is_gone(self, address: Address) -> bool:
        """Nobody leaves."""
        return False

    async def has_met(self, bot_id: int, chat_id: int) -> bool:
        """Nothing is known."""
        return False

    async def record_move(self, bot_id: int, old_id: int, new_id: int) -> None:
        """Forget it."""

    async def record_departure(self, bot_id: int, chat_id: int) -> None:
        """Forget it."""

    async def record_arrival(self, bot_id: int, chat_id: int) -> None:
        """Forget it."""
