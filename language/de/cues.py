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
    wish=(
        r"bevorzug\w+|(?:ich|wir) (?:\w+ )?(?:mag|mögen|liebe|lieben|hasse|hassen)|mag ich|mögen wir|meine vorlieben?|"
        r"lieblings\w+|(?:ich|wir|mir|uns) (?:\w+ ){1,6}?lieber|lieber als|von nun an|ab (?:jetzt|sofort)|künftig|"
        r"(?:wenn|falls|immer wenn|jedes mal, wenn) ich (?:\w+ ){0,6}?(?:frage|bitte)|ich (?:will|möchte), dass du"
    ),
    wish_begin=r"(?:bitte )?(?:\w+en? (?:\w+ )?)?(?:immer|niemals|nie)|vermeide\w*|in zukunft",
)
