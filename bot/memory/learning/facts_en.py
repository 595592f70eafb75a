"""English sentences that state a fact: where somebody lives, what something is, what happened."""

from __future__ import annotations

from typing import Final

from bot.memory.items import ItemType, Layer
from bot.memory.learning.rules import rule
from bot.memory.learning.subjects_en import BE, EVENT, IM, MUSING, NAME, NEAR, OFTEN, PAST, SO, WHO, I

_THE: Final = r"(?P<who>the\s+(?:[\w'’-]+\s+){0,3}?[\w'’-]+)"
_AT: Final = r"(?P<how>in|on|at|with|under|near|behind)?\b"

FACTS: Final = (
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}(?:{BE})?{OFTEN}\s+(?:lives?|living|resides?|based|staying)\s+"
        r"(?:in|at|on|near|with|by|next|outside|down|up|abroad)\b",
        rf"{WHO}(?:{BE})?{OFTEN}\s+(?:(?:has|have)\s+)?(?:just\s+|recently\s+)?"
        r"(?:moved|relocated|emigrated|moving|relocating)\s+(?:back\s+)?(?:to|into|in|from|out|away|home)\b",
        relation="live",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}(?:{BE})?{OFTEN}\s+(?:works?|working|employed)\s+(?:at|for|as|in|with|from|by)\b",
        rf"{WHO}{OFTEN}\s+(?:has\s+|have\s+)?(?:got|started|found)\s+a(?: new)? job\b",
        rf"{WHO}{OFTEN}\s+(?:started (?:working\s+)?at|(?:has\s+|have\s+)?retired)\b",
        relation="work",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}\s+was born\s+(?P<how>in|on|at)\b",
        relation="birth",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}{BE}{OFTEN}\s+\d{{1,3}}(?:\s+years?\s+old|\s*$|\.$)",
        rf"{WHO}{OFTEN}\s+(?:turns|turned|will turn)\s+\d{{1,3}}\b",
        relation="age",
        salience=0.6,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"(?:my|our)\s+(?P<who>(?:[\w'’-]+\s+){0,3}?(?:name|surname|nickname))\s+is\b",
        r"(?:call me|people call me)\s+(?-i:[A-Z])",
        relation="is",
        salience=0.85,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}(?:{BE})?(?:\s+(?:has|have|just))*\s+"
        r"(?:married(?:\s+to)?|got married|engaged|divorced|single|a widow(?:er)?|dating)\b",
        relation="marry",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}(?:{BE})?{OFTEN}\s+(?:stud(?:y|ies|ying)|goes to school|attends)\b",
        relation="study",
        salience=0.6,
    ),
    # "my booking code is 567-G0": what a thing is; what a person is ("my sister is tired") is not one thing for ever
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"(?P<who>{NEAR})(?:\s*[:=]\s*|\s+(?:is|are|was|were)(?:\s+now)?\s+)(?!{SO}){_AT}\s*\S",
        relation="is",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{_THE}\s+(?:is|are)(?:\s+now)?\s+(?P<how>in|on|at|under|near|behind)\s+\S",
        rf"{_THE}\s+(?:is|are)(?:\s+now)?\s+(?!{SO})(?=.*(?:\d|\s(?-i:[A-Z])))\S",
        relation="is",
        salience=0.5,
        confidence=0.7,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"(?P<who>(?-i:[A-Z])[\w'’ -]{2,40}|(?:wi-?fi|door|gate|pin|flat|phone|order|room)[\w'’ -]{0,30})\s*:\s*"
        r"(?=\S*\d)\S+\s*\S*$",
        relation="is",
        salience=0.6,
        confidence=0.7,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{I}{BE}\s+(?:an?|the|from|originally from|responsible for|in charge of|afraid of|good at|bad at|learning)\s+"
        rf"(?!{SO})\w",
        rf"{I}{BE}\s+(?-i:[A-Z])\w+\b",
        salience=0.65,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"(?:{I}(?:['’]ve)?|(?P<who>{NEAR}|{NAME}|he|she|they))\s+(?:have|has|own|owns|got|have got|has got)\s+"
        r"(?!(?:to|been|no idea|just|not|never|always|it|this|that|them|so|such|the)\b|"
        r"a (?:question|problem|look|nice|good|great|lot)\b|an? idea\b|lots\b)\w",
        salience=0.55,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{I}{OFTEN}\s+(?!{MUSING}\b)(?:speak|play|drive|use|run|eat|drink|wear|ride|teach|write|read|collect|grow|"
        r"cook|train|practi[sc]e|take|wake up|get up|go to|commute|support|follow|code|develop|maintain|host|deploy|"
        r"pay|earn|keep|store|park|sleep|swim|sing|paint|volunteer|plan to|want to)\s+(?!it\b|that\b|this\b)",
        salience=0.5,
        confidence=0.75,
    ),
    rule(
        ItemType.FACT,
        Layer.EPISODIC,
        rf"{I}{IM}\s+(?:going to (?!keep|try|be|see|make sure|do|get)|flying to|travel+ing to|visiting|leaving|"
        r"planning|meeting|moving|expecting)\b",
        rf"{I}(?:['’]ll|\s+will)\s+(?:fly|go|travel|visit|start|meet|move|leave)\b",
        salience=0.55,
        confidence=0.75,
    ),
    rule(
        ItemType.FACT,
        Layer.EPISODIC,
        rf"(?P<who>i|we|{NEAR}|{NAME})(?:['’]ve|\s+have|\s+has)?"
        r"(?:\s+(?:just|also|finally|recently|already|once|never))*\s+"
        rf"(?!{MUSING}\b)(?:{EVENT}|{PAST}\b(?=.*(?:\d|\s(?-i:[A-Z])[a-z]|\bmy\b|\bour\b|\bago\b|\blast\b|\byesterday\b)))"
        r"\b\s+(?!it\b|them\b|that\b|this\b|so\b|in love\b)\w",
        salience=0.45,
        confidence=0.75,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"(?P<who>{NEAR}){OFTEN}\s+[a-z]{{2,}}[^s\W]s\s+(?!me\b|{SO})\w",
        rf"(?P<who>{NAME})(?:['’]s\s+[\w'’ -]{{2,30}}?)?\s+(?:is|has)\s+(?!{SO}|been\b)\w",
        rf"(?P<who>{NAME})\s+(?:speaks|plays|drives|owns|teaches|uses|runs|wants|eats|drinks|goes|wears|leads|manages|"
        r"reports)\s+\w",
        salience=0.5,
        confidence=0.7,
    ),
)
"""From the telling to the general: the first that matches makes the item."""
