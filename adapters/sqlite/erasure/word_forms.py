"""Finds the words that name a memory: whole words, in any of their inflections, and nothing that merely begins alike.

A stemmer alone takes "university" for "universe" and "Александра" for "Александр"; so two words are one only if their
stems are equal and both are what they share plus an ending of the same language.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final
from unicodedata import normalize

from language import Language, languages
from language.analyser import Stemmer
from language.words import fold

_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_LONGEST: Final = 64
_MARKED: Final = re.compile("([a-z])[\u0300-\u036f]+")
_LATIN_ENDS: Final = "\u0250"
_LEAST: Final = 3
"""Letters that two inflections share at least."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The share of a name's words that stand in a text, and whether there can be no doubt about them.

    A name in another form than was asked for leaves a doubt: "Александра" may be a woman, or "of Александр".  So does
    what is one word by German endings alone, as nobody knows the language ("Kind" and "Kinder", but "car" and "care"),
    and what differs by an accent ("Jose" and "José").
    """

    share: float = 0.0
    certain: bool = False


class WordMatcher:
    """Looks for words in texts."""

    def __init__(self, words: Iterable[str]) -> None:
        self._wanted = tuple(dict.fromkeys(fold_text(word) for word in words))
        self._beginnings = tuple(strip_accents(_common_beginning(word)) for word in self._wanted)

    def match(self, text: str) -> Hit:
        """Return how much of the words stands in the text."""
        text = normalize("NFKC", text)
        plain = fold_text(text)
        plain += f"\n{strip_accents(plain)}"
        if not any(beginning in plain for beginning in self._beginnings):
            return Hit()
        written = _WORD.findall(text)
        folded = fold_text("\n".join(written)).split("\n")
        forms = set(folded)
        names = {form for form, word in zip(folded, written, strict=True) if word[:1].isupper()}
        found, doubt = 0, False
        for wanted in self._wanted:
            if wanted in forms:
                found += 1
                continue
            inflected = {form for form in forms if is_same_word(wanted, form)}
            alike = inflected or {form for form in forms if is_same_word(strip_accents(wanted), strip_accents(form))}
            found += bool(alike)
            doubt = doubt or not alike.isdisjoint(names) or not any(_is_certain(wanted, form) for form in inflected)
        whole = found == len(self._wanted)
        return Hit(found / len(self._wanted), whole and not doubt) if self._wanted else Hit()


def fold_text(text: str) -> str:
    """Return a text as it is compared."""
    return fold(normalize("NFKC", text))


def strip_accents(text: str) -> str:
    """Return a folded text without the marks on its Latin letters."""
    if text.isascii():
        return text
    return "".join(_MARKED.sub(r"\1", normalize("NFD", letter)) if letter < _LATIN_ENDS else letter for letter in text)


def is_same_word(one: str, other: str) -> bool:
    """Whether two folded words are one word, perhaps in different forms."""
    if one == other:
        return True
    shared = _common_prefix(one, other)
    if len(shared) < _LEAST or max(len(one), len(other)) > _LONGEST:
        return False
    ends = (one[len(shared) :], other[len(shared) :])
    return any(
        all(_is_ending(end, shared, language) for end in ends)
        and _stemmer().stem_in(language.code, one) == _stemmer().stem_in(language.code, other)
        for language in _candidate_languages(one)
    )


def _is_certain(one: str, other: str) -> bool:
    """Whether two words that are the same are so beyond doubt: not by German endings alone, nor by a silent e."""
    shared = _common_prefix(one, other)
    ends = (one[len(shared) :], other[len(shared) :])
    language = _candidate_languages(one)[0]
    doubtful = all(not end or end in language.inflection.doubtful_endings for end in ends)
    return not doubtful and all(_is_ending(end, shared, language) for end in ends)


def _is_ending(end: str, shared: str, language: Language) -> bool:
    known = language.inflection
    return not end or end in known.erasable_endings or (end[0] == shared[-1:] and end[1:] in known.doubling_endings)


@lru_cache(maxsize=4096)
def _candidate_languages(word: str) -> tuple[Language, ...]:
    """Return the languages whose endings a folded word can have: the one whose own letters it mostly has, else all."""
    letters = sum(character.isalpha() for character in word)
    inflected = tuple(each for each in languages() if each.stemmer and each.inflection.erasable_endings)
    own = (each for each in inflected if each.letters and 2 * len(re.findall(f"[{each.letters}]", word)) > letters)
    decided = next(own, None)
    return inflected if decided is None else (decided,)


def _common_beginning(word: str) -> str:
    """Return what every form of a word begins with."""
    candidates = _candidate_languages(word) if len(word) <= _LONGEST else ()
    for stem in [_stemmer().stem_in(language.code, word) for language in candidates]:
        word = _common_prefix(word, stem) or word
    return word


def _common_prefix(one: str, other: str) -> str:
    """Return what two words have in common at the beginning."""
    same_letters = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(letter for letter, _ in same_letters)


@cache
def _stemmer() -> Stemmer:
    return Stemmer()
