"""Question words of English."""

from __future__ import annotations

from typing import Final

from language.interrogatives import Interrogatives

INTERROGATIVES: Final = Interrogatives(
    when="when|what date|which (?:month|year|day)|how long|in which|what (?:day|year|month|time)",
    how_many="how (?:many|much|old|often|long)",
    named="where|who|which|names?|called|what (?:book|movie|film|city|country|state|band|song|game|place)",
    why=r"why|feel|motivat\w*|inspir\w*|reason",
    several="how many|has|have|had",
    advice=(
        r"how (?:do|does|can|could|should|would|might) (?:i|we|you|one)|(?:should|could|can|may|shall) (?:i|we)|"
        r"help (?:me|us)|"
        r"(?:would|could|can|do) you (?:\w+ )?(?:recommend|suggest|advise|propose)|"
        r"any (?:tips|ideas|advice|suggestions)|"
        r"(?:show|teach|walk) (?:me|us)|what are (?:some|the (?:\w+ )?(?:ways|options|steps|best)|good|common|typical)|"
        r"(?:i['’]m|i am|we['’]re|we are) (?:planning|looking|trying|hoping|going|about|preparing)"
    ),
    advice_begin=(
        r"(?:please )?(?:explain|recommend|suggest|write|draft|design|plan|compare|create|make|help)|please|"
        r"(?:can|could|would|will) you"
        r"(?! (?:\w+ )?(?:remind|recall|remember|"
        r"tell (?:me|us) (?:what|when|where|who|which|how (?:many|much|long|old))))"
    ),
    several_begin=(
        r"(?:what|which|who|where|in what)\b(?>(?:(?!\b(?:does|did|are)\b).)*?\b(?<!['’])\w{3,}s\b)"
        r".*?\b(?:does|do|did|are)"
    ),
)
