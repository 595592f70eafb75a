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
)
