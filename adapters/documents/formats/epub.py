"""Books: the chapters in the order of their spine, by the headings that stand in them."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from lxml import etree

from adapters.documents.formats.html import list_sections, parse_html
from adapters.documents.formats.office import open_archive, parse_xml, read_member
from adapters.documents.recognition import decode
from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.document_reading import DocumentSection

_LOCKS: Final = re.compile(
    rb"http://www\.w3\.org/2001/04/xmlenc#aes|http://ns\.adobe\.com/adept|/fairplay", re.IGNORECASE
)
"""Ways of locking a book; garbled fonts are none."""


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of each chapter, its place in the spine as the page.

    Raises :class:`~bot.errors.DocumentUnreadable`.
    """
    with open_archive(source.file, source.limits) as archive:
        if _LOCKS.search(read_member(archive, "META-INF/encryption.xml")):
            raise DocumentUnreadable("the book is locked by its shop", why="encrypted")
        package = _find_package(archive)
        book = parse_xml(read_member(archive, package))
        source.title = "".join(book.xpath("string(//*[local-name()='metadata']/*[local-name()='title'])")).strip()
        chapters = _list_chapters(book, posixpath.dirname(package))
        source.pages = len(chapters)
        source.cut = len(chapters) > source.limits.pages
        for number, name in enumerate(chapters[: source.limits.pages], 1):
            tree = parse_html(decode(read_member(archive, name), declared=True))
            if tree is not None:
                yield from list_sections(tree, page=number)


def _find_package(archive: zipfile.ZipFile) -> str:
    container = parse_xml(read_member(archive, "META-INF/container.xml"))
    return str(container.xpath("string(//*[local-name()='rootfile']/@full-path)"))


def _list_chapters(book: etree._Element, folder: str) -> list[str]:
    """Return the names of the members that the spine lists, each once."""
    places = {
        str(item.get("id")): posixpath.normpath(posixpath.join(folder, unquote(str(item.get("href")))))
        for item in book.xpath("//*[local-name()='manifest']/*[local-name()='item']")
    }
    listed = (str(entry.get("idref")) for entry in book.xpath("//*[local-name()='spine']/*[local-name()='itemref']"))
    return list(dict.fromkeys(places[name] for name in listed if name in places))
