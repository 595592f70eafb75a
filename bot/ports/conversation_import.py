"""Conversations from elsewhere: what a reader finds in an exported file, and where the exchanges made of it go.

A message that is left out is told of, too: whoever imports is shown what will be missing and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.memory.items import MemoryItem
from bot.memory.scope import Scope
from bot.turn import Exchange, IndexDocument


class Speaks(StrEnum):
    """What the author of a message is."""

    PERSON = "person"
    ASSISTANT = "assistant"


class LeftOut(StrEnum):
    """Why something of a file is not imported, in words for people."""

    SERVICE = "service messages (joined, called, pinned …)"
    NO_TEXT = "pictures, voice, stickers and files without a caption"
    HIDDEN = "hidden messages, calls of tools and their results"
    NO_AUTHOR = "messages without an author"
    NO_DATE = "messages without a date"
    TOO_LONG = "messages of more than 1,000,000 characters"


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """One message of one chat.

    ``source`` is unique within its format and stays the same when the file is exported again, so that nothing is
    imported twice; ``chat`` names the conversation and ``author`` who wrote it there (an id where the format has ids,
    else the name).  ``said_at`` is aware.  ``forwarded_from`` is who wrote the text if the author did not.
    """

    source: str
    chat: str
    chat_title: str
    author: str
    author_name: str
    speaks: Speaks
    text: str
    said_at: datetime
    reply_to: str = ""
    forwarded_from: str = ""
    edited_at: datetime | None = None
    topic: str = ""
    attachment: str = ""


Read = ExportedMessage | LeftOut


@dataclass(frozen=True, slots=True)
class ImportedExchange:
    """One exchange to store, with what is derived from it; ``begins`` says that a conversation starts with it."""

    exchange: Exchange
    items: tuple[MemoryItem, ...]
    document: IndexDocument | None
    begins: bool


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """What became of a batch: how many were stored, were there already, or had been forgotten on purpose.

    ``session_id`` is the session that the next batch goes on with, 0 while there is none.
    """

    added: int
    known: int
    forgotten: int
    session_id: int


class ImportStore(Protocol):
    """Stores imported exchanges beside those of live turns."""

    async def add(self, scope: Scope, batch: Sequence[ImportedExchange], session_id: int) -> ImportedBatch:
        """Store what is new of a batch in one transaction, fsynced when this returns.

        An exchange is known by its uid within the scope; one that was erased by itself does not come back.
        Raises :class:`~bot.errors.StorageUnavailable`; then nothing of the batch was stored.
        """
        ...
