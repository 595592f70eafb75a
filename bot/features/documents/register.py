"""Documents: adds their commands and jobs, and systems 12 and 15, to Mneme.

System 12: read the pages that a message is nothing but the address of, or asks to have read.

A page becomes a document like a file.  An address that is merely mentioned is not fetched: what leaves this machine is
what the user asked for.

System 15: find out which documents a message is about.

``/ask NAME question`` names one, a reply to the message that brought a document, or to its receipt, points at it, and
a question beside a file that was just read is about that (system 10 has said so).  Then these documents alone answer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from adapters.documents.reader import SubprocessReader
from adapters.documents.source import MEGABYTE, ReadingLimits
from adapters.imports.formats import looks_exported
from adapters.sqlite.document_search import SqliteDocumentSearch
from adapters.sqlite.documents import SqliteDocuments
from adapters.tools.web_fetch import WebFetch
from adapters.web.fetcher import FetchLimits, GuardedFetcher
from bot.commands.formatting import escape
from bot.commands.router import parse
from bot.config.live import LiveSettings
from bot.features.documents.commands import Ask, Docs, find_asked
from bot.features.documents.intake import DocumentIntake, DocumentReceipts, SentDocuments
from bot.features.documents.settings import DocumentSettings, WebSettings
from bot.files import Incoming
from bot.memory.answering.questions import expects_answer
from bot.memory.document import find_addresses, find_request
from bot.messages import MessageKind
from bot.ports.document_reading import DocumentReader, PageFetcher
from bot.ports.documents import DocumentStore, StoredDocument
from bot.ports.system import OnError
from bot.runtime.app import App
from bot.turn import Reply, ReplyKind, Turn


@dataclass(frozen=True, slots=True)
class LinkReading:
    """Have the pages read by ``read``, one after the other, unless ``wanted`` says that none is."""

    read: Callable[[Turn, str, int], Awaitable[Turn]]
    """A turn, an address, and which document of the turn it is, from 1."""
    wanted: Callable[[], bool]

    order: ClassVar[int] = 12
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with its pages read; with the receipts as its reply where nothing else was said."""
        if turn.message.kind is MessageKind.BUTTON or not self.wanted():
            return turn
        addresses = find_addresses(turn.typed)
        for number, address in enumerate(addresses, 1 + len(turn.files)):
            turn = await self.read(turn, address, number)
        if not addresses or find_request(turn.typed):
            return turn
        return replace(turn, reply=Reply("\n\n".join(turn.receipts), ReplyKind.NOTED))


_ASKED = "[The message is about documents: what memory shows for it is from these alone. Name document and section.]"


@dataclass(frozen=True, slots=True)
class DocumentFocus:
    """Set what a turn is about, and take the command's words out of its text.

    ``find_named`` returns the document that an ``/ask`` names and the question, ``None`` for any other message.
    """

    store: DocumentStore
    find_named: Callable[[Turn], Awaitable[tuple[StoredDocument, str] | None]]
    remembering: Callable[[], bool]

    order: ClassVar[int] = 15
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with its focus."""
        if not turn.text.strip() or not self.remembering():
            return turn
        named = await self.find_named(turn)
        if named is not None:
            document, question = named
            text = question if expects_answer(question) else f"{question.rstrip('.!')}?"
            return _asked_of(replace(turn, text=text), (document,))
        if turn.focus:
            return _asked_of(turn, ())
        return _asked_of(turn, await self._find_replied(turn))

    async def _find_replied(self, turn: Turn) -> tuple[StoredDocument, ...]:
        quote = turn.message.quote
        if quote is None or quote.message_id is None or turn.message.kind is MessageKind.BUTTON:
            return ()
        return await self.store.find_carried(turn.scope, turn.address.key, quote.message_id)


def _asked_of(turn: Turn, documents: tuple[StoredDocument, ...]) -> Turn:
    focus = tuple(dict.fromkeys((*turn.focus, *(document.uid for document in documents))))
    return replace(turn, focus=focus, told=(*turn.told, _ASKED)) if focus else turn


_MEGABYTE = 1_000_000


async def register(app: App) -> None:
    """Add documents to Mneme."""
    incoming = Incoming(app.places.incoming)

    async def sweep() -> None:
        incoming.sweep()  # what a kill has left half read

    app.added.at_start.append(sweep)

    store, search = SqliteDocuments(app.database), SqliteDocumentSearch(app.database, app.embedder, app.rater)
    reader = SubprocessReader(lambda: find_reading_limits(app.settings))
    fetcher = GuardedFetcher(lambda: find_fetch_limits(app.settings))
    app.provide(DocumentStore, store)
    app.provide(DocumentReader, reader)
    app.provide(PageFetcher, fetcher)
    app.documents_to_search = search
    app.added.erased.append(search.forget)

    intake = DocumentIntake(reader=reader, store=store, indexing=app.rules.uses_long_term_memory)
    receipts = DocumentReceipts(escape)
    sent = SentDocuments(
        sources=app.file_sources,
        fetcher=fetcher,
        intake=intake,
        receipts=receipts,
        incoming=incoming,
        limit=lambda: app.settings.current.of(DocumentSettings).max_megabytes * _MEGABYTE,
        remembering=app.rules.is_remembering,
        messengers=app.messengers,
        deliveries=app.deliveries,
        is_export=looks_exported,
    )

    async def find_question(turn: Turn) -> tuple[StoredDocument, str] | None:
        """Return the document and the question of an ``/ask`` that was typed now."""
        parsed = parse(turn.text)
        forwarded = any(entry.message.forwarded_from is not None for entry in turn.accepted)
        if parsed is None or parsed[0] != Ask.name or forwarded or turn.message.kind is MessageKind.EDITED:
            return None
        return await find_asked(store, turn.scope, parsed[1])

    async def asks(turn: Turn) -> bool:
        return await find_question(turn) is not None

    def make_link_reading() -> LinkReading:
        links = app.settings.current.of(DocumentSettings).links
        return LinkReading(read=sent.read_page, wanted=lambda: links)

    focus = DocumentFocus(store=store, find_named=find_question, remembering=app.rules.is_remembering)
    app.added.attachments.append(lambda: (sent,))
    app.added.systems += [make_link_reading, lambda: focus]
    app.added.questions[Ask.name] = asks
    app.added.commands += [Docs(store, app.eraser, app.may), Ask(store)]
    app.added.menu += [Docs.name, Ask.name]
    app.added.tools.append(lambda settings: (WebFetch(fetcher, reader),) if settings.of(WebSettings).fetch else ())


def find_fetch_limits(settings: LiveSettings) -> FetchLimits:
    """Return the limits of a page that is fetched now."""
    web = settings.current.of(WebSettings)
    return FetchLimits(web.max_megabytes * MEGABYTE, web.timeout_seconds, frozenset(web.allow_private))


def find_reading_limits(settings: LiveSettings) -> ReadingLimits:
    """Return the limits of a document that is read now."""
    documents = settings.current.of(DocumentSettings)
    return ReadingLimits(
        size=documents.max_megabytes * MEGABYTE,
        pages=documents.max_pages,
        characters=documents.max_characters,
        seconds=documents.timeout_seconds,
        memory=documents.memory_megabytes * MEGABYTE,
    )
