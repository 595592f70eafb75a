"""A whole memory as records that can be carried away: what an export holds, and how it is read from a store.

The records are those of docs/export.md; names and fields are part of a published format, so that they only ever grow.

Conversations from elsewhere: what a reader finds in a file, where it goes, and the imports that were asked for.

A message that is left out is told of, too: whoever imports is shown what will be missing and why.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

from bot.memory.chunking import DocumentChunk
from bot.memory.items import MemoryItem, Part, Trust
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.documents import NewDocument
from bot.ports.lists import ItemState, ListItem
from bot.ports.reminders import Reminder
from bot.turn import Exchange, IndexDocument

FORMAT: Final = "mneme-export"
VERSION: Final = 1
"""Rises when a reader of the version before would misread a file; fields may be added without."""


@dataclass(frozen=True, slots=True)
class ArchivedSession:
    """A conversation: ``key`` names it within its export, ``place`` says where it was held ("telegram:7:42:0")."""

    key: int
    place: str
    started_at: datetime
    ended_at: datetime | None
    title: str = ""
    skill: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedTurn:
    """One exchange; ``replaced_by`` is the uid of its next version where the message was edited later.

    ``chronicle`` are the lines of the chronicle that a model worded; all others are derived.
    """

    uid: str
    session: int
    said_at: datetime
    author_id: int
    author_name: str
    trust: Trust
    text: str
    answer: str
    answer_trust: Trust
    parts: tuple[Part, ...] = ()
    skill: str = ""
    synthetic: bool = False
    echo: bool = False
    message_id: int = 0
    replaced_by: str = ""
    chronicle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchivedItem:
    """One structured memory, also a superseded one; ``sources`` are the uids of all exchanges that said it.

    Its id, and those it refers to, are those of its own file.
    """

    item: MemoryItem
    uses: int = 0
    restated: int = 0
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchivedDocument:
    """A document as it was cut; ``exchange`` is the uid of the message that brought it, ``hash`` tells its content."""

    uid: str
    name: str
    title: str
    kind: str
    url: str
    author_id: int
    author_name: str
    trust: Trust
    added_at: datetime
    pages: int
    cut: bool
    hash: str
    exchange: str
    chunks: tuple[DocumentChunk, ...]


@dataclass(frozen=True, slots=True)
class ArchivedReminder:
    """A reminder as an export holds it: ``due`` is when it comes next, ``None`` once it came; ``start`` is naive."""

    text: str
    due: datetime | None
    start: datetime
    zone: str
    rule: str
    asker_id: int
    asker_name: str
    place: str
    passes: bool = False
    language: str = ""
    direct: bool = True
    exchange: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedListItem:
    """Something on a list; ``key`` compares the name of the list, ``closed_at`` is ``None`` while it is open."""

    key: str
    list: str
    text: str
    state: ItemState
    added_by: int
    added_name: str
    added_at: datetime
    exchange: str
    closed_by: int = 0
    closed_name: str = ""
    closed_at: datetime | None = None
    closed_exchange: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedSettings:
    """What a chat chose for itself, by the chat; but for whose memory it uses, which is no file's to say."""

    platform: str
    chat_id: int
    language: str
    memory: bool | None
    streaming: bool | None
    time_zone: str
    quiet_from: str
    quiet_to: str


@dataclass(frozen=True, slots=True)
class ArchivedRow:
    """Something kept beside turns and memories, such as a day's costs, under the name of its file."""

    kind: str
    fields: Mapping[str, Any]  # Any: JSON values


@dataclass(frozen=True, slots=True)
class ArchiveHeader:
    """What an export says of itself: of whose memory it is, who made it when and where."""

    scope: Scope
    installation: str
    made_at: datetime
    made_by: str
    left_out: Mapping[str, str] = field(default_factory=dict)
    """What of the memory is not in it, with the reason."""


class ScopeSnapshot(Protocol):
    """All of one scope at one moment, record by record: nothing is held that was yielded."""

    def list_sessions(self) -> Iterator[ArchivedSession]:
        """Yield the conversations, oldest first."""

    def list_turns(self) -> Iterator[ArchivedTurn]:
        """Yield every exchange in the order in which they were stored, also versions that an edit replaced."""

    def list_turns_by_date(self) -> Iterator[ArchivedTurn]:
        """Yield the exchanges that hold, in the order of their dates."""

    def list_items(self) -> Iterator[ArchivedItem]:
        """Yield every structured memory, oldest first."""

    def list_documents(self) -> Iterator[ArchivedDocument]:
        """Yield every document whole, oldest first."""

    def list_rows(self) -> Iterator[ArchivedRow]:
        """Yield what else is kept, one kind after the other."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """An export: where it lies, its size in bytes, and how many records of each kind ("turns") it holds."""

    path: Path
    size: int
    counts: Mapping[str, int]


class Exporter(Protocol):
    """Writes exports below the data folder, where an erase of the scope takes them away."""

    async def export(self, scope: Scope) -> ExportedFile | None:
        """Write all of a scope as it is now; ``None`` if nothing was ever kept of it.

        In the place of an earlier export of the same scope.  Raises :class:`~bot.errors.StorageUnavailable`.
        """


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


Imported = ImportedExchange | ArchivedItem | ImportedDocument | ImportedSession | Reminder | ListItem
"""A memory is stored as it is, its sources by their names here; a reminder is kept if it is still to come, something on
a list wherever it stood, if it is not there already."""


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
    """Return the uid of the exchange whose message has this source: 96 bits of it, longer than those of live turns."""
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

    @property
    def known(self) -> int:
        """How many were there already."""
        return max(0, self.done - self.added - self.forgotten)
