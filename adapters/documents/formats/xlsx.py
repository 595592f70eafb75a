"""Workbooks: the values of each sheet, row by row.  Formulas are not computed, what they last gave is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import openpyxl

from adapters.documents.archives import open_archive, refuse_entities
from adapters.documents.formats.tables import list_rows
from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.documents import DocumentSection

_MOST_EMPTY: Final = 3_000_000
"""Rows and cells, in all: two sheets with a value in the last row that there can be."""


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the rows of every sheet that is shown.  Raises :class:`~bot.errors.DocumentUnreadable`."""
    with open_archive(source.file, source.limits) as archive:
        refuse_entities(archive)
    source.file.seek(0)
    try:
        yield from _list_sheets(source)
    except (MemoryError, DocumentUnreadable):
        raise
    except Exception as error:
        raise DocumentUnreadable("the workbook is damaged", why="damaged") from error


def _list_sheets(source: Source) -> Iterator[DocumentSection]:
    book: Any = openpyxl.load_workbook(source.file, read_only=True, data_only=True, keep_vba=False, keep_links=False)
    source.title = str(book.properties.title or "")
    sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    source.cut = len(sheets) > source.limits.pages
    emptiness = _Emptiness(source)
    for sheet in sheets[: source.limits.pages]:
        sheet.reset_dimensions()  # what a file says of its size may be wrong on purpose
        yield from list_rows(source, emptiness.bound(sheet.iter_rows(values_only=True)), (str(sheet.title),))


@dataclass(slots=True)
class _Emptiness:
    """The empty rows and cells that are still gone through: a few bytes can claim any number of them."""

    source: Source
    left: int = _MOST_EMPTY

    def bound(self, rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
        """Yield the rows of a sheet as long as there is not too much nothing in the book."""
        for row in rows:
            self.left -= row.count(None) or not row
            if self.left < 0:
                self.source.cut = True
                return
            yield row
