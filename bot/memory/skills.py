"""The skill that a message calls for: by name, by what it is about, or the one that is active already.

Pure functions, so that the choice can be explained and tested; a skill is anything with a name and a description.
"""

import re
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from language import languages, stop_words
from language.words import fold

OFF: Final = "off"
"""``/skill off`` ends the active skill."""
_THRESHOLD: Final = 2.0
"""Two topical words of the description, or the name alone, activate a skill: one shared word is chance."""
_NAME_WEIGHT: Final = 2.0
_STEM: Final = 5
"""Letters compared: inflection is in the ending, in English as in Russian."""
_SHORTEST: Final = 3
_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_NAMES_NOTHING: Final = stop_words().union(*(each.vocabulary.skill_words for each in languages()))


class Described(Protocol):
    """The part of a skill that choosing needs."""

    @property
    def name(self) -> str:
        """Its short name."""

    @property
    def description(self) -> str:
        """Its purpose, and the occasion to use it."""


S = TypeVar("S", bound=Described)


def choose_skill(text: str, skills: Sequence[S], sticky: str) -> S | None:
    """Return the skill for a message, ``None`` for none.

    In this order: the skill whose name and description share most with the text, if that is enough; the active one,
    named ``sticky`` ("" or "off" when there is none).  A command in the text is none of its business: whether one is
    obeyed depends on who wrote it, and is decided where commands are.
    """
    by_name = {skill.name.casefold(): skill for skill in skills}
    if sticky == OFF:
        return None
    said = _stems(text)
    best, score = None, 0.0
    for skill in skills:
        match = _score(said, skill)
        if match > score:
            best, score = skill, match
    if best is not None and score >= _THRESHOLD:
        return best
    return by_name.get(sticky.casefold())


def _score(said: frozenset[str], skill: Described) -> float:
    name = _stems(skill.name)
    named = bool(name) and name <= said
    return _NAME_WEIGHT * named + len(said & (_stems(skill.description) - name))


def _stems(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(fold(text)) if len(word) >= _SHORTEST)
    return frozenset(word[:_STEM] for word in words if word not in _NAMES_NOTHING)
