"""Which replies were sent, which surely not, and which nobody can know about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.turn import Address


@dataclass(frozen=True, slots=True)
class Delivery:
    """One planned message.  ``draft_id`` is the message it is to be edited into, if any (safe to repeat).

    ``buttons`` are pairs of label and callback data.
    """

    id: int
    address: Address
    text: str
    draft_id: int | None = None
    buttons: tuple[tuple[str, str], ...] = ()


class Attempts(Protocol):
    """The log that keeps a reply from being sent twice."""

    async def sending(self, delivery_id: int) -> bool:
        """Mark, durably, that an attempt starts now; ``False`` if one was made before (then do not send)."""
        ...

    async def finish(self, delivery_id: int, message_id: int | None) -> None:
        """Record the outcome: the message's id, or ``None`` when it is unknown whether it arrived."""
        ...

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Take the attempt back: the message surely did not arrive and may be sent again.

        With ``draft_gone`` it is a first send from now on, which must not be repeated.
        """
        ...


class Deliveries(Attempts, Protocol):
    """The log, with what a restart reads in it."""

    async def unsent(self) -> tuple[Delivery, ...]:
        """Return what a restart must send, oldest first, and settle interrupted attempts.

        Planned messages are returned, and interrupted edits of a draft (repeating an edit is harmless); an interrupted
        first send becomes "unknown" and is not returned.
        """
        ...

    async def draft(self, entry_id: int, message_id: int) -> None:
        """Remember the message that the answer to this journal entry is being streamed into."""
        ...

    async def draft_of(self, entry_id: int) -> int | None:
        """Return that message's id after a restart, ``None`` if no draft was begun."""
        ...
