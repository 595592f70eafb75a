"""Writes Word documents, workbooks, slide decks and books, by hand where their libraries cannot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

import openpyxl
import pptx

_TYPES: Final = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml"'
    ' ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS: Final = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml"'
    ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
)
_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_CONTAINER: Final = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)


def pack(members: Mapping[str, bytes | str]) -> bytes:
    """Return a zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def write_docx(
    paragraphs: Sequence[tuple[int, str]], *, prologue: str = "", more: Mapping[str, bytes] | None = None
) -> bytes:
    """Return a Word document of paragraphs with their level, 0 for text; ``prologue`` precedes its root element."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="H{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in range(1, 7)
    )
    body = "".join(_paragraph(level, text) for level, text in paragraphs)
    return pack(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _RELATIONS,
            "word/styles.xml": f'<?xml version="1.0"?><w:styles xmlns:w="{_WORD}">{styles}</w:styles>',
            "word/_rels/document.xml.rels": (
                '<?xml version="1.0"?><Relationships'
                ' xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                '<Relationship Id="s" Target="styles.xml"'
                ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"/></Relationships>'
            ),
            "word/document.xml": (
                f'<?xml version="1.0"?>{prologue}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
            ),
            **(more or {}),
        }
    )


def _paragraph(level: int, text: str) -> str:
    style = f'<w:pPr><w:pStyle w:val="H{level}"/></w:pPr>' if level else ""
    return (
        f'<w:p>{style}<w:r><w:t xml:space="preserve">{text if text.startswith("&") else escape(text)}</w:t></w:r></w:p>'
    )


def write_xlsx(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """Return a workbook."""
    book: Any = openpyxl.Workbook(write_only=True)  # Any: the library has no types
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def write_pptx(slides: Sequence[tuple[str, str]], *, notes: str = "") -> bytes:
    """Return a slide deck of titles and texts; ``notes`` are the speaker's on the first slide."""
    deck: Any = pptx.Presentation()  # Any: as above
    for title, text in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
    if notes:
        deck.slides[0].notes_slide.notes_text_frame.text = notes
    packed = io.BytesIO()
    deck.save(packed)
    return packed.getvalue()


def write_epub(title: str, chapters: Sequence[tuple[str, str]], *, prologue: str = "") -> bytes:
    """Return a book of chapters with a heading and a text; ``prologue`` precedes the root element of each."""
    items = "".join(f'<item id="c{n}" href="c%20{n}.xhtml" media-type="x"/>' for n in range(len(chapters)))
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    book = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    pages = {
        f"OEBPS/c {number}.xhtml": (
            f'<?xml version="1.0" encoding="utf-8"?>{prologue}<html xmlns="http://www.w3.org/1999/xhtml">'
            f"<body><h1>{escape(heading)}</h1><p>{text}</p></body></html>"
        )
        for number, (heading, text) in enumerate(chapters)
    }
    return pack(
        {"mimetype": "application/epub+zip", "META-INF/container.xml": _CONTAINER, "OEBPS/book.opf": book, **pages}
    )
