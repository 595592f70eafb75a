"""Rules of English sentences to learn from."""

from __future__ import annotations

from typing import Final

from language.learning import Learning, rule
from language.words import vocabulary

_NO_NAME: Final = (
    r"i['’]\w+|you\w*|the|this|that|these|those|there|here|its?|what\w*|who|which|every\w+|nothing|some\w*|any\w*|lots?|"
    r"today|tomorrow|yesterday|please|thanks|yes|no|not|sounds|looks|seems|if|when|while|but|and|so|then|maybe|perhaps|"
    r"just|also|for|in|on|at|to|from|with|by|as|all|each|both|many|most|one|let\w*|do|does|did|is|are|can|how|why|where|"
    r"after|before|because|since|although|my|our|we|he|she|they|his|her|their|your|a|an|would|will|won['’]t|really|art\w*|"
    r"kids|people|nature|life|love|work|time|music|dance|food|fingers|\w+ing|\w+ly"
)
_NAME: Final = rf"(?!(?:{_NO_NAME})\b)(?-i:[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+){{0,2}})"
"""One to three capitalised words; the commonest words that begin a sentence with a capital are none."""
_NEAR: Final = r"(?:my|our)\s+(?:[\w'’-]+\s+){0,4}?[\w'’-]+"
"""What somebody calls theirs: "my sister Vera", "our booking code"."""
_WHO: Final = rf"(?P<who>{_NEAR}|the\s+(?:[\w'’-]+\s+){{0,3}}?[\w'’-]+|i|we|he|she|they|{_NAME})"
_I: Final = r"(?P<who>i|we)"
_BE: Final = r"(?:\s+(?:is|am|are)|['’](?:s|m|re))"
_IM: Final = r"(?:['’]m|\s+am|['’]re|\s+are)"
_OFTEN: Final = (
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
_ACT: Final = (
    r"(?:use|deploy|call|send|write|reply|answer|add|delete|touch|push|commit|share|mention|suggest|tell|ask|include|"
    r"remove|change|buy|order|book|schedule|eat|format|translate|run|merge|install|open|show|speak|talk|text|email|"
    r"ping|wake|message|print|log|store|save|assume|round|put|start|restart|edit|move|rename|invite|contact|disturb|"
    r"interrupt|update|upgrade|work|drink|drive|fly|plan|quote|explain|repeat|apologi[sz]e|check|test|review|keep)"
)
"""What an assistant or a team can be told always or never to do; "give up" is not among them."""
_SO: Final = r"(?:so|very|too|such|super|pretty|really|quite|just|amazing\w*|awesome|great|the best)\b"
"""How people praise; what follows is no fact."""

_THE: Final = r"(?P<who>the\s+(?:[\w'’-]+\s+){0,3}?[\w'’-]+)"
_AT: Final = r"(?P<how>in|on|at|with|under|near|behind)?\b"

_FACTS: Final = (
    rule(
        "fact",
        "semantic",
        rf"{_WHO}(?:{_BE})?{_OFTEN}\s+(?:lives?|living|resides?|based|staying)\s+"
        r"(?:in|at|on|near|with|by|next|outside|down|up|abroad)\b",
        rf"{_WHO}(?:{_BE})?{_OFTEN}\s+(?:(?:has|have)\s+)?(?:just\s+|recently\s+)?"
        r"(?:moved|relocated|emigrated|moving|relocating)\s+(?:back\s+)?(?:to|into|in|from|out|away|home)\b",
        relation="live",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}(?:{_BE})?{_OFTEN}\s+(?:works?|working|employed)\s+(?:at|for|as|in|with|from|by)\b",
        rf"{_WHO}{_OFTEN}\s+(?:has\s+|have\s+)?(?:got|started|found)\s+a(?: new)? job\b",
        rf"{_WHO}{_OFTEN}\s+(?:started (?:working\s+)?at|(?:has\s+|have\s+)?retired)\b",
        relation="work",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}\s+was born\s+(?P<how>in|on|at)\b",
        relation="birth",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}{_BE}{_OFTEN}\s+\d{{1,3}}(?:\s+years?\s+old|\s*$|\.$)",
        rf"{_WHO}{_OFTEN}\s+(?:turns|turned|will turn)\s+\d{{1,3}}\b",
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
        rf"{_WHO}(?:{_BE})?(?:\s+(?:has|have|just))*\s+"
        r"(?:married(?:\s+to)?|got married|engaged|divorced|single|a widow(?:er)?|dating)\b",
        relation="marry",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}(?:{_BE})?{_OFTEN}\s+(?:stud(?:y|ies|ying)|goes to school|attends)\b",
        relation="study",
        salience=0.6,
    ),
    # "my booking code is 567-G0": what a thing is; what a person is ("my sister is tired") is not one thing for ever
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{_NEAR})(?:\s*[:=]\s*|\s+(?:is|are|was|were)(?:\s+now)?\s+)(?!{_SO}){_AT}\s*\S",
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
        rf"{_I}{_BE}\s+(?:an?|the|from|originally from|responsible for|in charge of|afraid of|good at|bad at|"
        rf"learning)\s+(?!{_SO})\w",
        rf"{_I}{_BE}\s+(?-i:[A-Z])\w+\b",
        salience=0.65,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?:{_I}(?:['’]ve)?|(?P<who>{_NEAR}|{_NAME}|he|she|they))\s+(?:have|has|own|owns|got|have got|has got)\s+"
        r"(?!(?:to|been|no idea|just|not|never|always|it|this|that|them|so|such|the)\b|"
        r"a (?:question|problem|look|nice|good|great|lot)\b|an? idea\b|lots\b)\w",
        salience=0.55,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_I}{_OFTEN}\s+(?!{_MUSING}\b)(?:speak|play|drive|use|run|eat|drink|wear|ride|teach|write|read|collect|grow|"
        r"cook|train|practi[sc]e|take|wake up|get up|go to|commute|support|follow|code|develop|maintain|host|deploy|"
        r"pay|earn|keep|store|park|sleep|swim|sing|paint|volunteer|plan to|want to)\s+(?!it\b|that\b|this\b)",
        salience=0.5,
        confidence=0.75,
    ),
    rule(
        "fact",
        "episodic",
        rf"{_I}{_IM}\s+(?:going to (?!keep|try|be|see|make sure|do|get)|flying to|travel+ing to|visiting|leaving|"
        r"planning|meeting|moving|expecting)\b",
        rf"{_I}(?:['’]ll|\s+will)\s+(?:fly|go|travel|visit|start|meet|move|leave)\b",
        salience=0.55,
        confidence=0.75,
    ),
    rule(
        "fact",
        "episodic",
        rf"(?P<who>i|we|{_NEAR}|{_NAME})(?:['’]ve|\s+have|\s+has)?"
        r"(?:\s+(?:just|also|finally|recently|already|once|never))*\s+"
        rf"(?!{_MUSING}\b)(?:{_EVENT}|{_PAST}\b(?=.*(?:\d|\s(?-i:[A-Z])[a-z]|\bmy\b|\bour\b|\bago\b|\blast\b|\byesterday\b)))"
        r"\b\s+(?!it\b|them\b|that\b|this\b|so\b|in love\b)\w",
        salience=0.45,
        confidence=0.75,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{_NEAR}){_OFTEN}\s+[a-z]{{2,}}[^s\W]s\s+(?!me\b|{_SO})\w",
        rf"(?P<who>{_NAME})(?:['’]s\s+[\w'’ -]{{2,30}}?)?\s+(?:is|has)\s+(?!{_SO}|been\b)\w",
        rf"(?P<who>{_NAME})\s+(?:speaks|plays|drives|owns|teaches|uses|runs|wants|eats|drinks|goes|wears|leads|manages|"
        r"reports)\s+\w",
        salience=0.5,
        confidence=0.7,
    ),
)
"""From the telling to the general: the first that matches makes the item."""

_LIKE: Final = (
    r"(?:prefer|like|love|enjoy|adore|hate|dislike|detest|"
    r"(?:do not|don['’]?t|can['’]?t)\s+(?:really\s+)?(?:like|stand|love|enjoy))"
)
_NOT_LIKED: Final = (
    r"(?!(?:it|that|this|these|those|and|or|when|you|how|your|his|her|their|"
    r"the way|seeing|being|having|getting|watching|hearing|"
    r"to (?:know|see|ask|have|hear|share))\b)"
)

_RULES: Final = (
    # tasks come first: "remember to" and "don't forget to" would otherwise read as rules
    rule(
        "task",
        "working",
        r"(?:todo|to-do|to do|task|next steps?)\s*[:–—-]\s*\S",
        r"(?:please\s+)?(?:remember to|don['’]?t forget to|do not forget to)\s+\w",
        salience=0.7,
        ttl_days=14,
    ),
    rule(
        "task",
        "working",
        rf"{_I}{_OFTEN}\s+(?:need to|have to|must|gotta|have got to)\s+"
        r"(?!say|admit|be honest|tell you|thank|savor|see|hear|know|keep|stay|remember|check (?:it|that) out|just\b)\w",
        rf"{_I}{_IM}(?:\s+currently)?\s+working on\b",
        salience=0.6,
        ttl_days=14,
    ),
    rule(
        "decision",
        "semantic",
        r"(?:decision|decided|agreed)\s*:\s*\S",
        r"(?P<who>i|we|the team)(?:['’]ve|\s+have)?(?:\s+(?:just|finally|now|all|both))*\s+"
        r"(?:decided|agreed|chose|chosen|settled on|picked|opted for|are going with|went with)\b",
        r"(?:so\s+)?(?:let['’]?s|we['’]ll|we will|we shall)\s+"
        r"(?:use|go with|stick (?:with|to)|switch to|adopt|move to|migrate to|drop)\b",
        salience=0.75,
        confidence=0.85,
    ),
    rule(
        "fix",
        "procedural",
        r"(?:the\s+)?(?:fix|solution|workaround|trick)\s+(?:was|is)\b",
        r"(?:it|that|this|the [\w -]{2,30})\s+(?:works|worked)\s+(?:now|again|after|once)\b",
        rf"{_WHO}(?:['’]ve|\s+have|\s+has)?(?:\s+(?:just|finally))?\s+(?:fixed|solved|resolved|worked around)\b",
        r"(?:fixed|solved|resolved)\b.{0,40}\bby\b",
        salience=0.65,
    ),
    rule(
        "result",
        "working",
        r"\$\s+\S",
        r".{0,80}\b(?:exit(?:ed)?(?: with)? (?:code|status) \d+|\d+ (?:tests? )?(?:passed|failed)|"
        r"build (?:succeeded|failed|passed)|deployed (?:version )?v?\d)\b",
        salience=0.5,
        ttl_days=7,
    ),
    rule(
        "failure",
        "episodic",
        r"(?!(?:i|we)\s+(?:never|always)\b).{0,120}?\b(?:fails|failed|crashe[sd]|keeps? crashing|broke down|is broken|"
        r"(?:does|did)(?:n['’]?t| not) work(?! out)|stopped working|throws? (?:an? )?\w*(?:error|exception)|"
        r"timed out|times out|is down|went down)\b",
        salience=0.6,
    ),
    rule(
        "constraint",
        "semantic",
        rf"{_I}{_IM}(?:\s+\w+)?\s+(?P<what>(?:allergic|intolerant) to .+)",
        rf"{_I}{_IM}(?:\s+\w+)?\s+(?P<what>vegan|vegetarian|diabetic|coeliac|celiac|lactose[- ]intolerant)\b",
        rf"(?P<who>my [\w'’ -]{{2,40}}?|{_NAME})\s+is\s+(?P<what>allergic to .+)",
        rf"{_I}\s+(?:do not|don['’]?t|can(?:no|['’]?)t)\s+(?:eat|drink)\s+(?P<what>\w.+)",
        salience=0.9,
        confidence=0.9,
    ),
    rule(
        "constraint",
        "procedural",
        rf"(?:please\s+)?(?:always|never)\s+{_ACT}\s+\w",
        rf"(?:please\s+)?(?:do not|don['’]?t)\s+(?:ever\s+)?{_ACT}\s+\w",
        r"(?P<who>we|one|nobody|everyone|the [\w'’ -]{2,30}?)\s+(?:must|may not|mustn['’]?t|(?:are|is) not allowed)\b",
        r"(?P<who>you|we|i|nobody|everyone)\s+(?:should|must)\s+(?:never|always|not)\b",
        salience=0.7,
    ),
    rule(
        "constraint",
        "semantic",
        r"(?:the|our|my)\s+(?P<who>(?:[\w'’-]+\s+){0,3}?(?:deadline|budget|limit|maximum|minimum|due date))\s+"
        r"(?:is|was|are)\b",
        relation="is",
        salience=0.8,
        confidence=0.85,
    ),
    rule(
        "preference",
        "semantic",
        r"(?P<who>(?:my|our)\s+favou?rite\s+[\w'’ -]{2,40}?)\s+(?:is|are)\s+\w",
        relation="is",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"{_I}(?:['’]d|\s+would)\s+prefer\s+(?!you\b|it\b)(?P<what>.+)",
        rf"{_I}{_OFTEN}\s+{_LIKE}\s+{_NOT_LIKED}(?P<what>.+)",
        rf"{_I}{_IM}\s+(?:an?\s+)?(?:big |huge )?(?:fan of|fond of|into|keen on)\s+(?P<what>.+)",
        rf"{_I}['’]d rather\s+(?P<what>.+)",
        rf"(?:prefer|love|hate|dislike)\s+{_NOT_LIKED}(?!to\b|\w+ing\b)(?P<what>[\w'’-]+.*)",
        relation="like",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?P<who>{_NEAR}|{_NAME}|he|she){_OFTEN}\s+(?:prefers|likes|loves|enjoys|hates|dislikes|"
        rf"(?:does not|doesn['’]?t)\s+(?:like|eat|drink))\s+{_NOT_LIKED}(?P<what>\w.+)",
        rf"(?P<who>{_NEAR}|they){_OFTEN}\s+(?:prefer|love|hate|dislike)\s+{_NOT_LIKED}(?P<what>\w.+)",
        relation="like",
        salience=0.6,
    ),
    *_FACTS,
)
"""In the order in which they are tried; the first that matches makes the item."""

LEARNING: Final = Learning(
    rules=_RULES,
    name=_NAME,
    mine=vocabulary("i we my our me us"),
    pronouns=vocabulary("he she they it"),
    articles=vocabulary("my our the a an"),
    opinions=r"i (?:think|guess|believe|suppose)|maybe|perhaps|probably",
    vague=(
        r"(?:i|we)\s+(?:do not|don['’]t|didn['’]t)\s+(?:know|understand|care|remember|get it|mind)\b"
        r"|(?:i|we)\s+(?:agree|see|understand)\b"
        r"|(?:i|we)(?:['’]d|\s+would)\s+like\b|(?:that\s+)?(?:sounds|looks|seems)\b|never mind\b"
    ),
    passing=r"today|tonight|right now|at the moment|this (?:morning|afternoon|evening|week)",
)
