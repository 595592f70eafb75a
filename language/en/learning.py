"""Rules of English sentences to learn from: work and taste, then the facts; and standing wishes about answers."""

from typing import Final

from language.en.facts import FACTS, IM, NAME, NEAR, OFTEN, SELF, WHO
from language.learning import Learning, WishPatterns
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

_RULES: Final = {
    "errand": (
        r"(?:todo|to-do|to do|task|next steps?)\s*[:–—-]\s*\S",
        r"(?:please\s+)?(?:remember to|don['’]?t forget to|do not forget to)\s+\w",
    ),
    "duty": (
        (
            rf"{SELF}{OFTEN}\s+(?:need to|have to|must|gotta|have got to)\s+"
            r"(?!say|admit|be honest|tell you|thank|savor|see|hear|know|keep|stay|remember|check (?:it|that) out|"
            r"just\b)\w"
        ),
        rf"{SELF}{IM}(?:\s+currently)?\s+working on\b",
    ),
    "decision": (
        r"(?:decision|decided|agreed)\s*:\s*\S",
        (
            rf"{_WHEN}(?P<who>i|we|the team)(?:['’]ve|\s+have)?(?:\s+(?:just|finally|now|all|both))*\s+"
            r"(?:decided|agreed|chose|chosen|settled on|picked|opted for|are going with|went with)\b"
        ),
        (
            r"(?:so\s+)?(?:let['’]?s|we['’]ll|we will|we shall)\s+"
            r"(?:use|go with|stick (?:with|to)|switch to|adopt|move to|migrate to|drop)\b"
        ),
    ),
    "fix": (
        r"(?:the\s+)?(?:fix|solution|workaround|trick)\s+(?:was|is)\b",
        r"(?:it|that|this|the [\w -]{2,30})\s+(?:works|worked)\s+(?:now|again|after|once)\b",
        rf"{WHO}(?:['’]ve|\s+have|\s+has)?(?:\s+(?:just|finally))?\s+(?:fixed|solved|resolved|worked around)\b",
        r"(?:fixed|solved|resolved)\b.{0,40}\bby\b",
    ),
    "result": (
        r"\$\s+\S",
        (
            r".{0,80}\b(?:exit(?:ed)?(?: with)? (?:code|status) \d+|\d+ (?:tests? )?(?:passed|failed)|"
            r"build (?:succeeded|failed|passed)|deployed (?:version )?v?\d)\b"
        ),
    ),
    "failure": (
        (
            r"(?!(?:i|we)\s+(?:never|always)\b).{0,120}?\b(?:fails|failed|crashe[sd]|keeps? crashing|broke down|"
            r"is broken|"
            r"(?:does|did)(?:n['’]?t| not) work(?! out)|stopped working|throws? (?:an? )?\w*(?:error|exception)|"
            r"timed out|times out|is down|went down)\b"
        ),
    ),
    "diet": (
        r"(?:(?:still|really|also|sadly)\s+)?can(?:no|['’]?)t\s+(?:eat|drink)\s+(?P<what>\w.+)",
        r"do(?: no|n['’]?)t\s+(?:eat|drink)\s+(?!(?:the|that|this|these|those|it|my|your|his|her)\b)(?P<what>\w.+)",
        r"(?:badly\s+|very\s+|also\s+)?(?P<what>(?:allergic|intolerant) to .+)",
        rf"{SELF}{IM}(?:\s+\w+)?\s+(?P<what>(?:allergic|intolerant) to .+)",
        rf"{SELF}{IM}(?:\s+\w+)?\s+(?P<what>vegan|vegetarian|diabetic|coeliac|celiac|lactose[- ]intolerant)\b",
        rf"(?P<who>my [\w'’ -]{{2,40}}?|{NAME})\s+is\s+(?P<what>allergic to .+)",
        rf"{SELF}\s+(?:do not|don['’]?t|can(?:no|['’]?)t)\s+(?:eat|drink)\s+(?P<what>\w.+)",
    ),
    "order": (
        rf"(?:please\s+)?(?:always|never)\s+{_ACT}\s+\w",
        rf"(?:please\s+)?(?:do not|don['’]?t)\s+(?:ever\s+)?{_ACT}\s+\w",
        r"(?P<who>we|one|nobody|everyone|the [\w'’ -]{2,30}?)\s+(?:must|may not|mustn['’]?t|(?:are|is) not allowed)\b",
        r"(?P<who>you|we|i|nobody|everyone)\s+(?:should|must)\s+(?:never|always|not)\b",
    ),
    "limit": (
        (
            r"(?:the|our|my)\s+(?P<who>(?:[\w'’-]+\s+){0,3}?(?:deadline|budget|limit|maximum|minimum|due date))\s+"
            r"(?:is|was|are)\b"
        ),
    ),
    "favourite": (r"(?P<who>(?:my|our)\s+favou?rite\s+[\w'’ -]{2,40}?)\s+(?:is|are)\s+\w",),
    "taste": (
        rf"{SELF}(?:['’]d|\s+would)\s+prefer\s+(?!you\b|it\b)(?P<what>.+)",
        rf"{SELF}{OFTEN}\s+{_LIKE}\s+{_NOT_LIKED}(?P<what>.+)",
        rf"{SELF}{IM}\s+(?:an?\s+)?(?:big |huge )?(?:fan of|fond of|into|keen on)\s+(?P<what>.+)",
        rf"{SELF}['’]d rather\s+(?P<what>.+)",
        rf"(?:prefer|love|hate|dislike)\s+{_NOT_LIKED}(?!to\b|\w+ing\b)(?P<what>[\w'’-]+.*)",
    ),
    "taste_of_others": (
        (
            rf"(?P<who>{NEAR}|{NAME}|he|she){OFTEN}\s+(?:prefers|likes|loves|enjoys|hates|dislikes|"
            rf"(?:does not|doesn['’]?t)\s+(?:like|eat|drink))\s+{_NOT_LIKED}(?P<what>\w.+)"
        ),
        rf"(?P<who>{NEAR}|they){OFTEN}\s+(?:prefer|love|hate|dislike)\s+{_NOT_LIKED}(?P<what>\w.+)",
    ),
    **FACTS,
}

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


_NO_ORDER: Final = (
    r"i|you|he|she|it|they|we|my|your|his|her|its|our|their|the|an?|this|that|these|those|there|here|who|what|"
    r"where|"
    r"when|why|how|which|if|is|am|are|was|were|be|been|being|has|have|had|do|does|did|will|would|can|could|shall|"
    r"should|may|might|must|on|in|at|to|of|for|from|with|as|and|or|but|so|too|very|quite|really|more|less|most|"
    r"mind|again|gonna|going|gone|seen|saw|knew|known|thought|felt|said|got|found|made|came|went|heard|took|taken|"
    r"gave|lost|won|met|understood|ready|happy|glad|sorry|sure|good|nice|great|fun|easy|hard|late|early|busy|open|"
    r"available|possible|better|worse|right|wrong|before|after|ever|up|down|out|off|over|home|everything|nothing|"
    r"everyone|everybody|nobody|somebody|someone|something|all|some|any|no|not|yes|one|none|say|mind|give up|giving"
)
_DO: Final = rf"(?!(?:{_NO_ORDER})\b)(?!\w+(?:ed|ing)\b)(?!\w*[^sui\W]s\b)[a-z][\w-]+"
"""A word that may be an imperative: no pronoun, no "seen", no "returns"."""
_DOES: Final = (
    r"(?:use|write|reply|respond|answer|add|mention|suggest|recommend|propose|offer|tell|ask|include|"
    r"give(?! up)|provide|"
    r"format|translate|show|speak|talk|print|assume|round|explain|repeat|apologi[sz]e|check|quote|cite|call|"
    r"address|"
    r"refer|list|put|start|end|begin|finish|keep|make|be|treat|summari[sz]e|convert|display|state|describe|present|"
    r"structure|highlight|stick|limit|avoid|skip|omit|leave|remind|correct|name|label|focus|compare|consider|spell|"
    r"point|link|bother)"
)
"""What somebody who answers can be told to do."""
_DEFINITE: Final = r"(?:the|this|that|these|those|it|him|her|them|so|worry|forget)\b"
_ANSWERS: Final = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|suggestions?|recommendations?|summar(?:y|ies)|messages?|"
    r"code|examples?|snippets?|letters|emails?|texts|dates?|times|prices|numbers|units|amounts|recipes|"
    r"instructions)"
)
_ALWAYS: Final = r"(?:always|never|at all times|do(?: not|n['’]?t) ever|consistently)"
_STRONG: Final = (
    r"(?:from (?:now|today|here|this (?:point|moment)) on(?:wards?)?|from now|going forward|henceforth|"
    r"in (?:the )?future|for the future|at all times|as of (?:now|today))"
)
_WEAK: Final = r"(?:by default|as a (?:general )?rule|in general|generally|normally|usually|every time|each time)"
_I: Final = r"(?:i|we)"
_OFTEN: Final = (
    r"(?:\s+(?:generally|usually|normally|typically|always|really|much|strongly|personally|also|still|definitely|"
    r"mostly|often|tend to|just|simply|currently|actively|would|do|much))*"
)
_WHEN_ASKED: Final = (
    r"(?:when(?:ever)?|if|each time|every time|any ?time)\s+(?:i\s+(?:\w+\s+)?(?:ask|want|write|send|request|"
    r"need|mention|"
    r"share|paste|say|talk|speak|give|post|upload|bring up|inquire)|you\s+(?:suggest|recommend|explain|answer|give|"
    r"write|state|mention|show|list|describe|translate|use|quote|cite|reply|respond|make|propose|tell|present|"
    r"summari[sz]e|are asked))\b"
)

WISHES: Final = WishPatterns(
    courtesy=(
        r"please|kindly|just|(?:can|could|would|will) you(?: please)?|make sure(?: to| you| that you)?|"
        r"be sure to|(?:please )?(?:remember|don['’]?t forget|try)(?: to)?|i(?:['’]d| would) (?:like|love|"
        r"want) you to|"
        r"i (?:want|need|expect) you to|you (?:should|must|need to|have to)|"
        r"in general|generally|generally speaking|as a rule|personally|usually|normally|by default"
    ),
    joints=(
        r"so|and|but|because|since|as|that|though|although|however|plus|while|whereas|given that|considering|"
        r"then|therefore|know|yet|or|hence|thus|which means|anyway|in|given|with|of|per"
    ),
    orders=(
        rf"{_ALWAYS}\s+(?:again\s+)?{_DO}\s+[\w…]",
        rf"{_STRONG},?\s+(?:please\s+|only\s+)?(?:{_ALWAYS}\s+)?(?:no\s+\w|do(?: not|n['’]?t)\s+\w|{_DO}\s+[\w…])",
        rf"{_WEAK},?\s+(?:please\s+)?(?:{_ALWAYS}\s+)?(?:do(?: not|n['’]?t)\s+)?{_DOES}\s+[\w…]",
        (
            rf"{_WHEN_ASKED}[^,\n]*+,\s+(?:then\s+)?(?:please\s+|you (?:should|must)\s+)?"
            rf"(?:{_ALWAYS}\s+)?(?-i:(?=[a-z]))(?:do(?: not|n['’]?t)\s+)?{_DO}\s+[\w…]"
        ),
        (
            rf"(?!(?:call|tell|let|remind|ask|ping|text|wake|show)\s+(?:me|us)\s+(?:when|if|know)){_DO}\s.{{3,160}}?"
            rf"\b{_WHEN_ASKED}"
        ),
        (
            rf"(?!{_I}\s+(?:will|['’]ll|am))(?:{_DOES}|i (?:want|need|expect|would like)|i['’]d like)\s.{{2,160}}?\b"
            rf"(?:{_STRONG}|every time|each time|by default)\s*[.!)]*$"
        ),
        rf"(?:do not|don['’]?t)\s+(?:ever\s+)?(?!be\b){_DOES}\s+(?!{_DEFINITE}|me\s+(?:when|if)\b)[\w…]",
        rf"(?:avoid|refrain from|no more|skip|leave out|omit)\s+(?!{_DEFINITE})\w",
        r"stop\s+(?!working\b|running\b)\w+ing\b",
        rf"(?:for|in)\s+(?:all|every|any|each)\s[^,\n]{{2,60}}+,\s+(?:please\s+)?{_DOES}\s+\w",
        (
            r"use\s+(?!the\b|this\b|that\b|it\b|my\b|these\b|those\b)[\w°'’ -]{2,50}?,?\s+"
            r"(?:not|instead of|rather than|over)\s+(?!the\b|this\b|that\b)\w"
        ),
        (
            r"use\s+(?:the\s+)?(?:metric|imperial|celsius|fahrenheit|kelvin|kilomet(?:re|er)s|miles|24|12|british|"
            r"american|"
            r"formal|informal|plain|simple)\b[\w -]*"
        ),
        r"treat me (?:like|as)\s+\w",
        r"be\s+\w+(?:\s+\w+){0,3}\s+(?:with me|to me)\b.{0,20}",
    ),
    clause_orders=(
        rf"(?:only\s+|just\s+)?{_DOES}\s[^.!?,;]{{2,100}}?\b{_STRONG}",
        (
            rf"(?:only\s+|just\s+)?{_DOES}\s[^.!?,;]{{2,100}}?\bin (?:all|any|every|each)(?: of)?(?: your| my)? "
            rf"{_ANSWERS}\b"
        ),
        rf"(?<!and )(?<!but )(?<!that ){_ALWAYS}\s+{_DOES}\s+[\w…]",
        (
            rf"(?:please\s+)?no\s+(?!one\b|way\b|problem\b)[\w'’-]+(?:\s+[\w'’-]+){{0,2}}\s*(?:,\s*please\b|"
            rf"in (?:your|any|all)\s+{_ANSWERS})"
        ),
        r"please,?\s+no\s+[\w'’-]+s\b",
        rf"(?:keep|make)\s+(?:all\s+|all of\s+)?(?:your|my)\s+{_ANSWERS}\b",
        (
            rf"(?:all|every|any|each|all of)\s+(?:of\s+)?(?:your\s+|my\s+)?{_ANSWERS}\s+(?:should|must|needs? to|"
            rf"ha(?:s|ve) to|"
            r"may not|shall)\b"
        ),
        rf"your\s+(?:\w+\s+)?{_ANSWERS}\s+(?:should|must|need to|needs to|have to|may not|shall)\b",
        (
            rf"it(?:['’]s| is)\s+(?:very\s+)?important (?:to|for) (?:me|us) that\s+(?:you|(?:your |all |every |"
            rf"the )?{_ANSWERS})\b"
        ),
        (
            rf"{_I}(?:['’]d like|\s+(?:only\s+|just\s+|always\s+)?(?:want|need|expect|would like))\s.{{3,100}}?\b"
            r"(?:when(?:ever)?|every time|each time) i ask\b"
        ),
        rf"{_I}\s+always\s+(?:want|need|expect)\s+\w",
        rf"{_I}\s+(?:want|need|expect|(?:would|['’]d) like)\s+(?:all|your|every)\s+(?:\w+\s+)?{_ANSWERS}\s+\w",
        (
            rf"{_I}\s*(?:['’]d|\s+would)?\s*(?:want|need|expect|like)\s+you\s+to\s+(?:\w+\s+)?"
            r"(?:always|never|be|stop|avoid|keep)\b"
        ),
        rf"{_I}\s+(?:do not|don['’]?t)\s+(?:ever\s+)?want\s+(?:you\s+to|any)\b",
        r"you\s+(?:should|must)\s+(?:always|never)\s+(?!have\b)\w",
    ),
    names=(
        (
            r"(?:you (?:can|may|could|should)\s+|just\s+|simply\s+)*call me\s+"
            r"(?!(?:when|if|back|later|tomorrow|today|tonight|at|on|in|after|before|once|as|now|again|up|anytime|"
            r"any|asap|"
            r"by|from|for|about|please|to|and|or|so|an?|the|every|until|later|sometime|\w+day|on\w*|this|next|"
            r"that|it|out|"
            r"over|for|with|when\w+|crazy|maybe)\b)[\w.'’…-]+(?:\s+(?!when\b|if\b)[\w.'’…-]+){0,2}\s*(?:$|"
            r"[.,;:!)–—]|\band\b|"
            r"\bnot\b|\binstead\b|\bfrom\b|\bplease\b|\bwhen you\b|\bin your\b)"
        ),
        r"(?:you (?:can|may|should)\s+)?(?:address|refer to|speak of|write to) me (?:as|by|with)\s+\S",
        r"(?:stop calling|don['’]?t call|do not call|never call) me\s+(?!at\b|on\b|before\b|after\b|again\b)[\w…]",
        r"i(?:['’]d| would)? (?:prefer|like|want) to be (?:called|addressed|known)\b",
        r"i (?:go by|prefer the name|use the pronouns?)\s+\w",
        r"my (?:preferred )?pronouns are\b",
    ),
    preferences=(
        rf"{_I}(?:['’]d)?{_OFTEN}\s+prefer\s+(?!not to (?:say|answer|talk|discuss)\b)[\w…]",
        (
            rf"{_I}(?:['’]d|\s+would)\s+(?:much\s+|really\s+)?rather\s+"
            r"(?!you\s+(?!(?:didn|not|never)\b))(?!(?:not\s+)?(?:go|leave|stay|die|wait|say|tell|talk|answer|"
            r"discuss|be|think|stop|come|sleep|do)\b)\w"
        ),
        r"my (?:\w+ )?preferences? (?:is|are|for|towards?|in)\s+\w",
        (
            rf"{_I}{_OFTEN}\s+(?:favou?r|lean towards?|avoid|dislike|hate|detest|steer clear of|stay away from|"
            r"prioriti[sz]e|can['’]?t stand|cannot stand)\s+(?!(?:it|this|that|these|those|the|him|her|them|you|"
            r"my|when it|"
            r"how|to|myself)\b)\w"
        ),
        (
            rf"{_I}{_OFTEN}\s+(?:try|want|like|need|aim|strive|prefer|wish|choose|would like)\s+(?:hard\s+)?"
            r"to\s+(?:avoid|steer clear|stay away|minimi[sz]e|stick (?:to|with))\s+(?!it\b|this\b|that\b)\w"
        ),
        (
            r"(?:i['’]?m|i am|we['’]?re|we are)\s+(?:\w+\s+)?(?:trying|aiming|looking|hoping)\s+to\s+"
            r"(?:avoid|keep|limit|minimi[sz]e|stick (?:to|with))\s+(?!going\b|up\b|calm\b|it\b)\w"
        ),
        (
            rf"{_I}{_OFTEN}\s+(?:do not|don['’]?t)\s+(?:really\s+|usually\s+|ever\s+)?"
            r"(?:like|enjoy|use|eat|drink|buy|watch|read|trust)\s+"
            r"(?!(?:it|this|that|these|those|the|him|her|them|you|my|how|to know|to do|and|or|at|when it)\b)\w"
        ),
        (
            r"(?:i['’]?m|i am|we['’]?re|we are)\s+(?:really\s+|just\s+)?(?:not\s+(?:\w+\s+)?(?:fan of|fond of|keen on|"
            r"into|comfortable with|big on)|more of an?|partial to|picky about)\s+"
            r"(?!this\b|that\b|it\b|the\b)\w"
        ),
        (
            rf"{_I}{_OFTEN}\s+(?:like|hate|appreciate)\s+(?:it\s+(?:when|if)|when you|my\s+\w+\s+(?:\w+\s+)?"
            rf"(?:with|to|in|without|on)|(?:\w+\s+){{0,2}}{_ANSWERS})\b"
        ),
        (
            rf"{_I}\s+(?:do not|don['’]?t)\s+want\s+to\s+(?:use|rely|depend|spend|pay|deal|install|buy|see|hear|"
            rf"read|eat)\s+"
            r"(?!(?:it|this|that|the|him|her|them)\b)\w"
        ),
    ),
    withdrawals=(
        r"(?:you|it['’]?s (?:ok|okay|fine) (?:to|if you))\s*(?:can|may|could)?\s.{2,80}?\bagain\b",
        r"you\s+(?:do not|don['’]?t|no longer)\s+(?:have to|need to|must)\s.{2,100}",
        r"(?:no need to|stop)\s.{2,100}?\b(?:any ?more|any longer|from now on)\b",
        (
            rf"{_I}\s+(?:no longer\s+(?:prefer|mind|avoid|want)\s.{{2,100}}|do(?: not|n['’]?t)\s+(?:prefer|avoid|"
            rf"want|mind)\s"
            r".{2,100}?\bany ?more\b)"
        ),
        r"(?:forget|never mind|ignore|drop)\s+(?:that|what)\s+i\s+(?:said|told you|prefer|asked|want)\b.{0,100}",
    ),
    once=(
        r"this time|just (?:this )?once|only once|one time|"
        r"(?:for|in|on|to|of) (?:this|that|the next)(?: \w+)? (?:one|time|question|message|answer|reply|task|"
        r"letter|e-?mail|"
        r"file|text|section|part|case|chat|response|paragraph|sentence|exercise|step|function|line|table)\b|"
        r"for now\b|"
        r"for the moment|right now|until (?:then|tomorrow|i)|(?:this|next) (?:answer|message|reply|response)|"
        r"today(?! on\b|['’]s)|tonight|tomorrow|yet\s*[.!]?$"
    ),
    unreal=(
        r"if (?:i|you|we|they|it) (?:were|was|had)\b|if i preferred|i used to|i wish|would have|"
        r"used to say|suppose"
    ),
    subjects={
        "name": (
            r"\b(?:call me|calling me|address me|refer to me|to be called|i go by|preferred name|"
            r"prefer the name)\b"
        ),
        "pronouns": r"\bpronouns?\b",
        "language": (
            r"\b(?:answer|reply|respond|speak|write|talk|explain|responses?|answers|replies)\b.{0,40}?\b(?:in|"
            r"into)\s+"
            r"(?!detail|full|short|brief|general|bold|one|two|three|five|plain|simple|metric|bullet|caps|"
            r"capital|json|"
            r"markdown|prose|iso|under|less|more|a\b|an\b|the\b|my\b|your\b|this\b)(?-i:[A-Z])\w+"
        ),
        "units": r"\b(?:metric|imperial|kilomet(?:re|er)s|miles|pounds|kilograms|inches|centimet(?:re|er)s)\b",
        "temperature": r"\b(?:celsius|fahrenheit|kelvin)\b",
        "clock": r"\b(?:24|12)[ -]?(?:hours?|h)\b",
        "length": (
            r"\b(?:answers?|repl(?:y|ies)|responses?)\b.{0,40}?\b(?:short(?:er)?|brief|concise|long(?:er)?|"
            r"detailed|"
            r"words|sentences|lines|thorough)\b|\b(?:short|brief|concise|long|detailed|thorough)(?:,? \w+)? "
            r"(?:answers|replies|responses)\b|\b(?:answer|reply|respond)\s+(?:briefly|concisely|at length|"
            r"in detail)\b"
        ),
        "emoji": r"\bemoji\w*\b",
        "markdown": r"\bmarkdown\b",
        "bullets": r"\bbullet(?: point)?s?\b",
    },
    conditions=r"\b(?:when(?:ever)?|if|each time|every time|any ?time)\s+(?:i|you)\b[^,.;]*+",
    empty_words=word_set(
        "always never please do don't dont not ever again can could would will you should must may stop keep "
        "longer no "
        "any more anymore now from on really just also i we me my our us your to a an the that it is are be "
        "am i'd i'm "
        "prefer rather like likes love hate dislike avoid want need use using suggest suggesting recommend include "
        "including over than instead of but and so in general generally usually when whenever if ask about "
        "need have "
        "forget said make sure ok okay fine mind"
    ),
)
