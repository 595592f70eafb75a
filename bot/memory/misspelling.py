"""Puts typing errors right where a word can hardly mean anything else: "wher is my gym", "my dentsit".

A slip is one letter left out, doubled or in another's place, or two that changed places; the first letter is rarely
wrong.  A word that any language here knows is none.  Only questions are put right, and only for being understood: what
is kept and shown is what was typed.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import OSA

from bot.memory.synonyms import STOP_WORDS, find_concept, is_alike
from language import Language, detect_languages
from language.words import fold, word_set

_WORD: Final = re.compile(r"\b[^\W\d_]+(?:['’][^\W\d_]+)*\b")
"""Of letters alone: what holds a number is a code or a name of its own."""
_FIRST: Final = 3
"""Words at the beginning of a sentence that tell whether it asks."""
_LEAST: Final = 3
"""Letters of a word that one may be missing from."""
_SHORT: Final = 5
"""Letters below which another letter in a word's place makes another word: "Vera", "Vela"."""
_LONG: Final = 8
"""Letters from which on two slips are forgiven."""
_MOST_SLIPS: Final = 2


def is_slip(typed: str, meant: str) -> bool:
    """Return whether one word, in small letters, may be another with a typing error."""
    shorter = min(len(typed), len(meant))
    allowed = _MOST_SLIPS if shorter >= _LONG else 1
    if not 0 < OSA.distance(typed, meant, score_cutoff=allowed) <= allowed:
        return False
    if sorted(typed) == sorted(meant):
        return True
    if typed[0] != meant[0] or len(meant) < _LEAST:
        return False
    if len(typed) == len(meant) + 1 and len(meant) < _SHORT:
        return any(one == other for one, other in pairwise(typed))
    return len(typed) < len(meant) or len(meant) >= _SHORT


def _list_slips(typed: str, words: Iterable[str]) -> list[str]:
    """Return those of ``words`` that one may be with a typing error."""
    size = len(typed)
    return [meant for meant in words if -_MOST_SLIPS <= len(meant) - size <= _MOST_SLIPS and is_slip(typed, meant)]


@lru_cache(maxsize=1024)
def mend_opening(sentence: str) -> str:
    """Return a sentence with errors in the question words of its first three put right."""
    spoken = detect_languages(sentence)
    asking = frozenset[str]().union(*(each.speech.asking for each in spoken))
    others = _list_known(spoken).union(asking, *(each.speech.not_asking for each in spoken))

    def find(typed: str) -> str:
        word = fold(typed)
        near = [] if word in others else _list_slips(word, asking)
        return min(near, key=lambda meant: (sorted(meant) != sorted(word), -len(meant), meant), default="")

    return _replace(sentence, find, most=_FIRST)


def mend_words(question: str, said: Iterable[str]) -> str:
    """Return a question with the words that nobody knows replaced by those of ``said`` that they may be.

    ``said`` are words in small letters, as they stand in what is remembered.  A name is more easily another name than
    one with a letter wrong: in a short word with a capital only two letters may have changed places.
    """
    spoken = detect_languages(question)
    known, listed = frozenset(said), _list_known(spoken)
    concepts = frozenset(map(find_concept, known))

    def find(typed: str) -> str:
        word = fold(typed)
        if len(word) < _LEAST or word in known or word in listed or find_concept(word) in concepts:
            return ""
        near = [meant for meant in _list_slips(word, known) if meant not in STOP_WORDS]
        if any(is_alike(find_concept(word), find_concept(meant)) for meant in near):
            return ""  # another form of it
        named = typed[:1].isupper() and not spoken[0].learning.nouns_have_capitals
        if not near and not named and len(spoken) == 1:  # of several, any of their words may be meant
            near = _list_slips(word, _list_synonyms(spoken))
        if typed[:1].isupper() and len(word) < _LONG:
            near = [meant for meant in near if sorted(meant) == sorted(word)]
        return min(near) if len({find_concept(meant) for meant in near}) == 1 else ""

    return _replace(question, find)


def _replace(text: str, find: Callable[[str], str], *, most: int = 0) -> str:
    """Return ``text`` with what ``find`` returns in place of its words; only of the first ``most``, 0 for all."""
    written, end = [], 0
    for number, word in enumerate(_WORD.finditer(text), 1):
        if most and number > most:
            break
        if meant := find(word[0]):
            capital = word[0][:1].isupper()
            written += [text[end : word.start()], meant.capitalize() if capital else meant]
            end = word.end()
    return "".join((*written, text[end:]))


@cache
def _list_synonyms(spoken: tuple[Language, ...]) -> frozenset[str]:
    return word_set(*(words for each in spoken for words in each.synonyms.concepts.values()))


@cache
def _list_known(spoken: tuple[Language, ...]) -> frozenset[str]:
    vocabularies = [each.vocabulary for each in spoken]
    return _list_synonyms(spoken).union(
        *(each.stop_words for each in vocabularies),
        *(each.asking_words for each in vocabularies),
        *(each.common_words for each in vocabularies),
    )
