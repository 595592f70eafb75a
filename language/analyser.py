"""Text to index terms: content words, folded to what questions and answers have in common.

Codes such as ``567-G0`` give their pieces and the whole, so that both ways of writing them meet.
Words are stemmed with Snowball's algorithms for search; where they are compared one by one, only an ending is cut off.
"""

import importlib.util
import re
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar, Final, Protocol

from language.patterns import compile_at_use
from language.registry import languages, stop_words
from language.words import fold

_LONGEST: Final = 64
"""Letters; Snowball takes minutes for a million of them."""


class _Snowball(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - snowballstemmer's own name


@cache
def _find_snowball(name: str) -> type[_Snowball]:
    """Return Snowball's stemmer of this name, of its own module: the package would import all thirty-six, 3 MB.

    Raises :class:`ModuleNotFoundError` for a name that Snowball does not know.
    """
    package = "snowballstemmer"
    spec = importlib.util.find_spec(package)
    if hidden := package not in sys.modules and spec is not None:
        sys.modules[package] = importlib.util.module_from_spec(spec)
    try:
        module = importlib.import_module(f"{package}.{name}_stemmer")
    finally:
        if hidden:
            sys.modules.pop(package, None)
    stemmer: type[_Snowball] = getattr(module, f"{name.title().replace('_', '')}Stemmer")
    return stemmer


class Stemmer:
    """Stems words of any language and remembers ``cached`` of them: people use few words.

    Safe in any thread: Snowball's stemmers keep state, so threads take turns.
    """

    _turn: ClassVar[threading.Lock] = threading.Lock()
    """The class's, because LightRAG copies its configuration deeply and a lock cannot be copied."""

    def __init__(self, cached: int = 50_000) -> None:
        self._cached = cached
        self._known: dict[str, str] = {}
        known = [(each, _find_snowball(each.stemmer)()) for each in languages() if each.stemmer]
        self._by_letters: list[tuple[re.Pattern[str], _Snowball]] = [
            (compile_at_use(f"[{each.letters}]"), stemmer) for each, stemmer in known if each.letters
        ]
        self._cases = [
            (
                compile_at_use(f"[{each.letters}]" if each.letters else ""),
                compile_at_use(each.entities.name_case),
                each.entities,
            )
            for each in sorted(languages(), key=lambda each: not each.letters)
            if each.entities.name_case
        ]
        self._first: _Snowball = known[0][1]
        self._by_code: dict[str, tuple[_Snowball, dict[str, str]]] = {each.code: (own, {}) for each, own in known}

    def stem(self, word: str) -> str:
        """Return the stem of a lower-case word; what is too long to be a word is cut.

        The word's letters tell its language; without letters of one language alone it is stemmed as English.
        """
        if len(word) > _LONGEST:
            return word[:_LONGEST]
        stem = self._known.get(word)
        return self._stem_with(word, self._choose_stemmer(word), self._known) if stem is None else stem

    def stem_in(self, code: str, word: str) -> str:
        """Return the stem of a lower-case word by the rules of a language that has a stemmer, whatever its letters."""
        if len(word) > _LONGEST:
            return word[:_LONGEST]
        snowball, known = self._by_code[code]
        stem = known.get(word)
        return self._stem_with(word, snowball, known) if stem is None else stem

    def stem_name(self, word: str) -> str:
        """Return what the cases of one lower-case word of a name have in common; one with a figure stays whole."""
        if len(word) > _LONGEST or any(character.isdigit() for character in word):
            return word
        case, words = next((case, words) for letters, case, words in self._cases if letters.search(word))
        stem = case.sub("", word, count=1)
        return words.name_instead.get(stem, stem)

    def _stem_with(self, word: str, snowball: _Snowball, known: dict[str, str]) -> str:
        with self._turn:
            if len(known) >= self._cached:
                known.clear()
            stem = known[word] = snowball.stemWord(word)
        return stem

    def _choose_stemmer(self, word: str) -> _Snowball:
        return next((stemmer for letters, stemmer in self._by_letters if letters.search(word)), self._first)


@lru_cache(maxsize=4096)
def strip_possessive(word: str) -> str:
    """Return a word without the ending that makes an owner of it: "Vera's" is about Vera."""
    for ending in list_possessives():
        word = word.removesuffix(ending)
    return word


@cache
def list_possessives() -> tuple[str, ...]:
    """Return the endings of all languages that make an owner of a word, with their apostrophe."""
    return tuple(ending for each in languages() for ending in each.inflection.possessives)


_LEAST_REST: Final = 3
"""Letters that are left of a word without its ending."""


def strip_ending(word: str) -> str:
    """Return a case-folded word without its inflection; codes and words with figures stay as they are.

    Lighter than a stemmer on purpose: two forms may stay apart, two different words must not be thrown together.
    """
    if not word.isalpha() and any(character.isdigit() for character in word):
        return word
    ending, instead = next((ending, instead) for letters, ending, instead in _compile_endings() if letters.search(word))
    short = ending.sub(lambda match: instead.get(match[0], ""), word, count=1)
    return short if len(short) >= _LEAST_REST else word


@cache
def _compile_endings() -> tuple[tuple[re.Pattern[str], re.Pattern[str], Mapping[str, str]], ...]:
    """Return for each language its own letters, its endings and what stands in their place; English for the rest."""
    first, *others = (each for each in languages() if each.inflection.ending)
    own = (
        (compile_at_use(f"[{each.letters}]"), compile_at_use(each.inflection.ending), each.inflection.ending_instead)
        for each in others
        if each.letters
    )
    return (*own, (compile_at_use(""), compile_at_use(first.inflection.ending), first.inflection.ending_instead))


_LETTERS: Final = compile_at_use(r"[^\W_]+")
_WORD: Final = compile_at_use(r"[^\W_]+(?:['’][^\W\d_]+)?")
_CLITIC: Final = compile_at_use(r"['’](?:s|re|ve|ll|d|m|t)$")
_NEGATION: Final = compile_at_use(r"n['’]t$")
_CODE: Final = compile_at_use(r"(?<![^\W_])[^\W_]++(?:[-/.:#][^\W_]++)+")

_CACHED: Final = 50_000
_LONGEST_KEPT: Final = 64
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
        self._base_forms = {
            form: base
            for each in languages()
            for base, forms in each.inflection.base_forms.items()
            for form in forms.split()
        }

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
            if len(word) <= _LONGEST_KEPT:
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

    def stem_question(self, question: str) -> tuple[str, ...]:
        """Return the distinct stems of the words of a question that say something; of all of them if none does."""
        written = _LETTERS.findall(fold(question))
        telling = [word for word in written if word not in self._stop_words] or written
        return tuple(dict.fromkeys(map(self._stem, telling)))
