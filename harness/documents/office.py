"""Writes PDF files, Word documents, workbooks, slide decks and books, by hand where their libraries cannot."""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
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


_LINE: Final = 14
_TOP: Final = 790
_HEAD: Final = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


def write_pdf(
    pages: Sequence[str], *, outline: Sequence[tuple[int, int, str]] = (), title: str = "", encrypt: str = ""
) -> bytes:
    """Return a PDF with a page per text, which is set line by line; characters of Latin-1 only.

    ``outline`` has entries of level (from 0), page (from 0) and title, in order.  ``encrypt`` is the entry of a
    dictionary of encryption that nobody has the password of.
    """
    first = 4
    begun = first + 2 * len(pages)
    objects: dict[int, bytes] = {1: b"<< /Type /Catalog /Pages 2 0 R >>"}
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    for number, text in enumerate(pages):
        place = first + 2 * number
        objects[place] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {place + 1} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        ).encode()
        objects[place + 1] = _stream(_set_lines(text.split("\n")))
    if outline:
        objects[1] = f"<< /Type /Catalog /Pages 2 0 R /Outlines {begun} 0 R >>".encode()
        objects |= _outline(outline, begun, first)
    trailer = f"/Root 1 0 R /Size {len(objects) + 2}"
    if title:
        number = max(objects) + 1
        objects[number] = b"<< /Title (" + _escape(title) + b") >>"
        trailer += f" /Info {number} 0 R"
    if encrypt:
        trailer += f" /Encrypt {encrypt} /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]"
    return _join(objects, trailer)


LOCKED: Final = f"<< /Filter /Standard /V 2 /R 3 /Length 128 /P -3904 /O <{'ab' * 32}> /U <{'cd' * 32}> >>"
"""An encryption that no password opens."""


def _outline(entries: Sequence[tuple[int, int, str]], begun: int, first: int) -> dict[int, bytes]:
    """Return the objects of an outline: its root is ``begun``, its entries follow."""
    parents: list[int] = []
    above: list[int] = []
    for number, (level, _, _) in enumerate(entries):
        del above[level:]
        parents.append(above[-1] if above else -1)
        above.append(number)
    children = {parent: [n for n, each in enumerate(parents) if each == parent] for parent in {*parents, -1}}

    def name(number: int) -> str:
        return f"{begun + 1 + number} 0 R"

    objects = {
        begun: f"<< /Type /Outlines /First {name(children[-1][0])} /Last {name(children[-1][-1])}"
        f" /Count {len(entries)} >>".encode()
    }
    for number, (_, page, title) in enumerate(entries):
        family = children[parents[number]]
        place = family.index(number)
        parts = [f"/Parent {begun} 0 R" if parents[number] < 0 else f"/Parent {name(parents[number])}"]
        parts += [f"/Prev {name(family[place - 1])}"] if place else []
        parts += [f"/Next {name(family[place + 1])}"] if place + 1 < len(family) else []
        if own := children.get(number):
            parts += [f"/First {name(own[0])} /Last {name(own[-1])} /Count {len(own)}"]
        parts.append(f"/Dest [{first + 2 * page} 0 R /Fit]")
        objects[begun + 1 + number] = b"<< /Title (" + _escape(title) + b") " + " ".join(parts).encode() + b" >>"
    return objects


def write_drawn_pdf(drawing: bytes) -> bytes:
    """Return a PDF with a page that is drawn by these operators; /F1 is Helvetica."""
    kept = write_pdf([""])
    begun = kept.index(b"5 0 obj")
    objects = {int(number): body for number, body in re.findall(rb"(?s)(\d+) 0 obj\n(.*?)\nendobj\n", kept[:begun])}
    return _join(objects | {5: _stream(drawing)}, f"/Root 1 0 R /Size {len(objects) + 2}")


def _set_lines(lines: Iterable[str]) -> bytes:
    shown = b"".join(b"(" + _escape(line) + b") Tj T*\n" for line in lines)
    return f"BT /F1 10 Tf {_LINE} TL 50 {_TOP} Td\n".encode() + shown + b"ET"


def _escape(text: str) -> bytes:
    encoded = text.encode("cp1252", "replace")
    return encoded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _stream(content: bytes) -> bytes:
    return f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"


def _join(objects: dict[int, bytes], trailer: str) -> bytes:
    output = bytearray(_HEAD)
    places: dict[int, int] = {}
    for number in sorted(objects):
        places[number] = len(output)
        output += f"{number} 0 obj\n".encode() + objects[number] + b"\nendobj\n"
    table = len(output)
    output += f"xref\n0 {max(objects) + 1}\n0000000000 65535 f \n".encode()
    output += b"".join(f"{places[number]:010} 00000 n \n".encode() for number in range(1, max(objects) + 1))
    output += f"trailer << {trailer} >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(output)
