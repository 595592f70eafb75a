"""Rules for the facts that English sentences state, and the parts of a sentence that rules are made of."""

from __future__ import annotations

from typing import Final

from language.learning import rule

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
SELF: Final = r"(?P<who>i|we)"
_BE: Final = r"(?:\s+(?:is|am|are)|['’](?:s|m|re))"
IM: Final = r"(?:['’]m|\s+am|['’]re|\s+are)"
OFTEN: Final = (
    r"(?:\s+(?:really|absolutely|also|still|just|always|usually|often|never|now|currently|finally|recently|already|"
    r"both|all|only|mostly|sometimes))*"
)
_PAST: Final = (
    r"(?:[a-z]{2,}ed|went|saw|met|bought|sold|got|had|made|took|gave|found|lost|left|came|began|broke|built|caught|"
    r"chose|did|drove|ate|fell|felt|flew|forgot|grew|heard|kept|knew|led|lent|paid|put|read|ran|sang|sent|set|slept|"
    r"spent|spoke|swam|taught|told|thought|threw|understood|won|wrote|was|were|became|brought|hired|quit|shut|cut|"
    r"hit|hurt|let|rode|rose|shot|stood|wore)"
)
_EVENT: Final = (
    r"(?:bought|sold|lost|broke|moved|met|married|started|finished|joined|quit|left|passed|failed|booked|ordered|paid|"
    r"visited|adopted|launched|signed|hired|applied|graduated|retired|opened|closed|won|cancell?ed|rented|painted|"
    r"built|wrote|planted|installed|deployed|upgraded|migrated|lent|borrowed)"
)
"""Past tenses of what changes a life or a project."""
_MUSING: Final = (
    r"(?:think|know|guess|hope|wish|see|understand|mean|agree|feel|believe|wonder|suppose|remember|forget|appreciate|"
    r"apologi[sz]e|said|say|told|tell|ask|asked|felt|thought|knew|was wondering|just wanted|wanted to|would|could|"
    r"should|might|may|will|can|did|do|don|had|didn)"
)
_SO: Final = r"(?:so|very|too|such|super|pretty|really|quite|just|amazing\w*|awesome|great|the best)\b"
"""How people praise; what follows is no fact."""

_THE: Final = r"(?P<who>the\s+(?:[\w'’-]+\s+){0,3}?[\w'’-]+)"
_AT: Final = r"(?P<how>in|on|at|with|under|near|behind)?\b"

FACTS: Final = (
    rule(
        "fact",
        "semantic",
        rf"{WHO}(?:{_BE})?{OFTEN}\s+(?:lives?|living|resides?|based|staying)\s+"
        r"(?:in|at|on|near|with|by|next|outside|down|up|abroad)\b",
        rf"{WHO}(?:{_BE})?{OFTEN}\s+(?:(?:has|have)\s+)?(?:just\s+|recently\s+)?"
        r"(?:moved|relocated|emigrated|moving|relocating)\s+(?:back\s+)?(?:to|into|in|from|out|away|home)\b",
        relation="live",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}(?:{_BE})?{OFTEN}\s+(?:works?|working|employed)\s+(?:at|for|as|in|with|from|by)\b",
        rf"{WHO}{OFTEN}\s+(?:has\s+|have\s+)?(?:got|started|found)\s+a(?: new)? job\b",
        rf"{WHO}{OFTEN}\s+(?:started (?:working\s+)?at|(?:has\s+|have\s+)?retired)\b",
        relation="work",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}\s+was born\s+(?P<how>in|on|at)\b",
        relation="birth",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}{_BE}{OFTEN}\s+\d{{1,3}}(?:\s+years?\s+old|\s*$|\.$)",
        rf"{WHO}{OFTEN}\s+(?:turns|turned|will turn)\s+\d{{1,3}}\b",
        relation="age",
        salience=0.6,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        r"(?:my|our)\s+(?P<who>(?:[\w'’-]+\s+){0,3}?(?:name|surname|nickname))\s+is\b",
        r"(?:call me|people call me)\s+(?-i:[A-Z])",
        relation="is",
        salience=0.85,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}(?:{_BE})?(?:\s+(?:has|have|just))*\s+"
        r"(?:married(?:\s+to)?|got married|engaged|divorced|single|a widow(?:er)?|dating)\b",
        relation="marry",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}(?:{_BE})?{OFTEN}\s+(?:stud(?:y|ies|ying)|goes to school|attends)\b",
        relation="study",
        salience=0.6,
    ),
    # "my booking code is 567-G0": what a thing is; what a person is ("my sister is tired") is not one thing for ever
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{NEAR})(?:\s*[:=]\s*|\s+(?:is|are|was|were)(?:\s+now)?\s+)(?!{_SO}){_AT}\s*\S",
        relation="is",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_THE}\s+(?:is|are)(?:\s+now)?\s+(?P<how>in|on|at|under|near|behind)\s+\S",
        rf"{_THE}\s+(?:is|are)(?:\s+now)?\s+(?!{_SO})(?=.*(?:\d|\s(?-i:[A-Z])))\S",
        relation="is",
        salience=0.5,
        confidence=0.7,
    ),
    rule(
        "fact",
        "semantic",
        r"(?P<who>(?-i:[A-Z])[\w'’ -]{2,40}|(?:wi-?fi|door|gate|pin|flat|phone|order|room)[\w'’ -]{0,30})\s*:\s*"
        r"(?=\S*\d)\S+\s*\S*$",
        relation="is",
        salience=0.6,
        confidence=0.7,
    ),
    rule(
        "fact",
        "semantic",
        rf"{SELF}{_BE}\s+(?:an?|the|from|originally from|responsible for|in charge of|afraid of|good at|bad at|"
        rf"learning)\s+(?!{_SO})\w",
        rf"{SELF}{_BE}\s+(?-i:[A-Z])\w+\b",
        salience=0.65,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?:{SELF}(?:['’]ve)?|(?P<who>{NEAR}|{NAME}|he|she|they))\s+(?:have|has|own|owns|got|have got|has got)\s+"
        r"(?!(?:to|been|no idea|just|not|never|always|it|this|that|them|so|such|the)\b|"
        r"a (?:question|problem|look|nice|good|great|lot)\b|an? idea\b|lots\b)\w",
        salience=0.55,
    ),
    rule(
        "fact",
        "semantic",
        rf"{SELF}{OFTEN}\s+(?!{_MUSING}\b)(?:speak|play|drive|use|run|eat|drink|wear|ride|teach|write|read|collect|grow|"
        r"cook|train|practi[sc]e|take|wake up|get up|go to|commute|support|follow|code|develop|maintain|host|deploy|"
        r"pay|earn|keep|store|park|sleep|swim|sing|paint|volunteer|plan to|want to)\s+(?!it\b|that\b|this\b)",
        salience=0.5,
        confidence=0.75,
    ),
    rule(
        "fact",
        "episodic",
        rf"{SELF}{IM}\s+(?:going to (?!keep|try|be|see|make sure|do|get)|flying to|travel+ing to|visiting|leaving|"
        r"planning|meeting|moving|expecting)\b",
        rf"{SELF}(?:['’]ll|\s+will)\s+(?:fly|go|travel|visit|start|meet|move|leave)\b",
        salience=0.55,
        confidence=0.75,
    ),
    rule(
        "fact",
        "episodic",
        rf"(?P<who>i|we|{NEAR}|{NAME})(?:['’]ve|\s+have|\s+has)?"
        r"(?:\s+(?:just|also|finally|recently|already|once|never))*\s+"
        rf"(?!{_MUSING}\b)(?:{_EVENT}|{_PAST}\b(?=.*(?:\d|\s(?-i:[A-Z])[a-z]|\bmy\b|\bour\b|\bago\b|\blast\b|\byesterday\b)))"
        r"\b\s+(?!it\b|them\b|that\b|this\b|so\b|in love\b)\w",
        salience=0.45,
        confidence=0.75,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{NEAR}){OFTEN}\s+[a-z]{{2,}}[^s\W]s\s+(?!me\b|{_SO})\w",
        rf"(?P<who>{NAME})(?:['’]s\s+[\w'’ -]{{2,30}}?)?\s+(?:is|has)\s+(?!{_SO}|been\b)\w",
        rf"(?P<who>{NAME})\s+(?:speaks|plays|drives|owns|teaches|uses|runs|wants|eats|drinks|goes|wears|leads|manages|"
        r"reports)\s+\w",
        salience=0.5,
        confidence=0.7,
    ),
)
"""From the telling to the general: the first that matches makes the item."""
