"""Text to index terms: content words, folded to what questions and answers have in common.

Codes such as ``567-G0`` give their pieces and the whole, so that both ways of writing them meet.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from language.registry import languages, stop_words
from language.stemming import Stemmer
from language.words import fold

_LETTERS: Final = re.compile(r"[^\W_]+")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_CLITIC: Final = re.compile(r"['’](?:s|re|ve|ll|d|m|t)$")
_NEGATION: Final = re.compile(r"n['’]t$")
_CODE: Final = re.compile(r"(?<![^\W_])[^\W_]++(?:[-/.:#][^\W_]++)+")

_CACHED: Final = 50_000
_LONGEST: Final = 64
"""Letters; what is longer is no word that comes again."""


@dataclass(frozen=True, slots=True)
class Term:
    """A content word: its folded ``stem`` and where it stands, as character offsets ``start`` to ``end``."""

    stem: str
    start: int
    end: int


class Analyser:
    """Finds the terms of texts of any language.  Safe in any thread, and remembers what it folded.

    ``stem`` folds one lower-case word and must be safe in any thread, too; it is Snowball's unless given.
    """

    def __init__(self, stem: Callable[[str], str] | None = None) -> None:
        self._stem = stem or Stemmer().stem
        self._folded: dict[str, str] = {}
        self._stop_words = stop_words()
        self._base_forms = {form: base for each in languages() for form, base in each.base_forms.items()}

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
        bare = _CLITIC.sub("", fold(word))
        if bare in self._stop_words or _NEGATION.search(word.casefold()):
            return ""
        return self._stem(self._base_forms.get(bare, bare))

    @staticmethod
    def codes(text: str) -> tuple[str, ...]:
        """Return joined spellings of words with inner punctuation that hold a digit: ``567-G0`` gives ``567g0``."""
        joined = (re.sub(r"[\W_]", "", match.group()).casefold() for match in _CODE.finditer(text))
        return tuple(code for code in joined if any(character.isdigit() for character in code))

    def stems(self, text: str) -> tuple[str, ...]:
        """Return the stems of all words of ``text`` in order, stop words and irregular forms as they are."""
        return tuple(map(self._stem, _LETTERS.findall(fold(text))))

    def stems_asked(self, question: str) -> tuple[str, ...]:
        """Return the distinct stems of the words of a question that say something; of all of them if none does."""
        written = _LETTERS.findall(fold(question))
        telling = [word for word in written if word not in self._stop_words] or written
        return tuple(dict.fromkeys(map(self._stem, telling)))
