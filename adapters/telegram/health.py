"""Whether Telegram would let us in: asked once, beside whatever runs."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramAPIError

from adapters.telegram.access.bot_profile import bot_for, who_am_i


async def health(token: str, api_server: TelegramAPIServer | None, *, limit_s: float = 10.0) -> tuple[str, str]:
    """Return "ok", "degraded" or "down" and the reason, "" when ok.

    Raises :class:`~bot.errors.ConfigInvalid` for a token that is none, or that Telegram does not accept.
    """
    bot = bot_for(token, api_server)
    try:
        async with asyncio.timeout(limit_s):
            await who_am_i(bot)
            webhook = await bot.get_webhook_info()
    except TimeoutError:
        return "down", "Telegram does not answer (telegram.apiUrl, network)"
    except TelegramAPIError as error:
        return "down", f"Telegram cannot be asked: {error.message}"
    finally:
        await bot.session.close()
    if webhook.url:
        host = urlsplit(webhook.url).hostname or "an unknown host"
        return "degraded", (
            f"a webhook at {host} is set for this token: whoever set it gets the messages, until a start removes it"
        )
    return "ok", ""
