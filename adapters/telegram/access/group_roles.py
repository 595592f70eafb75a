"""The admins of groups, as Telegram knows them (https://core.telegram.org/bots/api#getchatmember)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog
from aiogram import Bot
from aiogram.exceptions import AiogramError
from aiogram.types import ChatMemberAdministrator, ChatMemberOwner

from bot.messages import Address
from bot.ports.chats import Chats

_LIMIT_S = 5.0


@dataclass(frozen=True, slots=True)
class TelegramGroupRoles:
    """The port :class:`~bot.ports.group_roles.GroupRoles`."""

    bot: Bot
    chats: Chats

    async def is_admin(self, address: Address, user_id: int) -> bool:
        """Return whether Telegram says so now; one who writes as the group itself is an anonymous admin of it."""
        chat_id = self.chats.current(address).chat_id
        if user_id in (chat_id, address.chat_id):
            return True
        try:
            async with asyncio.timeout(_LIMIT_S):
                member = await self.bot.get_chat_member(chat_id, user_id)
        except (AiogramError, TimeoutError) as error:
            structlog.get_logger().info("telegram.member_unknown", chat_id=chat_id, error=type(error).__name__)
            return False
        return isinstance(member, ChatMemberAdministrator | ChatMemberOwner)
