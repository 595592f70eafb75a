"""Words around pasted texts in English."""

from __future__ import annotations

from typing import Final

from language.pasting import PastingWords

_THIS: Final = r"(?:this|that|these|those|it|them|the (?:following|above|below|text))"
_TEXT: Final = (
    r"(?:e-?mails?|mails?|messages?|msgs?|letters?|texts?|sms|posts?|articles?|comments?|reviews?|complaints?|chats?|"
    r"threads?|conversations?|contracts?|clauses?|poems?|paragraphs?|passages?|tweets?|ads?|listings?|offers?|quotes?|"
    r"quotations?|transcripts?|notices?|logs?|pages?|pdfs?|repl(?:y|ies)|answers?|invitations?|statements?|excerpts?|"
    r"snippets?|reports?|emails?|interviews?|speech(?:es)?|stor(?:y|ies)|announcements?|newsletters?|code|errors?|"
    r"descriptions?|notes?|jokes?|diar(?:y|ies)|songs?|riddles?|chapters?|proverbs?|blogs?|wording|phrases?|memos?|"
    r"scripts?|slogans?|forms?|lyrics|verses?|sentences?|dialogues?|minutes|instructions|warnings?|documents?|bios?|"
    r"captions?|"
    r"lines?)"
)

PASTING: Final = PastingWords(
    works=(
        r"translat(?:e|ion)|summari[sz]e|summary(?! of (?:my|our)\b)|sum (?:it|this|that|them) up|sum up|"
        r"tl;?dr|recap(?! of (?:my|our)\b)|paraphrase|rephrase|"
        r"reword|re-?write|proof-?read|(?:copy|line)-?edit|say (?:it|this|that) (?:differently|better|nicely|"
        r"politely|simpler)|shorten|condense|simplify|polish|interpret|transcribe|spell-?check|(?:spot|find|mark|"
        r"list) (?:the|all|any) (?:mistakes|errors|typos)|decipher|"
        rf"(?:correct|edit|fix|improve|check|explain|analy[sz]e|describe|read|review|answer|critique|rate|comment on|"
        rf"reply to|respond to|look at|react to|make sense of|go through|clean up|format) "
        rf"(?:{_THIS}|(?:the|my|his|her|their|a) (?:\w+ )?{_TEXT})|"
        r"(?:turn|put|convert|render|change) (?:it|this|that|them)(?: \w+)? (?:into|in)|"
        r"make (?:it|this|that|them) (?:shorter|longer|simpler|nicer|friendlier|sound|more|less|polite|formal)|"
        rf"wh?at(?:['’]?s| is| was| are| were| does| do| did) {_THIS}(?!(?: \w+){{0,3}} about (?:me|"
        rf"us)\b)(?: \w+){{0,2}} "
        r"(?:mean|say(?! about (?:me|us))|about|saying|called|supposed|from|want|in)|"
        r"what (?:does|do|did) (?:he|she|they|the \w+) (?:mean|want|say)|"
        r"(?:what|how) (?:do|should|can|could|would|shall|might) (?:i|we)(?: \w+)? "
        r"(?:answer|reply|respond|say|write|react)|"
        r"how (?:would|do|does|can|could) (?:you|one) (?:say|put|phrase|translate|answer|reply|read)|"
        r"(?:the|a|what|which) (?:\w+ )?(?:tone|gist|tl;?dr|upshot|sentiment|main points?|key points?|takeaways?)|"
        rf"(?:is|are|was|were|does|do) {_THIS}(?: \w+){{0,3}} (?:scam|spam|phish\w*|legal|legit\w*|real|true|genuine|"
        r"fake|fraud|safe|trustworthy|correct|rude|polite|grammatical|sound|"
        r"serious|joke|valid|fair)|"
        rf"(?:what(?:['’]s| do| is)?|your) (?:\w+ )?(?:think|make|opinion|take|thoughts|view)(?: \w+)? (?:of|about|on) "
        rf"(?:{_THIS}|(?:the|my|his|her|their|a) (?:\w+ )?{_TEXT})|"
        r"who(?:['’]s| is) (?:right|wrong|to blame)|(?:write|draft|give me|suggest) (?:an? |"
        r"me an? )?(?:\w+ )?(?:reply|answer|response) to|help me (?:answer|reply|respond|understand)"
    ),
    shown=(
        rf"(?:this|that|these|those|the|an?|my \w+['’]s?|his|her|their|\w+['’]s) (?:\w+ ){{0,2}}{_TEXT}|"
        r"(?:the )?following|(?:got|received|found|came across) (?:this|that)|(?:here(?:['’]s| is)|this is) what|"
        r"look what"
    ),
    texts=(
        rf"(?:the|this|that|these|those|his|her|their) (?:\w+ ){{0,2}}(?:{_TEXT}|essays?|grammar|spelling|words?|"
        r"language|syllables?|characters?|style|author|homework)|what language|grammar"
    ),
    makes=r"write|compose|create|generate|suggest|recommend|find|tell|invent|plan|order|buy|send|post|print|remind",
    origins=(
        r"(?:that|this|it|the above|which)(?:['’]s| is| was| were| comes?| came| stood| appeared)(?: \w+){0,3}? "
        r"(?:from|in|on|by|off)(?: \w+){0,3} "
        rf"(?:{_TEXT}|forums?|groups?|channels?|(?:news)?papers?|magazines?|websites?|sites?|internet|online|web|"
        r"reddit|facebook|twitter|instagram|telegram|whatsapp|linkedin|wikipedia|youtube|books?|brochures?|leaflets?|"
        r"posters?|boards?|signs?|inbox|feed|somebody|someone|strangers?)|"
        r"(?:wrote|sent|posted|said|texted|e-?mailed)(?: (?:me|us))? (?:that|this|it)\b(?! (?:i|we|they|"
        r"s?he|my|the)\b)|"
        r"(?:that|this) (?:is|was|['’]s) (?:what|how) (?!i\b|we\b)\w+(?: \w+)? (?:wrote|sent|posted|said|texted)|"
        r"(?:written|sent|posted) by (?!me\b|us\b)"
    ),
    messages=(
        rf"(?:{_TEXT}|whatsapp|telegram|signal|slack|dm|voicemail|postcard|note|ticket) (?:just )?"
        r"(?:in |received |here )?from"
    ),
    written=(
        r"wrote|writes|written|has written|sent|sends|texted|texts|posted|posts|e-?mailed|messaged|forwarded|published|"
        r"replied|replies|write|left|handed|slipped|dropped|pinned"
    ),
    said=r"says?|said|asks?|asked|answers|answered|goes|claims|claimed|told (?:me|us)|reads|put it",
    headers=r"from|to|cc|bcc|date|sent|reply-to",
    subjects=r"subject|fwd?|re",
    salutations=(
        r"dear (?!diary\b|assistant\b|bot\b|mneme\b)\w+|to whom it may concern|(?:dear )?(?:sirs?|madam|"
        r"ladies)\b.{0,20},?$|"
        r"hi (?:all|everyone|everybody|team|folks|guys)|hello (?:all|everyone|everybody|team)|dearest"
    ),
    closings=(
        r"(?:kind|best|warm|warmest|kindest|many)(?: \w+)? (?:regards|wishes)|regards|yours(?: \w+)?|sincerely|"
        r"(?:lots of )?love|cheers|hugs|best|respectfully|cordially|all the best|many thanks|xo(?:xo)?"
    ),
    passed_on=r"original message|forwarded message|forwarded by|begin forwarded|message transcript",
)
