"""Makes words that mean the same equal: a concept is a group of synonyms, or a word without its ending.

Enough for "lives", "living", "moved to" and their translations to meet in one concept without a model.
Endings are taken off instead of stemming with Snowball: two forms may stay apart, but two different words ("organ",
"organisation") must not meet in an answer; and what facts are about is stored under these concepts.
"""

from functools import lru_cache
from typing import Final

from language import languages, stop_words
from language.analyser import strip_ending, strip_possessive
from language.vocabulary import NARROWER, PETS, RELATIVES
from language.words import split_words, word_set

ALIKE: Final = 4
"""Letters that two :func:`is_alike` concepts have in common at their beginning."""
BEGUN: Final = 2
"""The same of short ones."""
_SHORT_ENDINGS: Final = "".join(each.inflection.short_endings for each in languages())

_GROUPS: Final = {
    name: frozenset[str]().union(*(word_set(each.synonyms.concepts.get(name, "")) for each in languages()))
    for name in dict.fromkeys(name for each in languages() for name in each.synonyms.concepts)
}
_CONCEPT: Final = {form: name for name, forms in _GROUPS.items() for form in forms}

PEOPLE: Final = RELATIVES | PETS
"""Concepts for those who are near somebody: "my sister" and "Vera" may be the same."""
STOP_WORDS: Final = (
    stop_words() - frozenset[str]().union(*(each.vocabulary.contrast_words for each in languages()))
).union(*(each.vocabulary.asking_words for each in languages()))
"""Words that neither a question nor its answer is about."""


def widen_concept(name: str) -> tuple[str, ...]:
    """Return a concept with those that it is the name of all of: "pet", "dog", "cat"."""
    return (name, *NARROWER.get(name, ()))


def list_forms(name: str) -> tuple[str, ...]:
    """Return the words of a concept and of those that it comprises, in all languages; itself if it is a word."""
    return tuple(form for each in widen_concept(name) for form in (each, *sorted(_GROUPS.get(each, ()))))


@lru_cache(maxsize=8192)
def find_concept(word: str) -> str:
    """Return the concept of a case-folded word: the name of its group, else the word without its ending."""
    bare = strip_possessive(word)
    return _CONCEPT.get(bare) or strip_ending(bare)


@lru_cache(maxsize=1024)
def list_beginnings(name: str) -> tuple[str, ...]:
    """Return the beginnings that words of a concept can have, so that a text without any of them lacks the concept.

    At most four letters each: two words that are :func:`is_alike` share as many, or all of the shorter one.
    """
    return tuple(sorted({form[: BEGUN if _is_short(form) else ALIKE] for form in list_forms(name)}))


@lru_cache(maxsize=256)
def list_concepts(text: str) -> tuple[str, ...]:
    """Return the concepts of the words of ``text`` that carry meaning, in order, with repetitions."""
    return tuple(
        find_concept(word)
        for word in split_words(text)
        if word not in STOP_WORDS and strip_possessive(word) not in STOP_WORDS
    )


def is_alike(one: str, other: str) -> bool:
    """Return whether two concepts are the same up to an ending that was left, with four letters in common."""
    if one == other:
        return True
    if one[:ALIKE] != other[:ALIKE]:
        return one[:BEGUN] == other[:BEGUN] and _is_short(one) and _is_short(other)
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return len(short) >= ALIKE and long.startswith(short) and len(long) - len(short) <= len(short)


def _is_short(word: str) -> bool:
    """Return whether a word has three letters, the last of them an ending."""
    return len(word) == BEGUN + 1 and word[-1] in _SHORT_ENDINGS


_LEAST_PART: Final = 5
"""Letters of a word that is the last part of another."""
_LEAST_FIRST: Final = 3
"""Letters of what stands before it: "immer" is no part of "Zimmer"."""


def is_last_part(one: str, other: str) -> bool:
    """Return whether one of two concepts is the last part of the other: "Garten" of "Schrebergarten"."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _LEAST_PART and len(long) - len(short) >= _LEAST_FIRST and long.endswith(short)


def list_borders(concept: str) -> tuple[str, str]:
    """Return the beginning and the end of a concept: those that are alike or a last part have one of them in common."""
    return concept[:BEGUN], concept[-_LEAST_PART:]


def can_be_last_part(name: str) -> bool:
    """Return whether a concept is long enough to name a kind of what words that end with it mean.

    A grandmother is no kind of mother.
    """
    return len(name) >= _LEAST_PART and name not in PEOPLE
