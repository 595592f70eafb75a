"""Whether a message is meant for us, and what it says once our name is taken out of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from adapters.telegram.inbound.content import forwarded
from adapters.telegram.inbound.fields import Json, number, part, parts, present, words

_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{3,32}))?(?=\s|$)")
_AFTER_NAME = re.compile(r"[ \t]*+[,:;.!?]?[ \t]*+")


@dataclass(frozen=True, slots=True)
class Identity:
    """The bot as Telegram knows it; ``commands`` are the words that it answers to after a slash."""

    bot_id: int
    username: str
    commands: frozenset[str] = frozenset()


def for_another(message: Json, us: Identity) -> bool:
    """Whether the message is a command addressed to another bot by name."""
    command = _COMMAND.match(_text(message))
    return command is not None and command[2] is not None and command[2].lower() != us.username.lower()


def addressed(message: Json, us: Identity) -> bool:
    """Whether a message in a group is meant for us: a command of ours, our name in it, or a reply to us.

    Forwarded text calls nobody: a mention in it was meant for somebody else, somewhere else.
    """
    if forwarded(message):
        return False
    reply = part(message, "reply_to_message")
    if reply is not None and not present(reply, "forum_topic_created"):
        sender = part(reply, "from")
        if sender is not None and number(sender, "id") == us.bot_id:
            return True
    command = _COMMAND.match(_text(message))
    if command is not None:
        return command[2] is not None or command[1].lower() in us.commands
    return bool(_naming_us(message, _text(message), us))


def said(message: Json, us: Identity) -> str:
    """Return the text or caption without our name: ``/new@us x`` is ``/new x``, ``@us, hello`` is ``hello``."""
    text = _text(message)
    for entity in sorted(_naming_us(message, text, us), key=lambda entity: -entity.start):
        text = _without(text, entity)
    text = text.strip()
    command = _COMMAND.match(text)
    if command is not None and command[2] is not None and command[2].lower() == us.username.lower():
        text = f"/{command[1]}{text[command.end() :]}"
    return text


def _text(message: Json) -> str:
    return words(message, "text") or words(message, "caption")


@dataclass(frozen=True, slots=True)
class _Span:
    """A range of a text in UTF-16 units."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the words in the range."""
        return text.encode("utf-16-le")[self.start * 2 : self.end * 2].decode("utf-16-le", "ignore")


def _naming_us(message: Json, text: str, us: Identity) -> tuple[_Span, ...]:
    """Return where the text names us; an entity that cannot be read, or lies outside the text, names nobody."""
    entities = parts(message, "entities") or parts(message, "caption_entities")
    return tuple(span for entity in entities if (span := _span(entity, text)) and _names_us(entity, span.of(text), us))


def _span(entity: Json, text: str) -> _Span | None:
    start, length = number(entity, "offset"), number(entity, "length")
    if start is None or length is None or start < 0 or length <= 0 or start + length > 2 * len(text):
        return None
    return _Span(start, start + length)


def _names_us(entity: Json, named: str, us: Identity) -> bool:
    kind = words(entity, "type")
    if kind == "text_mention":
        user = part(entity, "user")
        return user is not None and number(user, "id") == us.bot_id
    return kind == "mention" and named.lower() == f"@{us.username}".lower()


def _without(text: str, span: _Span) -> str:
    """Cut a range out."""
    units = text.encode("utf-16-le")
    before = units[: span.start * 2].decode("utf-16-le", "ignore")
    after = units[span.end * 2 :].decode("utf-16-le", "ignore")
    if not before.strip():
        return after[_match_end(after) :]
    return f"{before.rstrip(' ')} {after.lstrip(' ')}" if after.strip() else before


def _match_end(text: str) -> int:
    punctuation = _AFTER_NAME.match(text)
    return punctuation.end() if punctuation is not None else 0
