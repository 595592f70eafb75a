"""Words of a text as they are compared: case-folded, "ё" as "е"."""

from __future__ import annotations

import re
from typing import Final

CAPITAL: Final = "[A-ZÀ-ÖØ-Þ\u0400-\u042f]"
"""Pattern of a capital letter."""
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.@/:][^\W_]+)*")

CAPITALS: Final = "".join(letter for letter in map(chr, range(0x590)) if letter.isupper())
"""A class of letters: the capitals of Latin, Greek, Cyrillic and Armenian, which are the scripts that have any."""
SMALL_LETTERS: Final = "".join(letter for letter in map(chr, range(0x590)) if letter.islower())


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of ``text`` case-folded, with "ё" as "е"; codes such as ``567-G0`` stay whole."""
    return tuple(_WORD.findall(fold(text)))


def word_set(*lists: str) -> frozenset[str]:
    """Return the set of the words written in ``lists``, separated by white space, as :func:`split_words` spells."""
    return frozenset(word for text in lists for word in fold(text).split())


def fold(text: str) -> str:
    """Return ``text`` as it is compared: case-folded, with "ё" as "е"."""
    return unify_letters(text.casefold())


def unify_letters(text: str) -> str:
    """Return ``text`` with the small letters that people write either way written one way: "ё" as "е"."""
    return text.replace("ё", "е")
