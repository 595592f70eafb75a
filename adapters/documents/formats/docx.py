"""Word documents: their headings, paragraphs, lists, tables and notes.  Macros, fields and pictures are never run."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

import mammoth
from lxml import etree

from adapters.documents.archives import open_archive, read_member, refuse_entities
from adapters.documents.markup import list_sections, parse_html
from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.documents import DocumentSection

_STYLES: Final = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => h2:fresh"
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of a Word document.  Raises :class:`~bot.errors.DocumentUnreadable`."""
    with open_archive(source.file, source.limits) as archive:
        refuse_entities(archive)
        source.title = find_office_title(read_member(archive, "docProps/core.xml"))
    source.file.seek(0)
    try:
        converted: Any = mammoth.convert_to_html(  # Any: the library has no types
            BytesIO(source.file.read()),  # not the file itself: it is looked up by its name, and has none
            style_map=_STYLES,
            include_embedded_style_map=False,
            convert_image=mammoth.images.img_element(lambda _: {}),
            external_file_access=False,
        )
    except MemoryError:
        raise
    except Exception as error:
        raise DocumentUnreadable("the Word document is damaged", why="damaged") from error
    tree = parse_html(str(converted.value))
    if tree is not None:
        yield from list_sections(tree)


def find_office_title(core: bytes) -> str:
    """Return the title in the properties of an office document, "" if there is none."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        title = etree.fromstring(core, parser).find(f".//{_TITLE}") if core else None
    except etree.XMLSyntaxError:
        return ""
    return (title.text or "").strip() if title is not None else ""
