"""Tickets: what waits for one press or one text of whoever was asked, in one place, for a while, and is used up by it.

The store keeps them, so that a restart between question and answer does not turn the answer into something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import Address, InboundMessage
from bot.ports.tool import ToolOutcome, ToolRequest


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

    async def press(self, message: InboundMessage, now: datetime) -> str | PressRefusal:
        """Use up the buttons under a message and return the command of the pressed one, or why nothing is done.

        ``message`` is of kind ``BUTTON``, its text the data of the button.  The same update gets the same command
        again: a redelivery is recognised by the journal.
        Raises :class:`~bot.errors.StorageUnavailable`; then nothing was used up.
        """
        ...

    async def list_expired(self, now: datetime, limit: int) -> tuple[Keyboard, ...]:
        """Return keyboards that can be seen although nobody may press them any more; oldest first."""
        ...

    async def drop(self, keyboards: tuple[Keyboard, ...], now: datetime) -> None:
        """Forget these keyboards, and all that were used or never arrived and have expired."""
        ...


@dataclass(frozen=True, slots=True)
class Proposal:
    """A text and how far it may be believed once it is stored."""

    text: str
    trust: Trust


class Proposals(Protocol):
    """Texts that are shown to a user with a button, and stored only if it is pressed; they last for a day."""

    async def propose(self, scope: Scope, author_id: int, proposal: Proposal, now: datetime) -> str:
        """Keep a text for its asker and return the command that agrees to it."""
        ...

    async def take(self, token: str, scope: Scope, author_id: int, update_id: int, now: datetime) -> Proposal | None:
        """Return what this author was asked in this scope, once; ``None`` for everything else.

        The same update gets it again: a turn may be run twice.
        """
        ...


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


class AwaitedTexts(Protocol):
    """At most one awaited text per person and place; a new question takes the place of an open one."""

    async def expect(self, asked: InboundMessage, scope: Scope, command: str, now: datetime, lasts_s: float) -> None:
        """Wait ``lasts_s`` seconds for the next message of whoever wrote ``asked``, to be put behind ``command``.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...

    async def take(self, message: InboundMessage, scope: Scope, now: datetime) -> str | None:
        """Return the command that this message completes, once; ``None`` when nothing is awaited (any more).

        The same update gets it again: a turn may be run twice.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...

    async def give_up(self, message: InboundMessage) -> None:
        """Stop waiting for a text of this message's author in its place.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...
