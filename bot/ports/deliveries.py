"""Deliveries: the log of replies that were sent, surely not sent, or of which nobody can know."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.files import OutboundFile
from bot.messages import Address


class Fate(StrEnum):
    """How the attempts at a reply ended."""

    SENT = "sent"
    UNKNOWN = "unknown"
    """It may have arrived; it is not sent again, but offered."""
    REFUSED = "refused"
    """It surely did not arrive and never will: the bot was blocked, the chat is gone."""


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """A fate with what is known of it: the message's id when it was sent, else a reason without message texts."""

    fate: Fate
    message_id: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One planned message.  ``draft_id`` is the message it is to be edited into, if any (safe to repeat).

    ``buttons`` are pairs of label and callback data.  With a ``file`` the text is its caption, "" for none; a file is
    never edited into a draft.
    """

    id: int
    address: Address
    text: str
    draft_id: int | None = None
    buttons: tuple[tuple[str, str], ...] = ()
    file: OutboundFile | None = None


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Replies of one chat that did not (surely) arrive; ``reason`` is that of the newest."""

    address: Address
    fate: Fate
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class OfferWords:
    """How a chat is told of replies that may not have arrived, by their number; ``show`` is a button."""

    tell: Callable[[int], str]
    show: str


class Attempts(Protocol):
    """The log that keeps a reply from being sent twice."""

    async def begin_attempt(self, delivery_id: int) -> bool:
        """Mark, durably, that an attempt starts now; ``False`` if one was made before (then do not send)."""

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        """Record the outcome.

        The text of a reply of unknown fate is kept, without secrets, to be shown on request, and so is its file; that
        of a reply that was sent or refused is deleted.
        """

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Take the attempt back: the message surely did not arrive, or is an edit, and may be sent again.

        With ``draft_gone`` it is a first send from now on, which must not be repeated.
        """


class Deliveries(Attempts, Protocol):
    """The log, with what a restart reads in it."""

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        """Return what a restart must send (in one place), oldest first, and settle interrupted attempts.

        Planned messages are returned, and interrupted edits of a draft (repeating an edit is harmless); an interrupted
        first send becomes "unknown" and is not returned.
        """

    async def draft(self, entry_id: int, message_id: int | None) -> None:
        """Remember the message that the answer to this journal entry is being streamed into.

        :data:`~bot.messages.LOST_DRAFT` while nobody knows whether it is there, ``None`` when it surely is not.
        """

    async def find_draft(self, entry_id: int) -> int | None:
        """Return what was remembered, after a restart; ``None`` if no draft was begun."""

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        """Return the message that answered a message of a place, as it reads now, if it was one and surely arrived."""


class UncertainDeliveries(Protocol):
    """Replies of unknown fate, and what their chats are told of them."""

    async def list_uncertain_chats(self, address: Address | None = None) -> tuple[Address, ...]:
        """Return the chats that are still to be offered such a reply; of one place, that one or none."""

    async def offer(self, address: Address, words: Callable[[str], OfferWords]) -> Delivery | None:
        """Plan one offer for what a chat may have missed and return it; ``None`` if there is nothing to offer.

        ``words`` are chosen by what was last said in the chat, or else by the reply.
        An offer whose own fate is unknown is made again twice at most.
        """

    async def list_for_repetition(self, address: Address, doubt: int | None = None) -> tuple[Delivery, ...]:
        """Return the replies that an offer (without one: all offers) of this chat is about, noted as shown again."""

    async def list_undelivered(self, address: Address | None = None) -> tuple[Undelivered, ...]:
        """Return what did not surely arrive (in one chat), by chat and fate; what was shown again is left out."""
