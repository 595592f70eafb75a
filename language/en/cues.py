"""Cues of English."""

from __future__ import annotations

from typing import Final

from language.cues import Cues

CUES: Final = Cues(
    number=("one|two|three|four|five|six|seven|eight|nine|ten|couple|twice|once|dozen|first|second|third"),
    reason="because|'cause|cause|since|so that|reason|feel|felt|feeling|makes me|made me",
    news=(
        "just|recently|lately|finally|yesterday|today|ago|guess what|by the way|since we last|the other day|"
        r"last (?:week|month|night|weekend|\w+day|year|fri|sat|sun)|this (?:week|month|weekend|morning)"
    ),
    wish=(
        r"(?:i|we)(?:['’]d| would)? (?:\w+ )?prefer|my preferences?|favou?rites?|rather than|from now on|"
        r"(?:i|we)['’]d rather|(?:i|we) would rather|(?:i|we) (?:really )?(?:like|love|enjoy|hate|dislike)|"
        r"(?:i|we) (?:don['’]t|do not) (?:like|want)|i(?:['’]d like| would like| want) you to|"
        r"(?:when|whenever|if|every time|each time) i ask"
    ),
    wish_begin=r"(?:please )?(?:always|never|avoid|no more|in future)",
)
