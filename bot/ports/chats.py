"""Changes of chats themselves: groups that got another id, chats that the bot was removed from."""

from __future__ import annotations

from typing import Protocol

from bot.turn import Address


class Chats(Protocol):
    """Answers from memory, and keeps over restarts what it was told."""

    def home(self, bot_id: int, chat_id: int) -> int:
        """Return the id that a chat had first: its memory and its place on the allow list go by that one."""
        ...

    def current(self, address: Address) -> Address:
        """Return where a place is now; what it referred to does not exist there."""
        ...

    def gone(self, address: Address) -> bool:
        """Whether the bot was removed from the chat, or blocked."""
        ...

    async def met(self, bot_id: int, chat_id: int) -> bool:
        """Whether anything was ever answered there.  Raises :class:`~bot.errors.StorageUnavailable`."""
        ...

    async def moved(self, bot_id: int, old_id: int, new_id: int) -> None:
        """Let the conversations of a chat go on under another id.

        Known from now on also when it raises :class:`~bot.errors.StorageUnavailable`: then until the next start.
        """
        ...

    async def left(self, bot_id: int, chat_id: int) -> None:
        """Note that nothing can be sent to a chat any more; errors as for :meth:`moved`."""
        ...

    async def joined(self, bot_id: int, chat_id: int) -> None:
        """Note that a chat can be reached (again); errors as for :meth:`moved`."""
        ...


class StillChats:
    """Implements :class:`Chats` for a platform whose chats stay where they are."""

    def home(self, bot_id: int, chat_id: int) -> int:  # noqa: ARG002 - the port's argument
        """Return the id itself."""
        return chat_id

    def current(self, address: Address) -> Address:
        """Return the address itself."""
        return address

    def gone(self, address: Address) -> bool:  # noqa: ARG002 - as above
        """Nobody leaves."""
        return False

    async def met(self, bot_id: int, chat_id: int) -> bool:  # noqa: ARG002 - as above
        """Nothing is known."""
        return False

    async def moved(self, bot_id: int, old_id: int, new_id: int) -> None:
        """Forget it."""

    async def left(self, bot_id: int, chat_id: int) -> None:
        """Forget it."""

    async def joined(self, bot_id: int, chat_id: int) -> None:
        """Forget it."""
