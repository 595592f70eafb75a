"""Markdown: sections by its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adapters.documents.outline import Outline
from adapters.documents.source import Source
from adapters.documents.text import decode
from bot.ports.documents import DocumentSection

_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]++(.*+)")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{3,})[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT: Final = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)
_TITLE: Final = re.compile(r"(?m)^title:([^\n]*+)")


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of a Markdown file; its title is that of its front matter or its first heading."""
    text = decode(source.file.read()).replace("\r\n", "\n")
    front = _FRONT.match(text)
    if front is not None and (title := _TITLE.search(front[1])):
        source.title = title[1].strip().strip("\"'")
    for section in list_markdown_sections(text):
        if not source.title and section.headings:
            source.title = section.headings[0]
        yield section


def list_markdown_sections(text: str) -> Iterator[DocumentSection]:
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
    if heading := _HEADING.fullmatch(line):
        return len(heading[1]), heading[2].rstrip(" \t").rstrip("#").rstrip(" \t")
    underline = _UNDERLINE.fullmatch(line)
    alone = bool(block) and bool(block[-1].strip()) and (len(block) == 1 or not block[-2].strip())
    if underline is not None and alone and not block[-1].lstrip().startswith(("-", "*", "|", ">")):
        return (1 if underline[1][0] == "=" else 2), block.pop().strip()
    return 0, ""
