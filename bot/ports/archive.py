"""A whole memory as records that can be carried away: what an export holds, and how it is read from a store.

The records are those of docs/export.md; names and fields are part of a published format, so that they only ever grow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

from bot.memory.chunking import DocumentChunk
from bot.memory.items import MemoryItem, Part, Trust
from bot.memory.scope import Scope
from bot.ports.lists import ItemState

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
    """One structured memory, also a superseded one; ``sources`` are the uids of all exchanges that said it."""

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
