"""The block of items: one line each, charged on the very lines that are rendered, so that 600 tokens are 600 tokens."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.memory.items import MemoryItem
from bot.memory.prompt.attribution import Attribution
from bot.memory.prompt.fencing import escape_line
from language.tokens import count_tokens, shorten

_DETAIL: Final = 160
"""Tokens of one item's content at most: an item is a sentence or two; the verbatim turn holds the rest."""
_LEAST_OF_ITEM: Final = 12
"""Tokens below which a shortened item says nothing."""


class Disclosure(StrEnum):
    """The detail in which items are shown: their number, their titles, titles and the best in full, or all in full."""

    INDEX = "index"
    SUMMARY = "summary"
    SELECTIVE = "selective_detail"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class MemoryPack:
    """The lines for the prompt, escaped and final, and the items they show (to be touched).

    ``tokens`` is what ``lines`` cost together; ``left_out`` counts relevant items that found no room.
    """

    lines: tuple[str, ...] = ()
    items: tuple[MemoryItem, ...] = ()
    tokens: int = 0
    left_out: int = 0


def pack_items(
    items: tuple[MemoryItem, ...],
    *,
    attribution: Attribution,
    disclosure: Disclosure,
    soft_tokens: int,
    max_tokens: int,
    left_out: int = 0,
) -> MemoryPack:
    """Return what of the chosen ``items`` is shown, in their order; ``left_out`` counts those that were not chosen.

    Details are given until ``soft_tokens`` are spent (``full``: as long as there is room), titles until ``max_tokens``,
    which nothing exceeds.
    """
    if disclosure is Disclosure.INDEX:
        return _render_counts(items, max_tokens, left_out)
    lines: list[str] = []
    shown: list[MemoryItem] = []
    spent = 0
    for item in items:
        if max_tokens - spent < _LEAST_OF_ITEM:
            break
        detailed = disclosure is Disclosure.FULL or (disclosure is Disclosure.SELECTIVE and spent < soft_tokens)
        line = _render_item(item, attribution, max_tokens - spent, detailed=detailed)
        if not line:
            continue
        lines.append(line)
        shown.append(item)
        spent += count_tokens(line + "\n")
    return MemoryPack(tuple(lines), tuple(shown), spent, left_out + len(items) - len(shown))


def _render_counts(chosen: tuple[MemoryItem, ...], max_tokens: int, left_out: int) -> MemoryPack:
    counts = Counter(str(item.layer) for item in chosen)
    line = ", ".join(f"{layer}: {count}" for layer, count in sorted(counts.items()))
    line = f"- items that may matter, by layer: {line} (search memory to read them)" if line else ""
    if not line or count_tokens(line + "\n") > max_tokens:
        return MemoryPack(left_out=left_out + len(chosen))
    return MemoryPack((line,), (), count_tokens(line + "\n"), left_out)


def _render_item(item: MemoryItem, attribution: Attribution, room: int, *, detailed: bool) -> str:
    """Return the item's line within ``room`` tokens, the title when the content does not fit, "" when nothing does."""
    head = attribution.render_item_head(item)
    left = room - count_tokens(head) - 1
    if left < _LEAST_OF_ITEM // 2:
        return ""
    if detailed and (content := shorten(escape_line(item.content), min(left, _DETAIL))) and left >= _LEAST_OF_ITEM:
        return head + content
    return head + title if (title := shorten(escape_line(item.title or item.content), left)) else ""
