"""Patterns of English speech acts."""

from __future__ import annotations

from typing import Final

from language.speech import SpeechPatterns

_AUXILIARY: Final = (
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|have|has|had|may|isn['’]t|aren['’]t|"
    r"don['’]t|doesn['’]t|didn['’]t|wasn['’]t|weren['’]t|won['’]t|can['’]t|haven['’]t|hasn['’]t)"
)
_ASKED: Final = (
    r"(?:,\s*)?\s*(?:(?:about|of|again|please)\s+)?"
    r"(?:if|whether|what|where|when|who|whom|whose|why|how|which|about|of)\b"
)
_CAN_YOU: Final = r"(?:(?:can|could|would|will) you\s+(?:please\s+)?)?"

SPEECH: Final = SpeechPatterns(
    openers=(
        r"so|and|but|well|ok|okay|hey|hi|hello|by the way|btw|fyi|also|oh|ah|actually|yes|yeah|no(?!\s+(?:idea|clue)\b)"
    ),
    greetings=(r"hi|hiya|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day)|g['’]?day"),
    not_addressed=(
        r"i|you|we|he|she|it|they|my|our|your|is|are|am|was|were|be|has|have|had|do|does|did|will|can|"
        r"\w+ed|from|in|at|to|about|with|or|but|because|when|where|what|who|how|why"
    ),
    self_subjects=r"i|i['’]\w{1,2}|my|we|we['’]\w{1,2}|our",
    please=r"please\s+",
    halts=(
        r"stop(?: it| that| now| here| talking| writing)?|enough|(?:that|this) is enough|that['’]s enough|halt|"
        r"cancel(?: (?:it|that|this))?|abort|never ?mind|be quiet"
    ),
    keeps=(
        r"(?:(?:can|could|would|will) you (?:please )?)?"
        r"(?:remember|note|keep in mind|bear in mind|make (?:a |yourself a )?(?:mental )?note|take (?:a "
        r")?note|save|store|log|"
        r"record|jot down|write down|mark down|memori[sz]e|commit to memory|hold on to|keep (?:track|a record)|"
        r"(?:add|put|write|save|store)(?: this| it| that)? (?:to|in|into|down in) (?:your |the )?(?:memory|"
        r"notes|records)|"
        r"add to what you know(?: about me)?|keep the following|don['’]?t (?:forget|lose)|do not (?:forget|"
        r"lose)|never forget)"
        r"(?:\s+(?:this|that|it|down|for me|for later|in your memory|somewhere|please|of the fact))*|for the record|"
        r"for (?:future|later) reference|just so you know|note to self|fyi(?=\s*[:,])|"
        r"i want you to (?:know|remember)|you should know"
    ),
    that=r"that\s+",
    keeps_by_question=r"(?:please\s+)?(?:can|could|would|will) you .*(?:\bthat|:)\s*$",
    not_kept=r"when|where|what|who|how|why|which|if|whether|to",
    questions=(
        r"(?:what|where|when|who|whom|whose|why|how|which)(?:['’]s|['’]re|['’]d)\b"
        r"|(?:what|where|when|who|whom|whose|why|how|which)(?!\s+(?:i|you|he|she|it|we|they)\b)"
        rf"(?:\s+[\w'’-]+){{0,3}}?\s+{_AUXILIARY}\b(?![^,\n]*+,)"
        r"|(?:what|which|how|whose)(?!\s+(?:i|you|he|she|it|we|they|a|an)\b)(?:\s+[\w'’-]+){1,8}?\s+(?:am|is|are|was|were|do|"
        r"does|did|can|should|will|have|has)\s+(?:i|you|he|she|we|they)\b(?![^,\n]*+,)"
        r"|how\s+(?:many|much|old|long|far|often|tall|big|come|about)\b|what\s+(?:time|kind|colou?r|about|if)\b|"
        r"who\s+\w+s\b"
        rf"|{_AUXILIARY}\s+(?:i|you|he|she|it|we|they|my|your|his|her|our|their|there|these|those|any|anyone|anybody)\b"
        r"|(?:is|are|was|were|does|did|can|could|will|would|shall|should|has|had)\s+(?:the|this|that|a|an)\b"
        r"|(?:is|are|was|were|does|did|has|isn['’]t|doesn['’]t|didn['’]t)\s+(?-i:[A-Z])(?:\w+)\s+\w+"
    ),
    wondering=(
        # "I wonder whether …", "I'd like to know where …", "no idea when …"
        r"(?:i(?:['’]?m| am| was|['’]ve been| have been)?\s+(?:just\s+|also\s+|still\s+|always\s+)?wonder(?:ing|ed)?|"
        r"(?:just\s+)?wondering|i(?:['’]?m| am)?\s+(?:just\s+|really\s+)?curious|curious|"
        r"i(?:['’]d| would)?\s+(?:really\s+|just\s+|also\s+)?(?:like|love|want|need|wish)\s+to\s+"
        r"(?:know|ask(?:\s+you)?|find out)|"
        r"(?:(?:i|we)\s+(?:have|['’]ve got|got)\s+|i['’]ve got\s+)?(?:absolutely\s+)?no\s+(?:idea|clue)|"
        r"any\s+(?:idea|clue|chance you know)|(?:my|a|one|another|quick)\s+question(?:\s+is)?\s*[:,]?|"
        rf"(?:can|could|may)\s+i\s+ask(?:\s+you)?){_ASKED}"
    ),
    commands=(
        r"(?:please|can you|could you|would you|will you|help|tell me|remind me|show me|forget\b(?!-)|erase|give me|"
        r"explain|write|translate|summari[sz]e|list|search|find|look up|calculate|describe|compare|generate|draft|"
        r"do you (?:know|remember))\b|"
        r"(?:deploy|run|build|create|make|send|open|start|stop|restart|install|update|check|add|remove|delete|fix|"
        r"refactor|test|book|order|play|convert|rewrite|shorten|improve|review|analy[sz]e|suggest|recommend|choose|"
        r"pick|sort|count|read|use)\s+(?!is\b|was\b|are\b|were\b|has\b)\w"
    ),
    wishes=(
        r"(?:please|pls|plz|kindly)\b|"
        r"i(?:['’]d| would)?\s+(?:really\s+|just\s+|also\s+)?(?:want|need|like|love|prefer|expect|ask|beg)\s+"
        r"(?:for\s+)?you\s+(?:guys\s+|all\s+)?(?:to|not)\b|"
        r"i(?:['’]d| would)\s+(?:really\s+)?(?:appreciate|be (?:grateful|glad|happy))\b.{0,20}\bif you\b|"
        r"it(?:['’]d| would) be (?:\w+\s+)?(?:great|nice|good|helpful|lovely|kind|cool) if you\b|"
        r"let['’]?s\b|let (?:me know|us)\b|shall we\b|how about\b|"
        r"(?:you\s+)?(?:make sure|be sure|feel free|try not|be so kind)\b|"
        r"remind us\b|(?:tell|teach|give|show|wake|ping|notify|alert|nudge|fetch)\s+(?:me|us)\b|"
        r"(?:set|schedule|arrange|reserve|cancel|prepare|start|stop|pause)(?:\s+up)?\s+(?:me|us|an?|the|my|our)\b|"
        r"(?:do not|don['’]?t) let (?:me|us)\b"
    ),
    asks_memory=(
        rf"{_CAN_YOU}(?:(?:tell me|show me|give me|remind me)\s+(?!to\b|a\b)|do you (?:know|remember)\b|what about\b)"
    ),
    supposes=(
        r"if|suppose|supposing|imagine|assume|assuming|pretend|let['’]?s say|what if|unless|in case|hypothetically"
    ),
    suppositions=(
        *("if i were", "if i was", "if i had", "i wish", "if only", "would have", "if you", "was just kidding"),
        "for example",
    ),
    hedges=(
        r"maybe|perhaps|probably|possibly|might|i think|i guess|i suppose|not sure|i believe|seems?|apparently|"
        r"allegedly|rumou?r"
    ),
)
