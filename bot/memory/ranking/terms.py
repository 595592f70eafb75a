"""Text to index terms: content words, folded to what questions and answers have in common.

The stemmer is handed in, because it is a library and this package knows none.
Codes such as ``567-G0`` give their pieces and the whole, so that both ways of writing them meet.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.memory.ranking.irregular import BASE_FORMS
from bot.memory.ranking.stopwords import STOPWORDS

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_CLITIC: Final = re.compile(r"['’](?:s|re|ve|ll|d|m|t)$")
_NEGATION: Final = re.compile(r"n['’]t$")
_CODE: Final = re.compile(r"(?<![^\W_])[^\W_]++(?:[-/.:#][^\W_]++)+")

_CACHED: Final = 50_000
_LONGEST: Final = 64
"""Letters; what is longer is no word that comes again."""

Stemmer = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Term:
    """A content word: its folded ``stem`` and where it stands, as character offsets ``start`` to ``end``."""

    stem: str
    start: int
    end: int


class Analyser:
    """Finds the terms of texts; ``stem`` folds one lower-case word and must be safe to call from any thread.

    What was folded is remembered: people use few words.
    """

    def __init__(self, stem: Stemmer) -> None:
        self._stem = stem
        self._folded: dict[str, str] = {}

    def terms(self, text: str) -> tuple[Term, ...]:
        """Return the content words of ``text`` in order, repetitions included."""
        found = [Term(self.fold(match.group()), match.start(), match.end()) for match in _WORD.finditer(text)]
        return tuple(term for term in found if term.stem)

    def keys(self, text: str) -> tuple[str, ...]:
        """Return the index keys of ``text``: the stems of its terms, and its codes whole."""
        return (*(term.stem for term in self.terms(text)), *self.codes(text))

    def fold(self, word: str) -> str:
        """Return the stem of one word as written, "" for a word that carries no subject."""
        known = self._folded.get(word)
        if known is None:
            known = self._new(word)
            if len(word) <= _LONGEST:
                if len(self._folded) >= _CACHED:
                    self._folded.clear()
                self._folded[word] = known
        return known

    def _new(self, word: str) -> str:
        bare = _CLITIC.sub("", word.casefold().replace("ё", "е"))
        if bare in STOPWORDS or _NEGATION.search(word.casefold()):
            return ""
        return self._stem(BASE_FORMS.get(bare, bare))

    @staticmethod
    def codes(text: str) -> tuple[str, ...]:
        """Return joined spellings of words with inner punctuation that hold a digit: ``567-G0`` gives ``567g0``."""
        joined = (re.sub(r"[\W_]", "", match.group()).casefold() for match in _CODE.finditer(text))
        return tuple(code for code in joined if any(character.isdigit() for character in code))
