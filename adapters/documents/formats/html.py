"""Web pages, and what other formats become as one: what is worth reading of them, by their headings.

The tree is walked without a stack of calls, so that a page may be nested as deeply as it likes.  What a reader of the
page does not see is left out: scripts, styles, what is hidden; a place to hide words for a model.

trafilatura finds the text between the furniture of a page, and sometimes leaves out text and headings as well.  What a
person sent is to be found again, so that its choice decides which lines stay only where it kept nearly all of the long
passages; else everything does, but navigation, footers and forms.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from lxml import etree, html

from adapters.documents.recognition import decode
from adapters.documents.source import Outline, Source
from bot.errors import DocumentUnreadable
from bot.ports.document_reading import DocumentSection

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


_UNSEEN: Final = frozenset(
    re.findall(
        r"\w+",
        "script style noscript template svg math canvas object embed audio video iframe head select button input",
    )
)
_FURNITURE: Final = frozenset({"nav", "footer", "aside", "form", "menu", "dialog"})
"""What stands around the text of a page."""
_BLOCKS: Final = frozenset(
    re.findall(
        r"\w+",
        "p div section article main header ul ol li dl dt dd table tr caption blockquote pre figure figcaption "
        "address hr h1 h2 h3 h4 h5 h6 body details summary fieldset center nav footer aside form menu",
    )
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_CELLS: Final = frozenset({"td", "th"})
_LISTS: Final = frozenset({"ul", "ol", "dl"})
_BREAK: Final = "\x00"
"""Stands for <br>: a line end in the source of a page is a space."""
_HIDING: Final = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d])")
_SPACES: Final = re.compile(r"[ \t\r\n\f\u00a0]+")
_PROLOGUE: Final = re.compile(
    r"\A\s*+(?:<\?xml[^>]*+>)?(?:(?:\s++|<!--(?:(?!-->).)*+-->)*+<!DOCTYPE[^>\[]{0,500}+\[.{0,4000}?\]\s*+>)?",
    re.DOTALL | re.IGNORECASE,
)
"""Declarations that are XML's: what they declare is not looked at."""


def parse_html(text: str) -> html.HtmlElement | None:
    """Return the tree of a page, ``None`` if there is nothing in it; entities of its own are never expanded."""
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    try:
        return html.document_fromstring(_PROLOGUE.sub("", text).replace("\x00", ""), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def remove_hidden_parts(tree: html.HtmlElement) -> None:
    """Take out of a page what nobody sees, for readers that do not look."""
    for element in [each for each in tree.iter(etree.Element) if each.tag in _UNSEEN - {"head"} or _is_hidden(each)]:
        if element.getparent() is not None:
            element.drop_tree()


def list_sections(tree: html.HtmlElement, *, page: int = 0, furniture: bool = True) -> Iterator[DocumentSection]:
    """Return the page's sections by its headings; ``furniture=False`` leaves out navigation, footers and the like."""
    outline = Outline(page=page)
    dropped = _UNSEEN if furniture else _UNSEEN | _FURNITURE
    for level, text in _walk(tree, dropped):
        if level:
            yield from outline.open(level, text)
        else:
            outline.add(text)
    yield from outline.close()


def _walk(tree: html.HtmlElement, dropped: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield ``(level, heading)`` and ``(0, block)`` in the order of the page."""
    gathering = _Gathering()
    skipped: html.HtmlElement | None = None
    walker = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walker:
        tag = element.tag if isinstance(element.tag, str) else ""
        if skipped is not None and element is skipped:
            skipped = None
            gathering.hold(element.tail)
        elif event == "start" and (tag in dropped or not tag or _is_hidden(element)):
            walker.skip_subtree()
            skipped = element
        elif event == "start":
            gathering.begin(tag, element.text)
        else:
            gathering.end(tag, element.tail)
        yield from gathering.take()
    gathering.finish()
    yield from gathering.take()


class _Gathering:
    """Joins runs of text to blocks: a paragraph, a list, a table."""

    def __init__(self) -> None:
        self._held: list[str] = []
        self._lines: list[str] = []
        self._ready: list[tuple[int, str]] = []
        self._verbatim = self._cells = self._lists = 0

    def hold(self, text: str | None) -> None:
        self._held.append(text or "")

    def begin(self, tag: str, text: str | None) -> None:
        if tag in _BLOCKS and not self._cells:
            self._end_block()
        self._verbatim += tag == "pre"
        self._lists += tag in _LISTS
        self._cells += tag in _CELLS
        if tag == "br":
            self.hold(" " if self._cells else _BREAK)
        self.hold("- " if tag == "li" else "")
        self.hold(text)

    def end(self, tag: str, tail: str | None) -> None:
        if tag in _BLOCKS and not self._cells:
            self._end_block(_HEADINGS.get(tag, 0), row=tag == "tr")
        if tag == "table" or tag in _LISTS:
            self._end_lines()
        self._verbatim -= tag == "pre"
        self._lists -= tag in _LISTS
        if tag in _CELLS:
            self._cells -= 1
            self.hold(" | ")
        self.hold(tail)

    def finish(self) -> None:
        self._end_block()
        self._end_lines()

    def take(self) -> Iterator[tuple[int, str]]:
        yield from self._ready
        self._ready.clear()

    def _end_block(self, level: int = 0, *, row: bool = False) -> None:
        text = self._render()
        self._held.clear()
        if not text:
            return
        if not level and (row or self._lists):
            self._lines.append(text)
            return
        self._end_lines()
        self._ready.append((level, text))

    def _end_lines(self) -> None:
        if self._lines and not self._lists + self._cells > 1:
            self._ready.append((0, "\n".join(self._lines)))
            self._lines = []

    def _render(self) -> str:
        text = "".join(self._held)
        if self._verbatim:
            return text.replace(_BREAK, "\n").strip("\n") if text.strip() else ""
        lines = (line.strip() for line in _SPACES.sub(" ", text).split(_BREAK))
        joined = "\n".join(line for line in lines if line).removesuffix("|").rstrip()
        return "" if joined == "-" else joined


def _is_hidden(element: html.HtmlElement) -> bool:
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or _HIDING.search(element.get("style") or "") is not None
    )
