"""A long answer as several messages, each of which is Markdown that stands on its own.

Cuts are made, in this order of preference, between blocks, between lines, after sentences, between words, anywhere.
A cut inside a block counts only if both sides still show what the whole showed; a fence or a table's head that is cut
open is closed and repeated.
Converting takes longer than in proportion to a text, so no more than a window is converted at once, and no cut looks
further than its window: the work grows with the number of parts.
"""

import itertools
import re
from collections import deque
from collections.abc import Iterator

from adapters.telegram.markdown import (
    MESSAGE_UNITS,
    count_units,
    escape_definitions,
    limit_nesting,
    list_events,
    render,
)
from adapters.telegram.session import replace_unsendable

_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)[^\n]*+\n")
_TABLE_RULE = re.compile(r"[ |:]*+-[ |:-]*+")
_CUTS = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"), re.compile(r"[.!?…。！？]['\")\]»”]*\s"), re.compile(r"\s"))
_TRIED = 3
"""Cuts of one kind that are tried in a block before the next kind: a block of pure markup must not cost seconds."""
_WINDOW = MESSAGE_UNITS * 3 // 2
"""The part of a block that is looked at for a cut: the longest head, and enough to see what the cut would break."""
_WHOLE = MESSAGE_UNITS * 3
"""Longest source that is converted to see whether one message holds it; links may be long and show little."""
_NUMBERED = re.compile(r"\d{1,9}[.)]|\s+")
_MARKUP = re.compile(r"[\\\[\]`*_{}<>#+.!|~$&=^-]")
_SEAM = re.compile(r"(?:\\|&#?\w{0,8})\Z")
_LONGEST_ESCAPE = 11
_GAP = 2
"""Units of the blank line between two blocks."""
_ROOM = 64
"""Units left free beside a fence for its marks and language."""


def split(markdown: str) -> tuple[str, ...]:
    """Return the parts: at least one, none empty, each fits one message once it is converted."""
    source = limit_nesting(replace_unsendable(markdown).strip("\n"))
    if not source.strip():
        return ("…",)
    if _fits(source):
        return (source,)
    parts = [piece.strip("\n") for piece in _pack(list(_iterate_blocks(escape_definitions(source))))]
    return tuple(part for part in parts if part.strip())


def _fits(source: str) -> bool:
    return len(source) <= _WHOLE and render(source).fits()


def _estimate_size(source: str) -> int:
    """Return how many units a block takes; that of a long one need not be exact, as it is cut."""
    return len(source) if len(source) > _WHOLE else count_units(render(source).text)


def _pack(blocks: list[str]) -> Iterator[str]:
    """Join blocks while they fit, cutting those that do not fit alone."""
    part, used = "", 0
    for block in blocks:
        size = _estimate_size(block) + _GAP
        if part.strip() and used + size > MESSAGE_UNITS:
            *done, last = _cut_up(part)
            yield from done
            part, used = (last, _estimate_size(last) + _GAP) if done else ("", 0)
            if not done or used + size > MESSAGE_UNITS:
                yield last
                part, used = "", 0
        part += block
        used += size
    yield from _cut_up(part)


def _cut_up(part: str) -> Iterator[str]:
    """Return a part in pieces that fit; at least one."""
    while not _fits(part):
        cut = _cut(part)
        if cut is None:
            yield from _split_plain(part)
            return
        head, part = cut
        yield head
    yield part


def _iterate_blocks(source: str) -> Iterator[str]:
    """Return the top-level blocks with the blank lines that follow each; together they are the source."""
    data = source.encode()
    starts = []
    depth = 0
    for kind, _, start, _ in list_events(source):
        if depth == 0 and kind != "End":
            starts.append(data.rfind(b"\n", 0, start) + 1)
        depth += {"Start": 1, "End": -1}.get(kind, 0)
    bounds = sorted({0, *starts, len(data)})
    for start, end in itertools.pairwise(bounds):
        yield data[start:end].decode()


def _cut(block: str) -> tuple[str, str] | None:
    """Return a head that fits and the rest, both standing alone; ``None`` if its markup allows of no cut."""
    fence = _FENCE.match(block)
    if fence is not None:
        return _cut_code(block, fence[0], fence[1])
    lines = block.split("\n", 2)
    if len(lines) == 3 and "|" in lines[0] and _TABLE_RULE.fullmatch(lines[1]):  # noqa: PLR2004 - head, rule, rows
        cut = _cut_table(f"{lines[0]}\n{lines[1]}\n", lines[2])
        if cut is not None:
            return cut
    return _cut_text(block)


def _cut_code(block: str, opening: str, mark: str) -> tuple[str, str]:
    room = MESSAGE_UNITS - _ROOM
    body = block[len(opening) :]
    end = body.rfind("\n", 0, _find_limit(body, room) + 1) + 1 or _find_limit(body, room)
    head = body[:end] if body[:end].endswith("\n") else body[:end] + "\n"
    return f"{opening}{head}{mark.strip()}", f"{opening}{body[end:]}"


def _cut_table(head: str, rows: str) -> tuple[str, str] | None:
    """Cut between rows and repeat the head; ``None`` if not even one row fits."""
    lines = rows.splitlines(keepends=True)
    low, high, room = 0, 0, _WHOLE - len(head)
    while high < len(lines) and room >= len(lines[high]):
        room -= len(lines[high])
        high += 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if render(head + "".join(lines[:middle])).fits() else (low, middle - 1)
    if low == 0 or low == len(lines):
        return None
    return head + "".join(lines[:low]), head + "".join(lines[low:])


def _cut_text(block: str) -> tuple[str, str] | None:
    """Cut at the last border where both sides show what the whole shows; ``None`` if there is no such border."""
    window = block[:_WINDOW]
    longest = _find_limit(window, MESSAGE_UNITS)
    shown = ""
    for border in _CUTS:
        ends = deque((match.end() for match in border.finditer(window[:longest])), _TRIED)
        for end in reversed(ends):
            head, rest = block[:end], _outdent(block[end:])
            if head.strip() and rest.strip():
                shown = shown or _render_text(window)
                if render(head).fits() and _render_text(head) + _render_text(_outdent(window[end:])) == shown:
                    return head, rest
    return None


def _render_text(source: str) -> str:
    """Return what is shown, without what two pieces may show otherwise: numbers of list items may start anew."""
    return _NUMBERED.sub("", render(source).text)


def _outdent(text: str) -> str:
    """Take the first line's indentation off all lines: indented text standing first would become code."""
    indent = len(text) - len(text.lstrip(" "))
    return re.sub(rf"(?m)^ {{1,{indent}}}", "", text) if indent else text


def _split_plain(block: str) -> Iterator[str]:
    """Give up the markup of a block: return what it shows, escaped, cut anywhere."""
    text = "".join(render(piece).text + piece[len(piece.rstrip()) :] for piece in _iterate_windows(block)).strip()
    while text:
        end = _find_limit(text, MESSAGE_UNITS)
        if end < len(text):
            end = max(text.rfind("\n", end // 2, end), text.rfind(" ", end // 2, end)) + 1 or end
        yield _escape_text(text[:end])
        text = text[end:].lstrip("\n")


def _iterate_windows(block: str) -> Iterator[str]:
    """Return a block in pieces that are converted one by one; an escaped sign is not taken apart."""
    start = 0
    while start < len(block):
        end = start + _WINDOW
        if end < len(block):
            space = max(block.rfind(" ", start + 1, end), block.rfind("\n", start + 1, end)) + 1
            seam = _SEAM.search(block, end - _LONGEST_ESCAPE, end)
            end = space or (seam.start() if seam is not None else end)
        yield block[start:end]
        start = end


def _escape_text(text: str) -> str:
    """Return Markdown that shows exactly this text (leading spaces aside)."""
    lines = (re.sub(r"^[ \t]+", "", line) for line in text.split("\n"))
    return "\n".join(_MARKUP.sub(_escape, line) for line in lines)


def _escape(mark: re.Match[str]) -> str:
    r"""Backslashes before brackets would begin formulas, which are written ``\[ … \]``; references do not."""
    return f"&#{ord(mark[0])};" if mark[0] in "\\[]" else f"\\{mark[0]}"


def _find_limit(text: str, limit: int) -> int:
    """Return the greatest index whose prefix has at most ``limit`` UTF-16 units and splits no character sequence."""
    used = 0
    for index, character in enumerate(text):
        used += 2 if ord(character) > 0xFFFF else 1  # noqa: PLR2004 - the last code point of one unit
        if used > limit:
            return _step_before_cluster(text, index)
    return len(text)


def _step_before_cluster(text: str, index: int) -> int:
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
