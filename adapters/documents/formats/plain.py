"""Plain text and source code: code by its definitions, text as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adapters.documents.formats.markdown import list_markdown_sections
from adapters.documents.outline import Outline
from adapters.documents.source import Source
from adapters.documents.text import decode
from bot.ports.documents import DocumentSection

_HEADING: Final = re.compile(r"(?m)^#{1,6} \S")
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
    """Yield the text whole, or its sections where it has some."""
    text = decode(source.file.read()).replace("\r\n", "\n").replace("\r", "\n")
    if source.kind == "code":
        yield from _list_definitions(text)
    elif len(_HEADING.findall(text)) >= _HEADINGS:
        yield from list_markdown_sections(text)
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
