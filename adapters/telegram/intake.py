"""One update on its way in: read, let in or refused, handed over.

The same for polling and webhook; whoever calls confirms an update to Telegram only after ``take`` returned.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from aiogram import Bot
from aiogram.types import Update

from adapters.telegram.addressing import Identity
from adapters.telegram.courtesy import Courtesy
from adapters.telegram.gate import Gate, Refused
from adapters.telegram.pastes import Pastes
from adapters.telegram.raw_updates import tidied
from adapters.telegram.updates import Ignored, read
from bot.errors import StorageUnavailable
from bot.ports.clock import Clock
from bot.turn import InboundMessage

_TRIES = 5
_REMEMBERED = 1_000


class TakeFailed(Exception):
    """An update failed for a reason of its own and should be tried again; after five times it is set aside."""


class Intake:
    """Takes updates one by one."""

    def __init__(
        self,
        bot: Bot,
        us: Identity,
        *,
        accept: Callable[[InboundMessage], Awaitable[None]],
        gate: Gate,
        courtesy: Courtesy,
        clock: Clock,
    ) -> None:
        self._bot = bot
        self._us = us
        self._accept = accept
        self._gate = gate
        self._courtesy = courtesy
        self._clock = clock
        self._pastes = Pastes()
        self._failures: OrderedDict[int, int] = OrderedDict()

    async def take(self, raw: dict[str, Any]) -> None:  # Any: an update's JSON
        """Bring one update to where it belongs; when this returns it may be confirmed.

        Raises :class:`~bot.errors.StorageUnavailable` or :class:`TakeFailed`: then it may not, and the same update
        is to be given again.
        """
        update_id = int(raw["update_id"])
        try:
            await self._take(tidied(raw))
        except StorageUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - worker edge: whatever one update does, the next must come in
            tries = self._failures.get(update_id, 0) + 1
            if tries < _TRIES:
                self._remember(update_id, tries)
                raise TakeFailed(type(error).__name__) from None  # the text of a validation error holds the message
            self._failures.pop(update_id, None)
            structlog.get_logger().error("telegram.update_set_aside", update_id=update_id, error=type(error).__name__)
        else:
            self._failures.pop(update_id, None)

    async def _take(self, raw: dict[str, Any]) -> None:  # Any: as above
        update = Update.model_validate(raw, context={"bot": self._bot})
        message = read(update, self._us, self._clock.now())
        query = update.callback_query
        if isinstance(message, Ignored):
            structlog.get_logger().debug("telegram.ignored", update_id=update.update_id, reason=message.reason)
            if query is not None:
                self._courtesy.answer_button(query.id, "", "")
            return
        admitted = await self._gate.admit(message)
        if isinstance(admitted, Refused):
            structlog.get_logger().info(
                "telegram.refused", user_id=message.author.id, chat_id=message.address.chat_id, why=admitted.why
            )
            if query is not None:
                self._courtesy.answer_button(query.id, "button_refused", message.language)
            else:
                self._courtesy.refuse(message, admitted.answer)
            return
        joined = self._pastes.joined(admitted)
        await self._accept(joined)
        self._pastes.accepted(joined)
        if query is not None:
            self._courtesy.answer_button(query.id, "", message.language)

    def _remember(self, update_id: int, tries: int) -> None:
        self._failures[update_id] = tries
        if len(self._failures) > _REMEMBERED:
            self._failures.popitem(last=False)
