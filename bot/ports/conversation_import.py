"""Conversations from elsewhere: what a reader finds in a file, where it goes, and the imports that were asked for.

A message that is left out is told of, too: whoever imports is shown what will be missing and why.
"""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Protocol

from bot.memory.items import MemoryItem
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.documents import NewDocument
from bot.ports.lists import ListItem
from bot.ports.reminders import Reminder
from bot.turn import Exchange, IndexDocument


class Speaks(StrEnum):
    """What the author of a message is."""

    PERSON = "person"
    ASSISTANT = "assistant"


class LeftOut(StrEnum):
    """Why something of a file is not imported, in words for people."""

    SERVICE = "service messages (joined, called, pinned …)"
    PICTURE = "pictures without a caption"
    VIDEO = "videos without a caption"
    VOICE = "voice messages and music without words"
    STICKER = "stickers"
    FILE = "files without a caption"
    NO_TEXT = "other messages without words"
    VERSION = "versions of messages that were replaced"
    HIDDEN = "hidden messages, calls of tools and their results"
    NO_AUTHOR = "messages without an author"
    NO_DATE = "messages without a date"
    TOO_LONG = "messages of more than 1,000,000 characters"
    NOT_YOURS = "memories of people who are not you"


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """One message of one chat.

    ``source`` is unique within its format and stays the same when the file is exported again, so that nothing is
    imported twice; ``chat`` names the conversation and ``author`` who wrote it there (an id where the format has ids,
    else the name).  ``said_at`` is aware.  ``forwarded_from`` is who wrote the text if the author did not.
    """

    source: str
    chat: str
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
    """One exchange to store, with what is derived from it; ``conversation`` names the conversation it belongs to.

    ``answers`` is the uid of the message that it replies to, "" for none.  ``edited`` says that its message was changed
    after it was sent: where another version of it is stored already, this one takes its place.
    ``replaced_by`` is the uid of the version that took its own place, where that is known.
    ``chronicle`` are lines about it that a model has worded.
    """

    exchange: Exchange
    items: tuple[MemoryItem, ...]
    document: IndexDocument | None
    conversation: str
    answers: str = ""
    edited: bool = False
    replaced_by: str = ""
    chronicle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """One structured memory to store as it is; its id and those it refers to are those of its file.

    ``sources`` are the uids of the exchanges that said it, as they are named here.
    """

    item: MemoryItem
    uses: int = 0
    restated: int = 0
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A document to store where the memory has none of its content or name; ``index`` hands it to long-term memory."""

    document: NewDocument
    index: bool


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """What is known of a conversation whose exchanges follow; ``place`` is where it was held, ``None`` elsewhere."""

    conversation: str
    started_at: datetime
    ended_at: datetime | None
    title: str = ""
    place: Address | None = None


Imported = ImportedExchange | ImportedMemory | ImportedDocument | ImportedSession | Reminder | ListItem
"""A reminder is kept if it is still to come, something on a list wherever it stood, if it is not there already."""


@dataclass(slots=True)
class ImportProgress:
    """What an import remembers from batch to batch; a repeated one finds all of it again in what is stored.

    ``sessions`` are those made so far by their conversations, ``memories`` the ids given so far by those of the file,
    ``waiting`` the memories (versions of a message) that wait for what replaced them, by its id (uid) in the file.
    """

    sessions: dict[str, int] = field(default_factory=dict)
    memories: dict[int, int] = field(default_factory=dict)
    waiting: dict[int | str, list[int]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    """Uids of messages whose name another account's message had already, and what they are called instead."""
    told: dict[str, ImportedSession] = field(default_factory=dict)
    """What the file says of its conversations."""
    job: str = ""
    """The import's own entry in the store: when it is gone, nothing more is added."""


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """What became of a batch: how many were stored, were there already, or had been forgotten on purpose."""

    added: int
    known: int
    forgotten: int

    @property
    def size(self) -> int:
        """All of them."""
        return self.added + self.known + self.forgotten


def name_source(source: str) -> str:
    """Return the uid of the exchange whose message has this source."""
    return f"i{hashlib.sha256(source.encode()).hexdigest()[:24]}"


class JobState(IntEnum):
    """How far an import is."""

    SHOWN = 0
    """What is in the file was shown; nobody has said yet that it be imported."""
    WAITING = 1
    DONE = 2
    REFUSED = 3
    CANCELLED = 4


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """How a file is taken: ``own`` are its authors who are ``user``, ``dates`` the order of day and month, if told.

    ``believed`` says that an export of Mneme comes back as it is: the operator's own choice, or this installation's own
    export of the same memory.
    """

    user: Author
    own: tuple[str, ...] = ()
    dates: str = ""
    believed: bool = False


@dataclass(frozen=True, slots=True)
class ImportJob:
    """An import.  ``asker_id`` says how it goes on; ``address`` is where its end is told, ``None`` for nowhere.

    ``done`` counts what this run has gone through of ``total``; ``added`` and ``forgotten`` hold over restarts.
    ``message_id`` shows the progress: ``None`` before there is one, 0 while nobody knows whether there is.
    """

    token: str
    scope: Scope
    asker_id: int
    name: str
    request: ImportRequest
    total: int
    address: Address | None = None
    state: JobState = JobState.SHOWN
    message_id: int | None = None
    done: int = 0
    added: int = 0
    forgotten: int = 0
    reason: str = ""
    language: str = ""


class ImportJobs(Protocol):
    """Keeps imports; every change is durable when the call returns."""

    async def add(self, job: ImportJob) -> None:
        """Keep a new import."""

    async def find(self, token: str) -> ImportJob | None:
        """Return an import, ``None`` if there is none, or its memory was erased."""

    async def find_open(self, scope: Scope) -> ImportJob | None:
        """Return the newest import of a memory that was shown or waits."""

    async def find_last(self, scope: Scope) -> ImportJob | None:
        """Return the import of a memory that was asked for last, however it stands."""

    async def next(self, among: frozenset[str] | None = None) -> ImportJob | None:
        """Return the oldest import that waits, ``among`` some tokens, begun anew: what is done is counted from 0."""

    async def begin(self, token: str, request: ImportRequest, total: int) -> bool:
        """Let an import that was shown be done; ``False`` if it is not there, or was begun or ended before."""

    async def end(self, token: str, state: JobState, reason: str = "") -> bool:
        """Note how an open import ended; ``False`` if it had ended before."""

    async def show(self, token: str, message_id: int) -> None:
        """Note the message that shows the progress."""
