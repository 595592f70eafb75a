"""An answer that grows in the chat while the model writes it."""

from __future__ import annotations

import asyncio

import structlog
from aiogram.exceptions import TelegramAPIError, TelegramBadRequest, TelegramRetryAfter

from adapters.telegram.failures import unchanged
from adapters.telegram.markdown import render
from adapters.telegram.pace import Pace
from adapters.telegram.splitting import split
from adapters.telegram.surfaces import Surface
from bot.ports.clock import Clock
from bot.turn import Address

_FRAME_S = 3.0
"""A frame that takes longer is given up: the model's stream waits behind it."""
_PAUSE_S = 10.0
"""No frames for so long after one failed."""


class UnseenAnswer:
    """Implements :class:`bot.ports.messenger.Draft` where nobody wants to watch: only the whole answer is shown."""

    def __init__(self, message_id: int | None) -> None:
        self.message_id = message_id

    async def update(self, text: str) -> bool:
        """Show nothing."""
        return False


class GrowingAnswer:
    """Implements :class:`bot.ports.messenger.Draft`.

    Frames are dropped when they come too fast or Telegram limits us; they never raise.
    """

    def __init__(self, to: Address, surface: Surface, pace: Pace, clock: Clock, *, interval_s: float) -> None:
        self._to = to
        self._surface = surface
        self._pace = pace
        self._clock = clock
        self._interval_s = interval_s
        self._shown = ""
        self._next_at = clock.monotonic()
        self._ended = False

    @property
    def message_id(self) -> int | None:
        """The message being edited, ``None`` before the first frame and for previews."""
        return self._surface.message_id

    async def update(self, text: str) -> bool:
        """Show the text so far, or its beginning when it fills more than one message; see the port."""
        if self._ended or self._clock.monotonic() < self._next_at or text == self._shown or not text.strip():
            return False
        if not self._pace.take_frame(self._to.chat_id):
            return False
        self._shown = text
        self._next_at = self._clock.monotonic() + self._interval_s
        try:
            async with asyncio.timeout(_FRAME_S):
                await self._surface.show(render(split(text)[0]))
        except TimeoutError:
            self._failed("slow")
            return False
        except TelegramAPIError as error:
            if not unchanged(error):
                self._refused(error)
                return False
        return True

    def _refused(self, error: TelegramAPIError) -> None:
        if isinstance(error, TelegramRetryAfter):
            self._pace.pause(self._to.chat_id, float(error.retry_after))
        self._ended = isinstance(error, TelegramBadRequest)  # the message is gone, or there are no previews here
        self._failed(type(error).__name__)

    def _failed(self, why: str) -> None:
        self._next_at = self._clock.monotonic() + _PAUSE_S
        self._ended = self._ended or not self._surface.settled
        structlog.get_logger().info("telegram.frame_dropped", why=why)
