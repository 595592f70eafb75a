"""Joins what reads documents, what keeps them and what is said of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from adapters.imports.formats import looks_exported
from bot.commands.formatting import escape
from bot.commands.language import Voice
from bot.commands.router import parse
from bot.compose.rights import build_may
from bot.config.folders import Folders
from bot.features.documents.commands import Ask, Docs
from bot.features.documents.intake import DocumentHandler, DocumentIntake, DocumentReceipts, Incoming, PageReader
from bot.features.documents.questions import find_asked
from bot.messages import MessageKind
from bot.ports.command import Command
from bot.ports.document_store import StoredDocument
from bot.runtime.container import Container
from bot.turn import Turn
from systems.s12_link_reading import LinkReading
from systems.s15_document_focus import DocumentFocus

_MEGABYTE = 1_000_000


def sweep_incoming(places: Folders) -> None:
    """Delete the files that a kill has left half read."""
    Incoming(places.incoming).sweep()


def build_document_handler(parts: Container, voice: Voice) -> DocumentHandler:
    """Return what reads the documents that are sent."""
    settings = parts.settings.current()
    intake = build_document_intake(parts)
    return DocumentHandler(
        sources=parts.file_sources,
        intake=intake,
        receipts=build_receipts(voice),
        incoming=Incoming(parts.places.incoming),
        limit=lambda: settings.documents.max_megabytes * _MEGABYTE,
        remembering=parts.rules.is_remembering,
        messengers=parts.messengers,
        deliveries=parts.deliveries,
        is_export=looks_exported,
    )


def build_document_intake(parts: Container) -> DocumentIntake:
    """Return what keeps documents."""
    return DocumentIntake(
        reader=parts.document_reader,
        store=parts.documents,
        indexing=parts.rules.uses_long_term_memory,
    )


def build_receipts(voice: Voice) -> DocumentReceipts:
    """Return what is said of documents."""
    return DocumentReceipts(lambda message: voice(message).documents, escape)


def build_link_reading(parts: Container, voice: Voice) -> LinkReading:
    """Return what reads the pages that a message asks to have read."""
    reader = PageReader(
        fetcher=parts.page_fetcher,
        intake=build_document_intake(parts),
        receipts=build_receipts(voice),
        incoming=Incoming(parts.places.incoming),
        remembering=parts.rules.is_remembering,
        messengers=parts.messengers,
        deliveries=parts.deliveries,
    )
    links = parts.settings.current().documents.links
    return LinkReading(read=reader, wanted=lambda: links)


def build_document_focus(parts: Container) -> DocumentFocus:
    """Return what finds out which documents a message is about."""
    return DocumentFocus(
        store=parts.documents,
        find_named=build_asking(parts),
        remembering=parts.rules.is_remembering,
    )


def build_asking(parts: Container) -> Callable[[Turn], Awaitable[tuple[StoredDocument, str] | None]]:
    """Return what finds the document and the question of an ``/ask`` that was typed now."""

    async def find(turn: Turn) -> tuple[StoredDocument, str] | None:
        parsed = parse(turn.text)
        forwarded = any(entry.message.forwarded_from is not None for entry in turn.accepted)
        if parsed is None or parsed[0] != Ask.name or forwarded or turn.message.kind is MessageKind.EDITED:
            return None
        return await find_asked(parts.documents, turn.scope, parsed[1])

    return find


def build_document_commands(parts: Container, voice: Voice) -> tuple[Command, ...]:
    """Return the commands about documents."""
    return Docs(voice, parts.documents, parts.eraser, build_may(parts)), Ask(voice, parts.documents)
