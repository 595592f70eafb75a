"""Journal of accepted messages: written before anything else happens to a message."""

from __future__ import annotations

from typing import Protocol

from bot.messages import Accepted, Address, InboundMessage


class Journal(Protocol):
    """Remembers accepted messages until their turn is committed."""

    async def accept(self, message: InboundMessage) -> Accepted | None:
        """Store the message durably (fsynced when this returns) and return its entry, its first attempt counted.

        Counting that one here spares the disk a write in every turn; a crash before it costs the message an attempt.
        Returns ``None`` for a message that was accepted before, by ``(platform, bot_id, update_id)``.
        Raises :class:`~bot.errors.StorageUnavailable`; then nothing was accepted.
        """
        ...

    async def pending(self) -> tuple[Accepted, ...]:
        """Return the entries whose turn was never committed, oldest first: what a restart must answer."""
        ...

    async def pending_at(self, address: Address, after: int, limit: int) -> tuple[Accepted, ...]:
        """Return at most ``limit`` such entries of one place with an id above ``after``, oldest first."""
        ...

    async def begin(self, entry_id: int) -> int:
        """Count one more attempt at this entry, durably, and return how many there were, this one included."""
        ...

    async def drop(self, entry_ids: tuple[int, ...]) -> None:
        """Close entries without a turn, texts and all: their author does not want them answered any more."""
        ...

    async def abandon(self, entry_id: int, reason: str) -> None:
        """Set a poison entry aside: it is kept for the operator and never tried again."""
        ...
