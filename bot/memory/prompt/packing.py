"""Chooses which structured items stand in the prompt, and in how much detail.

The budget is charged on the very lines that are rendered, so that a budget of 600 tokens is 600 tokens of prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.memory.budget import shorten
from bot.memory.items import MemoryItem, Trust
from bot.memory.prompt.fencing import escaped, speaker
from language.tokens import tokens

_DETAIL: Final = 160
"""Tokens of one item's content at most: an item is a sentence or two; the verbatim turn holds the rest."""
_LEAST: Final = 12
"""Tokens below which a shortened item says nothing."""


class Disclosure(StrEnum):
    """How much of the items is shown: how many there are, their titles, titles and the best in full, or all in full."""

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


def pack(
    items: tuple[tuple[MemoryItem, float], ...],
    *,
    disclosure: Disclosure,
    top_k_per_layer: Mapping[str, int],
    floor: float,
    soft_tokens: int,
    max_tokens: int,
) -> MemoryPack:
    """Return what of ``items`` (with relevance 0..1) is shown: pinned ones first, then by relevance.

    Below ``floor`` only pinned items count.  Details are given until ``soft_tokens`` are spent (``full``: as long as
    there is room), titles until ``max_tokens``, which nothing exceeds.  ``top_k_per_layer`` limits items by the name
    of their layer; a layer without an entry is not limited.
    """
    chosen = _chosen(items, top_k_per_layer, floor)
    if disclosure is Disclosure.INDEX:
        return _counted(chosen, max_tokens)
    lines: list[str] = []
    shown: list[MemoryItem] = []
    spent = 0
    for item in chosen:
        if max_tokens - spent < _LEAST:
            break
        detailed = disclosure is Disclosure.FULL or (disclosure is Disclosure.SELECTIVE and spent < soft_tokens)
        line = _line(item, max_tokens - spent, detailed=detailed)
        if not line:
            continue
        lines.append(line)
        shown.append(item)
        spent += tokens(line + "\n")
    return MemoryPack(tuple(lines), tuple(shown), spent, len(chosen) - len(shown))


def _chosen(
    items: tuple[tuple[MemoryItem, float], ...], top_k_per_layer: Mapping[str, int], floor: float
) -> list[MemoryItem]:
    room: Counter[str] = Counter(dict(top_k_per_layer))
    chosen = []
    for item, relevance in sorted(items, key=lambda pair: (not pair[0].pinned, -pair[1])):
        if not item.pinned and (
            relevance < floor or (str(item.layer) in top_k_per_layer and room[str(item.layer)] <= 0)
        ):
            continue
        room[str(item.layer)] -= 1
        chosen.append(item)
    return chosen


def _counted(chosen: list[MemoryItem], max_tokens: int) -> MemoryPack:
    counts = Counter(str(item.layer) for item in chosen)
    line = ", ".join(f"{layer}: {count}" for layer, count in sorted(counts.items()))
    line = f"- items that may matter, by layer: {line} (search memory to read them)" if line else ""
    if not line or tokens(line + "\n") > max_tokens:
        return MemoryPack(left_out=len(chosen))
    return MemoryPack((line,), (), tokens(line + "\n"), 0)


def _line(item: MemoryItem, room: int, *, detailed: bool) -> str:
    """Return the item's line within ``room`` tokens, the title when the content does not fit, "" when nothing does."""
    head = _head(item)
    left = room - tokens(head) - 1
    if left < _LEAST // 2:
        return ""
    if detailed and (content := shorten(escaped(item.content), min(left, _DETAIL))) and left >= _LEAST:
        return head + content
    return head + title if (title := shorten(escaped(item.title or item.content), left)) else ""


def _head(item: MemoryItem) -> str:
    said_at = item.provenance.said_at
    name = speaker(item.provenance.author_name) or ("assistant" if item.provenance.trust <= Trust.BOT else "user")
    doubt = "" if item.provenance.trust >= Trust.USER else ", unverified"
    pinned = ", pinned" if item.pinned else ""
    kind = str(item.type).replace("_", " ")
    day = f"{said_at.year:04d}-{said_at.month:02d}-{said_at.day:02d}"
    return f"- [{day} | {name} | {kind}{pinned}{doubt}] "
