"""Tickets: what waits for one press or one text of whoever was asked, in one place, for a while, and is used up by it.

The store keeps them, so that a restart between question and answer does not turn the answer into something else.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

from bot.memory.scope import Scope
from bot.messages import Address, InboundMessage

PROPOSAL_LASTS_S: Final = 86_400.0
"""How long a text is offered to be remembered."""


class TicketKind(StrEnum):
    """What is waited for, and what the ticket holds for that moment."""

    BUTTON = "button"
    """A press: the command that it says."""
    PROPOSAL = "proposal"
    """Consent to remember: the text, and how far it may be believed."""
    CALL = "call"
    """Consent to a call of a tool: the fields of a :class:`~bot.ports.tool.ToolRequest`."""
    TEXT = "text"
    """The next message of who was asked: the command that it completes."""
    QUESTION = "question"
    """When to remind: what of, and the exchange that asked for it."""
    ORDERS = "orders"
    """Nothing: what somebody's last orders did to reminders, by exchange, each with the command that takes it back."""
    UNDONE = "undone"
    """Nothing: when somebody took something back last, and the exchanges and erases that were taken back."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who was asked, where, and whose memory it is about: nobody else uses the ticket, and nowhere else."""

    scope: Scope
    address: Address
    person_id: int


@dataclass(frozen=True, slots=True)
class UsedTicket:
    """What a ticket held.

    ``first`` says that it was used just now.  Otherwise the same update used it before: ``outcome`` is what came of
    it, ``None`` when nobody knows.
    """

    content: tuple[str, ...]
    first: bool
    outcome: tuple[str, ...] | None = None


class Tickets(Protocol):
    """Tickets but those of buttons.  All of it raises :class:`~bot.errors.StorageUnavailable`; then nothing changed.

    A proposal and a call are named by their token, in the chat where they were shown.  A text and a question are found
    by who says something where: each person has one of a kind in a place, the newest.
    """

    async def issue(
        self, kind: TicketKind, asked: Asked, content: tuple[str, ...], now: datetime, lasts_s: float
    ) -> str:
        """Keep a ticket for ``lasts_s`` seconds and return its token, which nobody can guess."""

    async def find(self, kind: TicketKind, asked: Asked, now: datetime, token: str = "") -> tuple[str, ...] | None:
        """Return what an open ticket holds, without using it; ``None`` without one."""

    async def use(
        self, kind: TicketKind, asked: Asked, update_id: int, now: datetime, token: str = ""
    ) -> UsedTicket | None:
        """Use a ticket up, durably, and return it; ``None`` for everything else.

        Only the update that used it gets it again: a turn may be run twice.
        """

    async def settle(self, token: str, outcome: tuple[str, ...]) -> None:
        """Keep what came of a used ticket for as long as the ticket itself."""

    async def withdraw(self, kind: TicketKind, asked: Asked) -> None:
        """Wait no longer for what this person says in this place."""


class PressRefusal(StrEnum):
    """Why a press does nothing; the value names the sentence that the presser sees."""

    NOT_YOURS = "button_not_yours"
    EXPIRED = "button_expired"
    CHANGED = "button_changed"
    NOT_NOW = "button_not_now"


@dataclass(frozen=True, slots=True)
class Keyboard:
    """The buttons under one message that is out."""

    delivery_id: int
    address: Address
    message_id: int


class Buttons(Protocol):
    """The buttons that were shown: each does what it said, once, for who asked, while what it showed still holds.

    They are made by the commit of the turn that shows them (:class:`~bot.ports.turn_store.TurnRecord`).
    """

    async def press(self, message: InboundMessage, now: datetime) -> InboundMessage | PressRefusal:
        """Use up the buttons under a message and return the pressed one as the command it stands for, or a refusal.

        ``message`` is of kind ``BUTTON``, its text the data of the button.  The command stands in the topic
        where the button was shown, which nobody knows from a message that is out of reach by now.  The same update gets
        the same command again: a redelivery is recognised by the journal.
        Raises :class:`~bot.errors.StorageUnavailable`; then nothing was used up.
        """

    async def list_open(self, asked: Asked, message_id: int, now: datetime) -> tuple[str, ...]:
        """Return the commands of the buttons under a message of this memory that this person may press now."""

    async def list_expired(self, now: datetime, limit: int) -> tuple[Keyboard, ...]:
        """Return keyboards that can be seen although nobody may press them any more; oldest first."""

    async def drop(self, keyboards: tuple[Keyboard, ...], now: datetime) -> None:
        """Forget these keyboards, and all that were used or never arrived and have expired."""
