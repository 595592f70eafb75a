"""Finds the known word that a misspelt one was meant to be: one letter wrong, lost, added or swapped.

Words are kept by first letter and length, so that a lookup compares a few hundred at most; a word's first letter is
taken as right, as people rarely miss it (Pollock and Zamora 1984: under 8 % of misspellings).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

_LEAST: Final = 4
"""Shorter words have too many neighbours."""


class Spelling:
    """Known words; adding one costs O(1)."""

    def __init__(self) -> None:
        self._words: defaultdict[tuple[str, int], list[str]] = defaultdict(list)

    def add(self, word: str) -> None:
        """Learn a word that is not known yet."""
        if len(word) >= _LEAST and word.isalpha():
            self._words[word[0], len(word)].append(word)

    def near(self, word: str) -> tuple[str, ...]:
        """Return the known words one edit away from ``word``; empty for short words and codes."""
        if len(word) < _LEAST or not word.isalpha():
            return ()
        sizes = range(len(word) - 1, len(word) + 2)
        return tuple(known for size in sizes for known in self._words.get((word[0], size), ()) if one_edit(word, known))


def one_edit(one: str, other: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours turns ``one`` into ``other``."""
    if len(one) > len(other):
        one, other = other, one
    start = 0
    while start < len(one) and one[start] == other[start]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    if len(one) < len(other):
        return len(other) - len(one) == 1 and rest == other_rest[1:]
    swapped = len(rest) > 1 and rest[0] == other_rest[1] and rest[1] == other_rest[0] and rest[2:] == other_rest[2:]
    return swapped or rest[1:] == other_rest[1:]
