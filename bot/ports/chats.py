"""Changes of chats themselves: groups that got another id, chats that the bot was removed from."""

from __future__ import annotations

from typing import Protocol

from bot.messages import Address


class Chats(Protocol):
    """Answers from memory, and keeps over restarts what it was told."""

    def home(self, bot_id: int, chat_id: int) -> int:
        """Return the id that a chat had first: its memory and its place on the allow list go by that one."""
        ...

    def current(self, address: Address) -> Address:
        """Return where a place is now; what it referred to does not exist there."""
        ...

    def is_gone(self, address: Address) -> bool:
        """Whether the bot was removed from the chat, or blocked."""
        ...

    async def has_met(self, bot_id: int, chat_id: int) -> bool:
        """Whether anything was ever answered there.  Raises :class:`~bot.errors.StorageUnavailable`."""
        ...

    async def record_move(self, bot_id: int, old_id: int, new_id: int) -> None:
        """Let the conversations of a chat go on under another id.

        Known from now on also when it raises :class:`~bot.errors.StorageUnavailable`: then until the next start.
        """
        ...

    async def record_departure(self, bot_id: int, chat_id: int) -> None:
        """Note that nothing can be sent to a chat any more; errors as for :meth:`record_move`."""
        ...

    async def record_arrival(self, bot_id: int, chat_id: int) -> None:
        """Note that a chat can be reached (again); errors as for :meth:`record_move`."""
        ...
