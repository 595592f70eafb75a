"""A long answer as several messages, each of which is Markdown that stands on its own.

Cuts are made, in this order of preference, between blocks, between lines, after sentences, between words, anywhere.
A cut inside a block counts only if both sides still show what the whole showed; a fence or a table's head that is cut
open is closed and repeated.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pyromark

from adapters.telegram.guard import OPTIONS, spelled_out
from adapters.telegram.markdown import MESSAGE_UNITS, render, units
from adapters.telegram.raw_updates import tidied

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[^\n]*\n")
_TABLE_RULE = re.compile(r"[ |:-]*-[ |:-]*")
_CUTS = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"), re.compile(r"[.!?…。！？]['\")\]»”]*\s"), re.compile(r"\s"))
_TRIED = 8
"""How many cuts of one kind are tried in a block before the next kind: a block of pure markup must not cost seconds."""
_NUMBERED = re.compile(r"\d+[.)]|\s+")
_MARKUP = re.compile(r"[\\\[\]`*_{}<>#+.!|~$&=^-]")
_GAP = 2
"""Units of the blank line between two blocks."""
_ROOM = 64
"""Units left free beside a fence for its marks and language."""


def split(markdown: str) -> tuple[str, ...]:
    """Return the parts: at least one, none empty, each fits one message once it is converted."""
    source = tidied(markdown).strip("\n")
    if not render(source).text:
        return ("…",)
    if render(source).fits():
        return (source,)
    parts = [piece.strip("\n") for piece in _packed(list(_blocks(spelled_out(source))))]
    return tuple(part for part in parts if render(part).text)


def _packed(blocks: list[str]) -> Iterator[str]:
    """Join blocks while they fit, cutting those that do not fit alone."""
    part, used = "", 0
    for block in blocks:
        size = units(render(block).text) + _GAP
        if part.strip() and used + size > MESSAGE_UNITS:
            *done, last = _cut_up(part)
            yield from done
            part, used = (last, units(render(last).text) + _GAP) if done else ("", 0)
            if not done or used + size > MESSAGE_UNITS:
                yield last
                part, used = "", 0
        part += block
        used += size
    yield from _cut_up(part)


def _cut_up(part: str) -> Iterator[str]:
    """Return a part in pieces that fit; at least one."""
    while not render(part).fits():
        head, part = _cut(part)
        yield head
    yield part


def _blocks(source: str) -> Iterator[str]:
    """Return the top-level blocks with the blank lines that follow each; together they are the source."""
    data = source.encode()
    starts = []
    depth = 0
    for event, span in pyromark.events_with_range(source, options=OPTIONS):
        kind = next(iter(event)) if isinstance(event, dict) else event
        if depth == 0 and kind != "End":
            starts.append(data.rfind(b"\n", 0, span["start"]) + 1)
        depth += {"Start": 1, "End": -1}.get(str(kind), 0)
    bounds = sorted({0, *starts, len(data)})
    for start, end in itertools.pairwise(bounds):
        yield data[start:end].decode()


def _cut(block: str) -> tuple[str, str]:
    """Return a head that fits and the rest, both standing alone."""
    fence = _FENCE.match(block)
    if fence is not None:
        return _cut_code(block, fence[0], fence[1])
    lines = block.split("\n", 2)
    if len(lines) == 3 and "|" in lines[0] and _TABLE_RULE.fullmatch(lines[1]):  # noqa: PLR2004 - head, rule, rows
        cut = _cut_table(f"{lines[0]}\n{lines[1]}\n", lines[2])
        if cut is not None:
            return cut
    return _cut_text(block) or _cut_plain(block)


def _cut_code(block: str, opening: str, mark: str) -> tuple[str, str]:
    room = MESSAGE_UNITS - _ROOM
    body = block[len(opening) :]
    end = body.rfind("\n", 0, _index(body, room) + 1) + 1 or _index(body, room)
    head = body[:end] if body[:end].endswith("\n") else body[:end] + "\n"
    return f"{opening}{head}{mark.strip()}", f"{opening}{body[end:]}"


def _cut_table(head: str, rows: str) -> tuple[str, str] | None:
    """Cut between rows and repeat the head; ``None`` if not even one row fits."""
    lines = rows.splitlines(keepends=True)
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if render(head + "".join(lines[:middle])).fits() else (low, middle - 1)
    if low == 0 or low == len(lines):
        return None
    return head + "".join(lines[:low]), head + "".join(lines[low:])


def _cut_text(block: str) -> tuple[str, str] | None:
    """Cut at the last border where both sides show what the whole shows; ``None`` if there is no such border."""
    window = block[: 2 * MESSAGE_UNITS]
    for border in _CUTS:
        ends = [match.end() for match in border.finditer(window)]
        fitting = [end for end in ends if units(window[:end]) <= MESSAGE_UNITS][-_TRIED:]
        for end in reversed(fitting):
            head, rest = block[:end], _outdented(block[end:])
            if head.strip() and rest.strip() and render(head).fits() and _same(window, head, _outdented(window[end:])):
                return head, rest
    return None


def _same(whole: str, head: str, rest: str) -> bool:
    """Whether two pieces show what the whole shows; numbers of list items may start anew."""
    shown = f"{render(head).text}\n{render(rest).text}"
    return _NUMBERED.sub("", shown) == _NUMBERED.sub("", render(whole).text)


def _outdented(text: str) -> str:
    """Take the first line's indentation off all lines: indented text standing first would become code."""
    indent = len(text) - len(text.lstrip(" "))
    return re.sub(rf"(?m)^ {{1,{indent}}}", "", text) if indent else text


def _cut_plain(block: str) -> tuple[str, str]:
    """Give up the markup of this block: what it shows, escaped, cut anywhere."""
    text = render(block).text
    end = _index(text, MESSAGE_UNITS)
    end = max(text.rfind("\n", end // 2, end), text.rfind(" ", end // 2, end)) + 1 or end
    return _literal(text[:end]), _literal(text[end:])


def _literal(text: str) -> str:
    """Return Markdown that shows exactly this text (leading spaces aside)."""
    lines = (re.sub(r"^[ \t]+", "", line) for line in text.split("\n"))
    return "\n".join(_MARKUP.sub(_escape, line) for line in lines)


def _escape(mark: re.Match[str]) -> str:
    r"""Backslashes before brackets would begin formulas, which are written ``\[ … \]``; references do not."""
    return f"&#{ord(mark[0])};" if mark[0] in "\\[]" else f"\\{mark[0]}"


def _index(text: str, limit: int) -> int:
    """Return the greatest index whose prefix has at most ``limit`` UTF-16 units and splits no character sequence."""
    used = 0
    for index, character in enumerate(text):
        used += 2 if ord(character) > 0xFFFF else 1  # noqa: PLR2004 - the last code point of one unit
        if used > limit:
            return _before_cluster(text, index)
    return len(text)


def _before_cluster(text: str, index: int) -> int:
    """Step back over joiners, variation selectors and combining marks, so that an emoji stays whole."""
    at = index
    while at > max(1, index - 32) and (_joins(text[at]) or text[at - 1] == "\u200d"):
        at -= 1
    return at if at > max(1, index - 32) else index


def _joins(character: str) -> bool:
    return (
        character in "\u200d\ufe0f\u20e3"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\u0300" <= character <= "\u036f"
    )
