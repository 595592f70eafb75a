"""Finds what a correction makes of something that stands on a list: "no, 3 l", "не гречку, а рис"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.memory.learning.correction import find_contrasts, find_corrected_value, strip_opening
from bot.memory.learning.rewording import replace_kind, replace_value
from bot.ports.lists import ListItem

_MORE: Final = 1
"""Words that what is right has more: "Ben drinks tea, not coffee" tells of Ben."""


def may_amend(sentence: str, *, following: bool) -> bool:
    """Return whether a sentence corrects something; ``following``: the message before was about a list."""
    bare, strong, _ = strip_opening(sentence)
    return bool(find_contrasts(bare)) or (following and strong and bool(find_corrected_value(sentence)))


def find_amended(sentence: str, items: Sequence[ListItem], key: str | None) -> tuple[ListItem, str] | None:
    """Return the only one of ``items`` that a sentence corrects, and what it says from then on; ``None`` otherwise.

    What names no wrong value is about the list ``key`` alone, about none where that is ``None``.
    """
    pairs = [
        (wrong, right)
        for wrong, right in find_contrasts(strip_opening(sentence)[0])
        if len(right.split()) <= len(wrong.split()) + _MORE
    ]
    fits = [
        (item, new)
        for wrong, right in pairs
        for item in items
        if (new := replace_value(item.text, wrong, right, opened=True, last=True)) is not None
    ]
    if not pairs and key is not None:
        value = find_corrected_value(sentence).strip(" .!")
        beside = [item for item in items if item.key == key]
        fits = [(item, new) for item in beside if (new := replace_kind(item.text, value)) is not None]
    if len({item.id for item, _ in fits}) != 1:
        return None
    item, new = fits[0]
    return item, (new[:1].lower() if item.text[:1].islower() else new[:1]) + new[1:]
