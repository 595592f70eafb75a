"""Whether a message is meant for us, and what it says once our name is taken out of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aiogram.types import Message, MessageEntity

_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{3,32}))?(?=\s|$)")
_AFTER_NAME = re.compile(r"[ \t]*[,:;.!?]?[ \t]*")


@dataclass(frozen=True, slots=True)
class Identity:
    """The bot as Telegram knows it; ``commands`` are the words that it answers to after a slash."""

    bot_id: int
    username: str
    commands: frozenset[str] = frozenset()


def for_another(message: Message, us: Identity) -> bool:
    """Whether the message is a command addressed to another bot by name."""
    command = _COMMAND.match(_text(message))
    return command is not None and command[2] is not None and command[2].lower() != us.username.lower()


def addressed(message: Message, us: Identity) -> bool:
    """Whether a message in a group is meant for us: a command of ours, our name in it, or a reply to us.

    Forwarded text calls nobody: a mention in it was meant for somebody else, somewhere else.
    """
    if message.forward_origin is not None:
        return False
    reply = message.reply_to_message
    ours = reply is not None and reply.from_user is not None and reply.from_user.id == us.bot_id
    if reply is not None and ours and reply.forum_topic_created is None:
        return True
    command = _COMMAND.match(_text(message))
    if command is not None:
        return command[2] is not None or command[1].lower() in us.commands
    return any(_names_us(entity, _text(message), us) for entity in _entities(message))


def said(message: Message, us: Identity) -> str:
    """Return the text or caption without our name: ``/new@us x`` is ``/new x``, ``@us, hello`` is ``hello``."""
    text = _text(message)
    for entity in sorted(_entities(message), key=lambda entity: -entity.offset):
        if _names_us(entity, text, us):
            text = _without(text, entity)
    text = text.strip()
    command = _COMMAND.match(text)
    if command is not None and command[2] is not None and command[2].lower() == us.username.lower():
        text = f"/{command[1]}{text[command.end() :]}"
    return text


def _text(message: Message) -> str:
    return message.text or message.caption or ""


def _entities(message: Message) -> list[MessageEntity]:
    return message.entities or message.caption_entities or []


def _names_us(entity: MessageEntity, text: str, us: Identity) -> bool:
    if entity.type == "text_mention":
        return entity.user is not None and entity.user.id == us.bot_id
    return entity.type == "mention" and entity.extract_from(text).lower() == f"@{us.username}".lower()


def _without(text: str, entity: MessageEntity) -> str:
    """Cut an entity out; its offsets count UTF-16 units."""
    units = text.encode("utf-16-le")
    before = units[: entity.offset * 2].decode("utf-16-le", "ignore")
    after = units[(entity.offset + entity.length) * 2 :].decode("utf-16-le", "ignore")
    if not before.strip():
        return after[_match_end(after) :]
    return f"{before.rstrip(' ')} {after.lstrip(' ')}" if after.strip() else before


def _match_end(text: str) -> int:
    punctuation = _AFTER_NAME.match(text)
    return punctuation.end() if punctuation is not None else 0
