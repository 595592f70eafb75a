"""Makes different forms of one meaning equal: word endings, synonyms, and words without a meaning of their own.

Enough for "lives", "living", "moved to" and "живёт" to meet in one concept without a model.  The stemmer is light on
purpose: it may leave two forms apart, it must not throw two different words together.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from language import languages, stop_words
from language.words import vocabulary, words

_RU_ENDING: Final = re.compile(
    r"(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ием|ией|ется|ются|ится|ятся|ешь|ишь|ете|ите|лась|лось|лись|"
    r"лся|ть|тся|ться"
    r"|ой|ей|ий|ый|ая|яя|ое|ее|ые|ие|ых|их|ую|юю|ом|ем|ам|ям|ах|ях|ов|ев|ет|ют|ит|ят|ут|ем|им|ла|ло|ли|ия|ию|ии|иё"
    r"|а|я|о|е|у|ю|ы|и|ь|й|л)$"
)
_LEAST_STEM: Final = 3
ALIKE: Final = 4
"""Letters that two :func:`alike` concepts have in common at their beginning."""

_GROUPS: Final = {
    name: frozenset[str]().union(*(vocabulary(each.synonyms.concepts.get(name, "")) for each in languages()))
    for name in dict.fromkeys(name for each in languages() for name in each.synonyms.concepts)
}
_CONCEPT: Final = {form: name for name, forms in _GROUPS.items() for form in forms}

PEOPLE: Final = vocabulary(
    "sister brother mother father parent wife husband son daughter child grandmother grandfather aunt uncle "
    "cousin friend "
    "partner boss colleague neighbour dog cat doctor"
)
"""Concepts for those who are near somebody: "my sister" and "Vera" may be the same."""

STOP_WORDS: Final = (stop_words() - frozenset[str]().union(*(each.contrast_words for each in languages()))).union(
    *(each.asking_words for each in languages())
)
"""Words that neither a question nor its answer is about."""


@lru_cache(maxsize=8192)
def concept(word: str) -> str:
    """Return the meaning of a case-folded word: the name of its group, else its stem."""
    bare = word.removesuffix("'s").removesuffix("’s")
    return _CONCEPT.get(bare) or stem(bare)


def forms(meaning: str) -> tuple[str, ...]:
    """Return the beginnings that words of a concept can have, so that a text without any of them lacks the concept.

    At most four letters each: two words that are :func:`alike` share as many, or all of the shorter one.
    """
    return tuple(sorted({form[:ALIKE] for form in (meaning, *_GROUPS.get(meaning, ()))}))


def stem(word: str) -> str:
    """Return ``word`` without its inflection; codes and words with figures stay as they are."""
    if not word.isalpha() and any(c.isdigit() for c in word):
        return word
    if "а" <= word[:1] <= "я":
        short = _RU_ENDING.sub("", word)
        return short if len(short) >= _LEAST_STEM else word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM and not word.endswith(("ss", "us", "is")):
            return word[: len(word) - len(ending)] + instead
    return word


def meanings(text: str) -> tuple[str, ...]:
    """Return the concepts of the words of ``text`` that carry meaning, in order, with repetitions."""
    return tuple(
        concept(word) for word in words(text) if word not in STOP_WORDS and word.removesuffix("'s") not in STOP_WORDS
    )


def alike(one: str, other: str) -> bool:
    """Return whether two concepts are the same up to an ending that the stemmer left, with four letters in common."""
    if one == other:
        return True
    if one[:ALIKE] != other[:ALIKE]:
        return False
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return len(short) >= ALIKE and long.startswith(short) and len(long) - len(short) <= len(short)
