"""OpenDocument text: paragraphs by their headings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from adapters.documents.archives import open_archive, read_member, refuse_entities
from adapters.documents.formats.docx import find_office_title
from adapters.documents.outline import Outline
from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.documents import DocumentSection

_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of the document.  Raises :class:`~bot.errors.DocumentUnreadable`."""
    with open_archive(source.file, source.limits) as archive:
        refuse_entities(archive)
        source.title = find_office_title(read_member(archive, "meta.xml"))
        content = read_member(archive, "content.xml")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        tree = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DocumentUnreadable("the document is damaged", why="damaged") from error
    outline = Outline()
    for element in tree.iter(f"{_TEXT}h", f"{_TEXT}p"):
        text = " ".join("".join(element.itertext()).split())
        if element.tag == f"{_TEXT}h":
            level = element.get(f"{_TEXT}outline-level") or ""
            yield from outline.open(int(level) if level.isdecimal() else 1, text)
        else:
            outline.add(text)
    yield from outline.close()
