"""What a Telegram message carries beside its text: author, attachment, quotation, origin.

All of it is shown or kept as data; nothing here decides what is done.
"""

from __future__ import annotations

import re

from adapters.telegram.inbound.fields import NOTHING, Json, number, part, present, words
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

_FORWARDED = ("forward_origin", "forward_from", "forward_from_chat", "forward_sender_name", "forward_date")
"""What marks a forward; servers before Bot API 7.0 send the others."""
_NAME_LENGTH = 64
_UNSEEN = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def attachment(message: Json) -> str | None:
    """Return the name of what came along ("photo", "voice" …), ``None`` for plain text and service messages."""
    return next((name for name in ATTACHMENTS if message.get(name)), None)


def file_name(message: Json) -> str:
    """Return what the sender named the file that came along, "" where nothing has a name."""
    for kind in ATTACHMENTS:
        file = message.get(kind)
        name = file.get("file_name") if isinstance(file, dict) else None
        if isinstance(name, str) and name.strip():
            return shown(name)
    return ""


def author(user: Json) -> Author | None:
    """Return who this is, ``None`` without an id: the id counts, the name is only shown."""
    user_id = number(user, "id")
    return None if user_id is None else Author(id=user_id, name=_name(user) or str(user_id))


def shown(name: str) -> str:
    """Return a name without control, bidirectional and zero-width characters, at most 64 characters long."""
    return _UNSEEN.sub(" ", name).strip()[:_NAME_LENGTH]


def quotation(message: Json) -> Quote | None:
    """Return what the message answers to: the marked words if there are any, else the whole message replied to."""
    reply = part(message, "reply_to_message")
    if reply is not None and present(reply, "forum_topic_created"):
        reply = None  # every message in a topic "replies" to the topic's creation
    marked = words(part(message, "quote") or NOTHING, "text")
    text = marked or (words(reply, "text") or words(reply, "caption") if reply is not None else "")
    if not text:
        return None
    if reply is not None:
        return Quote(text=text, author=_sender(reply), message_id=number(reply, "message_id"))
    external = part(message, "external_reply") or NOTHING
    return Quote(text=text, author=_origin(part(external, "origin") or NOTHING))


def forwarded(message: Json) -> bool:
    """Whether the message was forwarded."""
    return any(present(message, name) for name in _FORWARDED)


def forwarded_from(message: Json) -> str | None:
    """Return whose words these are when they are not the sender's own: of a forward, or made by an inline bot.

    "unknown" for an origin of a kind we do not know: it is somebody else's text all the same.
    """
    if forwarded(message):
        return _origin(part(message, "forward_origin") or NOTHING) or "unknown"
    if present(message, "via_bot"):
        return shown(f"@{words(part(message, 'via_bot') or NOTHING, 'username')}")
    return None


def _sender(message: Json) -> str:
    return _name(part(message, "sender_chat") or part(message, "from") or NOTHING)


def _name(of: Json) -> str:
    """Return the name of a user or a chat as it is shown."""
    return shown(words(of, "title") or " ".join(filter(None, (words(of, "first_name"), words(of, "last_name")))))


def _origin(origin: Json) -> str:
    """Return a name from an origin of any kind, "" if it has none."""
    for name in ("sender_user", "sender_chat", "chat"):
        if (found := part(origin, name)) is not None:
            return _name(found)
    return shown(words(origin, "sender_user_name"))
