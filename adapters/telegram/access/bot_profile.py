"""The bot's own account at Telegram, and whether its token is accepted."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import structlog
from aiogram import Bot
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramAPIError, TelegramNotFound, TelegramUnauthorizedError
from aiogram.types import User, WebhookInfo
from aiogram.utils.token import TokenValidationError

from adapters.telegram.transport.session import open_bot
from bot.errors import ConfigInvalid


def make_bot(token: str, api_server: TelegramAPIServer | None) -> Bot:
    """Return a client.  Raises :class:`~bot.errors.ConfigInvalid` for what cannot be a token."""
    try:
        return open_bot(token, api_server)
    except TokenValidationError:
        raise ConfigInvalid(
            "TELEGRAM_TOKEN is not a bot token: expected NUMBER:LETTERS as @BotFather shows it"
        ) from None  # aiogram's text would not help, and a token must not come near a log


def make_api_server(url: str) -> TelegramAPIServer | None:
    """Return the Bot API server at an address, ``None`` (Telegram's own) without one."""
    return TelegramAPIServer.from_base(url) if url else None


async def fetch_account(bot: Bot) -> User:
    """Return the bot's own account.

    Raises :class:`~bot.errors.ConfigInvalid` when Telegram does not know the token, aiogram's errors for the rest.
    """
    try:
        return await bot.get_me()
    except (TelegramUnauthorizedError, TelegramNotFound) as error:
        raise make_token_error() from error


async def make_invitation_link(
    token: str, api_server: TelegramAPIServer | None, code: str, *, limit_s: float = 5.0
) -> str:
    """Return the link that sends a pairing code with one touch, "" when Telegram cannot be asked for our name."""
    bot = make_bot(token, api_server)
    try:
        async with asyncio.timeout(limit_s):
            me = await bot.get_me()
    except (TelegramAPIError, TimeoutError) as error:
        structlog.get_logger().info("telegram.name_unknown", error=type(error).__name__)
        return ""
    finally:
        await bot.session.close()
    return f"https://t.me/{me.username}?start={code}" if me.username else ""


def make_token_error() -> ConfigInvalid:
    """Return the error for a token that Telegram does not accept."""
    return ConfigInvalid(
        "Telegram does not accept TELEGRAM_TOKEN: it was revoked or mistyped; get the current one from @BotFather"
    )


async def check_health(
    token: str, api_server: TelegramAPIServer | None, *, webhook_url: str = "", limit_s: float = 10.0
) -> tuple[str, str]:
    """Return "ok", "degraded" or "down" and the reason, "" when ok; ``webhook_url`` is ours, "" for polling.

    Raises :class:`~bot.errors.ConfigInvalid` for a token that is none, or that Telegram does not accept.
    """
    bot = make_bot(token, api_server)
    try:
        async with asyncio.timeout(limit_s):
            await fetch_account(bot)
            webhook = await bot.get_webhook_info()
    except TimeoutError:
        return "down", "Telegram does not answer (telegram.apiUrl, network)"
    except TelegramAPIError as error:
        return "down", f"Telegram cannot be asked: {error.message}"
    finally:
        await bot.session.close()
    trouble = describe_webhook(webhook, webhook_url)
    return ("degraded", trouble) if trouble else ("ok", "")


def describe_webhook(webhook: WebhookInfo, ours: str) -> str:
    """Return what keeps messages from coming to our webhook, or to our polling if ``ours`` is ""; "" if nothing does.

    Of an address only the host is told: its path may be somebody's secret.
    """
    if webhook.url != ours:
        if not webhook.url:
            return "no webhook is set for this token: a start sets telegram.webhookUrl"
        host = urlsplit(webhook.url).hostname or "an unknown host"
        remedy = "replaces it by telegram.webhookUrl" if ours else "removes it"
        return f"a webhook at {host} is set for this token: whoever set it gets the messages, until a start {remedy}"
    if webhook.pending_update_count and webhook.last_error_message:
        return (
            f"Telegram cannot deliver to telegram.webhookUrl ({webhook.last_error_message}; "
            f"{webhook.pending_update_count} updates wait): look at the proxy and at telegram.webhookListen"
        )
    return ""
