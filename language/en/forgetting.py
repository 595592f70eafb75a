"""Requests in English to forget something."""

from __future__ import annotations

from typing import Final

from language.forgetting import ForgettingPatterns
from language.words import word_set

_PLEASE: Final = "please|kindly"
_OBJECT: Final = r"\b(?P<object>.{1,500})"

FORGETTING: Final = ForgettingPatterns(
    please=_PLEASE,
    requests=(
        (
            r"(?:(?:(?:can|could|would|will) you|i(?:['’]d| would) like you to|i (?:want|need) you to)\s{1,3}"
            rf"(?:(?:{_PLEASE})[,\s]{{1,3}})?)?(?:forget|erase|delete|remove)(?!-){_OBJECT}"
        ),
        rf"would you mind\s{{1,3}}(?:forgetting|erasing|deleting|removing){_OBJECT}",
    ),
    polite_questions=r"would you mind\b",
    favours="can|could",
    about="about|of",
    ours="my|our|what|that|everything|all",
    clauses="that|what|who|where|when|which|how",
    denials=r"\b(?:not|never|no|none|nothing|except|but)\b|n['’]t\b",
    from_memory="(?:from|out of)(?: your| the)? memory",
    empty_words=word_set("all everything anything kindly"),
    sweeping_words=word_set("all everything forget delete remove erase"),
)
