"""Slide decks: the text of each slide under its title, tables and the speaker's notes included."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import pptx

from adapters.documents.archives import open_archive, refuse_entities
from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.documents import DocumentSection

_DEEPEST: Final = 20
"""Groups in groups."""
_HEADING: Final = 200


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield a section per slide, its number as the page.  Raises :class:`~bot.errors.DocumentUnreadable`."""
    with open_archive(source.file, source.limits) as archive:
        refuse_entities(archive)
    source.file.seek(0)
    try:
        yield from _list_slides(source)
    except (MemoryError, DocumentUnreadable):
        raise
    except Exception as error:
        raise DocumentUnreadable("the slide deck is damaged", why="damaged") from error


def _list_slides(source: Source) -> Iterator[DocumentSection]:
    deck: Any = pptx.Presentation(source.file)  # Any: the library has no types
    source.title = str(deck.core_properties.title or "")
    source.pages = len(deck.slides)
    source.cut = source.pages > source.limits.pages
    for number, slide in enumerate(islice(deck.slides, source.limits.pages), 1):
        heading = slide.shapes.title
        named = heading.shape_id if heading is not None else None
        title = " ".join(heading.text_frame.text.split()) if heading is not None else ""
        blocks = [text for shape in slide.shapes if shape.shape_id != named for text in _read_shape(shape)]
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            blocks.append(slide.notes_slide.notes_text_frame.text)
        text = "\n".join(block for block in (title, *blocks) if block.strip())
        if text:
            yield DocumentSection((title[:_HEADING],) if title else (), text, number)


def _read_shape(shape: Any, depth: int = 0) -> Iterator[str]:  # Any: as above
    if getattr(shape, "shapes", None) is not None and depth < _DEEPEST:
        for inner in shape.shapes:
            yield from _read_shape(inner, depth + 1)
    elif getattr(shape, "has_table", False):
        for row in shape.table.rows:
            yield " | ".join(" ".join(cell.text.split()) for cell in row.cells)
    elif getattr(shape, "has_text_frame", False):
        yield shape.text_frame.text.replace("\x0b", "\n")
