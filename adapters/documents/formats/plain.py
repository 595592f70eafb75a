"""What is plain text: code by its definitions, Markdown by its headings, tables and JSON by what makes sense by itself.

A row of a table becomes a line that says what its values are, so that it can be found alone; an object of JSON has a
section per key, a list one per fifty entries.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from adapters.documents.recognition import decode
from adapters.documents.source import Outline, Source
from bot.ports.document_reading import DocumentSection

_MARKED_HEADING: Final = re.compile(r"(?m)^#{1,6} \S")
_HEADINGS: Final = 2
"""A text with so many headings of Markdown is Markdown, whatever its name."""
_MODIFIERS: Final = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([a-z]+\))?|unsafe|open"
    r"|override|sealed|data|inline|extern|const|virtual|partial|declare)\s+)*"
)
_DEFINITION: Final = re.compile(
    rf"{_MODIFIERS}(?:def|class|func|function\*?|fn|impl|struct|interface|trait|enum|type|module|namespace|object"
    r"|record|protocol|extension|package|sub|CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW|FUNCTION|INDEX))\b"
    r"\s*(?:\([^)]{0,80}\)\s*)?([\w$.:<>~-]{0,79}[\w$>])",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(r"\[{1,2}([^\]]{1,80})\]{1,2}\s*")
"""Of configuration files."""
_LEADING: Final = ("#", "//", "/*", "*", "--", "@", ";")
"""Comments and decorators, which belong to the definition below them."""


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of a text by its kind; prose without headings is one."""
    text = decode(source.file.read())
    if source.kind == "csv":
        yield from _read_table(source, text)
        return
    if source.kind in {"json", "jsonl"}:
        yield from _read_records(text, lines=source.kind == "jsonl")
        return
    text = text.replace("\r\n", "\n")
    if source.kind == "md":
        yield from _read_markdown(source, text)
        return
    text = text.replace("\r", "\n")
    if source.kind == "code":
        yield from _list_definitions(text)
    elif len(_MARKED_HEADING.findall(text)) >= _HEADINGS:
        yield from _list_markdown_sections(text)
    else:
        yield DocumentSection((), text)


def _list_definitions(text: str) -> Iterator[DocumentSection]:
    """Yield a section per definition that begins at the margin, with the comments right above it."""
    outline = Outline()
    held: list[str] = []
    for line in text.split("\n"):
        found = _DEFINITION.match(line) or _SECTION.fullmatch(line)
        if found is not None:
            kept = _count_leading(held)
            outline.add("\n".join(held[: len(held) - kept]))
            held = held[len(held) - kept :]
            yield from outline.open(1, found[1])
        held.append(line)
    outline.add("\n".join(held))
    yield from outline.close()


def _count_leading(lines: list[str]) -> int:
    count = 0
    while count < len(lines) and lines[-1 - count].startswith(_LEADING):
        count += 1
    return count


_HASHES: Final = re.compile(r" {0,3}(#{1,6})[ \t]++(.*+)")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{3,})[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT: Final = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)
_TITLE: Final = re.compile(r"(?m)^title:([^\n]*+)")


def _read_markdown(source: Source, text: str) -> Iterator[DocumentSection]:
    """Yield the sections of a Markdown file; its title is that of its front matter or its first heading."""
    front = _FRONT.match(text)
    if front is not None and (title := _TITLE.search(front[1])):
        source.title = title[1].strip().strip("\"'")
    for section in _list_markdown_sections(text):
        if not source.title and section.headings:
            source.title = section.headings[0]
        yield section


def _list_markdown_sections(text: str) -> Iterator[DocumentSection]:
    """Yield sections by headings; lines between fences are never headings."""
    outline = Outline()
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        marks = _FENCE.match(line)
        if marks is not None and (not fence or marks[1].startswith(fence)):
            fence = "" if fence else marks[1]
        level, heading = (0, "") if fence else _find_heading(line, block)
        if not level:
            block.append(line)
            continue
        outline.add("\n".join(block))
        block = []
        yield from outline.open(level, heading)
    outline.add("\n".join(block))
    yield from outline.close()


def _find_heading(line: str, block: list[str]) -> tuple[int, str]:
    """Return the level and text of a heading that a line makes, 0 without one; takes the line it underlines."""
    if heading := _HASHES.fullmatch(line):
        return len(heading[1]), heading[2].rstrip(" \t").rstrip("#").rstrip(" \t")
    underline = _UNDERLINE.fullmatch(line)
    alone = bool(block) and bool(block[-1].strip()) and (len(block) == 1 or not block[-2].strip())
    if underline is not None and alone and not block[-1].lstrip().startswith(("-", "*", "|", ">")):
        return (1 if underline[1][0] == "=" else 2), block.pop().strip()
    return 0, ""


_ENTRIES: Final = 50


def _read_records(text: str, *, lines: bool) -> Iterator[DocumentSection]:
    """Yield the sections; what is no valid JSON, or nested beyond measure, is read as the text that it is."""
    if lines:
        yield from _list_entries(line for line in text.splitlines() if line.strip())
        return
    try:
        yield from _list_values(json.loads(text))
    except (ValueError, RecursionError):
        yield DocumentSection((), text)


def _list_values(value: Any) -> Iterator[DocumentSection]:  # Any: JSON
    if isinstance(value, dict):
        rendered = {str(key): _render_value(each) for key, each in value.items()}
        yield from (DocumentSection((key[:200],), text) for key, text in rendered.items())
    elif isinstance(value, list):
        yield from _list_entries(list(map(_render_value, value)))
    else:
        yield DocumentSection((), _render_value(value))


def _list_entries(entries: Iterable[str]) -> Iterator[DocumentSection]:
    rest, begun = iter(entries), 1
    while batch := list(islice(rest, _ENTRIES)):
        yield DocumentSection((f"{begun}-{begun + len(batch) - 1}",), "\n".join(batch))
        begun += len(batch)


def _render_value(value: Any) -> str:  # Any: JSON
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


_ROWS: Final = 50
"""Of one section."""
_FIELD: Final = 1_000_000
_SAMPLE: Final = 20_000
_ALPHABET: Final = 26
_MOST_ROWS: Final = 200_000
_MOST_COLUMNS: Final = 1000


def _read_table(source: Source, text: str) -> Iterator[DocumentSection]:
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
        yield DocumentSection((*above, place), "\n".join(_render_row(values, names) for _, values in batch))
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


def _render_row(values: tuple[str, ...], names: tuple[str, ...]) -> str:
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
