"""Reads an update as an :class:`~bot.messages.InboundMessage`, or finds a reason to ignore it.

Pure: the same update always gives the same message, so that a redelivery after a crash is recognised.

    direct chats     everything a person writes or sends
    groups           a command of ours, a mention, a reply to us; in topics the topic is part of the address
    edits            the same message id again, as a new version
    buttons          the button's data as text
    forwards         text with ``forwarded_from``: data, whoever sends it
    channels, bots, service messages, posts mirrored from a channel   ignored
    chats of others  a business account's, a guest query's, a channel's direct messages: their ids may be those of ours
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from adapters.telegram.fields import (
    CAPTIONED,
    NOTHING,
    Json,
    clean_name,
    get_int,
    get_object,
    get_objects,
    get_text,
    get_time,
    is_forwarded,
    is_present,
    is_true,
    read_attachment,
    read_author,
    read_file,
    read_file_name,
    read_forward_origin,
    read_in_words,
    read_quotation,
    read_replied_file,
)
from bot.messages import Address, Author, ChatKind, InboundMessage, MessageKind, Quote
from language import alternatives, languages

PLATFORM = "telegram"


@dataclass(frozen=True, slots=True)
class Ignored:
    """An update that is none of our business; ``reason`` is fit for a log line.

    ``unreadable`` says that it may have been: what every message must have, an author and a chat, was not there.
    """

    reason: str
    unreadable: bool = False


def read_update(update: Json, us: BotIdentity, now: datetime, *, addressed: bool = False) -> InboundMessage | Ignored:
    """Return the message in an update; never fails, whatever stands in it.

    ``now`` dates button presses, which carry no time, and what has none that can be read.  ``addressed`` says that it
    is known to be meant for us though it does not say so itself.
    """
    us = replace(us, addressed=addressed)
    for name in ("message", "edited_message", "callback_query"):
        if (found := get_object(update, name)) is not None:
            if name == "callback_query":
                return _read_button(found, update, us, now)
            return _read_message(found, update, us, now, edited=name == "edited_message")
        if is_present(update, name):
            return Ignored(f"unreadable {name}", unreadable=True)
    posted = is_present(update, "channel_post") or is_present(update, "edited_channel_post")
    return Ignored("channel post" if posted else "kind of update")


def read_button_id(update: Json) -> str | None:
    """Return the id of the button press in an update, which waits for an answer; ``None`` if it is none."""
    query = get_object(update, "callback_query")
    return (get_text(query, "id") or None) if query is not None else None


def _read_message(
    message: Json, update: Json, us: BotIdentity, now: datetime, *, edited: bool
) -> InboundMessage | Ignored:
    chat = get_object(message, "chat") or NOTHING
    chat_id = get_int(chat, "id")
    writer = _read_writer(message)
    what = read_attachment(message)
    if get_text(chat, "type") == "channel":
        return Ignored("channel post")
    if chat_id is None or writer is None:
        return Ignored("no author or chat", unreadable=True)
    kind = _find_chat_kind(chat_id)
    reason = _find_ignore_reason(message, kind, what, us)
    if reason is not None:
        return Ignored(reason)
    if edited and not _get_written_text(message) and what not in CAPTIONED:
        return Ignored("edit without text")  # a live location moves every few seconds
    message_id = get_int(message, "message_id")
    plain = MessageKind.TEXT if what is None else MessageKind.UNSUPPORTED
    album = get_text(message, "media_group_id")
    return InboundMessage(
        address=_read_address(chat_id, message, us, message_id if kind is ChatKind.GROUP else None),
        update_id=get_int(update, "update_id") or 0,
        message_id=message_id or 0,
        author=writer,
        text=read_text(message, us),
        sent_at=(get_time(message, "edit_date") if edited else None) or get_time(message, "date") or now,
        chat_kind=kind,
        kind=MessageKind.EDITED if edited else plain,
        quote=_read_quotation(message, us),
        forwarded_from=read_forward_origin(message),
        attachment=what,
        file_name=read_file_name(message) or read_in_words(message, what),
        file=read_file(message, what) if what is not None else read_replied_file(message, us.bot_id, kind),
        group_id=f"album:{album}" if album else None,
        language=get_text(get_object(message, "from") or NOTHING, "language_code"),
    )


NOT_ADDRESSED = "not addressed to us"
_OF_OTHERS = ("business_connection_id", "guest_query_id", "direct_messages_topic")
"""Marks of messages that belong to a chat which is none of the bot's own, though its id may be that of one.

https://core.telegram.org/bots/api#message
"""


def _find_ignore_reason(message: Json, kind: ChatKind, what: str | None, us: BotIdentity) -> str | None:
    reasons = {
        "somebody else's chat": any(is_present(message, name) for name in _OF_OTHERS)
        or is_true(get_object(message, "chat") or NOTHING, "is_direct_messages"),
        "mirrored channel post": is_true(message, "is_automatic_forward"),
        "written by a bot": is_true(get_object(message, "from") or NOTHING, "is_bot")
        and _read_sender_chat(message) is None,
        "service message": what is None and not _get_written_text(message),
        "command for another bot": is_for_another_bot(message, us),
        NOT_ADDRESSED: kind is ChatKind.GROUP and not (us.addressed or is_addressed(message, us)),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _read_quotation(message: Json, us: BotIdentity) -> Quote | None:
    """Return what the message answers to, without our name where all of a message is quoted."""
    quote, reply = read_quotation(message), get_object(message, "reply_to_message") or NOTHING
    whole = quote is not None and bool(quote.text) and quote.text == _get_written_text(reply)
    return replace(quote, text=read_text(reply, us)) if quote is not None and whole else quote


def _find_chat_kind(chat_id: int) -> ChatKind:
    """Return the kind of a chat: Telegram numbers people from one up and groups from minus one down."""
    return ChatKind.DIRECT if chat_id > 0 else ChatKind.GROUP


def _get_written_text(message: Json) -> str:
    return get_text(message, "text") or get_text(message, "caption")


def _read_writer(message: Json) -> Author | None:
    """Return who wrote; an anonymous admin or a channel writes as itself, with its own, negative id."""
    user = get_object(message, "from")
    return _read_sender_chat(message) or (read_author(user) if user is not None else None)


def _read_sender_chat(message: Json) -> Author | None:
    """Return the chat in whose name a message was written, ``None`` for one that a person wrote."""
    chat = get_object(message, "sender_chat") or NOTHING
    chat_id = get_int(chat, "id")
    return (
        None
        if chat_id is None
        else Author(id=chat_id, name=clean_name(get_text(chat, "title") or get_text(chat, "username")))
    )


def _read_button(query: Json, update: Json, us: BotIdentity, now: datetime) -> InboundMessage | Ignored:
    under, user = get_object(query, "message"), get_object(query, "from")
    chat_id = get_int(get_object(under or NOTHING, "chat") or NOTHING, "id")
    presser = read_author(user) if user is not None else None
    data = get_text(query, "data")
    if under is None or user is None or chat_id is None or presser is None or not data:
        return Ignored("button without a message, a presser or data")
    return InboundMessage(
        address=_read_address(chat_id, under, us),
        update_id=get_int(update, "update_id") or 0,
        message_id=get_int(under, "message_id") or 0,
        author=presser,
        text=data,
        sent_at=now,
        chat_kind=_find_chat_kind(chat_id),
        kind=MessageKind.BUTTON,
        language=get_text(user, "language_code"),
    )


def _read_address(chat_id: int, message: Json, us: BotIdentity, reply_to: int | None = None) -> Address:
    """Return the place; a thread counts only when it is a forum topic: plain replies carry a thread id too."""
    topic = get_int(message, "message_thread_id") if is_true(message, "is_topic_message") else None
    return Address(platform=PLATFORM, bot_id=us.bot_id, chat_id=chat_id, topic_id=topic, reply_to=reply_to)


_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{3,32}))?(?=\s|$)")
_AFTER_NAME = re.compile(r"\A[ \t]*+[,:;.!?]?[ \t]*+")


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """The bot as Telegram knows it; ``commands`` are the words that it answers to after a slash."""

    bot_id: int
    username: str
    commands: frozenset[str] = frozenset()
    addressed: bool = False
    """Whether the message at hand is meant for us, whatever it says."""


def is_for_another_bot(message: Json, us: BotIdentity) -> bool:
    """Return whether the message is a command addressed to another bot by name."""
    command = _COMMAND.match(_get_written_text(message))
    return command is not None and command[2] is not None and command[2].lower() != us.username.lower()


def is_addressed(message: Json, us: BotIdentity) -> bool:
    """Return whether a message in a group is meant for us: a command of ours, our name in it, or a reply to us.

    Forwarded text calls nobody: a mention in it was meant for somebody else, somewhere else.
    """
    if is_forwarded(message):
        return False
    reply = get_object(message, "reply_to_message") or NOTHING
    sender = get_object(reply, "from") or NOTHING
    if get_int(sender, "id") == us.bot_id and not is_present(reply, "forum_topic_created"):
        return True
    command = _COMMAND.match(_get_written_text(message))
    if command is not None:
        return command[2] is not None or command[1].lower() in us.commands
    return bool(_find_mentions(message, _get_written_text(message), us))


def read_text(message: Json, us: BotIdentity) -> str:
    """Return the text or caption without our name: ``/new@us x`` is ``/new x``, ``@us, hello`` is ``hello``."""
    text = _get_written_text(message)
    for start, end in sorted(_find_mentions(message, text, us), reverse=True):
        text = _cut_out(text, start, end)
    text = text.strip()
    command = _COMMAND.match(text)
    if command is not None and command[2] is not None and command[2].lower() == us.username.lower():
        text = f"/{command[1]}{text[command.end() :]}"
    return text


def _find_mentions(message: Json, text: str, us: BotIdentity) -> tuple[tuple[int, int], ...]:
    """Return where the text names us, in UTF-16 units; an entity that cannot be read, or lies outside, names nobody."""
    found = []
    units = text.encode("utf-16-le")
    for entity in get_objects(message, "entities") or get_objects(message, "caption_entities"):
        start, length = get_int(entity, "offset"), get_int(entity, "length")
        if start is None or length is None or start < 0 or length <= 0 or start + length > 2 * len(text):
            continue
        named = units[start * 2 : (start + length) * 2].decode("utf-16-le", "ignore")
        if _names_us(entity, named, us):
            found.append((start, start + length))
    return tuple(found)


def _names_us(entity: Json, named: str, us: BotIdentity) -> bool:
    kind = get_text(entity, "type")
    if kind == "text_mention":
        return get_int(get_object(entity, "user") or NOTHING, "id") == us.bot_id
    return kind == "mention" and named.lower() == f"@{us.username}".lower()


@cache
def _compile_others() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds other bots that a message names in one with us, before our name and behind it."""
    # No sign joins in two ways: a row of "&" would be tried in all combinations.
    words = {word for each in languages() for word in each.questions.joins if word.isalpha()}
    joins = sorted(words, key=len, reverse=True)
    joint = rf"(?:\s*[,&+]\s*|\s+{alternatives(joins)}\s+)"
    other = r"@[a-z0-9_]{1,29}bot\b"
    ahead, behind = rf"\A\s*(?:{other}{joint})+\Z", rf"\A(?:{joint}{other})+"
    return re.compile(ahead, re.IGNORECASE), re.compile(behind, re.IGNORECASE)


def _cut_out(text: str, start: int, end: int) -> str:
    units = text.encode("utf-16-le")
    ahead, behind = _compile_others()
    before = ahead.sub("", units[: start * 2].decode("utf-16-le", "ignore"))
    after = behind.sub("", units[end * 2 :].decode("utf-16-le", "ignore"))
    if not before.strip():
        return _AFTER_NAME.sub("", after, count=1)
    return f"{before.rstrip(' ')} {after.lstrip(' ')}" if after.strip() else before
