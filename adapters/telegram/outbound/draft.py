"""An answer that grows in the chat while the model writes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from aiogram.exceptions import TelegramAPIError, TelegramBadRequest, TelegramRetryAfter

from adapters.telegram.outbound.markdown import Rendered, render
from adapters.telegram.outbound.pace import Pace
from adapters.telegram.outbound.splitting import split
from adapters.telegram.outbound.stream_target import Surface
from adapters.telegram.transport.failures import unavailable, unchanged
from bot.ports.clock import Clock
from bot.turn import Address

_FRAME_S = 10.0
"""An edit that takes longer is given up; cut off sooner, it could still be carried out after the final text."""
_PAUSE_S = 10.0
"""No frames for so long after one failed."""
_FADED_S = 20.0
"""A preview is shown for half a minute and renewed before."""


class UnseenAnswer:
    """Implements :class:`bot.ports.messenger.Draft` where nobody wants to watch: only the whole answer is shown."""

    def __init__(self, message_id: int | None) -> None:
        self.message_id = message_id

    async def update(self, text: str) -> bool:
        """Show nothing."""
        return False


class GrowingAnswer:
    """Implements :class:`bot.ports.messenger.Draft`.

    Frames are dropped when they come too fast, show nothing new, or Telegram limits us; they never raise.
    """

    def __init__(
        self,
        to: Address,
        surface: Surface,
        pace: Pace,
        clock: Clock,
        *,
        interval_s: float,
        shown: Callable[[int, Rendered], None],
        instead: Callable[[], Surface] | None = None,
    ) -> None:
        """``shown`` is told what a message shows; ``instead`` gives a surface where Telegram refuses this one."""
        self._to = to
        self._surface = surface
        self._pace = pace
        self._clock = clock
        self._interval_s = interval_s
        self._tell = shown
        self._instead = instead
        self._text = ""
        self._shown: Rendered | None = None
        self._shown_at = self._next_at = clock.monotonic()
        self._ended = False

    @property
    def message_id(self) -> int | None:
        """The message being edited, ``None`` before the first frame and for previews; see the port."""
        return self._surface.message_id

    async def update(self, text: str) -> bool:
        """Show the text so far, or the end of it when it fills more than one message; see the port."""
        now = self._clock.monotonic()
        faded = self._surface.fades and now - self._shown_at >= _FADED_S
        if self._ended or now < self._next_at or not text.strip() or (text == self._text and not faded):
            return False
        frame = render(split(text)[-1])
        if frame == self._shown and not faded:
            self._text = text
            return False
        if not self._pace.take_frame(self._to.chat_id):
            return False
        self._next_at = now + self._interval_s
        try:
            await self._show(frame)
        except TimeoutError:
            self._failed("slow")
            return False
        except TelegramAPIError as error:
            if not unchanged(error):
                self._refused(error)
                return False
        self._text, self._shown, self._shown_at = text, frame, self._clock.monotonic()
        if self._surface.message_id is not None:
            self._tell(self._surface.message_id, frame)
        return True

    async def _show(self, frame: Rendered) -> None:
        """Draw a frame; one that makes a message is waited for as long as the connection does: its id is needed."""
        async with asyncio.timeout(_FRAME_S if self._surface.settled else None):
            await self._surface.show(frame)

    def _refused(self, error: TelegramAPIError) -> None:
        if isinstance(error, TelegramRetryAfter):
            self._pace.pause(self._to.chat_id, float(error.retry_after))
        elif self._instead is not None and unavailable(error):
            self._surface, self._instead = self._instead(), None
            return
        self._ended = isinstance(error, TelegramBadRequest)  # the message is gone
        self._failed(type(error).__name__)

    def _failed(self, why: str) -> None:
        self._next_at = self._clock.monotonic() + _PAUSE_S
        self._ended = self._ended or not self._surface.settled
        structlog.get_logger().info("telegram.frame_dropped", why=why)
