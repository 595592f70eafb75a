"""The window of the language model in use: set, or asked of its server beside the conversation.

Nobody waits for it: until the server has answered, a window is assumed that nearly every model has.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import structlog

from bot.config.live import LiveSettings
from bot.config.schema import LlmSettings
from bot.errors import MnemeError
from bot.ports.chat_model import ToldWindow, Window, WindowSource
from bot.retry import Backoff, Pauses

ASSUMED_TOKENS: Final = 64_000
"""What is taken when neither the settings nor the server say.

Servers of one's own do say; those that do not are hosted, and nearly all that is hosted reads that much.  One that
does not refuses what is too long, and half is taken from then on.
"""
_LEAST_ASSUMED: Final = 8_000
_AGAIN: Final = Backoff(10.0, 3600.0, jitter=0.3)
"""Pauses after a server that could not be asked."""
_SOON_S: Final = 30.0
"""Seconds until a model that was not loaded is asked about again."""
_LATER_S: Final = 900.0
"""Seconds until a server of one's own is asked again: it may have been started anew with another window."""


class ModelWindow:
    """Asks ``ask`` for the window of the first model, and again after failures and changes.

    ``ask`` returns ``None`` where the server does not say.  ``changed`` is called whenever another window is in force.
    """

    def __init__(self, live: LiveSettings, ask: Callable[[], Awaitable[ToldWindow | None]]) -> None:
        self._live = live
        self._ask = ask
        self._told: ToldWindow | None = None
        self._told_for: LlmSettings | None = None
        self._assumed = ASSUMED_TOKENS
        self._refused_by: LlmSettings | None = None
        self._woken = asyncio.Event()
        self.changed: Callable[[], None] = lambda: None

    def current(self) -> Window:
        """Return the window in force."""
        settings = self._live.current.llm
        if settings.context_tokens:
            return Window(settings.context_tokens, WindowSource.SETTINGS)
        if self._told is not None and self._told_for == settings:
            return Window(self._told.tokens, WindowSource.SERVER)
        return Window(self._assumed if self._refused_by == settings else ASSUMED_TOKENS, WindowSource.ASSUMED)

    def halve_assumed(self) -> None:
        """Take half of what was assumed, because the model has refused a request for its length; returns at once.

        What the settings or the server say stays as it is.
        """
        window = self.current()
        if window.source is not WindowSource.ASSUMED or window.tokens <= _LEAST_ASSUMED:
            return
        self._assumed, self._refused_by = max(window.tokens // 2, _LEAST_ASSUMED), self._live.current.llm
        structlog.get_logger().info("model window", tokens=self._assumed, told_by=window.source)
        self.changed()

    def settings_changed(self) -> None:
        """Ask anew if it is another model now; returns at once."""
        if self._live.current.llm != self._told_for:
            self._woken.set()

    async def look(self) -> float | None:
        """Ask once and return after how many seconds to ask again, ``None`` for not before the settings change.

        Raises what asking raises.
        """
        settings = self._live.current.llm
        if settings.context_tokens or not settings.configured:
            return None
        told = await self._ask()
        if settings != self._live.current.llm:
            return 0.0  # what was told is about a model that is no longer in use
        before, self._told, self._told_for = self.current(), told, settings
        if self.current() != before:
            structlog.get_logger().info("model window", tokens=self.current().tokens, told_by=self.current().source)
            self.changed()
        if told is None or told.lasting:
            return None
        return _SOON_S if told.passing else _LATER_S

    async def run(self) -> None:
        """Ask at the start and when it is time, until cancelled."""
        pauses = Pauses(_AGAIN)
        while True:
            self._woken.clear()
            try:
                pause = await self.look()
                pauses.reset()
            except MnemeError as error:
                pause = pauses.next_s()
                structlog.get_logger().info("model window not told", cause=str(error), again_s=round(pause))
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._woken.wait()
