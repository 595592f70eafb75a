"""The button beside the input field: it opens the Mini App, or lists the commands, as it does by itself."""

from __future__ import annotations

import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError
from aiogram.types import MenuButtonDefault, MenuButtonWebApp, WebAppInfo


async def set_menu_button(bot: Bot, text: str, url: str) -> None:
    """Let it open a Mini App; a failure costs the button only."""
    try:
        await bot.set_chat_menu_button(menu_button=MenuButtonWebApp(text=text, web_app=WebAppInfo(url=url)))
    except TelegramAPIError as error:
        structlog.get_logger().warning("telegram.menu_button_not_set", error=type(error).__name__)


async def reset_menu_button(bot: Bot) -> bool:
    """Let it list the commands again; return whether Telegram was told."""
    try:
        return await bot.set_chat_menu_button(menu_button=MenuButtonDefault())
    except TelegramAPIError as error:
        structlog.get_logger().warning("telegram.menu_button_not_reset", error=type(error).__name__)
        return False
