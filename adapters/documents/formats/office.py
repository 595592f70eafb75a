"""Office documents, and the zip archives of XML that they are: Word, workbooks, slides, OpenDocument text.

Sizes are checked before anything is unpacked (``zipfile`` then reads no more than was declared), and the parts of an
office document may not declare entities: no office program writes them, and a few lines of them can stand for gigabytes
("billion laughs").  Macros, fields and pictures are never run; of formulas what they last gave is read.
The library of each format is imported when a document of it comes.
"""

import codecs
import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from io import BytesIO
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
_DECK: Final = "ppt/presentation.xml"
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


def _read_slides(source: Source, archive: zipfile.ZipFile) -> Iterator[DocumentSection]:
    """Yield a section per slide, its number as the page: title, tables and the speaker's notes included.

    Names are taken without their namespaces, of which ISO 29500 has two sets.
    """
    source.title = _find_title(archive, "docProps/core.xml")
    parts = _list_relations(archive, _DECK)
    slides = list(parse_xml(read_member(archive, _DECK)).iter("{*}sldId"))
    source.pages = len(slides)
    source.cut = source.pages > source.limits.pages
    for number, slide in enumerate(slides[: source.limits.pages], 1):
        _, part = parts[next(value for name, value in slide.items() if name.endswith("}id"))]
        shapes = _list_shapes(archive, part)
        heading = next((shape for shape in shapes if (mark := _find_mark(shape)) and mark.get("idx", "0") == "0"), None)
        title = " ".join(_read_text(heading).split()) if heading is not None else ""
        blocks = [text for shape in shapes if shape is not heading for text in _read_shape(shape)]
        for kind, notes in _list_relations(archive, part).values():
            if kind.endswith("/notesSlide"):
                said = [one for one in _list_shapes(archive, notes) if (_find_mark(one) or {}).get("type") == "body"]
                blocks += map(_read_text, said[:1])
        text = "\n".join(block for block in (title, *blocks) if block.strip())
        if text:
            yield DocumentSection((title[:_HEADING],) if title else (), text, number)


def _list_relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Return by its id what a part refers to: what it is there, and its name."""
    folder, name = posixpath.split(part)
    read = read_member(archive, f"{folder}/_rels/{name}.rels")
    return {
        each.get("Id", ""): (
            each.get("Type", ""),
            posixpath.normpath(posixpath.join(f"/{folder}", each.get("Target", "")))[1:],
        )
        for each in (parse_xml(read) if read else ())
    }


def _list_shapes(archive: zipfile.ZipFile, part: str) -> list[etree._Element]:
    """Return what holds text, also in groups; of what stands there twice, for older programs, only the newer one."""
    found = parse_xml(read_member(archive, part)).iter("{*}sp", "{*}graphicFrame")
    return [shape for shape in found if next(shape.iterancestors("{*}Fallback"), None) is None]


def _find_mark(shape: etree._Element) -> Mapping[str, str] | None:
    """Return which of its layout's places a shape fills: idx, type; ``None`` if it fills none."""
    place = shape.find("./*/{*}nvPr/{*}ph")
    return None if place is None else dict(place.attrib)


def _read_shape(shape: etree._Element) -> Iterator[str]:
    if shape.tag.endswith("}sp"):
        yield _read_text(shape)
    for row in shape.iter("{*}tr"):
        yield " | ".join(" ".join(_read_text(cell).split()) for cell in row.iterchildren("{*}tc"))


def _read_text(element: etree._Element) -> str:
    """Return the paragraphs in an element, a line each."""
    return "\n".join(
        "".join("\n" if part.tag.endswith("}br") else part.text or "" for part in paragraph.iter("{*}t", "{*}br"))
        for paragraph in element.iter("{*}p")
    )
