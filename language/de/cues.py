"""Cues of German."""

from __future__ import annotations

from typing import Final

from language.cues import Cues

CUES: Final = Cues(
    number=r"eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zweimal|erste\w*|zweite\w*",
    reason=r"weil|damit|deshalb|fühl\w+",
    news=(
        r"gerade|neulich|kürzlich|endlich|gestern|heute|übrigens|letzte[nrs]? \w+|"
        r"vor \w+ (?:tag|woche|monat|jahr)\w*"
    ),
)
