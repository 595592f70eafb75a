"""One update on its way in: read, let in or refused, handed over.

The same for polling and webhook; whoever calls confirms an update to Telegram only after ``take`` returned.
"""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from adapters.telegram.access.gate import Gate, Refused
from adapters.telegram.inbound.addressing import Identity
from adapters.telegram.inbound.chat_events import ChatEvents
from adapters.telegram.inbound.fields import Json
from adapters.telegram.inbound.split_messages import Pastes
from adapters.telegram.inbound.updates import Ignored, button_of, read
from adapters.telegram.outbound.service_replies import Courtesy
from bot.errors import ButtonRefused, StorageUnavailable
from bot.ports.clock import Clock
from bot.turn import InboundMessage


class Intake:
    """Takes updates one by one.

    What cannot be read, or breaks what reads it, would do so again: it is set aside at once, counted by ``set_aside``
    and logged without its text, so that nobody waits for it.
    """

    def __init__(
        self,
        us: Identity,
        *,
        accept: Callable[[InboundMessage], Awaitable[None]],
        gate: Gate,
        events: ChatEvents,
        courtesy: Courtesy,
        clock: Clock,
        set_aside: Callable[[], None],
    ) -> None:
        self._us = us
        self._accept = accept
        self._gate = gate
        self._events = events
        self._courtesy = courtesy
        self._clock = clock
        self._set_aside = set_aside
        self._pastes = Pastes()

    async def take(self, raw: dict[str, Any]) -> None:  # Any: an update's JSON
        """Bring one update to where it belongs; when this returns it may be confirmed.

        Raises :class:`~bot.errors.StorageUnavailable`, which may pass: then it may not be confirmed, and the same
        update is to be given again.
        """
        try:
            await self._take(raw)
        except StorageUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - worker edge: whatever one update does, the next must come in
            # Its text can hold the message: the kind and the place of the error have to do.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            self.leave(raw, f"{type(error).__name__} at {frame.name}:{frame.lineno}")

    async def _take(self, raw: Json) -> None:
        if await self._events.take(raw, self._us.bot_id):
            return
        message = read(raw, self._us, self._clock.now())
        button = button_of(raw)
        if isinstance(message, Ignored):
            if message.unreadable:
                self.leave(raw, message.reason)
            structlog.get_logger().debug("telegram.ignored", update_id=raw.get("update_id"), reason=message.reason)
            if button is not None:
                self._courtesy.answer_button(button, "", "")
            return
        admitted = await self._gate.admit(message)
        if isinstance(admitted, Refused):
            structlog.get_logger().info(
                "telegram.refused", user_id=message.author.id, chat_id=message.address.chat_id, why=admitted.why
            )
            if button is not None:
                self._courtesy.answer_button(button, "button_refused", message.language)
            else:
                self._courtesy.refuse(message, admitted.answer)
            return
        await self._events.heard(admitted)
        joined = self._pastes.joined(admitted)
        try:
            await self._accept(joined)
        except ButtonRefused as refusal:
            self._refuse_press(message, button, refusal)
            return
        self._pastes.accepted(joined)
        if button is not None:
            self._courtesy.answer_button(button, "", message.language)

    def _refuse_press(self, message: InboundMessage, button: str | None, refusal: ButtonRefused) -> None:
        structlog.get_logger().info("telegram.button_refused", user_id=message.author.id, why=refusal.why)
        if button is not None:
            self._courtesy.answer_button(button, refusal.why, message.language)
        if refusal.spent:
            self._courtesy.remove_buttons(message.address.chat_id, message.message_id)

    def leave(self, raw: Json, why: str) -> None:
        """Set an update aside: count it, and log its id and the reason."""
        self._set_aside()
        structlog.get_logger().error("telegram.update_set_aside", update_id=raw.get("update_id"), why=why)
