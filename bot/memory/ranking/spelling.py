"""Corrects the misspelt words of a question by the words of its chat."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from sys import intern
from typing import Final

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from bot.memory.ranking.binary_codes import Array
from bot.memory.ranking.string_table import StringTable
from language.words import fold

_LEAST: Final = 4
"""Shorter words have too many neighbours."""
_LONGEST: Final = 32
_TOKEN: Final = re.compile(rf"\w{{{_LEAST},}}")
_WORD: Final = re.compile(rf"(?<!\w)[^\W\d_]{{{_LEAST},{_LONGEST}}}(?!\w|['’]t\b)")


class Spelling:
    """Corrects the misspelt words of a question: one letter wrong, lost, added or swapped (optimal string alignment).

    A word is misspelt when neither it nor its stem was ever said here and a word that was is one edit away.  Words are
    kept as they were written, because a question is corrected before it is embedded and because a typo in an ending
    has no stem; learning one costs O(1), and hardly anything once it is known.
    They stand by first letter and length, so that a lookup compares a few hundred at most; a word's first letter is
    taken as right, as people rarely miss it (Pollock and Zamora 1984: under 8 % of misspellings).
    """

    def __init__(self) -> None:
        self._frozen: StringTable | None = None
        self._known: set[str] = set()
        self._words: defaultdict[tuple[str, int], list[str]] = defaultdict(list)

    def __contains__(self, word: str) -> bool:
        return word in self._known or (self._frozen is not None and self._frozen.find(_key(word)) >= 0)

    def learn(self, text: str) -> None:
        """Learn the words of a text."""
        for word in set(_TOKEN.findall(fold(text))) - self._known:
            if len(word) <= _LONGEST and word.isalpha() and word not in self:
                self._known.add(interned := intern(word))
                self._words[word[0], len(word)].append(interned)

    def find_near(self, word: str) -> tuple[str, ...]:
        """Return the known words at most one edit away from ``word``."""
        sizes = range(len(word) - 1, len(word) + 2)
        known = chain.from_iterable(self._list_words(word[0], size) for size in sizes)
        return tuple(one for one, _, _ in extract_iter(word, known, scorer=OSA.distance, score_cutoff=1))

    def freeze(self) -> Callable[[], dict[str, Array]]:
        """Return what makes arrays of the words that are known now, in a thread of its own; costs little."""
        frozen, added = self._frozen or (), tuple(self._known)

        def build() -> dict[str, Array]:
            words = StringTable.build((*frozen, *map(_key, added)))
            return {"words": words.text, "word_ends": words.ends}

        return build

    def thaw(self, arrays: Mapping[str, Array]) -> None:
        """Take the first words from arrays; called before anything is learnt."""
        self._frozen = StringTable(arrays["words"], arrays["word_ends"])

    def _list_words(self, first: str, size: int) -> Iterator[str]:
        if self._frozen is not None:
            yield from (key[2:] for key in self._frozen.list_with_prefix(first + chr(size)))
        yield from self._words.get((first, size), ())

    def correct_text(self, text: str, known: Callable[[str], bool], worth: Callable[[str], float]) -> str:
        """Return ``text`` with each misspelt word as the one it was meant to be.

        ``known`` tells of a word that was never written here whether it is right all the same; ``worth`` tells how
        likely a word that was written is meant.  Abbreviations in capitals stay.
        """

        def right(match: re.Match[str]) -> str:
            written = match.group()
            word = fold(written)
            if word in self or written.isupper() or known(word):
                return written
            meant = max(self.find_near(word), key=lambda each: (worth(each), each), default=None)
            if meant is None:
                return written
            return meant.capitalize() if written[0].isupper() else meant

        return _WORD.sub(right, text)


def _key(word: str) -> str:
    """Return a word as it is sorted: by first letter, then length."""
    return word[0] + chr(len(word)) + word
