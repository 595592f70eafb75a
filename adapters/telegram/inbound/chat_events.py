"""What happens to chats: a group becomes a supergroup, the bot is added, removed or blocked.

Telegram says so in updates that nobody wrote; people are greeted only where somebody we know has added us, and nothing
is kept about chats that we never served.
"""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from adapters.telegram.access.gate import Lists
from adapters.telegram.inbound.fields import NOTHING, Json, flag, number, part, words
from adapters.telegram.inbound.updates import PLATFORM
from adapters.telegram.outbound.service_replies import Courtesy
from bot.ports.chats import Chats
from bot.turn import Address, InboundMessage

_THERE = frozenset({"member", "administrator", "creator"})
_NOT_THERE = frozenset({"left", "kicked"})


@dataclass(frozen=True, slots=True)
class ChatEvents:
    """Notes where chats are, and greets."""

    lists: Lists
    chats: Chats
    courtesy: Courtesy

    async def take(self, update: Json, bot_id: int) -> bool:
        """Return whether an update told of a chat alone; ``False`` leaves it to others.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        message = part(update, "message")
        if message is not None and (ids := _migration(message)) is not None:
            await self._moved(bot_id, *ids)
            return True
        if update.get("my_chat_member") is None:
            return False
        await self._member(part(update, "my_chat_member") or NOTHING, bot_id)
        return True

    async def heard(self, message: InboundMessage) -> None:
        """Note that somebody who was let in writes from a chat: it can be answered.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        if self.chats.gone(message.address):
            await self.chats.joined(message.address.bot_id, message.address.chat_id)

    async def _moved(self, bot_id: int, old_id: int, new_id: int) -> None:
        if self.lists.group(bot_id, old_id) or await self.chats.met(bot_id, old_id):
            await self.chats.moved(bot_id, old_id, new_id)
            structlog.get_logger().warning("telegram.group_moved", old_id=old_id, new_id=new_id)

    async def _member(self, event: Json, bot_id: int) -> None:
        chat, user = part(event, "chat") or NOTHING, part(event, "from") or NOTHING
        chat_id, user_id = number(chat, "id"), number(user, "id")
        before, after = (_there(part(event, name) or NOTHING) for name in ("old_chat_member", "new_chat_member"))
        if chat_id is None or after is None or words(chat, "type") == "channel":
            return
        if not after:
            if self.lists.group(bot_id, chat_id) or await self.chats.met(bot_id, chat_id):
                await self.chats.left(bot_id, chat_id)
                structlog.get_logger().info("telegram.removed_from_chat", chat_id=chat_id)
            return
        await self.chats.joined(bot_id, chat_id)
        if chat_id < 0 and not before and user_id is not None and self.lists.person(bot_id, user_id):
            greeting = "group_served" if self.lists.group(bot_id, chat_id) else "group_joined"
            to = Address(PLATFORM, bot_id, chat_id)
            self.courtesy.say(to, greeting, words(user, "language_code"), chat_id)


def _migration(message: Json) -> tuple[int, int] | None:
    """Return the old and the new id of a group that became a supergroup; both chats tell of it."""
    chat_id = number(part(message, "chat") or NOTHING, "id")
    to, came_from = number(message, "migrate_to_chat_id"), number(message, "migrate_from_chat_id")
    if chat_id is None or chat_id >= 0:
        return None
    if to is not None and to < 0:
        return chat_id, to
    return (came_from, chat_id) if came_from is not None and came_from < 0 else None


def _there(member: Json) -> bool | None:
    """Return whether a membership means that the bot can write, ``None`` for one of a kind we do not know."""
    status = words(member, "status")
    if status == "restricted":
        return flag(member, "is_member")
    return True if status in _THERE else False if status in _NOT_THERE else None
