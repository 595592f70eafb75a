"""Words that mean the same, for comparing a question with what was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from language.words import word_set

RELATIVES: Final = word_set(
    """
    sister brother mother father parent wife husband son daughter child grandmother grandfather aunt uncle cousin
    friend partner boss colleague neighbour doctor
    """
)
"""Concepts for people who are near somebody: "my sister" and "Vera" may be the same."""
PETS: Final = word_set("dog cat")


@dataclass(frozen=True, slots=True, kw_only=True)
class Synonyms:
    """The synonyms of one language; words are case-folded, "ё" as "е".

    A word that means something else in another language (German "Kind", "Chef") is left out: words are looked up
    without knowing whose they are.
    """

    concepts: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Forms separated by white space, by the English name of what they mean, which all languages share."""
