"""Buttons: the command behind a press, and who may press."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.messages import Address, InboundMessage


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
