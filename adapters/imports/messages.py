"""A message of an exported conversation, as every reader gives it, and the error for a file that is none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.errors import MnemeError


class ImportRefused(MnemeError):
    """The file cannot be read as an export; the message says where and why."""


class Speaks(StrEnum):
    """What the author of a message is."""

    PERSON = "person"
    ASSISTANT = "assistant"


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
