"""Snowball stemmers behind one function: Russian words by their script, German ones by their letters, else English."""

from __future__ import annotations

import re
import threading
from typing import Final, Protocol

import snowballstemmer

from bot.memory.ranking.terms import Analyser

_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_GERMAN: Final = re.compile("[äöüß]")
_LONGEST: Final = 64
"""Letters; Snowball takes minutes for a million of them."""


class _Snowball(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - snowballstemmer's own name


class Stems:
    """Stems words; Snowball's stemmers keep state, so threads take turns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._english: _Snowball = snowballstemmer.stemmer("english")
        self._russian: _Snowball = snowballstemmer.stemmer("russian")
        self._german: _Snowball = snowballstemmer.stemmer("german")

    def __call__(self, word: str) -> str:
        """Return the stem of a lower-case word; what is too long to be a word is cut."""
        if len(word) > _LONGEST:
            return word[:_LONGEST]
        with self._lock:
            return self._stemmer(word).stemWord(word)

    def _stemmer(self, word: str) -> _Snowball:
        if _CYRILLIC.search(word):
            return self._russian
        return self._german if _GERMAN.search(word) else self._english


def analyser() -> Analyser:
    """Return an analyser with its own stemmers."""
    return Analyser(Stems())
