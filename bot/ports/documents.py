"""Documents: reading files and pages into sections, and keeping, opening and searching them in a scope's memory."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Protocol

from bot.memory.chunking import DocumentChunk
from bot.memory.items import Recalled
from bot.memory.scope import Scope
from bot.messages import Author
from bot.ports.memory_store import MemoryQuery


def make_document_uid(scope: Scope, entry: int, number: int) -> str:
    """Return the name of the ``number``-th document of a journal entry: "d" and 12 hexadecimal digits."""
    named = f"{scope.tag} {entry} {number}".encode()
    return f"d{blake2b(named, digest_size=6).hexdigest()}"


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document that was read: masked, cut, and told apart from others by ``content_hash``.

    ``uid`` is its stable name within the scope, see :func:`make_document_uid`: a message that is handled again after a
    crash brings the same.  ``place`` and ``message_id`` are the chat's key and the message that brought it, ``entry``
    is that message in the journal and ``exchange`` the uid of its exchange.
    """

    uid: str
    name: str
    title: str
    kind: str
    author: Author
    added_at: datetime
    place: str
    message_id: int
    entry: int
    exchange: str
    content_hash: str
    chunks: tuple[DocumentChunk, ...]
    url: str = ""
    pages: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document of a scope.  ``version`` counts from 1 how often it was sent anew; ``sections`` are distinct paths."""

    uid: str
    name: str
    title: str
    kind: str
    url: str
    author: Author
    added_at: datetime
    message_id: int
    pages: int
    sections: int
    chunks: int
    characters: int
    cut: bool
    version: int
    number: int
    """Counts the scope's documents; no two ever had the same."""


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some of a scope's documents, newest first, and how many there are."""

    documents: tuple[StoredDocument, ...]
    total: int


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A section of a document: its headings, its first page (0 without pages) and its length in characters."""

    headings: tuple[str, ...]
    page: int
    characters: int


class DocumentStore(Protocol):
    """Keeps the documents of scopes.  Every method raises :class:`~bot.errors.StorageUnavailable`."""

    async def add(self, scope: Scope, document: NewDocument, *, index: bool) -> StoredDocument:
        """Keep a document, durable on return; ``index`` hands it to long-term memory as well, now or when it is on.

        One with the same content or the same name takes the place of the one that was there, as its next version; the
        very same one again (the same ``uid``) changes nothing.
        """

    async def list_documents(self, scope: Scope, *, start: int = 0, size: int = 10) -> DocumentPage:
        """Return ``size`` documents from the ``start``-th newest on."""

    async def get(self, scope: Scope, uid: str) -> StoredDocument | None:
        """Return a document by its uid."""

    async def find(self, scope: Scope, name: str) -> tuple[StoredDocument, ...]:
        """Return the documents that a name means, likeliest first: by number, by name, by a part of name or title."""

    async def find_carried(self, scope: Scope, place: str, message_id: int) -> tuple[StoredDocument, ...]:
        """Return the documents that a message brought, or that it is the receipt of."""

    async def outline(self, scope: Scope, uid: str) -> tuple[OutlineEntry, ...]:
        """Return the sections of a document in order."""

    async def read_chunks(
        self, scope: Scope, uid: str, *, start: int = 0, size: int = 200
    ) -> tuple[DocumentChunk, ...]:
        """Return ``size`` chunks of a document from the ``start``-th on, in order; () behind the last."""


class DocumentSearch(Protocol):
    """Finds what documents say."""

    async def search(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return chunks that may hold the answer, best first, rated like turns.

        Of ``query.documents``, if any are named, and then also how they begin, unrated and behind the rest: a question
        about a document as a whole shares no word with it.  Empty when nothing matches at all.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
