"""Tells of what else than a question a sentence speaks: "the code for the door" of "what is the code for the cellar".

What stands behind a preposition, or whose something is, says which of several a thing is.  A sentence that has another
such word in its place, and not this one, tells of another thing, however much the rest of both is alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from bot.memory.concepts import PEOPLE, STOP_WORDS, find_concept
from bot.memory.learning.kinds import find_asking_word
from bot.memory.learning.rewording import MERGED, PREPOSITIONS
from language import alternatives, detect_languages, languages
from language.analyser import strip_possessive
from language.patterns import compile_at_use
from language.words import split_words

_BETWEEN: Final = frozenset[str]().union(*(each.learning.articles | each.learning.mine for each in languages()))
"""Words between a preposition and its noun that tell nothing."""
_JOINS: Final = frozenset[str]().union(*(each.questions.joins for each in languages()))
_TIME: Final = compile_at_use(alternatives(each.answers.time for each in languages()), re.IGNORECASE)
_OF: Final = frozenset[str]().union(*(each.answers.owner for each in languages()))
_OWNER: Final = "'s"
_ALIKE: Final = 3
"""First letters of words that may mean the same: "Tim", "Timothy"."""


@dataclass(frozen=True, slots=True)
class Complement:
    """A concept behind a preposition (``led``) and behind that which stands before it (``head``)."""

    led: str
    head: str
    concept: str

    @property
    def owns(self) -> bool:
        """Whether it says whose the thing before it, or behind it, is."""
        return self.led == _OWNER or self.led in _OF


@lru_cache(maxsize=2048)
def list_complements(text: str) -> tuple[Complement, ...]:
    """Return what the words behind prepositions, and those with a possessive ending, say of which things."""
    found: list[Complement] = []
    led = head = before = ""
    declined = bool(detect_languages(text)[0].persons.name_vowels)
    for word, behind in pairwise((*split_words(text), "")):
        bare, concept = strip_possessive(word), find_concept(word)
        telling = bare not in STOP_WORDS and not _TIME.search(word)
        kin = find_concept(behind) in PEOPLE
        if telling and ((bare != word and "'" in word.replace("’", "'")) or (kin and word.endswith("s"))):
            found.append(Complement(_OWNER, find_concept(behind), find_concept(bare)))
        elif telling and led:
            found.append(Complement(led, head, concept))
        elif declined and {before, concept} <= PEOPLE:  # "брат мужа"
            found.append(Complement(_OWNER, before, concept))
        if PREPOSITIONS.fullmatch(word) and word not in _JOINS and find_asking_word(word) is None:
            led, head = MERGED.get(word, word), before
        elif word not in _BETWEEN:
            led = ""
        before = "" if bare in STOP_WORDS else concept
    return tuple(found)


def names_other_complement(asked: Iterable[Complement], said: str, has: Callable[[str], bool]) -> bool:
    """Return whether something that is asked for with a complement stands in ``said`` with another in its place.

    ``has`` tells whether a concept is among those of the question.  Who is called by a name there may be a relative
    here.
    """
    told = list_complements(said)
    return any(
        ((one.led == other.led and one.owns) or one.head == other.head != "")
        and (one.concept in PEOPLE) == (other.concept in PEOPLE)
        and one.concept[:_ALIKE] != other.concept[:_ALIKE]
        and not has(other.concept)
        for one in asked
        for other in told
    )


def tells_of_relatives(said: str, has: Callable[[str], bool]) -> bool:
    """Return whether ``said`` tells of a relative of somebody named in a question, and of themselves nothing.

    "Tom's wife" for Tom, and "her husband's sister" for a sister.  ``has`` is as for
    :func:`names_other_complement`.
    """
    concepts = [find_concept(strip_possessive(word)) for word in split_words(said)]
    for each in (one for one in list_complements(said) if one.owns and one.head in PEOPLE):
        meant, other = (each.head, each.concept) if each.concept in PEOPLE else (each.concept, each.head)
        if has(meant) and not has(other) and concepts.count(meant) == 1:
            return True
    return False
