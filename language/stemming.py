"""Folds the forms of a word: with Snowball's algorithms for search, by its ending alone where words are compared."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Final, Protocol

import snowballstemmer

from language.registry import languages

_LONGEST: Final = 64
"""Letters; Snowball takes minutes for a million of them."""


class _Snowball(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - snowballstemmer's own name


class Stemmer:
    """Stems words of any language and remembers ``cached`` of them: people use few words.

    Safe in any thread: Snowball's stemmers keep state, so threads take turns.
    """

    _turn: ClassVar[threading.Lock] = threading.Lock()
    """The class's, because LightRAG copies its configuration deeply and a lock cannot be copied."""

    def __init__(self, cached: int = 50_000) -> None:
        self._cached = cached
        self._known: dict[str, str] = {}
        self._names: dict[str, str] = {}
        known = [(each, snowballstemmer.stemmer(each.stemmer)) for each in languages() if each.stemmer]
        self._by_letters: list[tuple[re.Pattern[str], _Snowball]] = [
            (re.compile(f"[{each.letters}]"), stemmer) for each, stemmer in known if each.letters
        ]
        self._cases: list[tuple[re.Pattern[str], re.Pattern[str]]] = [
            (re.compile(f"[{each.letters}]"), re.compile(each.entities.name_case))
            for each in languages()
            if each.letters and each.entities.name_case
        ]
        self._first: _Snowball = known[0][1]

    def stem(self, word: str) -> str:
        """Return the stem of a lower-case word; what is too long to be a word is cut.

        The word's letters tell its language; without letters of one language alone it is stemmed as English.
        """
        if len(word) > _LONGEST:
            return word[:_LONGEST]
        stem = self._known.get(word)
        return self._stemmed(word, self._stemmer(word), self._known) if stem is None else stem

    def stem_name(self, word: str) -> str:
        """Return what the cases of one lower-case word of a name have in common; one with a figure stays whole."""
        if len(word) > _LONGEST or any(character.isdigit() for character in word):
            return word
        case = next((case for letters, case in self._cases if letters.search(word)), None)
        if case is not None:
            return case.sub("", word, count=1)
        stem = self._names.get(word)
        return self._stemmed(word, self._first, self._names) if stem is None else stem

    def _stemmed(self, word: str, snowball: _Snowball, known: dict[str, str]) -> str:
        with self._turn:
            if len(known) >= self._cached:
                known.clear()
            stem = known[word] = snowball.stemWord(word)
        return stem

    def _stemmer(self, word: str) -> _Snowball:
        return next((stemmer for letters, stemmer in self._by_letters if letters.search(word)), self._first)


_LEAST_REST: Final = 3
"""Letters that are left of a word without its ending."""


def strip_ending(word: str) -> str:
    """Return a case-folded word without its inflection; codes and words with figures stay as they are.

    Lighter than a stemmer on purpose: two forms may stay apart, two different words must not be thrown together.
    """
    if not word.isalpha() and any(character.isdigit() for character in word):
        return word
    ending, instead = next((ending, instead) for letters, ending, instead in _endings() if letters.search(word))
    short = ending.sub(lambda match: instead.get(match[0], ""), word, count=1)
    return short if len(short) >= _LEAST_REST else word


@cache
def _endings() -> tuple[tuple[re.Pattern[str], re.Pattern[str], Mapping[str, str]], ...]:
    """Return for each language its own letters, its endings and what stands in their place; English for the rest."""
    first, *others = (each for each in languages() if each.ending)
    own = (
        (re.compile(f"[{each.letters}]"), re.compile(each.ending), each.ending_instead)
        for each in others
        if each.letters
    )
    return (*own, (re.compile(""), re.compile(first.ending), first.ending_instead))
