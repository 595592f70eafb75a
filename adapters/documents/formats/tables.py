"""Rows of tables as lines that say what their values are, so that a row found by itself makes sense."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from adapters.documents.source import Source
from adapters.documents.text import decode
from bot.ports.documents import DocumentSection

_ROWS: Final = 50
"""Of one section."""
_FIELD: Final = 1_000_000
_SAMPLE: Final = 20_000
_ALPHABET: Final = 26
_MOST_ROWS: Final = 200_000
_MOST_COLUMNS: Final = 1000


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the rows of a file of separated values."""
    text = decode(source.file.read())
    csv.field_size_limit(_FIELD)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_find_delimiter(text, source.suffix))
    yield from list_rows(source, rows)


def list_rows(
    source: Source, rows: Iterable[Sequence[object]], above: tuple[str, ...] = ()
) -> Iterator[DocumentSection]:
    """Yield sections of fifty rows, each under its range in the notation of spreadsheets ("A2:F51").

    With a row of names at the top each value stands behind its name.
    """
    numbered = ((number, values) for number, row in enumerate(rows, 1) if any(values := _strip(row)))
    first = next(numbered, None)
    if first is None:
        return
    names = first[1] if _is_header(first[1]) else ()
    counted = islice(numbered if names else chain((first,), numbered), _MOST_ROWS)
    written = False
    while batch := list(islice(counted, _ROWS)):
        widest = max(len(values) for _, values in batch)
        place = f"A{batch[0][0]}:{_name_column(widest)}{batch[-1][0]}"
        yield DocumentSection((*above, place), "\n".join(_render(values, names) for _, values in batch))
        written = True
    if next(numbered, None) is not None:
        source.cut = True
    if names and not written:
        yield DocumentSection((*above, f"A{first[0]}:{_name_column(len(names))}{first[0]}"), " | ".join(names))


def _strip(row: Sequence[object]) -> tuple[str, ...]:
    """Return the values of a row as texts on one line, without empty ones at its end."""
    values = [" ".join(str(value).split()) if value is not None else "" for value in row[:_MOST_COLUMNS]]
    while values and not values[-1]:
        values.pop()
    return tuple(values)


def _is_header(values: tuple[str, ...]) -> bool:
    """Return whether a row names columns: several different words, no numbers."""
    return len(values) > 1 and len(set(values)) == len(values) and not any(map(_is_number, values)) and all(values)


def _is_number(value: str) -> bool:
    return value.replace(".", "").replace(",", "").replace("-", "").replace("%", "").strip().isdigit()


def _render(values: tuple[str, ...], names: tuple[str, ...]) -> str:
    if not names:
        return " | ".join(values)
    named = (f"{names[place]}: {value}" if place < len(names) else value for place, value in enumerate(values) if value)
    return " | ".join(named)


def _name_column(number: int) -> str:
    """Return the letters of a column that is counted from 1: A, Z, AA."""
    name = ""
    while number > 0:
        number, letter = divmod(number - 1, _ALPHABET)
        name = chr(ord("A") + letter) + name
    return name or "A"


def _find_delimiter(text: str, suffix: str) -> str:
    if suffix in {".tsv", ".tab"}:
        return "\t"
    try:
        return csv.Sniffer().sniff(text[:_SAMPLE], ",;\t|").delimiter
    except csv.Error:
        return ","
