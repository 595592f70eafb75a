"""A module per family of formats; each is imported when a document of its kind comes."""

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.document_reading import DocumentSection

_MODULES: Final = {
    **dict.fromkeys(("txt", "md", "code", "csv", "json", "jsonl"), "plain"),
    **dict.fromkeys(("docx", "xlsx", "pptx", "odt"), "office"),
    **dict.fromkeys(("eml", "mbox"), "mail"),
}
"""Of kinds that have no module of their own name."""


def read_sections(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections by the module for the source's kind.  Raises :class:`~bot.errors.DocumentUnreadable`."""
    try:
        yield from import_module(f"{__name__}.{_MODULES.get(source.kind, source.kind)}").read(source)
    except ModuleNotFoundError as error:
        told = f"what reads {source.kind} is not installed: pip install 'mneme[documents]' (docs/install.md)"
        raise DocumentUnreadable(told, why="no_reader") from error
