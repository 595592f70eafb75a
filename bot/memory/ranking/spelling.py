"""Corrects the misspelt words of a question: one letter wrong, lost, added or swapped (optimal string alignment).

A word is misspelt when neither it nor its stem was ever said here and a word that was is one edit away.  Words are kept
as they were written, because a question is put right before it is embedded and because a typo in an ending has no stem.
They stand by first letter and length, so that a lookup compares a few hundred at most; a word's first letter is taken
as right, as people rarely miss it (Pollock and Zamora 1984: under 8 % of misspellings).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from itertools import chain
from sys import intern
from typing import Final

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from language.words import fold

_LEAST: Final = 4
"""Shorter words have too many neighbours."""
_LONGEST: Final = 32
_TOKEN: Final = re.compile(rf"\w{{{_LEAST},}}")
_WORD: Final = re.compile(rf"(?<!\w)[^\W\d_]{{{_LEAST},{_LONGEST}}}(?!\w|['’]t\b)")


class Spelling:
    """Words as they were written; learning one costs O(1), and hardly anything once it is known."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._words: defaultdict[tuple[str, int], list[str]] = defaultdict(list)

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def learn(self, text: str) -> None:
        """Learn the words of a text."""
        for word in set(_TOKEN.findall(fold(text))) - self._known:
            if len(word) <= _LONGEST and word.isalpha():
                self._known.add(interned := intern(word))
                self._words[word[0], len(word)].append(interned)

    def near(self, word: str) -> tuple[str, ...]:
        """Return the known words at most one edit away from ``word``."""
        sizes = range(len(word) - 1, len(word) + 2)
        known = chain.from_iterable(self._words.get((word[0], size), ()) for size in sizes)
        return tuple(one for one, _, _ in extract_iter(word, known, scorer=OSA.distance, score_cutoff=1))

    def put_right(self, text: str, known: Callable[[str], bool], worth: Callable[[str], float]) -> str:
        """Return ``text`` with each misspelt word as the one it was meant to be.

        ``known`` tells of a word that was never written here whether it is right all the same; ``worth`` tells how
        likely a word that was written is meant.  Abbreviations in capitals stay.
        """

        def right(match: re.Match[str]) -> str:
            written = match.group()
            word = fold(written)
            if word in self or written.isupper() or known(word):
                return written
            meant = max(self.near(word), key=lambda each: (worth(each), each), default=None)
            if meant is None:
                return written
            return meant.capitalize() if written[0].isupper() else meant

        return _WORD.sub(right, text)
