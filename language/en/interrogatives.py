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
    several_begin=(
        r"(?:what|which|who|where|in what)\b(?:(?!\b(?:does|did|are)\b).)*?\b(?<!['’])\w{3,}s\b.*?\b(?:does|do|did|are)"
    ),
)
