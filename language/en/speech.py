"""What a message in English is: a statement, a question, small talk, or something pasted."""

from typing import Final

from language.speech import LinkWords, PastingWords, SmallTalk, SpeechPatterns, phrases
from language.words import word_set

_AUXILIARY: Final = (
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|have|has|had|may|isn['’]t|aren['’]t|"
    r"don['’]t|doesn['’]t|didn['’]t|wasn['’]t|weren['’]t|won['’]t|can['’]t|haven['’]t|hasn['’]t)"
)
_ASKED: Final = (
    r"(?:,\s*)?\s*(?:(?:about|of|again|please)\s+)?"
    r"(?:if|whether|what|where|when|who|whom|whose|why|how|which|about|of)\b"
)
_NAMED: Final = (
    r"(?:(?!(?:the|an?|my|our|your|his|her|their|this|that|these|those|if|whether|who|what|when|where|why|how|which|and|"
    r"for|to|me|us)\b)[\w'’-]{1,30}\s+){0,3}"
)
"""The words between a verb's form and "is" that make it the noun of what "is" something: "book club is"."""
_CAN_YOU: Final = r"(?:(?:can|could|would|will) you\s+(?:please\s+)?)?"

SPEECH: Final = SpeechPatterns(
    openers=(
        r"so|and|but|well|ok|okay|hey|hi|hello|by the way|btw|fyi|also|oh|ah|actually|yes|yeah|no(?=\s*[^\w\s]|"
        r"\s+(?:(?:i|it|s?he|we|they|you|th(?:at|is|ere)|wh\w+)(?:['’]?(?:s|m|re|ll|d|ve))?|my|his|her|our|the|not)\b)"
        r"|omg|ugh|argh|wow|phew|yay|gosh|jeez|lol|haha|hmm|erm"
    ),
    announces=(
        r"(?:(?:(?:do )?(?:you|ya) )?know|guess) what|(?:do )?you know(?=,)|you won['’]?t believe(?: (?:it|this))?"
    ),
    tells_as_news=(
        r"(?:(?:did|have) (?:you|ya|u) (?:know|hear|heard)|(?:would|can|could) (?:you|ya|u) (?:believe|imagine))"
        r"(?:,? that|,)?|do (?:you|ya|u) know,? that(?= (?:i|we|he|she|they|it|my|our|his|her|their|the)\b)"
    ),
    asks_if_told=(
        r"(?:did|have) i (?:(?:ever|already) )?(?:tell (?:you|u)|told (?:you|u)|mention(?:ed)?|sa(?:y|id))"
        r"(?:,? that|(?! (?:about|of)\b)(?=(?: \S+){1,4} (?:is|are|was|were|has|have|had|will|can|\w+ed)\b))"
    ),
    riddles=r"guess (?:who|whose|what|which|where|when|why|how)\b|"
    r"(?:do )?(?:you|ya) know who(?:['’]?s|se)?\b(?=[^?!.]{0,80}\?\s+(?:my|our|(?-i:[A-Z][a-z]))[^?!.,]{0,40}[!.…]*$)",
    greetings=(r"hi|hiya|hello|hey|howdy|greetings|(?:good )?(?:morning|afternoon|evening)|good day|g['’]?day"),
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
        r"(?:(?:can|could|would|will) you (?:please )?)?(?:remember|note|keep in mind|bear in mind|"
        r"make (?:a |yourself a )?(?:mental )?note|take (?:a )?note|save|store|log|record|jot down|write down|"
        r"mark down|memori[sz]e|commit to memory|hold on to|keep (?:track|a record)|(?:add|put|write|save|store)"
        r"(?: this| it| that)? (?:to|in|into|down in) (?:your |the )?(?:memory|notes|records)|add to what you "
        r"know(?: about me)?|keep the following|don['’]?t (?:forget|lose)|do not (?:forget|lose)|never forget)"
        r"(?:\s+(?:this|that|it|down|for me|for later|in your memory|somewhere|please|of the fact))*|for the record|"
        r"for (?:future|later) reference|just so you know|note to self|fyi(?=\s*[:,])|i want you to "
        r"(?:know|remember)|you should know"
    ),
    that=r"that\s+",
    lists=(
        r"(?:(?:can|could|would|will) you (?:please )?)?(?:add|put|enter|stick|pop|write|chuck|note)\s+\S.{0,120}?\s+"
        r"(?:to|on|onto|in|into|down on)\s+(?:[\w'’-]+\s+){0,4}?[\w-]*(?:list|notes|diary|calendar)\b"
    ),
    orders_program=(
        r"(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines)|"
        r"(?:tell|inform|convince|remind|ask|show|give) the user|"
        r"you are (?:now |from now on )?an? \w*\s?(?:ai|assistant|bot)|system prompt"
    ),
    keeps_by_question=r"(?:please\s+)?(?:can|could|would|will) you .*(?:\bthat|:)\s*$",
    not_kept=r"when|where|what|who|how|why|which|if|whether|to",
    questions=(
        r"(?:what|where|when|who|whom|whose|why|how|which)(?:['’]s|['’]re|['’]d)\b|(?:what|where|when|who|whom|whose|"
        rf"why|how|which)(?!\s+(?:i|you|he|she|it|we|they)\b)(?:\s+[\w'’-]+){{0,3}}?\s+{_AUXILIARY}\b(?![^,\n]*+,)|"
        r"(?:what|which|how|whose)(?!\s+(?:i|you|he|she|it|we|they|a|an)\b)(?:\s+[\w'’-]+){1,8}?\s+(?:am|is|are|"
        r"was|were|do|does|did|can|should|will|have|has)\s+(?:i|you|he|she|we|they)\b(?![^,\n]*+,)|"
        r"how\s+(?:many|much|old|long|far|often|tall|big|come|about)\b|what\s+(?:time|kind|colou?r|about|if)\b|"
        r"who\s+(?!(?:i|you|he|she|it|we|they|knew|else)\b)\w+(?:s\b|\s+\w)(?![^,\n]*+,)|"
        r"what\s+\w{3,}ed\b(?![^,\n]{0,80}\b(?:is|was|were)\b)|which\s+(?!(?:is|are|was|were|has|have|had|do|"
        r"does|did|can|could|will|would|should|may|might|must|of|made|meant|led|brought|took|gave|left|i|you|he|she|"
        r"it|we|they|in|on|by|to|for)\b|\w+s\b)\w+\s+\w|(?:until|till|since|by|from)\s+when\b(?![^,\n]*+,)|"
        r"(?:on|in|at|with|for|from|about|under|to)\s+(?:what|whom|whose|which(?!\s+case\b))\b(?![^,\n]*+,)|"
        rf"{_AUXILIARY}\s+(?:i|you|he|she|it|we|they|my|your|his|her|our|their|there|these|those|any|anyone|anybody)"
        r"\b|(?:is|are|was|were|does|did|can|could|will|would|shall|should|has|had)\s+(?:the|this|that|a|an)\b|"
        r"(?:is|are|was|were|does|did|has|isn['’]t|doesn['’]t|didn['’]t)\s+(?-i:[A-Z])(?:\w+)\s+\w+"
    ),
    asks_with=r"w(?:ot|h(?:at|ich|om?|ose|en|ere|y))(?:['’]?\w{1,2})?|how(?:['’]?s)?",
    asks_by_order=_AUXILIARY,
    leaves_out_subject=(
        r"been|(?:was|were|am|had|have)\s+(?:at|in|on|to|with|for|from|off|out|up|back|just|so|really|too|going|looking)|"
        r"ha(?:d|ve)\s+(?:an?|no|some|two|three)"
    ),
    asking=word_set(
        """
        what where when who whom whose why how which what's where's when's who's how's is are was were do
        does did can could will would should have has many much long old often
        """
    ),
    spelled={"wot": "what", "wots": "what's", "whn": "when", "whr": "where", "hw": "how", "wheres": "where's"},
    not_asking=word_set(
        """
        wat whole hole witch wow ware wen whoa whys hows whom isle ire dose cold wild cane odd cloud wound mulch
        """
    ),
    asks_way=(
        r"(?:how|where) (?:do|can|could|should|would) (?:i|we|you(?! know)|one)\b|how to \w+|"
        r"(?:can|could|may) (?:i|we)\b"
    ),
    wondering=(
        # "I wonder whether …", "I'd like to know where …", "no idea when …"
        r"(?:i(?:['’]?m| am| was|['’]ve been| have been)?\s+(?:just\s+|also\s+|still\s+|always\s+)?wonder(?:ing|ed)?|"
        r"(?:just\s+)?wondering|i(?:['’]?m| am)?\s+(?:just\s+|really\s+)?curious|curious|"
        r"i(?:['’]d| would)?\s+(?:really\s+|just\s+|also\s+)?(?:like|love|want|need|wish)"
        r"\s+to\s+(?:know|ask(?:\s+you)?|find out)|(?:(?:i|we)\s+(?:have|['’]ve got|got)\s+|i['’]ve "
        r"got\s+)?(?:absolutely\s+)?no\s+(?:idea|clue)|any\s+(?:idea|clue|chance you know)|(?:my|a|one|another|quick)"
        rf"\s+question(?:\s+is)?\s*[:,]?|(?:can|could|may)\s+i\s+ask(?:\s+you)?){_ASKED}|"
        r"(?:i\s+)?(?:(?:(?:just|always|keep|have|(?:i )?['’]ve)\s+){0,2}forg[eo]t(?:ten|ting)?|"
        r"(?:can(?:no|['’]?)t|don['’]?t|do not|couldn['’]?t)\s+(?:(?:quite|even)\s+)?(?:remember|recall))"
        r"\s+(?:(?:for|in|at|on|to|with)\s+)?(?:what|where|when|who|whose|why|how|which)\b"
    ),
    commands=(
        r"(?:please|can you|could you|would you|will you|help|tell me|remind me|show me|forget\b(?!-)|erase|give me|"
        r"explain|write|translate|summari[sz]e|list|search|find|look up|calculate|describe|compare|generate|draft|"
        r"do you (?:know|remember))\b|(?:deploy|run|build|create|make|send|open|start|stop|restart|install|update|"
        r"check|add|remove|delete|fix|refactor|test|book|order|play|convert|rewrite|shorten|improve|review|"
        rf"analy[sz]e|suggest|recommend|choose|pick|sort|count|read|use)\s+(?!{_NAMED}(?:is|was|are|were|has|had)\b)\w"
    ),
    wishes=(
        r"(?:please|pls|plz|kindly)\b|i(?:['’]d| would)?\s+(?:really\s+|just\s+|also\s+)?(?:want|need|like|love|"
        r"prefer|expect|ask|beg)\s+(?:for\s+)?you\s+(?:guys\s+|all\s+)?(?:to|not)\b|i(?:['’]d| would)"
        r"\s+(?:really\s+)?(?:appreciate|be (?:grateful|glad|happy))\b.{0,20}\bif you\b|it(?:['’]d| would) be "
        r"(?:\w+\s+)?(?:great|nice|good|helpful|lovely|kind|cool) if you\b|let['’]?s\b|let (?:me know|us)\b|"
        r"shall we\b|how about\b|(?:you\s+)?(?:make sure|be sure|feel free|try not|be so kind)\b|remind us\b|"
        r"(?:tell|teach|give|show|wake|ping|notify|alert|nudge|fetch)\s+(?:me|us)\b|(?:set|schedule|arrange|reserve|"
        r"cancel|prepare|start|stop|pause)(?:\s+up)?\s+(?:me|us|an?|the|my|our)\b|(?:do not|don['’]?t) let (?:me|us)\b"
    ),
    asks_memory=(
        rf"{_CAN_YOU}(?:(?:tell me|show me|give me|remind me)\s+(?!to\b|a\b)|do you (?:know|remember)\b|what about\b|"
        r"name\s+(?:me\s+)?(?:(?:all|both|every\w*)\b|(?:my|our)\s+\w+s\W*$))"
    ),
    supposes=(
        r"if|suppose|supposing|imagine|assume|assuming|pretend|let['’]?s say|what if|unless|in case|hypothetically"
    ),
    leaves_open=(
        r"would|wouldn['’]t|could|were|\w+['’]d|"
        r"(?:do|does|did|is|are|am|can|should|will|shall)\s+(?:i|you|we|he|she|it|they)"
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


SMALL_TALK: Final = SmallTalk(
    words=word_set(
        """
        hi hii hiya hello hey heya yo howdy greetings bye byebye goodbye cheers thanks thank thx ty tnx ok okay okey
        okie k kk yes yeah yep yup ya no nope nah sure cool nice great good fine perfect awesome alright understood
        gotcha lol haha hahaha hm hmm wow please welcome sorry np
        """
    ),
    phrases=phrases(
        """
        thank you; thank u; many thanks; thanks a lot; thank you so much; thank you very much; hi there; hello there;
        good morning; good afternoon; good evening; good night; got it; guess what; know what; you know what;
        do you know what; i see; no problem; of course; sounds good; all right; no thanks; no thank you; you too;
        you are welcome; you're welcome
        """
    ),
    asks_assistant=(
        r"(?:(?:so|and|hey|ok|okay|well|tell me|say),? )*(?:what(?: else| all| exactly|(?: (?:sorts?|kinds?) of)? "
        r"(?:things?|stuff))? (?:can|could|do) you(?: all| actually| really| even| possibly)*(?: do| help| offer)"
        r"(?: me| us)?(?: with| for me| for us| here| exactly| then)*|what (?:can|could|should|may) i "
        r"(?:ask|tell|do with|use) you(?: about| for| with)?|what are (?:your|the) (?:abilities|features|skills|"
        r"functions|commands)|what are you(?: good)?(?: for| exactly| actually)*|who "
        r"(?:made|built|created|wrote|programmed) you|are you (?:an? |the )?(?:real |chat)*(?:bot|robot|ai|human|"
        r"person|machine|assistant|real|alive|program)|do you have a name|what(?:['’]?s| is) your (?:purpose|job)|"
        r"how old are you|can you (?:really |actually )?(?:remember|help|remind|memori[sz]e)"
        r"(?: things| stuff| me| us| anything| everything)*(?: for me| with things)*|how (?:do|does) (?:you|this) "
        r"work|how (?:can|do) i use you)"
    ),
    about_assistant=phrases(
        """
        what can you do; what do you do; who are you; what are you; what's your name; what is your name; help; help me;
        i need help; how do you work; what can i ask; how can you help; can you help; can you help me
        """
    ),
    wellbeing=phrases(
        """
        how are you; how are you doing; how are you today; are you there; you there; how's it going; how is it going;
        what's up
        """
    ),
    fillers=word_set("so very much a lot you all everyone then there man and"),
    thanks=word_set("thanks thank thx ty tnx cheers"),
    farewells=word_set("bye byebye goodbye night later"),
    partings=(
        r"(?:have|enjoy) (?:an?|your|the rest of your) (?:(?:very )?(?:nice|good|great|lovely|pleasant|fine) )?"
        r"(?:day|evening|afternoon|night|weekend|week|one)|take care|sleep (?:well|tight)|"
        r"see (?:you|ya)(?: (?:later|soon|tomorrow|then))?"
    ),
    hellos=word_set("hi hiya hello hey howdy morning evening afternoon"),
    agrees=r"yes|yeah|yep|yup|sure|of course|go ahead|go for it|do (?:it|that|so)|please do",
    declines=(
        r"no|nope|nah|none|neither|nothing|not|don['’]t|do not|never ?mind|leave (?:it|them|that)(?: be| alone)?|"
        r"stop|cancel|abort|rather not"
    ),
    every=r"all|both|everything|every(?: single)? one|each|the (?:whole )?lot",
    ones=r"ones?",
    beside=word_set(
        "the of them it that these those this and n & please ok okay then now number nr option i mean take"
    ),
)


_THIS: Final = r"(?:this|that|these|those|it|them|the (?:following|above|below|text))"
_TEXT: Final = (
    r"(?:e-?mails?|mails?|messages?|msgs?|letters?|texts?|sms|posts?|articles?|comments?|reviews?|complaints?|chats?|"
    r"threads?|conversations?|contracts?|clauses?|poems?|paragraphs?|passages?|tweets?|ads?|listings?|offers?|"
    r"quotes?|quotations?|transcripts?|notices?|logs?|pages?|pdfs?|repl(?:y|ies)|answers?|invitations?|statements?|"
    r"excerpts?|snippets?|reports?|emails?|interviews?|speech(?:es)?|stor(?:y|ies)|announcements?|newsletters?|code|"
    r"errors?|descriptions?|notes?|jokes?|diar(?:y|ies)|songs?|riddles?|chapters?|proverbs?|blogs?|wording|phrases?|"
    r"memos?|scripts?|slogans?|forms?|lyrics|verses?|sentences?|dialogues?|minutes|instructions|warnings?|documents?|"
    r"bios?|captions?|lines?)"
)

PASTING: Final = PastingWords(
    works=(
        r"translat(?:e|ion)|summari[sz]e|summary(?! of (?:my|our)\b)|sum (?:it|this|that|them) up|sum up|tl;?dr|"
        r"recap(?! of (?:my|our)\b)|paraphrase|rephrase|reword|re-?write|proof-?read|(?:copy|line)-?edit|"
        r"say (?:it|this|that) (?:differently|better|nicely|politely|simpler)|shorten|condense|simplify|polish|"
        r"interpret|transcribe|spell-?check|(?:spot|find|mark|list) (?:the|all|any) (?:mistakes|errors|typos)|"
        r"decipher|(?:correct|edit|fix|improve|check|explain|analy[sz]e|describe|read|review|answer|critique|rate|"
        r"comment on|reply to|respond to|look at|react to|make sense of|go through|clean up|format) "
        rf"(?:{_THIS}|(?:the|my|his|her|their|a) (?:\w+ )?{_TEXT})|(?:turn|put|convert|render|change) "
        r"(?:it|this|that|them)(?: \w+)? (?:into|in)|make (?:it|this|that|them) (?:shorter|longer|simpler|nicer|"
        r"friendlier|sound|more|less|polite|formal)|wh?at(?:['’]?s| is| was| are| were| does| do| did) "
        rf"{_THIS}(?!(?: \w+){{0,3}} about (?:me|us)\b)(?: \w+){{0,2}} (?:mean|say(?! about (?:me|us))|about|saying|"
        r"called|supposed|from|want|in)|what (?:does|do|did) (?:he|she|they|the \w+) (?:mean|want|say)|(?:what|how) "
        r"(?:do|should|can|could|would|shall|might) (?:i|we)(?: \w+)? (?:answer|reply|respond|say|write|react)|"
        r"how (?:would|do|does|can|could) (?:you|one) (?:say|put|phrase|translate|answer|reply|read)|"
        r"(?:the|a|what|which) (?:\w+ )?(?:tone|gist|tl;?dr|upshot|sentiment|main points?|key points?|takeaways?)|"
        rf"(?:is|are|was|were|does|do) {_THIS}(?: \w+){{0,3}} (?:scam|spam|phish\w*|legal|legit\w*|real|true|genuine|"
        r"fake|fraud|safe|trustworthy|correct|rude|polite|grammatical|sound|serious|joke|valid|fair)|"
        r"(?:what(?:['’]s| do| is)?|your) (?:\w+ )?(?:think|make|opinion|take|thoughts|view)(?: \w+)? (?:of|about|on)"
        rf" (?:{_THIS}|(?:the|my|his|her|their|a) (?:\w+ )?{_TEXT})|who(?:['’]s| is) (?:right|wrong|to blame)|"
        r"(?:write|draft|give me|suggest) (?:an? |me an? )?(?:\w+ )?(?:reply|answer|response) to|help me "
        r"(?:answer|reply|respond|understand)"
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
        rf"(?:from|in|on|by|off)(?: \w+){{0,3}} (?:{_TEXT}|forums?|groups?|channels?|(?:news)?papers?|magazines?|"
        r"websites?|sites?|internet|online|web|reddit|facebook|twitter|instagram|telegram|whatsapp|linkedin|"
        r"wikipedia|youtube|books?|brochures?|leaflets?|posters?|boards?|signs?|inbox|feed|somebody|someone|"
        r"strangers?)|(?:wrote|sent|posted|said|texted|e-?mailed)(?: (?:me|us))? (?:that|this|it)"
        r"\b(?! (?:i|we|they|s?he|my|the)\b)|(?:that|this) (?:is|was|['’]s) (?:what|how) (?!i\b|we\b)\w+(?: \w+)? "
        r"(?:wrote|sent|posted|said|texted)|(?:written|sent|posted) by (?!me\b|us\b)"
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
        r"dear (?!diary\b|assistant\b|bot\b|mneme\b)\w+|to whom it may concern|(?:dear )?(?:sirs?|madam|ladies)"
        r"\b.{0,20},?$|hi (?:all|everyone|everybody|team|folks|guys)|hello (?:all|everyone|everybody|team)|dearest"
    ),
    closings=(
        r"(?:kind|best|warm|warmest|kindest|many)(?: \w+)? (?:regards|wishes)|regards|yours(?: \w+)?|sincerely|"
        r"(?:lots of )?love|cheers|hugs|best|respectfully|cordially|all the best|many thanks|xo(?:xo)?"
    ),
    passed_on=r"original message|forwarded message|forwarded by|begin forwarded|message transcript",
)


LINKS: Final = LinkWords(
    reading=r"(?:please,?\s+)?(?:can you\s+|could you\s+)?"
    r"(?:read|open|fetch|look at|have a look at|take a look at|go through|summari[sz]e|explain)\b"
)
