"""What came from Telegram, as an :class:`~bot.turn.InboundMessage` or as a reason to leave it alone.

Pure: the same update always gives the same message, so that a redelivery after a crash is recognised.

    direct chats     everything a person writes or sends
    groups           a command of ours, a mention, a reply to us; in topics the topic is part of the address
    edits            the same message id again, as a new version
    buttons          the button's data as text
    forwards         text with ``forwarded_from``: data, whoever sends it
    channels, bots, service messages, posts mirrored from a channel   left alone
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from adapters.telegram.inbound.addressing import Identity, addressed, for_another, said
from adapters.telegram.inbound.content import attachment, author, file_name, forwarded_from, quotation, shown
from adapters.telegram.inbound.fields import NOTHING, Json, flag, number, part, time_of, words
from bot.turn import Address, Author, ChatKind, InboundMessage, MessageKind

PLATFORM = "telegram"


@dataclass(frozen=True, slots=True)
class Ignored:
    """An update that is none of our business; ``reason`` is fit for a log line.

    ``unreadable`` says that it may have been: what every message must have, an author and a chat, was not there.
    """

    reason: str
    unreadable: bool = False


def read(update: Json, us: Identity, now: datetime) -> InboundMessage | Ignored:
    """Return the message in an update; never fails, whatever stands in it.

    ``now`` dates button presses, which carry no time, and what has none that can be read.
    """
    for name, what in _READERS.items():
        if update.get(name) is not None:
            found = part(update, name)
            return Ignored(f"unreadable {name}", unreadable=True) if found is None else what(found, update, us, now)
    if update.get("channel_post") is not None or update.get("edited_channel_post") is not None:
        return Ignored("channel post")
    return Ignored("kind of update")


def button_of(update: Json) -> str | None:
    """Return the id of the button press in an update, which waits for an answer; ``None`` if it is none."""
    query = part(update, "callback_query")
    return (words(query, "id") or None) if query is not None else None


def _new(message: Json, update: Json, us: Identity, now: datetime) -> InboundMessage | Ignored:
    return _message(message, update, us, now, edited=False)


def _edited(message: Json, update: Json, us: Identity, now: datetime) -> InboundMessage | Ignored:
    return _message(message, update, us, now, edited=True)


def _message(message: Json, update: Json, us: Identity, now: datetime, *, edited: bool) -> InboundMessage | Ignored:
    chat = part(message, "chat") or NOTHING
    chat_id = number(chat, "id")
    writer = _writer(message)
    what = attachment(message)
    if words(chat, "type") == "channel":
        return Ignored("channel post")
    if chat_id is None or writer is None:
        return Ignored("no author or chat", unreadable=True)
    kind = _kind(chat_id)
    reason = _unwanted(message, kind, what, us)
    if reason is not None:
        return Ignored(reason)
    if edited and not _text(message):
        return Ignored("edit without text")  # a live location moves every few seconds
    message_id = number(message, "message_id")
    plain = MessageKind.TEXT if what is None else MessageKind.UNSUPPORTED
    album = words(message, "media_group_id")
    return InboundMessage(
        address=_address(chat_id, message, us, message_id if kind is ChatKind.GROUP else None),
        update_id=number(update, "update_id") or 0,
        message_id=message_id or 0,
        author=writer,
        text=said(message, us),
        sent_at=(time_of(message, "edit_date") if edited else None) or time_of(message, "date") or now,
        chat_kind=kind,
        kind=MessageKind.EDITED if edited else plain,
        quote=quotation(message),
        forwarded_from=forwarded_from(message),
        attachment=what,
        file_name=file_name(message),
        group_id=f"album:{album}" if album else None,
        language=words(part(message, "from") or NOTHING, "language_code"),
    )


def _unwanted(message: Json, kind: ChatKind, what: str | None, us: Identity) -> str | None:
    """Say why a message is left alone, ``None`` if it is not."""
    reasons = {
        "mirrored channel post": flag(message, "is_automatic_forward"),
        "written by a bot": flag(part(message, "from") or NOTHING, "is_bot") and _as_chat(message) is None,
        "service message": what is None and not _text(message),
        "command for another bot": for_another(message, us),
        "not addressed to us": kind is ChatKind.GROUP and not addressed(message, us),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _kind(chat_id: int) -> ChatKind:
    """Return the kind of a chat: Telegram numbers people from one up and groups from minus one down."""
    return ChatKind.DIRECT if chat_id > 0 else ChatKind.GROUP


def _text(message: Json) -> str:
    return words(message, "text") or words(message, "caption")


def _writer(message: Json) -> Author | None:
    """Return who wrote; an anonymous admin or a channel writes as itself, with its own, negative id."""
    user = part(message, "from")
    return _as_chat(message) or (author(user) if user is not None else None)


def _as_chat(message: Json) -> Author | None:
    """Return the chat in whose name a message was written, ``None`` for one that a person wrote."""
    chat = part(message, "sender_chat") or NOTHING
    chat_id = number(chat, "id")
    return None if chat_id is None else Author(id=chat_id, name=shown(words(chat, "title") or words(chat, "username")))


def _button(query: Json, update: Json, us: Identity, now: datetime) -> InboundMessage | Ignored:
    under, user = part(query, "message"), part(query, "from")
    chat_id = number(part(under or NOTHING, "chat") or NOTHING, "id")
    presser = author(user) if user is not None else None
    data = words(query, "data")
    if under is None or user is None or chat_id is None or presser is None or not data:
        return Ignored("button without a message, a presser or data")
    return InboundMessage(
        address=_address(chat_id, under, us),
        update_id=number(update, "update_id") or 0,
        message_id=number(under, "message_id") or 0,
        author=presser,
        text=data,
        sent_at=now,
        chat_kind=_kind(chat_id),
        kind=MessageKind.BUTTON,
        language=words(user, "language_code"),
    )


def _address(chat_id: int, message: Json, us: Identity, reply_to: int | None = None) -> Address:
    """Return the place; a thread counts only when it is a forum topic: plain replies carry a thread id too."""
    topic = number(message, "message_thread_id") if flag(message, "is_topic_message") else None
    return Address(platform=PLATFORM, bot_id=us.bot_id, chat_id=chat_id, topic_id=topic, reply_to=reply_to)


_READERS = {"message": _new, "edited_message": _edited, "callback_query": _button}
