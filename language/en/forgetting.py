"""Requests in English to forget something."""

from __future__ import annotations

from typing import Final

from language.forgetting import ForgettingPatterns
from language.words import word_set

_PLEASE: Final = "please|kindly|pls|plz"
_MEMORY: Final = (
    r"(?:your |the |my )?(?:memory|memories|notes?|records?|files?|storage|database|whatever|what you (?:know|"
    r"have|remember))"
)
_OURS: Final = r"(?=(?:my|our|the|that|this|what|anything|everything|where|who|how|any|all)\b)"
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
    orders=(
        (
            r"(?:you (?:can|may|should)|i(?:['’]d| would) like you to|i (?:want|need) you to|could you|can "
            r"you|would you|"
            rf"will you)?\s{{0,3}}(?:(?:{_PLEASE})\s{{1,3}})?(?:just\s{{1,3}})?(?:forget|unlearn|"
            rf"unremember|erase|wipe|purge|"
            rf"scrap|strike)(?!-|\s+(?:it|that|this)\s{{0,3}}(?:[.,!;]|$)){_OBJECT}"
        ),
        (
            r"(?:(?:can|could|would|will) you\s{1,3})?(?:delete|remove|take|drop|clear|cross|get|strike|"
            r"cut|throw|discard|"
            rf"lose)\b(?P<object>.{{1,300}}?)\s(?:from|out of|off)\s{_MEMORY}"
        ),
        rf"(?:(?:can|could|would|will) you\s{{1,3}})?get rid of\s{_OURS}(?P<object>.{{1,300}})",
        (
            r"(?:delete|remove|drop|scrap|discard|clear|wipe|clean)\s{1,3}(?=(?:that|the|this|my|your|all|"
            r"every|any)\s(?:\w+\s){0,2}"
            rf"(?:notes?|memory|memories|records?|entry|entries|facts?)\b){_OBJECT}"
        ),
        (
            r"(?:do not|don['’]?t|stop|no longer|please stop)\s{1,3}(?:keep|keeping|remember|remembering|"
            r"store|storing|save|"
            rf"saving|retain|retaining)\s{_OURS}(?P<object>.{{1,300}})"
        ),
        (
            r"(?:i(?:['’]d| would) like you to|i want you to|please)\s{1,3}(?:no longer|not|stop)\s{1,3}"
            rf"(?:remember|know|keep|store)(?:ing)?\s{_OURS}(?P<object>.{{1,300}})"
        ),
        (
            r"(?!i\b)(?P<object>(?:(?!\b(?:he|she|they|never|not|to|could|can|will|would|must|"
            r"should)\b).){1,200}?)[,;:–—-]?\s(?:you (?:can|"
            r"may|should)\s)?"
            r"(?:please\s)?(?:forget|delete|erase|scrap|throw|remove)\s(?:it|that|them|this)\b(?:\saway)?\s{0,3}[.!]?$"
        ),
        (
            r"(?P<object>.{1,200}?)[,;:?.–—-]?\s(?:please\s)?(?:do not|don['’]?t) (?:keep|store|save|remember|retain) "
            r"(?:it|that|them|this)\b"
        ),
        rf"i (?:do not|don['’]?t) want you to (?:remember|know|keep|store)\s{_OURS}(?P<object>.{{1,200}})",
        r"i take (?:it|that) back\b(?P<object>.{1,200})",
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
