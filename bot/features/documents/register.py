"""Adds it to Mneme."""

from adapters.documents.reader import SubprocessReader
from adapters.documents.source import MEGABYTE, ReadingLimits
from adapters.imports.formats import looks_exported
from adapters.sqlite.documents.search import SqliteDocumentSearch
from adapters.sqlite.documents.store import SqliteDocuments
from adapters.tools.web_fetch import WebFetch
from adapters.web.fetcher import FetchLimits, GuardedFetcher
from bot.commands.formatting import escape
from bot.commands.router import parse
from bot.config.live import LiveSettings
from bot.features.documents.commands import Ask, Docs, find_asked
from bot.features.documents.intake import DocumentIntake, DocumentReceipts, SentDocuments
from bot.features.documents.settings import DocumentSettings, WebSettings
from bot.files import Incoming
from bot.messages import MessageKind
from bot.ports.documents import DocumentReader, DocumentStore, PageFetcher, StoredDocument
from bot.runtime.app import App
from bot.turn import Turn
from systems.s12_link_reading import LinkReading
from systems.s15_document_focus import DocumentFocus

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
    receipts = DocumentReceipts(lambda message: app.voice(message).documents, escape)
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
    app.added.questions.append(asks)
    app.added.commands += [Docs(app.voice, store, app.eraser, app.may), Ask(app.voice, store)]
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
