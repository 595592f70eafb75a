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
from datetime import UTC, datetime

from aiogram.types import CallbackQuery, Chat, Message, Update

from adapters.telegram.addressing import Identity, addressed, for_another, said
from adapters.telegram.content import attachment, author, forwarded_from, quotation, shown
from bot.turn import Address, Author, ChatKind, InboundMessage, MessageKind

DOOR = "telegram"
_KINDS = {"private": ChatKind.DIRECT, "group": ChatKind.GROUP, "supergroup": ChatKind.GROUP}


@dataclass(frozen=True, slots=True)
class Ignored:
    """An update that is none of our business; ``reason`` is fit for a log line."""

    reason: str


def read(update: Update, us: Identity, now: datetime) -> InboundMessage | Ignored:
    """Return the message in an update.  ``now`` dates button presses, which carry no time."""
    if update.message is not None:
        return _message(update.message, update.update_id, us)
    if update.edited_message is not None:
        return _message(update.edited_message, update.update_id, us, edited=True)
    if update.callback_query is not None:
        return _button(update.callback_query, update.update_id, us, now)
    if update.channel_post is not None or update.edited_channel_post is not None:
        return Ignored("channel post")
    return Ignored("kind of update")


def _message(message: Message, update_id: int, us: Identity, *, edited: bool = False) -> InboundMessage | Ignored:
    kind = _KINDS.get(message.chat.type)
    writer = _writer(message)
    what = attachment(message)
    reason = _unwanted(message, kind, writer, what, us)
    if edited and reason is None and not (message.text or message.caption):
        reason = "edit without text"  # a live location moves every few seconds
    if reason is not None or kind is None or writer is None:
        return Ignored(reason or "kind of chat")
    text = said(message, us)
    plain = MessageKind.TEXT if what is None else MessageKind.UNSUPPORTED
    seconds = message.edit_date if edited else None
    return InboundMessage(
        address=_address(message.chat, message, us),
        update_id=update_id,
        message_id=message.message_id,
        author=writer,
        text=text,
        sent_at=message.date if seconds is None else datetime.fromtimestamp(seconds, UTC),
        chat_kind=kind,
        kind=MessageKind.EDITED if edited else plain,
        quote=quotation(message),
        forwarded_from=forwarded_from(message),
        attachment=what,
        group_id=f"album:{message.media_group_id}" if message.media_group_id else None,
        language=(message.from_user.language_code or "") if message.from_user is not None else "",
    )


def _unwanted(
    message: Message, kind: ChatKind | None, writer: Author | None, what: str | None, us: Identity
) -> str | None:
    """Say why a message is left alone, ``None`` if it is not."""
    text = message.text or message.caption
    reasons = {
        "channel post": message.chat.type == "channel",
        "kind of chat": kind is None,
        "mirrored channel post": bool(message.is_automatic_forward),
        "written by a bot": message.from_user is not None and message.from_user.is_bot and message.sender_chat is None,
        "no author": writer is None,
        "service message": what is None and not text,
        "command for another bot": for_another(message, us),
        "not addressed to us": kind is ChatKind.GROUP and not addressed(message, us),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _writer(message: Message) -> Author | None:
    """Return who wrote; an anonymous admin or a channel writes as itself, with its own, negative id."""
    if message.sender_chat is not None:
        return Author(id=message.sender_chat.id, name=shown(message.sender_chat.full_name))
    return author(message.from_user) if message.from_user is not None else None


def _button(query: CallbackQuery, update_id: int, us: Identity, now: datetime) -> InboundMessage | Ignored:
    under = query.message
    if under is None or not query.data:
        return Ignored("button without a message or data")
    kind = _KINDS.get(under.chat.type)
    if kind is None:
        return Ignored("kind of chat")
    return InboundMessage(
        address=_address(under.chat, under if isinstance(under, Message) else None, us),
        update_id=update_id,
        message_id=under.message_id,
        author=author(query.from_user),
        text=query.data,
        sent_at=now,
        chat_kind=kind,
        kind=MessageKind.BUTTON,
        language=query.from_user.language_code or "",
    )


def _address(chat: Chat, message: Message | None, us: Identity) -> Address:
    """Return the place; a thread counts only when it is a forum topic: plain replies carry a thread id too."""
    topic = message.message_thread_id if message is not None and message.is_topic_message else None
    return Address(door=DOOR, bot_id=us.bot_id, chat_id=chat.id, topic_id=topic)
