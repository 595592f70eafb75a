"""Buttons between the platforms and the store: what a press says, and what becomes of those that nobody presses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog

from bot.errors import ButtonRefused, StorageUnavailable
from bot.ports import messenger as ways_out
from bot.ports.buttons import Buttons, Refusal
from bot.ports.clock import Clock
from bot.ports.messenger import Messenger
from bot.turn import InboundMessage

_AT_ONCE: Final = 20
"""Keyboards taken away per sweep: each costs a place in the limits of its chat."""


async def pressed(buttons: Buttons, message: InboundMessage, now: datetime) -> str:
    """Return the command that a pressed button stands for.

    Raises :class:`~bot.errors.ButtonRefused`; while the store cannot be reached, too, because nobody knows then whose
    the button is.
    """
    try:
        command = await buttons.press(message, now)
    except StorageUnavailable as error:
        structlog.get_logger().error("button not looked up", cause=str(error))
        command = Refusal.NOT_NOW
    if isinstance(command, Refusal):
        raise ButtonRefused(command.value, spent=command in (Refusal.EXPIRED, Refusal.CHANGED))
    return command


@dataclass(frozen=True, slots=True)
class Keyboards:
    """Takes away keyboards that have expired unused."""

    buttons: Buttons
    messengers: Mapping[str, Messenger]
    clock: Clock

    async def sweep(self) -> None:
        """Take some away; the next call takes the next ones."""
        now = self.clock.now()
        expired = await self.buttons.expired(now, _AT_ONCE)
        for keyboard in expired:
            messenger = self.messengers.get(keyboard.address.platform)
            if isinstance(messenger, ways_out.Keyboards):
                await messenger.remove_buttons(keyboard.address, keyboard.message_id)
        await self.buttons.dropped(expired, now)
