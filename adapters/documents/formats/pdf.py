"""PDF: the text of each page, under the headings of the document's own outline where it has one."""

import ctypes
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import pypdfium2
from pypdfium2 import raw as pdfium

from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.document_reading import DocumentSection

_PASSWORD: Final = 4
"""FPDF_ERR_PASSWORD of fpdfview.h."""
_OUTLINE: Final = 5000
"""Entries that are read of an outline."""
_DEPTH: Final = 6
_HYPHENS: Final = re.compile("[\u00ad\ufffe\x02]\\s*\n?")
"""What pdfium gives for a hyphen at the end of a line."""
_SPACES: Final = re.compile(r"\s+")
_NUMBERS: Final = re.compile(r"(?:\d|(?<=\d)[^\w\s]|[^\w\s](?=\d)){2,}")
"""Digits, and the signs beside them."""
_APART: Final = 0.05
"""Space between two digits, as a share of the height of a line, that nobody leaves within a number."""
_RAISED: Final = 0.12
"""Difference in height or size that footnotes and powers have."""
_TURNED: Final = 0.01
"""Angle in radians from which on a line is none that is read from left to right."""
_LEFT, _BOTTOM, _RIGHT, _TOP = range(4)
_Box = tuple[float, float, float, float]
_Entry = tuple[int, str]


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of each page in order.

    Raises :class:`~bot.errors.DocumentUnreadable`: encrypted, damaged, or ``no_text`` when its pages are pictures.
    """
    try:
        pdf: Any = pypdfium2.PdfDocument(source.file.read())  # Any: the library has no types
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise DocumentUnreadable("the PDF needs a password", why="encrypted") from error
        raise DocumentUnreadable("the PDF is damaged or cut off", why="damaged") from error
    source.pages = len(pdf)
    source.title = str(pdf.get_metadata_dict().get("Title") or "")
    source.cut = source.pages > source.limits.pages
    entries = _read_outline(pdf)
    path: list[_Entry] = []
    found = False
    for number in range(min(source.pages, source.limits.pages)):
        text = _read_page(pdf, number)
        found = found or bool(text)
        yield from _split_page(text, number + 1, entries.get(number, ()), path)
    if not found:
        raise DocumentUnreadable("the pages of the PDF are pictures, there is no text in it", why="no_text")


def _read_page(pdf: Any, number: int) -> str:  # Any: as above
    """Return the text of a page, "" for one that is damaged: the others can be read."""
    try:
        page = pdf[number]
        text_page = page.get_textpage()
        text = _separate_numbers(text_page, str(text_page.get_text_bounded(errors="replace")))
        text_page.close()
        page.close()
    except pypdfium2.PdfiumError:
        return ""
    return _HYPHENS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _separate_numbers(page: Any, text: str) -> str:  # Any: as above
    """Return the text of a page with spaces between numbers that stand apart on it, however little.

    pdfium takes what is less than a quarter of a digit apart for one word: of the cells "400.01" and "3" it makes a
    number that stands nowhere.
    """
    pieces, place = [], 0
    for run in _NUMBERS.finditer(str(page.get_text_range(errors="replace")) if _NUMBERS.search(text) else ""):
        found = text.find(run[0], place)
        if found >= 0:  # what lies beyond the page's edges is not in its text
            pieces += [text[place:found], _separate(page, run[0], run.start())]
            place = found + len(run[0])
    return "".join((*pieces, text[place:]))


def _separate(page: Any, run: str, begun: int) -> str:  # Any: as above
    """Return digits and signs with spaces where they stand apart, are raised or of another size.

    What is drawn in one go belongs together: headings are spaced evenly.
    """
    begun = pdfium.FPDFText_GetCharIndexFromTextIndex(page, begun)
    if pdfium.FPDFText_CountRects(page, begun, len(run)) <= 1:
        return run
    places = range(begun, begun + len(run))
    signs = "".join(chr(pdfium.FPDFText_GetUnicode(page, place)) for place in places)
    if signs != run or pdfium.FPDFText_GetCharAngle(page, begun) > _TURNED:
        return run
    boxes = [_find_box(page, place) for place in places]
    drawn = [ctypes.cast(pdfium.FPDFText_GetTextObject(page, place), ctypes.c_void_p).value for place in places]
    cuts = (
        number != before and _are_apart(*pair)
        for (before, number), pair in zip(pairwise(drawn), pairwise(boxes), strict=True)
    )
    return run[0] + "".join(f" {sign}" if cut else sign for sign, cut in zip(run[1:], cuts, strict=True))


def _find_box(page: Any, place: int) -> _Box:  # Any: as above
    """Return the edges of the room that a character takes, which are those of its line above and below."""
    found = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, place, found)
    return found.left, found.bottom, found.right, found.top


def _are_apart(one: _Box, other: _Box) -> bool:
    """Return whether there is room between two characters, or they stand at different heights or are of two sizes."""
    size = one[_TOP] - one[_BOTTOM]
    moved = max(abs(one[_BOTTOM] - other[_BOTTOM]), abs(size - (other[_TOP] - other[_BOTTOM])))
    return other[_LEFT] - one[_RIGHT] > _APART * size or moved > _RAISED * size


def _read_outline(pdf: Any) -> dict[int, tuple[_Entry, ...]]:  # Any: as above
    """Return the entries of the outline by the page they point to, as level (from 0) and title."""
    entries: dict[int, tuple[_Entry, ...]] = {}
    for place, bookmark in enumerate(pdf.get_toc(max_depth=_DEPTH)):
        if place >= _OUTLINE:
            break
        target = bookmark.get_dest()
        title = _SPACES.sub(" ", bookmark.get_title() or "").strip()
        index = target.get_index() if target is not None else None
        if title and index is not None:
            entries[index] = (*entries.get(index, ()), (bookmark.level, title))
    return entries


def _split_page(text: str, page: int, entries: tuple[_Entry, ...], path: list[_Entry]) -> Iterator[DocumentSection]:
    """Yield the sections of a page: it is divided where a title of the outline stands in it; changes ``path``."""
    begun = 0
    for level, title in entries:
        place = _find_title(text, title, begun)
        before = text[begun:place].strip()
        if before:
            yield DocumentSection(tuple(name for _, name in path), before, page)
            begun = place
        path[:] = [(depth, name) for depth, name in path if depth < level]
        path.append((level, title))
    if rest := text[begun:].strip():
        yield DocumentSection(tuple(name for _, name in path), rest, page)


def _find_title(text: str, title: str, begun: int) -> int:
    """Return where a line begins that holds the title, ``begun`` if none does: then it begins with the page."""
    pattern = r"\s+".join(map(re.escape, title.split(" ")))
    found = re.compile(rf"(?im)^[\s\d.]{{0,12}}{pattern}").search(text, begun)
    return found.start() if found is not None else begun
