"""Changes, corrections and requests to forget in English."""

from __future__ import annotations

from typing import Final

from language.changes import Changes, CorrectionPatterns, ForgettingPatterns
from language.words import word_set

CHANGES: Final = Changes(
    ends=(
        r"sold|gave (?:\w+ ){0,5}?away|given away|got rid of|threw (?:\w+ ){0,5}?(?:away|out)|lost|stolen|broke(?:n)?|"
        r"returned|(?:got )?(?:cancel(?:l?ed|s)?|postponed|moved)|call(?:ed|ing)? (?:\w+ ){0,3}?off|quit|resigned|"
        r"retired|stopped|no longer|(?:not|n['’]t)(?: \w+){1,8}? (?:any ?more|any longer)|split up|died|passed away|"
        r"is over"
    ),
    pays=(
        r"(?:paid|pay(?:s|ing)?|gave|given|brought)(?: \w+){0,5}? back|repaid|settled|paid off|(?:paid|returned)|"
        r"(?:gave|given|sent)(?: \w+){1,2}? [€$£]?\d+(?:[.,]\d+)?|(?:is|are|['’]re|['’]s) (?:all )?square|transferred"
    ),
    owes=r"ow(?:e|es|ed|ing)|borrow(?:s|ed)?|lent|lend[s]?|loan(?:ed)?|spotted|fronted|debt|due",
    past=(
        r"used to|before(?: that| this| then)?(?=\s*[?.!,]|$)|formerly|previously|earlier|in the past|back then|"
        r"did(?! (?:i|we) (?:put|leave|park|hide|store|keep)\b)|was|were|had|ever|first|original(?:ly)?"
    ),
    speaker=r"i|we|i['’](?:m|ve|d|ll)|we['’](?:re|ve|d|ll)",
    implied=(
        r"(?:finally |just |already |so )?(?:been|had|got|gotten|sold|quit|left|found|bought|gave|took|went|made|"
        r"paid|put|lent|have|am|are|live|work|drive|take|fly|can(?:['’]?t|not)|\w{2,}(?:ed|ing))"
    ),
    others=r"his|hers?|theirs?",
    joins=r"and|plus",
    now=r"now(?:adays)?|these days|from now on|finally|meanwhile|by now",
)


_NOT: Final = r"(?:is|are|was|were|do|does|did|has|have|had|wo|would|can)(?:n['’]?t| not)"

CORRECTIONS: Final = CorrectionPatterns(
    interjections=r"o+h+|a+h+|ugh|u+m+|hm+|er+m?|well|damn|shoot|yikes|oh dear|argh|and|but|so",
    openers=(
        r"(?:sorry,? |oops,? )?(?:fat fingers?|(?:damn )?auto-?correct\w*|brain (?:fart|fog|freeze)|silly me|i tell "
        r"a lie|i lied?|that['’]?s a lie|not true|what am i (?:saying|on about|talking about)|typed too fast)"
        r"(?=\s*[,.:;!?–—-])|(?:it|that|they|there)(?:['’]s| is| was| are| were) (?:actually|really|in fact)"
        r"(?=\s+(?:\w+\s+)?\d)|(?:no|nope|nah)(?=\s+(?!more\b|less\b|fewer\b)[^,.;:!?]{3,40}\d)|(?:no|nope|nah)"
        r"(?:[,\s]+(?:no|nope))*(?=\s*[,.:;!–—-]|\s+(?:sorry|actually|i mean|hang|hold|scratch|the|my|our|his|her|"
        r"their|he|she|it|they|we|i)\b)|no wait|wait|hang on|hold on|sorry(?=\s*[,.:;!–—-]|\s*$|"
        r"\s+(?:\d|(?-i:[A-Z])|it|typo|wrong|(?:i )?mean|correction|not|make|the|that|my|he|she|they|in|on|at))|"
        r"apologies|"
        r"oops|whoops|my (?:bad|mistake|error|apologies)|pardon|(?:scratch|strike|forget|ignore) that(?! last\b)|"
        r"correction|typo|i (?:just )?misspoke|i mistyped|i (?:got|had|put|said|wrote|typed) (?:that|it|this) "
        r"wrong(?:ly)?|i was (?:wrong|mistaken)(?: about (?:that|it))?|i made a mistake|i mixed "
        r"(?:that|it|them|things) up|i (?:got )?(?:confused|muddled)(?: (?:that|it|them))?|"
        r"(?:no,? )?(?:it|he|she|they|that|we) (?:is|are|was|were|does|do|did|has|have)(?:n['’]?t| not)"
        r"(?=\s*[,.;:!–—-])|i mis(?:read|heard|remembered)(?: (?:that|it))?|(?:that(?:['’]?s| is| was) |(?=not )|"
        r"(?:i(?:['’]ve)? )?told (?:you|u) )(?:wrong|not right|incorrect|not correct|a typo)|that isn['’]?t right|"
        r"let me (?:correct|fix|rephrase)(?: (?:that|this|myself))?|i (?:have|need) to correct (?:myself|that)|"
        r"meant(?=\s+(?:(?:on|at|in|the)\s+)?(?:\d\S*|(?-i:[A-Z])\w*|\w{3,6}day)[\s.!]*$)|"
        r"i (?:actually |really )?(?:meant|mean)(?: to (?:say|write|type))?|i should have said|what i meant "
        r"(?:is|was)|make (?:that|it)|or rather|rather|nonsense|rubbish|(?:that|it|this) should(?: have|['’]ve)? "
        r"(?:be|been|say|read)|should be|should have been|on second thoughts?|come to think of it|i take that back|"
        r"small correction|edit"
    ),
    denials=(
        r"no|nope|wrong|incorrect|false|not (?:right|true|correct)|(?:that|it|this)(?:['’]s| is| was)? "
        r"(?:wrong|incorrect|false|not (?:right|true|correct))|(?:that|it|this) isn['’]?t (?:right|true|correct)|"
        r"not (?:any ?more|any longer)"
    ),
    weak_openers=(
        r"actually|well|in fact|in truth|to be (?:precise|exact|correct)|turns out(?: that)?|it turns out(?: that)?"
    ),
    contrasts=(
        r"(?:.{0,60}?\b)?not\s+{wrong}\s*,?\s*\bbut(?:\s+rather)?\s+{right}",
        r"(?:(?:it|that|he|she|they|this)(?:['’]s|['’]re| is| are| was)?\s+)?not\s+{wrong}\s*[,;:–—-]\s*{right}",
        rf"(?:.{{0,60}}?\b)?{_NOT}\s+(?:(?:called|named)\s+)?{{wrong}}\s*[,;:–—-]\s*(?:but\s+)?{{right}}",
        r"{right}\s*,?\s+(?:and\s+)?not\s+{wrong}",
        r"(?:without|no)\s+{wrong}\s*,\s*(?:but\s+)?(?=with\b){right}",
        r"{right}\s+(?:instead of|rather than)\s+{wrong}",
        r"instead of\s+{wrong}\s*,\s*{right}",
        (
            r"(?:(?:when|where|what)\s+)?i\s+(?:said|wrote|told you|typed|put)\s+{wrong}\s*,?\s*(?:but|and|when)?\s*"
            r"(?:i\s+(?:really\s+|actually\s+)?meant|it should(?:['’]ve| have)? be(?:en)?|it['’]?s|it is)\s+{right}"
        ),
        r"(?:please\s+)?(?:change|replace|correct|swap|update)\s+{wrong}\s+(?:to|with|by|for|into)\s+{right}",
        r"{wrong}\s+should(?:['’]ve| have)? (?:be(?:en)?|read)\s+{right}",
        r"{wrong}\s+(?:is|was) wrong\s*[,;:–—-]\s*{right}",
    ),
    fillers=(
        r"(?:it|that|this|he|she|they)(?:['’]s|['’]re| is| are| was| were| should(?:['’]ve| have)? be(?:en)?)"
        r"(?: actually| really)?|should(?:['’]ve| have)? be(?:en)?|i (?:actually |really )?(?:meant|mean)|"
        r"make (?:it|that)|but|rather|(?:his|her|its|their|the) (?:real |right |correct |actual )?(?:name|one|time|"
        r"date|day|number|answer|address|place)(?:['’]s| is| was)"
    ),
    courtesies=(
        r"sorry|of course|obviously|my (?:bad|mistake)|please|instead|actually|thanks|thank you|haha|lol|oops|that is"
    ),
    closers=(
        r"sorry|my (?:bad|mistake|error)|oops|typo|i (?:meant|mean|misspoke|misread|was wrong)|i checked|correction|"
        r"i (?:read|got|had|heard) (?:it|that) wrong|(?:i )?(?:misread|mistyped|misspelt|misspelled|misheard|mixed up)"
        r"(?: (?:it|that|them))?|(?:i )?(?:always )?(?:mix|mixed|get|got) (?:it|that|those|them|these)(?: two)? up|"
        r"(?:damn |stupid )?auto-?correct|fat fingers?|typ(?:ed|ing) too fast|wrong (?:key|button|line|column|row)|"
        r"not that"
    ),
    additions=r"also|too|as well|another|besides|additionally|both|either|neither",
    copulas=r"is|are|was|were|am|will be|['’]s|['’]m|['’]re",
    prepositions=(
        r"in|on|at|to|from|with|by|for|near|until|till|since|of|about|under|over|behind|next|after|before|between|"
        r"into|during|through|without|around|than|as|and|or|but|because|who|which|where|while|so"
    ),
    clocks=(
        r"\d{1,2}(?:[:.]\d{2})\s?(?:[ap]\.?m\.?)?|\d{1,2}\s?(?:[ap]\.?m\.?|o['’]clock)|(?:half|quarter) (?:past|to)"
        r" \w+|noon|midnight"
    ),
)


_PLEASE: Final = "please|kindly|pls|plz|(?:would|will) you(?=\\W*$)"
_MEMORY: Final = (
    r"(?:your |the |my )?(?:memory|memories|notes?|records?|files?|storage|database|heads?|minds?|brains?|whatever|"
    r"what you (?:know|have|remember))"
)
_OURS: Final = r"(?=(?:my|our|the|that|this|what|anything|everything|where|who|how|any|all)\b)"
_OBJECT: Final = r"\b(?P<object>.{1,500})"

FORGETTING: Final = ForgettingPatterns(
    imports="Import",
    please=_PLEASE,
    keeps=(
        r"(?:\w{0,6}n['’]?t|not|never)(?: (?:let|me|us|ever|to|be)){0,3} (?:forg[eo]t\w*|los[et]|delete|erase)|"
        r"\A(?:(?:please|kindly|just|also|so|and|ok(?:ay)?|can|could|would|will|should|must|you|to|i|want|need|like|"
        r"i['’]?d|love),?\s+){0,7}(?:remember|memori[sz]e|keep|note|save|store|log|record|retain|h(?:old|ang) on to|"
        r"(?:jot|write|mark)(?: \w+){0,2} down|(?:make|take)(?: (?:a|an\w*|quick|mental))* note|"
        r"bear(?: \S+){0,6} in mind|commit)\b(?!\s+(?:nothing|none|no|not|only|just)\b|"
        r"(?:\s+[\w'’]+){1,7}\s+(?:out of|off|no longer|any ?more)\b)"
    ),
    restores=(
        r"(?:bring|put|get|have)(?: \w+){0,2} back(?! (?:how|the way|as|like) it was)|restore|un-?delete|back again"
    ),
    undoes=(
        r"(?:undo|revert|reverse|take back)(?: (?:it|that|this|(?:that|this|the|my) (?:last|latest)(?: \w+)?|"
        r"what i (?:just |last )?(?:said|told you|wrote)))?|take (?:it|that|this) back|(?:put|change) (?:it|that) back|"
        r"i take (?:it|that) back"
    ),
    drops_last=(
        r"(?:forget|delete|erase|scrap|strike|scratch|drop|ditch|bin|remove|lose|ignore|disregard|take)"
        r"(?: about)? (?:the|my|that|this) (?:very )?last (?:thing|message|sentence|entry|bit|one|part|line|note)"
        r"(?: (?:i|we) (?:just )?(?:said|told you|wrote|sent|mentioned))?(?: (?:back|out|off|again))?"
    ),
    requests=(
        (
            r"(?:(?:(?:can|could|would|will) you|i(?:['’]d| would) like you to|i (?:want|need) you to)\s{1,3}"
            rf"(?:(?:{_PLEASE})[,\s]{{1,3}})?)?(?:forget|erase|delete|remove)(?!-){_OBJECT}"
        ),
        rf"would you mind\s{{1,3}}(?:forgetting|erasing|deleting|removing){_OBJECT}",
    ),
    orders=(
        (
            r"(?:(?:can|could|would|will) you\s{1,3})?(?:delete|remove|take|drop|clear|cross|get|strike|"
            r"cut|throw|discard|erase|wipe|purge|scrub|scrap|forget|"
            rf"lose)\b(?P<object>.{{1,300}}?)\s(?:from|out of|off)\s{_MEMORY}"
        ),
        (
            r"(?P<object>.{1,200}?)[,;:–—-]?\syou (?:do not|don['’]?t|needn['’]?t|need not)(?: (?:have|need) to)? "
            r"(?:remember|keep|know|store|save|retain)\b(?: (?:it|that|them))?(?=\W*$|,)"
        ),
        (
            r"(?:you (?:can|may|should)|i(?:['’]d| would) like you to|i (?:want|need) you to|could you|can you|"
            rf"would you|will you)?\s{{0,3}}(?:(?:{_PLEASE})\s{{1,3}})?(?:just\s{{1,3}})?(?:forget|unlearn|unremember|"
            rf"erase|wipe|purge|scrap|strike)(?!-|\s+(?:it|that|this)\s{{0,3}}(?:[.,!;]|$)){_OBJECT}"
        ),
        rf"(?:(?:can|could|would|will) you\s{{1,3}})?get rid of\s{_OURS}(?P<object>.{{1,300}})",
        (
            r"(?:delete|remove|drop|scrap|discard|clear|wipe|clean)\s{1,3}(?=(?:that|the|this|my|your|all|every|"
            rf"any)\s(?:\w+\s){{0,2}}(?:notes?|memory|memories|records?|entry|entries|facts?)\b){_OBJECT}"
        ),
        (
            r"(?:do not|don['’]?t|stop|no longer|please stop)\s{1,3}(?:keep|keeping|remember|remembering|store|"
            rf"storing|save|saving|retain|retaining)\s{_OURS}(?P<object>.{{1,300}})"
        ),
        (
            r"(?:i(?:['’]d| would) like you to|i want you to|please)\s{1,3}(?:no longer|not|stop)\s{1,3}"
            rf"(?:remember|know|keep|store)(?:ing)?\s{_OURS}(?P<object>.{{1,300}})"
        ),
        (
            r"(?!i\b)(?P<object>(?:(?!\b(?:he|she|they|never|not|to|could|can|will|would|must|should)\b).){1,200}?)"
            r"[,;:–—-]?\s(?:you (?:can|may|should)\s)?(?:please\s)?(?:forget|delete|erase|scrap|throw|remove)"
            r"\s(?:it|that|them|this)\b(?:\saway)?\s{0,3}[.!]?$"
        ),
        (
            r"(?P<object>.{1,200}?)[,;:?.–—-]?\s(?:please\s)?(?:do not|don['’]?t) (?:keep|store|save|remember|retain) "
            r"(?:it|that|them|this)\b"
        ),
        rf"i (?:do not|don['’]?t) want you to (?:remember|know|keep|store)\s{_OURS}(?P<object>.{{1,200}})",
        r"i take (?:it|that) back\b(?P<object>.{1,200})",
    ),
    polite_questions=r"would you mind\b",
    favours="can|could",
    about="about|of",
    ours="my|our|what|that|everything|all",
    clauses="that|what|who|where|when|which|how",
    denials=r"\b(?:not|never|no|none|nothing|except|but)\b|n['’]t\b",
    from_memory="(?:from|out of)(?: your| the)? memory",
    empty_words=word_set("all everything anything kindly"),
    sweeping_words=word_set("all everything forget delete remove erase last latest entry input message"),
    order_words=word_set(
        """
        axe bin bits bit chuck clear cut discard ditch drop dump erased forgotten kill lose nuke purge rid scrap
        scrub strike throw toss unlearn wipe wiped take off out away go gone keep kept save saved store stored
        hold know memory note notes record records detail details info stuff business fact story part piece any
        anymore longer kindly pls rather sooner want like need never you've please mention mentioned wrote
        concerning regarding nah ah oh
        """
    ),
)
