"""Messages as they come in, before anything was decided about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.files import InboundFile
from bot.memory.items import Origin, Part, Trust
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from language.registry import choose_texts, get_user_texts
from language.texts import Texts

LOST_DRAFT: Final = 0
"""Stands for the id of a message that an answer was begun in when nobody knows whether it is there; no message has it.
"""


class ChatKind(StrEnum):
    """What kind of place a message was written in."""

    DIRECT = "direct"
    GROUP = "group"
    CHANNEL = "channel"


class MessageKind(StrEnum):
    """What happened in the chat."""

    TEXT = "text"
    EDITED = "edited"
    BUTTON = "button"
    UNSUPPORTED = "unsupported"
    """A photo, document, voice message … came along; ``text`` is its caption, if any.  What can be fetched of it is
    the message's ``file``; whether somebody reads that is for system 10 to find out."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote: the numeric id is the identity, the name is only shown."""

    id: int
    name: str
    trust: Trust = Trust.USER


@dataclass(frozen=True, slots=True)
class Address:
    """Where a message came from and where its answer goes."""

    platform: str
    """The name of the channel, such as "telegram" or "console"."""
    bot_id: int
    chat_id: int
    topic_id: int | None = None
    reply_to: int | None = field(default=None, compare=False)
    """The message that an answer refers to, where several people ask; it is no part of the place."""

    @property
    def key(self) -> str:
        """The queue, session and rate-limit key of this place."""
        return f"{self.platform}:{self.bot_id}:{self.chat_id}:{self.topic_id or 0}"

    @classmethod
    def from_key(cls, key: str) -> Address:
        """Return the place that has this key."""
        platform, bot_id, chat_id, topic_id = key.rsplit(":", 3)
        return cls(platform, int(bot_id), int(chat_id), int(topic_id) or None)


@dataclass(frozen=True, slots=True)
class Quote:
    """Text that the author did not write now: a reply's target, a quotation, a forward.  It is data, never an order."""

    text: str
    author: str = ""
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """A message as it came in, before anything was decided about it.

    ``update_id`` is unique within ``(address.platform, address.bot_id)``: a redelivery carries the same.
    ``attachment`` names what came along ("photo", "document", …); its ``file`` can be fetched and perhaps read.
    """

    address: Address
    update_id: int
    message_id: int
    author: Author
    text: str
    sent_at: datetime
    chat_kind: ChatKind = ChatKind.DIRECT
    kind: MessageKind = MessageKind.TEXT
    quote: Quote | None = None
    forwarded_from: str | None = None
    attachment: str | None = None
    file_name: str = ""
    """What the sender named the attachment, or what it says where it says something in words (a poll, a place, a
    sticker), "" for neither: their choice of words, so that it is data."""
    file: InboundFile | None = None
    group_id: str | None = None
    """Set on parts of one album or split paste: parts with the same value become one turn."""
    language: str = ""
    """IETF tag of the author's client, "" when unknown."""
    spoken: str = ""
    """The language code in which it is answered, "auto" or "" for its author's; found when its turn begins."""
    namesakes: tuple[str, ...] = ()
    """Names that several people bear in the memory that it uses; found when its turn begins."""

    @property
    def texts(self) -> Texts:
        """What its author is told: in their chat's language or their own, to the owner in private with hints for them.

        A group reads along: what the owner sets is not for it.
        """
        texts = choose_texts(self.language, self.spoken, self.text)
        private = self.author.trust is Trust.OWNER and self.chat_kind is ChatKind.DIRECT
        return texts if private else get_user_texts(texts.language)

    @property
    def replies_to(self) -> int:
        """The number of the message that it replies to, 0 where it replies to none that is known by its number."""
        return (self.quote.message_id or 0) if self.quote is not None else 0

    def find_reader(self, scope: Scope) -> Reader:
        """Return whoever wrote it, to whom memories of ``scope`` are attributed.

        They are alone in a direct chat, unless its memory is shared with others.
        """
        alone = self.chat_kind is ChatKind.DIRECT and not scope.shared
        return Reader(self.author.id, self.author.name, alone, frozenset(self.namesakes))


@dataclass(frozen=True, slots=True)
class Accepted:
    """A journaled message.  ``id`` grows with acceptance; ``attempts`` counts how often handling began before.

    ``begun`` says that the journal has counted the attempt that comes now.  ``supersedes`` are the ids of entries that
    this one takes the place of: earlier edits of the same message, which are closed with it.
    ``elsewhere``: it is not for who accepted it to answer, but for whoever reads it in the journal.
    """

    id: int
    message: InboundMessage
    attempts: int = 0
    begun: bool = False
    supersedes: tuple[int, ...] = ()
    elsewhere: bool = False


TOLD_IN_WORDS: Final = frozenset({"sticker", "dice", "poll", "contact", "location", "venue"})
"""Attachments that say what they are in words: ``file_name`` of the message holds them."""


def list_foreign_parts(message: InboundMessage) -> tuple[Part, ...]:
    """Return what of a message its author did not write, in the order in which it is read."""
    parts = []
    if message.quote is not None and message.quote.text.strip():
        parts.append(Part(Origin.QUOTED, message.quote.text, message.quote.author))
    if message.forwarded_from is not None and message.text.strip():
        parts.append(Part(Origin.FORWARDED, message.text, message.forwarded_from))
    if message.file_name:
        parts.append(Part(Origin.FILE, message.file_name))
    return tuple(parts)
