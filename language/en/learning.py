"""Rules of English sentences to learn from: work and taste, then the facts; and standing wishes about answers."""

from typing import Final

from language.en.facts import FACTS, IM, NAME, NEAR, OFTEN, SELF
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
    r"(?!(?:it|that|this|these|those|and|or|when|you|how|your|his|her|their|the way|seeing|being|having|getting|"
    r"watching|hearing|to (?:know|see|ask|have|hear|share))\b)"
)

_RULES: Final = {
    "errand": (
        r"(?:todo|to-do|to do|task|next steps?)\s*[:–—-]\s*\S|"
        r"(?:please\s+)?(?:remember to|don['’]?t forget to|do not forget to)\s+\w"
    ),
    "duty": (
        rf"{SELF}{OFTEN}\s+(?:need to|have to|must|gotta|have got to)\s+(?!say|admit|be honest|tell you|thank|savor|"
        rf"see|hear|know|keep|stay|remember|check (?:it|that) out|just\b)\w|{SELF}{IM}(?:\s+currently)?\s+working on\b"
    ),
    "decision": (
        rf"(?:decision|decided|agreed)\s*:\s*\S|{_WHEN}(?P<who>i|we|the team)(?:['’]ve|"
        r"\s+have)?(?:\s+(?:just|finally|now|all|both))*\s+(?:decided|agreed|chose|chosen|settled on|picked|"
        r"opted for|are going with|went with)\b|(?:so\s+)?(?:let['’]?s|we['’]ll|we will|we shall)"
        r"\s+(?:use|go with|stick (?:with|to)|switch to|adopt|move to|migrate to|drop)\b"
    ),
    "failure": (
        r"(?!(?:i|we)\s+(?:never|always)\b).{0,120}?\b(?:fails|failed|crashe[sd]|keeps? crashing|broke down|"
        r"is broken|(?:does|did)(?:n['’]?t| not) work(?! out)|stopped working|throws? "
        r"(?:an? )?\w*(?:error|exception)|timed out|times out|is down|went down)\b"
    ),
    "diet": (
        r"(?:(?:still|really|also|sadly)\s+)?can(?:no|['’]?)t\s+(?:eat|drink)\s+(?P<what>\w.+)|"
        r"do(?: no|n['’]?)t\s+(?:eat|drink)\s+(?!(?:the|that|this|these|those|it|my|your|his|her)\b)(?P<what>\w.+)|"
        r"(?:badly\s+|very\s+|also\s+)?(?P<what>(?:allergic|intolerant) to .+)|"
        rf"{SELF}{IM}(?:\s+\w+)?\s+(?P<what>(?:allergic|intolerant) to .+)|"
        rf"{SELF}{IM}(?:\s+\w+)?\s+(?P<what>vegan|vegetarian|diabetic|coeliac|celiac|lactose[- ]intolerant)\b|"
        rf"(?P<who>my [\w'’ -]{{2,40}}?|{NAME})\s+is\s+(?P<what>allergic to .+)|"
        rf"{SELF}\s+(?:do not|don['’]?t|can(?:no|['’]?)t)\s+(?:eat|drink)\s+(?P<what>\w.+)"
    ),
    "order": (
        rf"(?:please\s+)?(?:always|never)\s+{_ACT}\s+\w|(?:please\s+)?(?:do not|don['’]?t)\s+(?:ever\s+)?{_ACT}\s+\w|"
        r"(?P<who>we|one|nobody|everyone|the [\w'’ -]{2,30}?)\s+(?:must|may not|mustn['’]?t|(?:are|is) not allowed)"
        r"\b|(?P<who>you|we|i|nobody|everyone)\s+(?:should|must)\s+(?:never|always|not)\b"
    ),
    "favourite": r"(?P<who>(?:my|our)\s+favou?rite\s+[\w'’ -]{2,40}?)\s+(?:is|are)\s+\w",
    "taste": (
        rf"{SELF}(?:['’]d|\s+would)\s+prefer\s+(?!you\b|it\b)(?P<what>.+)|"
        rf"{SELF}{OFTEN}\s+{_LIKE}\s+{_NOT_LIKED}(?P<what>.+)|{SELF}{IM}\s+(?:an?\s+)?(?:big |huge )?(?:fan of|"
        rf"fond of|into|keen on)\s+(?P<what>.+)|{SELF}['’]d rather\s+(?P<what>.+)|(?:prefer|love|hate|dislike)"
        rf"\s+{_NOT_LIKED}(?!to\b|\w+ing\b)(?P<what>[\w'’-]+.*)"
    ),
    "taste_of_others": (
        rf"(?P<who>{NEAR}|{NAME}|he|she){OFTEN}\s+(?:prefers|likes|loves|enjoys|hates|dislikes|"
        rf"(?:does not|doesn['’]?t)\s+(?:like|eat|drink))\s+{_NOT_LIKED}(?P<what>\w.+)|"
        rf"(?P<who>{NEAR}|they){OFTEN}\s+(?:prefer|love|hate|dislike)\s+{_NOT_LIKED}(?P<what>\w.+)"
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
    r"i|you|he|she|it|they|we|my|your|his|her|its|our|their|the|an?|this|that|these|those|there|here|who|what|where|"
    r"when|why|how|which|if|is|am|are|was|were|be|been|being|has|have|had|do|does|did|will|would|can|could|shall|"
    r"should|may|might|must|on|in|at|to|of|for|from|with|as|and|or|but|so|too|very|quite|really|more|less|most|mind|"
    r"again|gonna|going|gone|seen|saw|knew|known|thought|felt|said|got|found|made|came|went|heard|took|taken|gave|"
    r"lost|won|met|understood|ready|happy|glad|sorry|sure|good|nice|great|fun|easy|hard|late|early|busy|open|"
    r"available|possible|better|worse|right|wrong|before|after|ever|up|down|out|off|over|home|everything|nothing|"
    r"everyone|everybody|nobody|somebody|someone|something|all|some|any|no|not|yes|one|none|say|mind|give up|giving"
)
_DO: Final = rf"(?!(?:{_NO_ORDER})\b)(?!\w+(?:ed|ing)\b)(?!\w*[^sui\W]s\b)[a-z][\w-]+"
"""A word that may be an imperative: no pronoun, no "seen", no "returns"."""
_DOES: Final = (
    r"(?:use|write|reply|respond|answer|add|mention|suggest|recommend|propose|offer|tell|ask|include|give(?! up)|"
    r"provide|format|translate|show|speak|talk|print|assume|round|explain|repeat|apologi[sz]e|check|quote|cite|call|"
    r"address|refer|list|put|start|end|begin|finish|keep|make|be|treat|summari[sz]e|convert|display|state|describe|"
    r"present|structure|highlight|stick|limit|avoid|skip|omit|leave|remind|correct|name|label|focus|compare|consider|"
    r"spell|point|link|bother)"
)
"""What somebody who answers can be told to do."""
_DEFINITE: Final = r"(?:the|this|that|these|those|it|him|her|them|so|worry|forget)\b"
_ANSWERS: Final = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|suggestions?|recommendations?|summar(?:y|ies)|messages?|"
    r"code|examples?|snippets?|letters|emails?|texts|dates?|times|prices|numbers|units|amounts|recipes|instructions)"
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
    r"(?:when(?:ever)?|if|each time|every time|any ?time)\s+(?:i\s+(?:\w+\s+)?(?:ask|want|write|send|request|need|"
    r"mention|share|paste|say|talk|speak|give|post|upload|bring up|inquire)|you\s+(?:suggest|recommend|explain|"
    r"answer|give|write|state|mention|show|list|describe|translate|use|quote|cite|reply|respond|make|propose|tell|"
    r"present|summari[sz]e|are asked))\b"
)

WISHES: Final = WishPatterns(
    courtesy=(
        r"please|kindly|just|(?:can|could|would|will) you(?: please)?|make sure(?: to| you| that you)?|be sure to|"
        r"(?:please )?(?:remember|don['’]?t forget|try)(?: to)?|i(?:['’]d| would) (?:like|love|want) you to|"
        r"i (?:want|need|expect) you to|you (?:should|must|need to|have to)|in general|generally|generally speaking|"
        r"as a rule|personally|usually|normally|by default"
    ),
    joints=(
        r"so|and|but|because|since|as|that|though|although|however|plus|while|whereas|given that|considering|"
        r"then|therefore|know|yet|or|hence|thus|which means|anyway|in|given|with|of|per"
    ),
    orders=(
        rf"{_ALWAYS}\s+(?:again\s+)?{_DO}\s+[\w…]|{_STRONG},?\s+(?:please\s+|only\s+)?(?:{_ALWAYS}\s+)?(?:no\s+\w|"
        rf"do(?: not|n['’]?t)\s+\w|{_DO}\s+[\w…])|{_WEAK},?\s+(?:please\s+)?(?:{_ALWAYS}\s+)?(?:do(?: not|n['’]?t)"
        rf"\s+)?{_DOES}\s+[\w…]|{_WHEN_ASKED}[^,\n]*+,\s+(?:then\s+)?(?:please\s+|you (?:should|must)"
        rf"\s+)?(?:{_ALWAYS}\s+)?(?-i:(?=[a-z]))(?:do(?: not|n['’]?t)\s+)?{_DO}\s+[\w…]|"
        r"(?!(?:call|tell|let|remind|ask|ping|text|wake|show)\s+(?:me|us)\s+(?:when|if|know))"
        rf"{_DO}\s.{{3,160}}?\b{_WHEN_ASKED}|(?!{_I}\s+(?:will|['’]ll|am))(?:{_DOES}|i "
        rf"(?:want|need|expect|would like)|i['’]d like)\s.{{2,160}}?\b(?:{_STRONG}|every time|each time|by default)"
        rf"\s*[.!)]*$|(?:do not|don['’]?t)\s+(?:ever\s+)?(?!be\b){_DOES}\s+(?!{_DEFINITE}|me\s+(?:when|if)\b)[\w…]|"
        rf"(?:avoid|refrain from|no more|skip|leave out|omit)\s+(?!{_DEFINITE})\w|stop\s+(?!working\b|running\b)"
        rf"\w+ing\b|(?:for|in)\s+(?:all|every|any|each)\s[^,\n]{{2,60}}+,\s+(?:please\s+)?{_DOES}\s+\w|"
        r"use\s+(?!the\b|this\b|that\b|it\b|my\b|these\b|those\b)[\w°'’ -]{2,50}?,?\s+(?:not|instead of|rather "
        r"than|over)\s+(?!the\b|this\b|that\b)\w|use\s+(?:the\s+)?(?:metric|imperial|celsius|fahrenheit|kelvin|"
        r"kilomet(?:re|er)s|miles|24|12|british|american|formal|informal|plain|simple)\b[\w -]*|treat me (?:like|as)"
        r"\s+\w|be\s+\w+(?:\s+\w+){0,3}\s+(?:with me|to me)\b.{0,20}"
    ),
    clause_orders=(
        rf"(?:only\s+|just\s+)?{_DOES}\s[^.!?,;]{{2,100}}?\b{_STRONG}|"
        rf"(?:only\s+|just\s+)?{_DOES}\s[^.!?,;]{{2,100}}?\bin (?:all|any|every|each)(?: of)?(?: your| my)? "
        rf"{_ANSWERS}\b|(?<!and )(?<!but )(?<!that ){_ALWAYS}\s+{_DOES}\s+[\w…]|(?:please\s+)?no\s+(?!one\b|way\b|"
        rf"problem\b)[\w'’-]+(?:\s+[\w'’-]+){{0,2}}\s*(?:,\s*please\b|in (?:your|any|all)\s+{_ANSWERS})|"
        rf"please,?\s+no\s+[\w'’-]+s\b|(?:keep|make)\s+(?:all\s+|all of\s+)?(?:your|my)\s+{_ANSWERS}\b|"
        rf"(?:all|every|any|each|all of)\s+(?:of\s+)?(?:your\s+|my\s+)?{_ANSWERS}\s+(?:should|must|needs? to|"
        rf"ha(?:s|ve) to|may not|shall)\b|your\s+(?:\w+\s+)?{_ANSWERS}\s+(?:should|must|need to|needs to|have to|"
        r"may not|shall)\b|it(?:['’]s| is)\s+(?:very\s+)?important (?:to|for) (?:me|us) "
        rf"that\s+(?:you|(?:your |all |every |the )?{_ANSWERS})\b|{_I}(?:['’]d like|\s+(?:only\s+|just\s+|"
        r"always\s+)?(?:want|need|expect|would like))\s.{3,100}?\b(?:when(?:ever)?|every time|each time) i ask\b|"
        rf"{_I}\s+always\s+(?:want|need|expect)\s+\w|{_I}\s+(?:want|need|expect|(?:would|['’]d) like)"
        rf"\s+(?:all|your|every)\s+(?:\w+\s+)?{_ANSWERS}\s+\w|{_I}\s*(?:['’]d|\s+would)?\s*(?:want|need|expect|like)"
        rf"\s+you\s+to\s+(?:\w+\s+)?(?:always|never|be|stop|avoid|keep)\b|{_I}\s+(?:do not|don['’]?t)"
        r"\s+(?:ever\s+)?want\s+(?:you\s+to|any)\b|you\s+(?:should|must)\s+(?:always|never)\s+(?!have\b)\w"
    ),
    names=(
        r"(?:you (?:can|may|could|should)\s+|just\s+|simply\s+)*call me\s+(?!(?:when|if|back|later|tomorrow|today|"
        r"tonight|at|on|in|after|before|once|as|now|again|up|anytime|any|asap|by|from|for|about|please|to|and|or|so|"
        r"an?|the|every|until|later|sometime|\w+day|on\w*|this|next|that|it|out|over|for|with|when\w+|crazy|maybe)\b)"
        r"[\w.'’…-]+(?:\s+(?!when\b|if\b)[\w.'’…-]+){0,2}\s*(?:$|[.,;:!)–—]|\band\b|\bnot\b|\binstead\b|\bfrom\b|"
        r"\bplease\b|\bwhen you\b|\bin your\b)|(?:you (?:can|may|should)\s+)?(?:address|refer to|speak of|write to) "
        r"me (?:as|by|with)\s+\S|(?:stop calling|don['’]?t call|do not call|never call) "
        r"me\s+(?!at\b|on\b|before\b|after\b|again\b)[\w…]|i(?:['’]d| would)? (?:prefer|like|want) to be "
        r"(?:called|addressed|known)\b|i (?:go by|prefer the name|use the pronouns?)\s+\w|my (?:preferred )?pronouns "
        r"are\b"
    ),
    preferences=(
        rf"{_I}(?:['’]d)?{_OFTEN}\s+prefer\s+(?!not to (?:say|answer|talk|discuss)\b)[\w…]|{_I}(?:['’]d|\s+would)"
        r"\s+(?:much\s+|really\s+)?rather\s+(?!you\s+(?!(?:didn|not|never)\b))(?!(?:not\s+)?(?:go|leave|stay|die|"
        r"wait|say|tell|talk|answer|discuss|be|think|stop|come|sleep|do)\b)\w|my (?:\w+ )?preferences? "
        rf"(?:is|are|for|towards?|in)\s+\w|{_I}{_OFTEN}\s+(?:favou?r|lean towards?|avoid|dislike|hate|detest|"
        r"steer clear of|stay away from|prioriti[sz]e|can['’]?t stand|cannot stand)\s+(?!(?:it|this|that|these|those|"
        rf"the|him|her|them|you|my|when it|how|to|myself)\b)\w|{_I}{_OFTEN}\s+(?:try|want|like|need|aim|strive|prefer|"
        r"wish|choose|would like)\s+(?:hard\s+)?to\s+(?:avoid|steer clear|stay away|minimi[sz]e|stick (?:to|with))"
        r"\s+(?!it\b|this\b|that\b)\w|(?:i['’]?m|i am|we['’]?re|we are)\s+(?:\w+\s+)?(?:trying|aiming|looking|hoping)"
        r"\s+to\s+(?:avoid|keep|limit|minimi[sz]e|stick (?:to|with))\s+(?!going\b|up\b|calm\b|it\b)\w|"
        rf"{_I}{_OFTEN}\s+(?:do not|don['’]?t)\s+(?:really\s+|usually\s+|ever\s+)?(?:like|enjoy|use|eat|drink|buy|"
        r"watch|read|trust)\s+(?!(?:it|this|that|these|those|the|him|her|them|you|my|how|to know|to do|and|or|at|"
        r"when it)\b)\w|(?:i['’]?m|i am|we['’]?re|we are)\s+(?:really\s+|just\s+)?(?:not\s+(?:\w+\s+)?(?:fan of|"
        r"fond of|keen on|into|comfortable with|big on)|more of an?|partial to|picky about)"
        rf"\s+(?!this\b|that\b|it\b|the\b)\w|{_I}{_OFTEN}\s+(?:like|hate|appreciate)\s+(?:it\s+(?:when|if)|when you|"
        rf"my\s+\w+\s+(?:\w+\s+)?(?:with|to|in|without|on)|(?:\w+\s+){{0,2}}{_ANSWERS})\b|{_I}\s+(?:do not|don['’]?t)"
        r"\s+want\s+to\s+(?:use|rely|depend|spend|pay|deal|install|buy|see|hear|read|eat)"
        r"\s+(?!(?:it|this|that|the|him|her|them)\b)\w"
    ),
    withdrawals=(
        r"(?:you|it['’]?s (?:ok|okay|fine) (?:to|if you))\s*(?:can|may|could)?\s.{2,80}?\bagain\b|"
        r"you\s+(?:do not|don['’]?t|no longer)\s+(?:have to|need to|must)\s.{2,100}|(?:no need to|stop)"
        rf"\s.{{2,100}}?\b(?:any ?more|any longer|from now on)\b|{_I}\s+(?:no longer\s+(?:prefer|mind|avoid|want)"
        r"\s.{2,100}|do(?: not|n['’]?t)\s+(?:prefer|avoid|want|mind)\s.{2,100}?\bany ?more\b)|"
        r"(?:forget|never mind|ignore|drop)\s+(?:that|what)\s+i\s+(?:said|told you|prefer|asked|want)\b.{0,100}"
    ),
    once=(
        r"this time|just (?:this )?once|only once|one time|(?:for|in|on|to|of) (?:this|that|the next)(?: \w+)? "
        r"(?:one|time|question|message|answer|reply|task|letter|e-?mail|file|text|section|part|case|chat|response|"
        r"paragraph|sentence|exercise|step|function|line|table)\b|for now\b|for the moment|right now|"
        r"until (?:then|tomorrow|i)|(?:this|next) (?:answer|message|reply|response)|today(?! on\b|['’]s)|tonight|"
        r"tomorrow|yet\s*[.!]?$"
    ),
    unreal=(
        r"if (?:i|you|we|they|it) (?:were|was|had)\b|if i preferred|i used to|i wish|would have|used to say|suppose"
    ),
    subjects={
        "name": (
            r"\b(?:call me|calling me|address me|refer to me|to be called|i go by|preferred name|prefer the name)\b"
        ),
        "pronouns": r"\bpronouns?\b",
        "language": (
            r"\b(?:answer|reply|respond|speak|write|talk|explain|responses?|answers|replies)\b.{0,40}?\b(?:in|into)"
            r"\s+(?!detail|full|short|brief|general|bold|one|two|three|five|plain|simple|metric|bullet|caps|capital|"
            r"json|markdown|prose|iso|under|less|more|a\b|an\b|the\b|my\b|your\b|this\b)(?-i:[A-Z])\w+"
        ),
        "units": r"\b(?:metric|imperial|kilomet(?:re|er)s|miles|pounds|kilograms|inches|centimet(?:re|er)s)\b",
        "temperature": r"\b(?:celsius|fahrenheit|kelvin)\b",
        "clock": r"\b(?:24|12)[ -]?(?:hours?|h)\b",
        "length": (
            r"\b(?:answers?|repl(?:y|ies)|responses?)\b.{0,40}?\b(?:short(?:er)?|brief|concise|long(?:er)?|"
            r"detailed|words|sentences|lines|thorough)\b|\b(?:short|brief|concise|long|detailed|thorough)(?:,? \w+)? "
            r"(?:answers|replies|responses)\b|\b(?:answer|reply|respond)\s+(?:briefly|concisely|at length|in detail)\b"
        ),
        "emoji": r"\bemoji\w*\b",
        "markdown": r"\bmarkdown\b",
        "bullets": r"\bbullet(?: point)?s?\b",
    },
    conditions=r"\b(?:when(?:ever)?|if|each time|every time|any ?time)\s+(?:i|you)\b[^,.;]*+",
    empty_words=word_set(
        "always never please do don't dont not ever again can could would will you should must may stop keep longer no "
        "any more anymore now from on really just also i we me my our us your to a an the that it is are be am i'd i'm "
        "prefer rather like likes love hate dislike avoid want need use using suggest suggesting recommend include "
        "including over than instead of but and so in general generally usually when whenever if ask about need have "
        "forget said make sure ok okay fine mind"
    ),
)
