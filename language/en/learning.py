"""Rules of English sentences to learn from: rules of work and taste, then the facts."""

from __future__ import annotations

from typing import Final

from language.en.facts import FACTS, IM, NAME, NEAR, OFTEN, SELF, WHO
from language.learning import Learning, rule
from language.words import word_set

_ACT: Final = (
    r"(?:use|deploy|call|send|write|reply|answer|add|delete|touch|push|commit|share|mention|suggest|tell|ask|include|"
    r"remove|change|buy|order|book|schedule|eat|format|translate|run|merge|install|open|show|speak|talk|text|email|"
    r"ping|wake|message|print|log|store|save|assume|round|put|start|restart|edit|move|rename|invite|contact|disturb|"
    r"interrupt|update|upgrade|work|drink|drive|fly|plan|quote|explain|repeat|apologi[sz]e|check|test|review|keep)"
)
"""What an assistant or a team can be told always or never to do; "give up" is not among them."""

_WHEN: Final = r"(?:(?:on|in|at|by|since|last|this|yesterday|today|tonight|earlier)\b[^,.;:!?]{0,30}?,?\s+)?"
"""The time that a sentence may begin with."""

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
        rf"{SELF}{OFTEN}\s+(?:need to|have to|must|gotta|have got to)\s+"
        r"(?!say|admit|be honest|tell you|thank|savor|see|hear|know|keep|stay|remember|check (?:it|that) out|just\b)\w",
        rf"{SELF}{IM}(?:\s+currently)?\s+working on\b",
        salience=0.6,
        ttl_days=14,
    ),
    rule(
        "decision",
        "semantic",
        r"(?:decision|decided|agreed)\s*:\s*\S",
        rf"{_WHEN}(?P<who>i|we|the team)(?:['’]ve|\s+have)?(?:\s+(?:just|finally|now|all|both))*\s+"
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
        rf"{WHO}(?:['’]ve|\s+have|\s+has)?(?:\s+(?:just|finally))?\s+(?:fixed|solved|resolved|worked around)\b",
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
        rf"{SELF}{IM}(?:\s+\w+)?\s+(?P<what>(?:allergic|intolerant) to .+)",
        rf"{SELF}{IM}(?:\s+\w+)?\s+(?P<what>vegan|vegetarian|diabetic|coeliac|celiac|lactose[- ]intolerant)\b",
        rf"(?P<who>my [\w'’ -]{{2,40}}?|{NAME})\s+is\s+(?P<what>allergic to .+)",
        rf"{SELF}\s+(?:do not|don['’]?t|can(?:no|['’]?)t)\s+(?:eat|drink)\s+(?P<what>\w.+)",
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
        rf"{SELF}(?:['’]d|\s+would)\s+prefer\s+(?!you\b|it\b)(?P<what>.+)",
        rf"{SELF}{OFTEN}\s+{_LIKE}\s+{_NOT_LIKED}(?P<what>.+)",
        rf"{SELF}{IM}\s+(?:an?\s+)?(?:big |huge )?(?:fan of|fond of|into|keen on)\s+(?P<what>.+)",
        rf"{SELF}['’]d rather\s+(?P<what>.+)",
        rf"(?:prefer|love|hate|dislike)\s+{_NOT_LIKED}(?!to\b|\w+ing\b)(?P<what>[\w'’-]+.*)",
        relation="like",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?P<who>{NEAR}|{NAME}|he|she){OFTEN}\s+(?:prefers|likes|loves|enjoys|hates|dislikes|"
        rf"(?:does not|doesn['’]?t)\s+(?:like|eat|drink))\s+{_NOT_LIKED}(?P<what>\w.+)",
        rf"(?P<who>{NEAR}|they){OFTEN}\s+(?:prefer|love|hate|dislike)\s+{_NOT_LIKED}(?P<what>\w.+)",
        relation="like",
        salience=0.6,
    ),
    *FACTS,
)
"""In the order in which they are tried; the first that matches makes the item."""

LEARNING: Final = Learning(
    rules=_RULES,
    name=NAME,
    mine=word_set("i we my our me us"),
    pronouns=word_set("he she they it"),
    articles=word_set("my our the a an"),
    opinions=r"i (?:think|guess|believe|suppose)|maybe|perhaps|probably",
    vague=(
        r"(?:i|we)\s+(?:do not|don['’]t|didn['’]t)\s+(?:know|understand|care|remember|get it|mind)\b"
        r"|(?:i|we)\s+(?:agree|see|understand)\b"
        r"|(?:i|we)(?:['’]d|\s+would)\s+like\b|(?:that\s+)?(?:sounds|looks|seems)\b|never mind\b"
    ),
    passing=r"today|tonight|right now|at the moment|this (?:morning|afternoon|evening|week)",
)
