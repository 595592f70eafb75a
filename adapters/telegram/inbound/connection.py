"""The line to Telegram: who we are, whether it works, and how long to wait when it does not."""

from __future__ import annotations

import asyncio

import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramConflictError, TelegramRetryAfter, TelegramUnauthorizedError

from adapters.telegram.access.bot_profile import Commands, offer_commands, token_refused, who_am_i
from bot.retry import Pauses


class Connection:
    """One bot's account, until ``stop``.

    ``trouble`` is a sentence for the operator while something is wrong, "" while all is well.
    """

    def __init__(self, bot: Bot, commands: Commands, pauses: Pauses) -> None:
        self.bot = bot
        self.username = ""
        self.trouble = "not started"
        self._commands = commands
        self._pauses = pauses
        self._stopping = asyncio.Event()

    @property
    def stopping(self) -> bool:
        """Whether somebody called ``stop``."""
        return self._stopping.is_set()

    @property
    def menu(self) -> frozenset[str]:
        """The commands that we answer to, in any language."""
        return frozenset(name for entries in self._commands.values() for name, _ in entries)

    async def start(self) -> None:
        """Learn who we are, end any webhook and show the menu; waits for the network as long as it takes.

        Raises :class:`~bot.errors.ConfigInvalid` when Telegram refuses the token.
        """
        while not self.username and not self.stopping:
            try:
                me = await who_am_i(self.bot)
                await self.bot.delete_webhook(drop_pending_updates=False)
            except TelegramAPIError as error:
                await self.wait_after(error)
            else:
                self.username = me.username or str(me.id)
                self.worked()
                await offer_commands(self.bot, self._commands)
                structlog.get_logger().info("telegram.started", bot_id=me.id, username=self.username)

    def stop(self) -> None:
        """End every wait."""
        self._stopping.set()

    async def stopped(self) -> None:
        """Return once somebody called ``stop``."""
        await self._stopping.wait()

    async def wait_after(self, error: Exception) -> None:
        """Say once what is wrong, then pause, longer each time, until ``stop`` at most.

        Raises :class:`~bot.errors.ConfigInvalid` if waiting cannot help.
        """
        if isinstance(error, TelegramUnauthorizedError):
            raise token_refused() from error
        pause = self._pauses.next_s()
        if isinstance(error, TelegramRetryAfter):
            pause = max(pause, float(error.retry_after))
        trouble = _trouble(error)
        if trouble != self.trouble:
            structlog.get_logger().warning("telegram.trouble", trouble=trouble, pause_s=round(pause, 1))
        self.trouble = trouble
        await self.pause(pause)

    async def pause(self, seconds: float) -> None:
        """Wait, until ``stop`` at most."""
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return

    def worked(self) -> None:
        """Forget the trouble: a call went through."""
        if self.trouble and self._pauses.failures:
            structlog.get_logger().info("telegram.well_again")
        self.trouble = ""
        self._pauses.reset()


def _trouble(error: Exception) -> str:
    """Return a sentence for the operator, without message texts."""
    match error:
        case TelegramConflictError() if "webhook" in error.message:
            return "a webhook was set for this token while we poll (HTTP 409): remove it or restart"
        case TelegramConflictError():
            return (
                "another instance polls with this token (HTTP 409): stop it, or give this one its own bot; "
                "until then messages reach either of them"
            )
        case TelegramRetryAfter():
            return "Telegram asks for a pause"
        case TelegramAPIError():
            return error.message
        case _:
            return f"messages cannot be stored, Telegram keeps them: {error}"
