"""Markdown in a terminal: laid out for people, without its marks for scripts; every line of an answer stays a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

_INDENT: Final = 2
_READER: Final = MarkdownIt().enable("strikethrough")
_MARKS: Final = frozenset({"strong_open", "strong_close", "em_open", "em_close", "s_open", "s_close"})


def print_answer(console: Console, text: str) -> None:
    """Print an answer as Markdown, indented.

    A block with a word longer than a line is left for the terminal to wrap: a link that is cut by us cannot be followed
    or copied.  Numbers that do not count on are kept as they are written.
    """
    room = console.width - _INDENT
    for place, (block, numbered) in enumerate(_split_blocks(text)):
        if place:
            console.print()
        code = block.lstrip().startswith(("```", "~~~"))
        wide = not code and any(len(word) > room for word in block.split())
        if wide or not numbered:
            lines = "\n".join(" " * _INDENT + line for line in strip_marks(block).splitlines())
            console.print(Text(lines), soft_wrap=wide)
        else:
            console.print(Padding(_keep_lines(Markdown(block, hyperlinks=False)), (0, 0, 0, _INDENT)))


def strip_marks(text: str) -> str:
    """Return a Markdown text without marks of bold, italics, code and escapes; a link is followed by its address.

    What begins a line (bullets, numbers, quotations), code blocks and tables stay as they are written.
    """
    lines = text.split("\n")
    for token in _READER.parse(text):
        if token.type != "inline" or token.map is None:
            continue
        plain = "".join(_list_plain(token.children or [])).split("\n")
        written = token.content.split("\n")
        if len(plain) != len(written):
            continue
        for number, (shown, source) in enumerate(zip(plain, written, strict=True), start=token.map[0]):
            if source and number < len(lines) and lines[number].rstrip().endswith(source.rstrip()):
                prefix = lines[number].rstrip().removesuffix(source.rstrip())
                lines[number] = (prefix.lstrip("#").lstrip() if prefix.startswith("#") else prefix) + shown
    return "\n".join(lines)


def _list_plain(children: list[Token]) -> Iterator[str]:
    address = ""
    label: list[str] = []
    for child in children:
        match child.type:
            case "link_open":
                address, label = str(child.attrGet("href") or ""), []
            case "link_close":
                if address and address not in {"".join(label), f"http://{''.join(label)}"}:
                    yield f" ({address})"
                address = ""
            case "softbreak" | "hardbreak":
                yield "\n"
            case kind if kind not in _MARKS:
                label.append(child.content)
                yield child.content


def _split_blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the top-level blocks as they are written, and whether each counts on as Markdown would."""
    lines = text.split("\n")
    tokens = _READER.parse(text)
    begun = 0
    for token in (token for token in tokens if token.level == 0 and token.map is not None):
        end = token.map[1] if token.map is not None else begun
        if block := "\n".join(lines[begun:end]).strip("\n"):
            numbers = [int(each.info) for each in tokens if each.info.isdecimal() and _lies_in(each, begun, end)]
            yield block, numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
        begun = end


def _lies_in(token: Token, begun: int, end: int) -> bool:
    return token.type == "list_item_open" and token.level == 1 and token.map is not None and begun <= token.map[0] < end


def _keep_lines(markdown: Markdown) -> Markdown:
    """Let a line end where it does: several facts are not one paragraph."""
    for token in markdown.parsed:
        for child in token.children or ():
            if child.type == "softbreak":
                child.type = "hardbreak"
    return markdown
