"""Builds what reads files and pages, with the limits of the settings in force."""

from __future__ import annotations

from adapters.documents.reader import SubprocessReader
from adapters.documents.source import MEGABYTE, ReadingLimits
from adapters.tools.web_fetch import WebFetch
from adapters.web.fetcher import FetchLimits, GuardedFetcher
from bot.config.live import LiveSettings
from bot.config.schema import Settings
from bot.ports.documents import DocumentReader, PageFetcher
from bot.ports.tool import Tool
from bot.runtime.container import Container


def build_document_reader(settings: LiveSettings) -> DocumentReader:
    """Return what reads documents; a change of the settings acts on the next one."""
    return SubprocessReader(lambda: find_reading_limits(settings))


def build_page_fetcher(settings: LiveSettings) -> PageFetcher:
    """Return what fetches pages; a change of the settings acts on the next one."""
    return GuardedFetcher(lambda: find_fetch_limits(settings))


def find_fetch_limits(settings: LiveSettings) -> FetchLimits:
    """Return the limits of a page that is fetched now."""
    web = settings.current().web
    return FetchLimits(web.max_megabytes * MEGABYTE, web.timeout_seconds, frozenset(web.allow_private))


def build_web_tools(parts: Container, settings: Settings) -> tuple[Tool, ...]:
    """Return the tools that read the web, if that is wanted."""
    return (WebFetch(parts.page_fetcher, parts.document_reader),) if settings.web.fetch else ()


def find_reading_limits(settings: LiveSettings) -> ReadingLimits:
    """Return the limits of a document that is read now."""
    documents = settings.current().documents
    return ReadingLimits(
        size=documents.max_megabytes * MEGABYTE,
        pages=documents.max_pages,
        characters=documents.max_characters,
        seconds=documents.timeout_seconds,
        memory=documents.memory_megabytes * MEGABYTE,
    )
