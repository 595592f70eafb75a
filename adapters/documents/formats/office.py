"""Office documents, and the zip archives of XML that they are: Word, workbooks, slides, OpenDocument text.

Sizes are checked before anything is unpacked (``zipfile`` then reads no more than was declared), and the parts of an
office document may not declare entities: no office program writes them, and a few lines of them can stand for gigabytes
("billion laughs").  Macros, fields and pictures are never run; of formulas what they last gave is read.
The library of each format is imported when a document of it comes.
"""

import codecs
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO, Final

from lxml import etree

from adapters.documents.formats.html import list_sections, parse_html
from adapters.documents.formats.plain import list_rows
from adapters.documents.source import MEGABYTE, Outline, ReadingLimits, Source
from bot.errors import DocumentUnreadable
from bot.ports.document_reading import DocumentSection

_MEMBERS: Final = 20_000
_RATIO: Final = 200
"""Text of an honest document packs to a tenth or so, a bomb to a thousandth."""
_SMALL: Final = 8 * MEGABYTE
"""What packs as well as it likes: empty tables do."""
_PROLOGUE: Final = 4096
_DECLARES: Final = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_STYLES: Final = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => h2:fresh"
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_MOST_EMPTY: Final = 3_000_000
"""Empty rows and cells of a workbook, in all: a few bytes can claim any number, two sheets have a last row each."""
_DEEPEST: Final = 20
"""Groups in groups of a slide."""
_HEADING: Final = 200


def open_archive(file: BinaryIO, limits: ReadingLimits) -> zipfile.ZipFile:
    """Return the archive.  Raises :class:`~bot.errors.DocumentUnreadable`: damaged, encrypted or too large."""
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DocumentUnreadable("the archive is damaged or cut off", why="damaged") from error
    members = archive.infolist()
    if len(members) > _MEMBERS or sum(member.file_size for member in members) > limits.unpacked:
        raise DocumentUnreadable("the archive holds more than is read of one document", why="too_large")
    if any(member.file_size > max(_SMALL, _RATIO * member.compress_size) for member in members):
        raise DocumentUnreadable("the archive is packed so tightly that it can only be a trap", why="too_large")
    if any(member.flag_bits & 1 for member in members):
        raise DocumentUnreadable("the archive needs a password", why="encrypted")
    return archive


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member whole, b"" if there is none.  Raises :class:`~bot.errors.DocumentUnreadable` if it is damaged."""
    try:
        return archive.read(name)
    except KeyError:
        return b""
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError) as error:
        raise DocumentUnreadable(f"the part {name!r} is damaged", why="damaged") from error


def parse_xml(data: bytes) -> etree._Element:
    """Return the tree of a part; entities are not expanded, nothing is loaded.  Raises ``DocumentUnreadable``."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DocumentUnreadable("the document is damaged", why="damaged") from error


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of an office document.  Raises :class:`~bot.errors.DocumentUnreadable`."""
    readers = {"docx": _read_word, "xlsx": _read_workbook, "pptx": _read_slides, "odt": _read_open_document}
    with open_archive(source.file, source.limits) as archive:
        _refuse_entities(archive)
        try:
            yield from readers[source.kind](source, archive)
        except (MemoryError, DocumentUnreadable):
            raise
        except Exception as error:
            raise DocumentUnreadable("the document is damaged", why="damaged") from error


def _refuse_entities(archive: zipfile.ZipFile) -> None:
    """Raise :class:`~bot.errors.DocumentUnreadable` if a part of an office document declares a document type."""
    for member in archive.infolist():
        if member.filename.endswith((".xml", ".rels", ".vml")):
            with archive.open(member) as part:
                start = part.read(_PROLOGUE)
            if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\x00", b"\x00<", b"\x00\x00")):
                start = start.replace(b"\x00", b"")  # no encoding hides it
            if _DECLARES.search(start):
                raise DocumentUnreadable(f"the part {member.filename!r} declares entities", why="damaged")


def _find_title(archive: zipfile.ZipFile, properties: str) -> str:
    """Return the title in the properties of a document, "" if there is none."""
    try:
        title = parse_xml(read_member(archive, properties)).find(f".//{_TITLE}")
    except DocumentUnreadable:
        return ""
    return (title.text or "").strip() if title is not None else ""


def _read_word(source: Source, archive: zipfile.ZipFile) -> Iterator[DocumentSection]:
    mammoth: Any = import_module("mammoth")  # Any, here and below: the library has no types
    source.title = _find_title(archive, "docProps/core.xml")
    source.file.seek(0)
    converted = mammoth.convert_to_html(
        BytesIO(source.file.read()),  # not the file itself: it is looked up by its name, and has none
        style_map=_STYLES,
        include_embedded_style_map=False,
        convert_image=mammoth.images.img_element(lambda _: {}),
        external_file_access=False,
    )
    tree = parse_html(str(converted.value))
    if tree is not None:
        yield from list_sections(tree)


def _read_open_document(source: Source, archive: zipfile.ZipFile) -> Iterator[DocumentSection]:
    source.title = _find_title(archive, "meta.xml")
    outline = Outline()
    for element in parse_xml(read_member(archive, "content.xml")).iter(f"{_TEXT}h", f"{_TEXT}p"):
        text = " ".join("".join(element.itertext()).split())
        if element.tag == f"{_TEXT}h":
            level = element.get(f"{_TEXT}outline-level") or ""
            yield from outline.open(int(level) if level.isdecimal() else 1, text)
        else:
            outline.add(text)
    yield from outline.close()


def _read_workbook(source: Source, _: zipfile.ZipFile) -> Iterator[DocumentSection]:
    """Yield the rows of every sheet that is shown."""
    openpyxl: Any = import_module("openpyxl")
    book = openpyxl.load_workbook(source.file, read_only=True, data_only=True, keep_vba=False, keep_links=False)
    source.title = str(book.properties.title or "")
    sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    source.cut = len(sheets) > source.limits.pages
    left = _MOST_EMPTY

    def bound(rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
        """Yield the rows of a sheet as long as there is not too much nothing in the book."""
        nonlocal left
        for row in rows:
            left -= row.count(None) or not row
            if left < 0:
                source.cut = True
                return
            yield row

    for sheet in sheets[: source.limits.pages]:
        sheet.reset_dimensions()  # what a file says of its size may be wrong on purpose
        yield from list_rows(source, bound(sheet.iter_rows(values_only=True)), (str(sheet.title),))


def _read_slides(source: Source, _: zipfile.ZipFile) -> Iterator[DocumentSection]:
    """Yield a section per slide, its number as the page: title, tables and the speaker's notes included."""
    pptx: Any = import_module("pptx")
    deck = pptx.Presentation(source.file)
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


def _read_shape(shape: Any, depth: int = 0) -> Iterator[str]:
    if getattr(shape, "shapes", None) is not None and depth < _DEEPEST:
        for inner in shape.shapes:
            yield from _read_shape(inner, depth + 1)
    elif getattr(shape, "has_table", False):
        for row in shape.table.rows:
            yield " | ".join(" ".join(cell.text.split()) for cell in row.cells)
    elif getattr(shape, "has_text_frame", False):
        yield shape.text_frame.text.replace("\x0b", "\n")
