"""Stems words with Snowball's algorithms, one for each language."""

from __future__ import annotations

import re
import threading
from typing import Final, Protocol

import snowballstemmer

from language.registry import languages

_LONGEST: Final = 64
"""Letters; Snowball takes minutes for a million of them."""
_CACHED: Final = 50_000


class _Snowball(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - snowballstemmer's own name


class Stemmer:
    """Stems words of any language and remembers them: people use few words.

    Safe in any thread: Snowball's stemmers keep state, so threads take turns.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, str] = {}
        known = [(each, snowballstemmer.stemmer(each.stemmer)) for each in languages() if each.stemmer]
        self._by_letters: list[tuple[re.Pattern[str], _Snowball]] = [
            (re.compile(f"[{each.letters}]"), stemmer) for each, stemmer in known if each.letters
        ]
        self._first: _Snowball = known[0][1]

    def stem(self, word: str) -> str:
        """Return the stem of a lower-case word; what is too long to be a word is cut.

        The word's letters tell its language; without letters of one language alone it is stemmed as English.
        """
        if len(word) > _LONGEST:
            return word[:_LONGEST]
        stem = self._known.get(word)
        if stem is None:
            with self._lock:
                if len(self._known) >= _CACHED:
                    self._known.clear()
                stem = self._known[word] = self._stemmer(word).stemWord(word)
        return stem

    def _stemmer(self, word: str) -> _Snowball:
        return next((stemmer for letters, stemmer in self._by_letters if letters.search(word)), self._first)
