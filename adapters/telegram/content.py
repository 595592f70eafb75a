"""What a Telegram message carries beside its text: author, attachment, quotation, origin.

All of it is shown or kept as data; nothing here decides what is done.
"""

from __future__ import annotations

import re

from aiogram.types import (
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
    User,
)

from bot.turn import Author, Quote

ATTACHMENTS = (
    "photo",
    "animation",  # before document: Telegram sends both for a GIF
    "document",
    "voice",
    "audio",
    "video",
    "video_note",
    "live_photo",
    "sticker",
    "paid_media",
    "story",
    "checklist",
    "contact",
    "dice",
    "game",
    "poll",
    "venue",  # before location: Telegram sends both
    "location",
    "invoice",
    "giveaway",
    "rich_message",
)
"""Contents that a person sends and we cannot read yet.  Everything else without text is a service message."""

_NAME_LENGTH = 64
_UNSEEN = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def attachment(message: Message) -> str | None:
    """Return the name of what came along ("photo", "voice" …), ``None`` for plain text and service messages."""
    return next((name for name in ATTACHMENTS if getattr(message, name, None)), None)


def author(user: User) -> Author:
    """Return who this is: the id counts, the name is only shown."""
    return Author(id=user.id, name=shown(user.full_name) or str(user.id))


def shown(name: str) -> str:
    """Return a name without control, bidirectional and zero-width characters, at most 64 characters long."""
    return _UNSEEN.sub(" ", name).strip()[:_NAME_LENGTH]


def quotation(message: Message) -> Quote | None:
    """Return what the message answers to: the marked words if there are any, else the whole message replied to."""
    reply = message.reply_to_message
    if reply is not None and reply.forum_topic_created is not None:
        reply = None  # every message in a topic "replies" to the topic's creation
    marked = message.quote.text if message.quote is not None else ""
    text = marked or ((reply.text or reply.caption or "") if reply is not None else "")
    if not text:
        return None
    if reply is not None:
        return Quote(text=text, author=_sender(reply), message_id=reply.message_id)
    origin = _origin(message.external_reply.origin) if message.external_reply is not None else ""
    return Quote(text=text, author=origin)


def forwarded_from(message: Message) -> str | None:
    """Return whose words these are when they are not the sender's own: of a forward, or made by an inline bot."""
    if message.forward_origin is not None:
        return _origin(message.forward_origin) or "unknown"
    if message.via_bot is not None:
        return shown(f"@{message.via_bot.username}")
    return None


def _sender(message: Message) -> str:
    if message.sender_chat is not None:
        return shown(message.sender_chat.full_name)
    return shown(message.from_user.full_name) if message.from_user is not None else ""


def _origin(origin: object) -> str:
    match origin:
        case MessageOriginUser():
            return shown(origin.sender_user.full_name)
        case MessageOriginHiddenUser():
            return shown(origin.sender_user_name)
        case MessageOriginChat():
            return shown(origin.sender_chat.full_name)
        case MessageOriginChannel():
            return shown(origin.chat.full_name)
        case _:
            return ""
