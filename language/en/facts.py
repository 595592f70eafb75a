"""Rules for the facts that English sentences state, and the parts of a sentence that rules are made of."""

from typing import Final

_NO_NAME: Final = (
    r"i['’]\w+|you\w*|the|this|that|these|those|there|here|its?|what\w*|who|which|every\w+|nothing|some\w*|any\w*|"
    r"lots?|today|tomorrow|yesterday|please|thanks|yes|no|not|sounds|looks|seems|if|when|while|but|and|so|then|maybe|"
    r"perhaps|just|also|for|in|on|at|to|from|with|by|as|all|each|both|many|most|one|let\w*|do|does|did|is|are|can|"
    r"how|why|where|after|before|because|since|although|my|our|we|he|she|they|his|her|their|your|a|an|would|will|"
    r"won['’]t|really|art\w*|kids|people|nature|life|love|work|time|music|dance|food|fingers|\w+ing|\w+ly"
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
_SO: Final = r"(?:so|very|too|such|super|pretty|really|quite|just|amazing\w*|awesome|great|the best)\b"
"""How people praise; what follows is no fact."""

_THE: Final = r"(?P<who>the\s+(?:[\w'’-]+\s+){0,3}?[\w'’-]+)"
_AT: Final = r"(?P<how>in|on|at|with|under|near|behind)?\b"

FACTS: Final = {
    "live": (
        rf"{WHO}(?:{_BE})?{OFTEN}\s+(?:lives?|living|resides?|based|staying)\s+(?:in|at|on|near|with|by|next|outside|"
        rf"down|up|abroad)\b|{WHO}(?:{_BE})?{OFTEN}\s+(?:(?:has|have)\s+)?(?:just\s+|recently\s+)?(?:moved|relocated|"
        r"emigrated|moving|relocating)\s+(?:back\s+)?(?:to|into|in|from|out|away|home)\b"
    ),
    "work": (
        rf"{WHO}(?:{_BE})?{OFTEN}\s+(?:works?|working|employed)\s+(?:at|for|as|in|with|from|by)\b|"
        rf"{WHO}{OFTEN}\s+(?:has\s+|have\s+)?(?:got|started|found)\s+a(?: new)? job\b|"
        rf"{WHO}{OFTEN}\s+(?:started (?:working\s+)?at|(?:has\s+|have\s+)?retired)\b"
    ),
    "birth": rf"{WHO}\s+was born\s+(?P<how>in|on|at)\b",
    "age": (
        rf"{WHO}{_BE}{OFTEN}\s+\d{{1,3}}(?:\s+years?\s+old|\s*$|\.$)|"
        rf"{WHO}{OFTEN}\s+(?:turns|turned|will turn)\s+\d{{1,3}}\b"
    ),
    "name": (
        r"(?:my|our)\s+(?P<who>(?:[\w'’-]+\s+){0,3}?(?:name|surname|nickname))\s+is\b|"
        r"(?:call me|people call me)\s+(?-i:[A-Z])"
    ),
    "marry": (
        rf"{WHO}(?:{_BE})?(?:\s+(?:has|have|just))*\s+(?:married(?:\s+to)?|got married|engaged|divorced|single|"
        r"a widow(?:er)?|dating)\b"
    ),
    "study": rf"{WHO}(?:{_BE})?{OFTEN}\s+(?:stud(?:y|ies|ying)|goes to school|attends)\b",
    "is": (
        rf"(?P<who>{NEAR})(?:\s*[:=]\s*|\s+(?:is|are|was|were)(?:\s+now)?\s+)(?!{_SO}){_AT}\s*\S|{_THE}\s+(?:is|are)"
        rf"(?:\s+now)?\s+(?P<how>in|on|at|under|near|behind)\s+\S|{_THE}\s+(?:is|are)(?:\s+now)?\s+(?!{_SO})"
        r"(?=.*(?:\d|\s(?-i:[A-Z])))\S|(?P<who>(?-i:[A-Z])[\w'’ -]{2,40}|(?:wi-?fi|door|gate|pin|flat|phone|order|"
        r"room)[\w'’ -]{0,30})\s*:\s*(?=\S*\d)\S+\s*\S*$"
    ),
}
