"""The first calls to Telegram: who am I, what do people see when they type a slash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import structlog
from aiogram import Bot
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramAPIError, TelegramNotFound, TelegramUnauthorizedError
from aiogram.types import BotCommand, User
from aiogram.utils.token import TokenValidationError

from adapters.telegram.session import open_bot
from bot.errors import ConfigInvalid

Commands = Mapping[str, Sequence[tuple[str, str]]]
"""Per language ("" for everybody else): pairs of command and description, as the menu shows them."""


def bot_for(token: str, api_server: TelegramAPIServer | None) -> Bot:
    """Return a client.  Raises :class:`~bot.errors.ConfigInvalid` for what cannot be a token."""
    try:
        return open_bot(token, api_server)
    except TokenValidationError:
        raise ConfigInvalid(
            "TELEGRAM_TOKEN is not a bot token: expected NUMBER:LETTERS as @BotFather shows it"
        ) from None  # aiogram's text would not help, and a token must not come near a log


async def who_am_i(bot: Bot) -> User:
    """Return the bot's own account.

    Raises :class:`~bot.errors.ConfigInvalid` when Telegram does not know the token, aiogram's errors for the rest.
    """
    try:
        return await bot.get_me()
    except (TelegramUnauthorizedError, TelegramNotFound) as error:
        raise token_refused() from error


def token_refused() -> ConfigInvalid:
    """Return the error for a token that Telegram does not accept."""
    return ConfigInvalid(
        "Telegram does not accept TELEGRAM_TOKEN: it was revoked or mistyped; get the current one from @BotFather"
    )


async def offer_commands(bot: Bot, commands: Commands) -> None:
    """Set the command menu; a failure costs the menu only."""
    for language, entries in commands.items():
        listed = [BotCommand(command=name, description=description[:256]) for name, description in entries]
        try:
            await bot.set_my_commands(listed, language_code=language or None)
        except TelegramAPIError as error:
            structlog.get_logger().warning("telegram.menu_not_set", language=language, error=type(error).__name__)
