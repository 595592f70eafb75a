"""Corrections in English."""

from __future__ import annotations

from typing import Final

from language.corrections import CorrectionPatterns

_NOT: Final = r"(?:is|are|was|were|do|does|did|has|have|had|wo|would|can)(?:n['’]?t| not)"

CORRECTIONS: Final = CorrectionPatterns(
    interjections=r"o+h+|a+h+|ugh|u+m+|hm+|er+m?|well|damn|shoot|yikes|oh dear|argh|and|but|so",
    openers=(
        r"(?:no|nope|nah)(?:[,\s]+(?:no|nope))*(?=\s*[,.:;!–—-]|\s+(?:sorry|"
        r"actually|i mean|hang|hold|scratch))|"
        r"no wait|wait|hang on|hold on|"
        r"sorry(?=\s*[,.:;!–—-]|\s*$|\s+(?:\d|(?-i:[A-Z])|it|typo|wrong|i mean|correction|not|make|the|that|my|he|she|"
        r"they|in|on|at))|"
        r"apologies|oops|whoops|my (?:bad|mistake|error|apologies)|pardon|"
        r"scratch that|strike that|forget that|ignore that|correction|typo|i (?:just )?misspoke|i mistyped|"
        r"i (?:got|had|put|said|wrote|typed) (?:that|it|this) wrong(?:ly)?|i was (?:wrong|mistaken)(?: about (?:that|"
        r"it))?|"
        r"i made a mistake|i mixed (?:that|it|them|things) up|i (?:got )?(?:confused|muddled)(?: (?:that|it|them))?|"
        r"(?:no,? )?(?:it|he|she|they|that|we) (?:is|are|was|were|does|do|did|has|have)(?:n['’]?t| not)"
        r"(?=\s*[,.;:!–—-])|"
        r"i mis(?:read|heard|remembered)(?: (?:that|it))?|(?:that(?:['’]s| is| was)) (?:wrong|not right|incorrect|"
        r"not correct|a typo)|that isn['’]?t right|"
        r"let me (?:correct|fix|rephrase)(?: (?:that|this|myself))?|i (?:have|need) to correct (?:myself|that)|"
        r"i (?:actually |really )?(?:meant|mean)(?: to (?:say|write|type))?|i should have said|what i meant (?:is|was)|"
        r"make (?:that|it)|or rather|rather|nonsense|rubbish|(?:that|it|this) should(?: have|['’]ve)? (?:be|been|say|"
        r"read)|"
        r"should be|should have been|on second thoughts?|come to think of it|i take that back|small correction|edit"
    ),
    denials=(
        r"no|nope|wrong|incorrect|false|not (?:right|true|correct)|(?:that|it|this)(?:['’]s| is| was)? "
        r"(?:wrong|incorrect|false|not (?:right|true|correct))|(?:that|it|this) isn['’]?t (?:right|true|correct)|"
        r"not (?:any ?more|any longer)"
    ),
    topics=(
        (
            r"i (?:was|got) (?:wrong|mistaken|mixed up|confused) (?:about|on|with) (?P<topic>[^,.:;!–—]{1,40}?)"
            r"\s*[,.:;!–—-]"
        ),
        r"(?:about|regarding|re|as for) (?P<topic>(?:the|my|our|that) [^,.:;!–—]{1,30}?)\s*[:,–—-]",
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
        r"(?: actually| really)?|"
        r"should(?:['’]ve| have)? be(?:en)?|i (?:actually |really )?(?:meant|mean)|make (?:it|that)|but|rather|"
        r"(?:his|her|its|their|the) (?:real |right |correct |actual )?(?:name|one|time|date|day|number|answer|address|"
        r"place)"
        r"(?:['’]s| is| was)"
    ),
    courtesies=(
        r"sorry|of course|obviously|my (?:bad|mistake)|please|instead|actually|thanks|thank you|haha|lol|oops|that is"
    ),
    closers=(
        r"sorry|my (?:bad|mistake|error)|oops|typo|i (?:meant|mean|misspoke|misread|was wrong)|i checked|correction|"
        r"not that"
    ),
    additions=r"also|too|as well|another|besides|additionally|both|either|neither",
    copulas=r"is|are|was|were|am|will be|['’]s|['’]m|['’]re",
    prepositions=(
        r"in|on|at|to|from|with|by|for|near|until|till|since|of|about|under|over|behind|next|after|before|between|into|"
        r"during|through|without|around|than|as|"
        r"and|or|but|because|who|which|where|while|so"
    ),
    clocks=(
        r"\d{1,2}(?:[:.]\d{2})\s?(?:[ap]\.?m\.?)?|\d{1,2}\s?(?:[ap]\.?m\.?|o['’]clock)|(?:half|quarter) (?:past|to)"
        r" \w+|noon|midnight"
    ),
)
