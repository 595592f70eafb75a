"""Parts of English sentence patterns: who a sentence is about, and small words that may stand between."""

from __future__ import annotations

from typing import Final

_NO_NAME: Final = (
    r"i['’]\w+|you\w*|the|this|that|these|those|there|here|its?|what\w*|who|which|every\w+|nothing|some\w*|any\w*|lots?|"
    r"today|tomorrow|yesterday|please|thanks|yes|no|not|sounds|looks|seems|if|when|while|but|and|so|then|maybe|perhaps|"
    r"just|also|for|in|on|at|to|from|with|by|as|all|each|both|many|most|one|let\w*|do|does|did|is|are|can|how|why|where|"
    r"after|before|because|since|although|my|our|we|he|she|they|his|her|their|your|a|an|would|will|won['’]t|really|art\w*|"
    r"kids|people|nature|life|love|work|time|music|dance|food|fingers|\w+ing|\w+ly"
)
NAME: Final = rf"(?!(?:{_NO_NAME})\b)(?-i:[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+){{0,2}})"
"""One to three capitalised words; the commonest words that begin a sentence with a capital are none."""
NEAR: Final = r"(?:my|our)\s+(?:[\w'’-]+\s+){0,4}?[\w'’-]+"
"""What somebody calls theirs: "my sister Vera", "our booking code"."""
WHO: Final = rf"(?P<who>{NEAR}|the\s+(?:[\w'’-]+\s+){{0,3}}?[\w'’-]+|i|we|he|she|they|{NAME})"
I: Final = r"(?P<who>i|we)"  # noqa: E741  the English word
BE: Final = r"(?:\s+(?:is|am|are)|['’](?:s|m|re))"
IM: Final = r"(?:['’]m|\s+am|['’]re|\s+are)"
OFTEN: Final = (
    r"(?:\s+(?:really|absolutely|also|still|just|always|usually|often|never|now|currently|finally|recently|already|"
    r"both|all|only|mostly|sometimes))*"
)
PAST: Final = (
    r"(?:[a-z]{2,}ed|went|saw|met|bought|sold|got|had|made|took|gave|found|lost|left|came|began|broke|built|caught|"
    r"chose|did|drove|ate|fell|felt|flew|forgot|grew|heard|kept|knew|led|lent|paid|put|read|ran|sang|sent|set|slept|"
    r"spent|spoke|swam|taught|told|thought|threw|understood|won|wrote|was|were|became|brought|hired|quit|shut|cut|"
    r"hit|hurt|let|rode|rose|shot|stood|wore)"
)
EVENT: Final = (
    r"(?:bought|sold|lost|broke|moved|met|married|started|finished|joined|quit|left|passed|failed|booked|ordered|paid|"
    r"visited|adopted|launched|signed|hired|applied|graduated|retired|opened|closed|won|cancell?ed|rented|painted|"
    r"built|wrote|planted|installed|deployed|upgraded|migrated|lent|borrowed)"
)
"""Past tenses of what changes a life or a project."""
MUSING: Final = (
    r"(?:think|know|guess|hope|wish|see|understand|mean|agree|feel|believe|wonder|suppose|remember|forget|appreciate|"
    r"apologi[sz]e|said|say|told|tell|ask|asked|felt|thought|knew|was wondering|just wanted|wanted to|would|could|"
    r"should|might|may|will|can|did|do|don|had|didn)"
)
ACT: Final = (
    r"(?:use|deploy|call|send|write|reply|answer|add|delete|touch|push|commit|share|mention|suggest|tell|ask|include|"
    r"remove|change|buy|order|book|schedule|eat|format|translate|run|merge|install|open|show|speak|talk|text|email|"
    r"ping|wake|message|print|log|store|save|assume|round|put|start|restart|edit|move|rename|invite|contact|disturb|"
    r"interrupt|update|upgrade|work|drink|drive|fly|plan|quote|explain|repeat|apologi[sz]e|check|test|review|keep)"
)
"""What an assistant or a team can be told always or never to do; "give up" is not among them."""
SO: Final = r"(?:so|very|too|such|super|pretty|really|quite|just|amazing\w*|awesome|great|the best)\b"
"""How people praise; what follows is no fact."""
