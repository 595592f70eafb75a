"""Makes words that mean the same equal: a concept is a group of synonyms, or a word without its ending.

Enough for "lives", "living", "moved to" and their translations to meet in one concept without a model.
Endings are taken off instead of stemming with Snowball: two forms may stay apart, but two different words ("organ",
"organisation") must not meet in an answer; and what facts are about is stored under these concepts.

Puts typing errors right where a word can hardly mean anything else: "wher is my gym", "my dentsit".  A slip is one
letter left out, doubled or in another's place, or two that changed places; the first letter is rarely wrong.  A word
that any language here knows is none.  Only questions are put right, and only for being understood: what is kept and
shown is what was typed.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import Final

from rapidfuzz.distance import OSA

from language import Language, detect_languages, languages, stop_words
from language.analyser import strip_ending, strip_possessive
from language.vocabulary import NARROWER, PETS, RELATIVES
from language.words import fold, split_words, word_set

ALIKE: Final = 4
"""Letters that two :func:`is_alike` concepts have in common at their beginning."""
BEGUN: Final = 2
"""The same of short ones."""
_LEAST_TOLD: Final = 0.6
"""Of a sentence's words: as many an answer must hold that has told it."""
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


@lru_cache(maxsize=4096)
def list_concepts(text: str) -> tuple[str, ...]:
    """Return the concepts of the words of ``text`` that carry meaning, in order, with repetitions."""
    said = split_words(text)
    return tuple(
        word if word in _TITLES and _is_before_name(said, place) else find_concept(word)
        for place, word in enumerate(said)
        if word not in STOP_WORDS and strip_possessive(word) not in STOP_WORDS
    )


def tells(answered: frozenset[str], sentence: str) -> bool:
    """Return whether an answer of these concepts has told a sentence."""
    said = frozenset(list_concepts(sentence))
    return bool(said) and len(said & answered) >= _LEAST_TOLD * len(said)


_TITLES: Final = frozenset(
    title for each in languages() for title in each.entities.titles if find_concept(title) in RELATIVES
)
"""Words before a name that mean a relative elsewhere: German "Frau"."""
_LEADING: Final = frozenset[str]().union(*(each.learning.articles | each.learning.mine for each in languages()))


def _is_before_name(said: tuple[str, ...], place: int) -> bool:
    """Return whether a title stands before what may be a name, and not behind "meine" or "die"."""
    leads = place == 0 or said[place - 1] not in _LEADING
    return leads and place + 1 < len(said) and said[place + 1] not in STOP_WORDS


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


def can_be_last_part(name: str) -> bool:
    """Return whether a concept is long enough to name a kind of what words that end with it mean.

    A grandmother is no kind of mother.
    """
    return len(name) >= _LEAST_PART and name not in PEOPLE


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
    size, first = len(typed), typed[:1]
    near = (meant for meant in words if -_MOST_SLIPS <= len(meant) - size <= _MOST_SLIPS)
    # of another length and first letter none is, and to look is cheaper than to compare
    return [meant for meant in near if (len(meant) == size or meant[:1] == first) and is_slip(typed, meant)]


@lru_cache(maxsize=1024)
def mend_opening(sentence: str) -> str:
    """Return a sentence with errors in the question words of its first three put right."""
    spoken = detect_languages(sentence)
    asking = frozenset[str]().union(*(each.speech.asking for each in spoken))
    others = _list_known(spoken).union(asking, *(each.speech.not_asking for each in spoken))

    spelled = {word: meant for each in spoken for word, meant in each.speech.spelled.items()}

    def find(_: str, word: str) -> str:
        if word in spelled:
            return spelled[word]
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

    @cache
    def list_concepts() -> frozenset[str]:
        return frozenset(map(find_concept, known))

    def find(typed: str, word: str) -> str:
        if len(word) < _LEAST or word in known or word in listed or find_concept(word) in list_concepts():
            return ""
        near = [meant for meant in _list_slips(word, known) if meant not in STOP_WORDS]
        if any(is_alike(find_concept(word), find_concept(meant)) for meant in near):
            return ""  # another form of it
        named = typed[:1].isupper() and not spoken[0].learning.nouns_have_capitals
        if not near and not named and len(spoken) == 1:  # of several, any of their words may be meant
            near = [meant for meant in _list_slips(word, _list_synonyms(spoken)) if meant not in STOP_WORDS]
        if typed[:1].isupper() and len(word) < _LONG:
            near = [meant for meant in near if sorted(meant) == sorted(word)]
        return min(near) if len({find_concept(meant) for meant in near}) == 1 else ""

    return _replace(question, find)


def _replace(text: str, find: Callable[[str, str], str], *, most: int | None = None) -> str:
    """Return ``text`` with what ``find`` returns for words, typed and folded, in their place; of the first ``most``."""
    written, end = [], 0
    for word in islice(_WORD.finditer(text), most):
        if meant := find(word[0], fold(word[0])):
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
        *(each.questions.person_words for each in spoken),
    )
