"""Web pages: what is worth reading of them, by their headings.

trafilatura finds the text between the furniture of a page, and sometimes leaves out text and headings as well.  What a
person sent is to be found again, so that its choice decides which lines stay only where it kept nearly all of the long
passages; else everything does, but navigation, footers and forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from lxml import html

from adapters.documents.markup import list_sections, parse_html, remove_hidden_parts
from adapters.documents.source import Source
from adapters.documents.text import decode
from bot.errors import DocumentUnreadable
from bot.ports.documents import DocumentSection

_PASSAGE: Final = 80
"""Characters of one that counts."""
_KEPT: Final = 0.9
_NEAR: Final = 20_000
"""Characters around a line where the next one is looked for."""
_FEW: Final = 1000
"""Characters of text below which there is nothing to choose."""
_CHOSEN: Final = 3_000_000
"""Characters of a page above which everything is taken: choosing takes long."""
_WORD: Final = re.compile(r"\w+")
_GAPS: Final = re.compile(r"\n{3,}")


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of a page.  Raises :class:`~bot.errors.DocumentUnreadable` if there is nothing to read."""
    text = decode(source.file.read(), declared=True)
    tree = parse_html(text)
    if tree is None:
        raise DocumentUnreadable("there is nothing in the page", why="empty")
    title = tree.find(".//title")
    source.title = " ".join((title.text_content() if title is not None else "").split())
    remove_hidden_parts(tree)
    everything = tuple(list_sections(tree, furniture=False)) or tuple(list_sections(tree))
    links = {_reduce(link.text_content()) for link in tree.iter("a")}
    size = sum(len(section.text) for section in everything)
    chosen = _choose(tree) if size >= _FEW and len(text) <= _CHOSEN else ""
    yield from _filter(everything, chosen) if _keeps_passages(chosen, everything, links) else everything


def _choose(tree: html.HtmlElement) -> str:
    """Return what trafilatura takes for the text of the page, "" if it finds none; wrecks the tree."""
    try:
        trafilatura = import_module("trafilatura")  # takes longer than a small page
        chosen: Any = trafilatura.extract(  # Any: the library has no types
            tree, include_tables=True, include_comments=False, favor_recall=True
        )
    except Exception:  # noqa: BLE001 - heuristics over any page there is; what they break on is read whole
        return ""
    return chosen if isinstance(chosen, str) else ""


class _Chosen:
    """Tells whether lines of the page are among what was chosen, asked in the order of the page.

    Short ones that are no line of it are looked for near the place of the line before: everywhere would take long.
    """

    def __init__(self, chosen: str) -> None:
        self._lines = {_reduce(line) for line in chosen.split("\n")}
        self._text = _reduce(chosen)
        self._place = 0

    def holds(self, line: str) -> bool:
        long = len(line) >= _PASSAGE
        found = self._text.find(line, self._place, len(self._text) if long else self._place + _NEAR)
        if found >= 0 and long:
            self._place = found + len(line)
        return found >= 0 or line in self._lines


def _keeps_passages(chosen: str, everything: tuple[DocumentSection, ...], links: set[str]) -> bool:
    """Return whether nearly all long passages of the page are among what was chosen."""
    kept, total, known = 0, 0, _Chosen(chosen)
    for passage in (line for section in everything for line in section.text.split("\n")):
        reduced = _reduce(passage)
        if len(reduced) >= _PASSAGE and reduced not in links:
            total += len(reduced)
            kept += len(reduced) if known.holds(reduced) else 0
    return bool(chosen) and kept >= _KEPT * total


def _filter(everything: tuple[DocumentSection, ...], chosen: str) -> Iterator[DocumentSection]:
    """Yield the sections with those lines alone that were chosen."""
    known = _Chosen(chosen)
    for section in everything:
        lines = (line for line in section.text.split("\n") if not line or known.holds(_reduce(line)))
        if text := _GAPS.sub("\n\n", "\n".join(lines)).strip("\n"):
            yield DocumentSection(section.headings, text, section.page)


def _reduce(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
