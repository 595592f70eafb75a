"""What questions in English ask for, and what tells that a sentence answers them."""

from typing import Final

from language.questions import (
    AboutPatterns,
    AnswerPatterns,
    Cues,
    Interrogatives,
    OverviewPatterns,
    Persons,
    QuestionPatterns,
    ToldPatterns,
)
from language.words import CAPITAL, word_set

_WORD: Final = r"(?:what|where|when|who|whom|whose|why|how|which)(?:['’](?:s|re|d))?\b"
_SUBJECT: Final = r"(?:i|you|he|she|it|we|they|there|my|your|his|her|our|their|the|this|that|an?|(?-i:[A-Z])\w*)\b"
_INVERTED: Final = (
    rf"(?:(?:is|are|am|was|were|does|did|can|could|will|would|shall|should|has|had)\s+{_SUBJECT}"
    r"|(?:do|have)\s+(?:i|you|we|they)\b)"
)

QUESTIONS: Final = QuestionPatterns(
    searches=(
        r"(?:(?:i|we|i['’]?m|we['’]?re|i am|we are) )?(?:(?:still|just|now) ){0,3}(?:looking for|hunting for|"
        r"searching for|trying to find|can(?:['’]?t|not) find|have to find|need to find) (?:the|my|our|his|her|their)\b"
    ),
    place=r"where|which (?:city|town|country|place|street)|what (?:city|town|country|place|address)",
    time=(r"when|what (?:time|date|day|year|month)|which (?:day|year|month|date)|how long ago|since when"),
    number=(
        r"how (?:many|much|old|tall|long|far|big|often)|"
        r"what(?:['’]?s| is| was)?(?: \w+){0,4}? (?:number|code|pin|price|size|age|id|zip)|"
        r"what(?:['’]?s| is| was)(?: [\w'’]+){0,4}? phone|"
        r"what (?:do(?:es)?|did|will|would)(?: [\w'’]+){1,6}? (?:cost|weigh)\b|"
        r"what (?:do|did|am|are|will|would) (?:i|we) (?:\w+ )?pay(?:ing)?\b(?! for\W*$)"
    ),
    hour=r"what (?:time|hour)",
    amount=r"how (?:many|much|long)|what (?:do(?:es)?|did|will|would)(?: [\w'’]+){1,6}? cost",
    person=r"who|whom|whose|what(?:['’]?s| is| was)?(?: [\w'’]+){0,4}? names?|called",
    gathering=(
        r"who(?:['’]?s|['’]?ll| is| are| will)?(?: all| else| actually| now)?(?: be)? (?:(?:coming|come|going|joining|"
        r"attending|turning up|there|invited)\b|(?:in|at|on|for)\b)"
    ),
    naming=r"called|named?|names|nicknamed?",
    reason=r"why|how come|what for",
    yes_no=r"^(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will)\b",
    place_words=word_set(
        "city town country place street located location address find look looking search hunting trying"
    ),
    time_words=word_set("time date day year month hour"),
    person_words=word_set("name names named called call person people"),
    number_words=word_set("old age often tall long far big"),
    which="what|which",
    no_kind="is|was|are",
    about_asker=r"\b(?:about me|of me|remember\??$|have i told you\??$|did i tell you\??$)",
    before_subject="does|did|(?<!what )(?:is|was)|has|had|will|can|could|would|should",
    own_name=(
        r"(?:what(?:['’]?s| is| was)|(?:do|can) you (?:still )?(?:know|remember|tell me))\s+(?:again\s+)?my "
        r"(?:first |full |own )?name\b|who am i\b"
    ),
    occupation=r"what do(?:es)?\s+.{1,40}?\s+do(?:\s+for\s+(?:a|my|his|her|their|our)\s+living)?\W*$",
    occupied=word_set("living"),
    first_person=word_set("my our mine i we me us i'm i've"),
    asker=word_set("i i'm i've me"),
    together=word_set("our ours we us"),
    sums=(
        r"(?:al)?together|all together|in (?:total|all|sum)|all told|combined|overall|"
        r"(?:the |a )?(?:grand )?total(?: of)?|(?:that|this|it|they|all) (?:comes? to|adds? up to)"
    ),
    until=r"so far|to date|(?:up )?(?:to|till|until) now|by now|already",
    owed=r"(?:am|are)(?: (?:i|we))?(?: still)? owed|(?:i|we)(?:['’](?:m|re))? (?:am |are )?(?:still )?owed",
    along="with",
    numbered=r"sizes?|(?:page|room|number|flat|aged?|gate|level|part|code|pin)|#",
    paying=(
        r"spen[dt]\w*|pa(?:y|id)\w*|costs?|costing|owe[sd]?|owing|earn\w*|charged|set \w+ back|ma(?:k(?:e|ing)|de)|"
        r"bl(?:ow(?:n|ing)?|ew)|(?:shell|fork|splash)(?:ed|ing)? out|s[au]nk|(?:gone|went) (?:on|into)|"
        r"(?:filled|topped) up|c(?:omes?|ame) to|t(?:ake|ook)(?: in)?|br(?:ing|ought) in|money|takings|"
        r"revenue|turnover|proceeds"
    ),
    spending=r"spen[dt]\w*|(?:gone|went|goes) (?:on|into)|bl(?:ow(?:n|ing)?|ew)|(?:shell|fork|splash)(?:ed|ing)? out",
    bought_for="for",
    was="was|were",
    refunds=r"(?:refund|reimburs)\w*|(?:got|gets?|getting|received|(?:gave|given?|paid|sent|handed) (?:me|us)|"
    r"(?:was|were|been) (?:given|paid)|came|comes)(?: [^\s,;]+){0,5}? (?:back(?= [€$£]?\d)|[€$£]?\d\S*"
    r"(?: [^\s,;]+){0,4}? back(?! in (?!cash|full)))|\d\S*(?: \w+)? back (?:from|on|for)",
    earning=r"earn\w*|wages?|salary|pension|pay ?(?:check|cheque|day)|sold|takings|revenue|turnover|proceeds|"
    r"(?:got|been|was) paid|br(?:ing|ought) in|t(?:ake|ook) in",
    shares=r"@",
    priced=r"at|for(?=\W{1,3}\d+(?:[.,]\d+)?\W{0,3}(?:\w+ )?(?:each|apiece|a piece))",
    thousands=r"k|\s(?:thousand|grand)",
    apiece=r"each|apiece|a piece|per \w+",
    prices=r"(?:i|we) charge|a (?:week|month|year)|(?:month|week|year)ly|costs?|price|each|apiece|per",
    trades=r"s(?:old|ell\w*)|bought|buy\w*|charged?|ordered|delivered",
    begins=f"{_WORD}|{_INVERTED}",
    joins=word_set("and n also plus &"),
    too=word_set("also then more"),
    continues=rf"(?:{_WORD}|{_INVERTED})\s+\S",
    listed=(
        rf"{_WORD}(?:['’](?:s|re)|(?:\s+[\w'’-]+){{0,3}}?\s+"
        r"(?:is|are|am|was|were|do|does|did|can|will|has|have|had))\s+\S"
    ),
    who=r"who|what|which",
    supposes="when|if|while|once",
    refers=word_set("he she it they him her them his hers its their hes shes theyre"),
    points=r"that(?:['’]?s)?|this|those|these|(?<=\w\w )there(?=\W*$)",
    he=word_set("he him his hes they them their theyre"),
    she=word_set("she her hers shes they them their theyre"),
    theirs=word_set("his her hers its their"),
    again=r"again",
    formerly="previously",
    earlier=(
        r"(?:(?:and|an|n|but|so)\s+)?"
        r"(?:(?:what|how much|where|who|when)\s+(?:(?:was|were)\s+)?(?:(?:it|that|they)\s+)?)?"
        r"(?:before(?:\s+(?:that|then|this))?|previously|earlier|until then|originally)"
    ),
    anew=r"(?:(?:and|so|but)\s+)?(?:what about\s+)?(?:right\s+)?now",
    sources=(
        r"(?:(?:and|but|so|hm+|wait)[,\s]+)?(?:why|how so|says who|sources?|according to (?:who|whom|what)|"
        r"how (?:do|did|would|could|can) (?:you|u) (?:even )?know(?: (?:that|this|it))?|"
        r"how come you know(?: (?:that|this))?|why (?:do|did) (?:you|u) (?:say|think|believe) (?:that|this|so)|"
        r"what makes (?:you|u) (?:say|think) (?:that|this|so)|"
        r"(?:where|who) (?:did|do) (?:you|u) (?:get|have|hear) (?:that|this|it)(?: from)?|"
        r"who (?:told (?:you|u|us)|said|says|wrote|posted|claims|claimed|sent)(?: (?:that|this|it|so))?|"
        r"who(?:['’]?s| is| was) (?:that|this|it) (?:by|from)|"
        r"whose (?:words|message) (?:is|was|are|were) (?:that|this)|"
        r"when did i (?:tell|say|mention)(?: (?:you|u))? (?:that|this|it|so))"
    ),
    turns_to=r"(?:and\s+)?(?:(?:what|how)\s+about|what\s+of)|(?:and|n)(?:\s+for)?",
)


INTERROGATIVES: Final = Interrogatives(
    when="when|what date|which (?:month|year|day)|how long|in which|what (?:day|year|month|time)",
    how_many="how (?:many|much|old|often|long)",
    named="where|who|which|names?|called|what (?:book|movie|film|city|country|state|band|song|game|place)",
    why=r"why|feel|motivat\w*|inspir\w*|reason",
    several="how many|has|have|had",
    advice=(
        r"how (?:do|does|can|could|should|would|might) (?:i|we|you|one)|(?:should|could|can|may|shall) (?:i|we)|"
        r"help (?:me|us)|(?:would|could|can|do) you (?:\w+ )?(?:recommend|suggest|advise|propose)|"
        r"any (?:tips|ideas|advice|suggestions)|"
        r"(?:show|teach|walk) (?:me|us)|what are (?:some|the (?:\w+ )?(?:ways|options|steps|best)|good|common|typical)|"
        r"(?:i['’]m|i am|we['’]re|we are) (?:planning|looking|trying|hoping|going|about|preparing)"
    ),
    advice_begin=(
        r"(?:please )?(?:explain|recommend|suggest|write|draft|design|plan|compare|create|make|help)|please|"
        r"(?:can|could|would|will) you(?! (?:\w+ )?(?:remind|recall|remember|"
        r"tell (?:me|us) (?:what|when|where|who|which|how (?:many|much|long|old))))"
    ),
    several_begin=(
        r"(?:what|which|who|where|in what)\b(?>(?:(?!\b(?:does|did|are)\b).)*?\b(?<!['’])\w{3,}s\b)"
        r".*?\b(?:does|do|did|are)"
    ),
)


PERSONS: Final = Persons(
    asker="I|my|me|mine|myself|i|My",
    speakers="I|my|My|we|We|our|Our|me|us",
    first_person=word_set("i me my mine we us our ours i'm i've i'd i'll we're we've im ive"),
    turned={"my": "your", "our": "your"},
    listener="you|your|yours",
    asks_what_was_answered=(
        r"(?<!\bcan )(?<!\bcould )(?<!\bwould )(?<!\bwill )\byou\s+(?:\w+\s+){0,2}(?:said|say|told|tell|"
        r"recommend\w*|suggest\w*|mention\w*|gave|give|provid\w*|"
        r"list\w*|wrote|write|explain\w*|describ\w*|propos\w*|shared?|advis\w*|answer\w*|creat\w*|generat\w*|offer\w*)\b|"
        r"\bremind me\b|\byour (?:list|advice|suggestions?|recommendations?|answer)\b|"
        r"\b(?:our|the) (?:previous|last|earlier) (?:chat|conversation)\b"
    ),
    asks_what_was_told=r"\bI\s+(?:\w+\s+){0,2}(?:tell|told|mention\w*|say|said|ask\w*|share\w*)\b",
    asks_what_was_done=(
        r"(?:what|which|where|when|who\w*|why|how)\b(?:(?!\b(?:I|me|my|mine)\b).)*?"
        r"\b(?:do|does|did|have|has|had|is|are|was|were)\s+(?:your\b|you\b"
        r"(?!\s+(?:and|or|remember|recall|know|think|believe|guess|suppose|mean|have|got|able|aware|sure)\b))"
    ),
    together="both|and",
)


CUES: Final = Cues(
    number=("one|two|three|four|five|six|seven|eight|nine|ten|couple|twice|once|dozen|first|second|third"),
    reason="because|'cause|cause|since|so that|reason|feel|felt|feeling|makes me|made me",
    news=(
        "just|recently|lately|finally|yesterday|today|ago|guess what|by the way|since we last|the other day|"
        r"last (?:week|month|night|weekend|\w+day|year|fri|sat|sun)|this (?:week|month|weekend|morning)"
    ),
    wish=(
        r"(?:i|we)(?:['’]d| would)? (?:\w+ )?prefer|my preferences?|favou?rites?|rather than|from now on|"
        r"(?:i|we)['’]d rather|(?:i|we) would rather|(?:i|we) (?:really )?(?:like|love|enjoy|hate|dislike)|"
        r"(?:i|we) (?:don['’]t|do not) (?:like|want)|i(?:['’]d like| would like| want) you to|"
        r"(?:when|whenever|if|every time|each time) i ask"
    ),
    wish_begin=r"(?:please )?(?:always|never|avoid|no more|in future)",
)


_WHEN: Final = (
    r"\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may\b|june|july|august|september|"
    r"october|november|december|spring|summer|autumn|winter|morning|afternoon|evening|noon|midnight|time\b|night"
)
"""What makes a time of a preposition that names places, too: "on 4 June"."""

ANSWERS: Final = AnswerPatterns(
    owner=word_set("of"),
    inside=word_set("in into"),
    place=(
        r"\b(?:in|at|from|near|on|under|behind|inside|into|outside|next to|beside|above|below|between|opposite|across)"
        rf"\s+(?:the\s+|my\s+|our\s+|a\s+)?(?!{_WHEN})\w+|\bto\s+(?:(?:the|my|our|a)\s+\w+|(?-i:[A-Z])\w+|work|school|town)|"
        r"\bwith\s+(?:(?:the|my|our)\s+\w+|(?-i:[A-Z])\w+)|"
        r"\b(?:home|abroad|here|address|upstairs|downstairs|next door)\b"
    ),
    time=(
        r"\d|\b(?:tues?|wed|thu(?:rs?)?|fri)\b|\bon (?:mon|sat|sun)\b|"
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|"
        r"september|october|november|december|today|tomorrow|yesterday|tonight|noon|midnight|morning|evening|week|month|"
        r"year|spring|summer|autumn|winter|weekend|easter|christmas|ago)|"
        r"\b(?:at|by|till|until|past) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    ),
    number=(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|thousand|once|"
        r"twice|daily|weekly|monthly|yearly|every (?:\w+ )?\w+)\b|\b(?-i:[A-Z]{4,})\b"
    ),
    reason=r"\b(?:because|['’]?cause|bc|cos|cuz|since|so that|due to|as a result|to \w+)\b",
    no_names=frozenset(("I", "I'm", "I’m")),
    introduces=(
        r"\b(?:my (?:first |full )?name(?:['’]s| is)|i(?:['’]m| am) called|(?:they|people|friends) call me|call me|"
        r"i go by)\s+\S"
    ),
    is_called=(
        r"(?:(?:Hi|Hello|Hey)\W+)?(?:[Ii](?:['’]m| am)|[Tt]his is) [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?"
        r"(?:,? (?:by the way|btw))?\W*"
    ),
    is_a=r"\bI(?:['’]m| am) (?:an?|the) [\w-]+",
    is_one=r"(?:['’]s| is| was| became| becomes) (?:now |also )?an? [\w-]+(?! (?:called|named))",
    age=r"(?:\b(?:is|am|are|turns|turned)|['’]m)\s+\d{1,3}\b(?![:.,]\d)" rf"|\b(?-i:{CAPITAL})\w+\s*\(\d{{1,2}}\)",
    near="my|our",
    aliases=(
        rf"(?i:\b(?:my|our))\s+(?:\w+\s+)?(?P<kin>\w+),?\s+(?P<name>{CAPITAL}\w+)",
        rf"(?i:\b(?:my|our))\s+(?P<kin>\w+)(?:['’]s name is| is (?:called|named))\s+(?P<name>{CAPITAL}\w+)",
        rf"\b(?P<name>{CAPITAL}\w+)\s+(?i:is|—|-|–)\s*(?i:my|our)\s+(?P<kin>\w+)",
    ),
    there=word_set("there"),
    alone=r"there(?:['’](?:s|re|ll)| (?:is|are|was|were|will|has|have)\b)|it (?:takes?|took) (?:me|us)\b",
    unnamed=r"they(?: have|['’]ve)?(?: (?:just|finally|now|already))? \w+ (?:the|my|our)\b",
    several=(
        r"\b(?:my|our|the|his|her|their|two|three|four|some|all) (?:\w+ )?(?-i:[A-Za-z])\w+[^\Wsu]s\b|"
        r"\band (?:my|our|the|his|her|(?-i:[A-Z])\w)|\b(?:people|children|family)\b"
    ),
)


_GIVE: Final = r"(?:give|show|send|write|make|prepare|provide|create|need|want|like|have|get)"
_SUMMARY: Final = r"(?:overview|summary|recap|rundown|digest|review|synopsis|outline)"

OVERVIEWS: Final = OverviewPatterns(
    order=(
        r"in (?:what|which) (?:order|sequence)|(?:the|what) (?:order|sequence) (?:in which|that|of)|"
        r"what (?:was|is) the (?:\w+ )?(?:order|sequence|timeline|chronology) (?:of|in|for)|"
        r"in (?:the )?(?:chronological |right |correct )?order|chronologically|chronological (?:order|list|overview)|"
        r"(?:a |the )?(?:timeline|chronology|sequence) of|walk me through (?:how|what|when|everything|my|our|"
        r"the order)|"
        r"(?:which|what) came first|step by step,? (?:what|how) (?:i|we)|from (?:first|earliest) to (?:last|latest)"
    ),
    change=(
        r"(?:what|how much|which \w+)(?:['’]s| has| have|['’]ve)(?: \w+){0,2} changed|what changed|"
        r"what changes (?:have|did|were)|"
        r"how (?:has|have|had|did)(?: [\w'’-]+){1,10}? (?:chang(?:ed?)|progress(?:ed)?|develop(?:ed)?|evolved?|"
        r"improved?|grown?|grow|shift(?:ed)?|turn(?:ed)? out|come along|unfold(?:ed)?|gone|go)|"
        r"(?:what|how much)(?: \w+)? progress|how far (?:have|did) (?:i|we)"
    ),
    summary=(
        r"summari[sz]e|sum up|recap|sum(?:med)? it up|"
        rf"{_GIVE}(?: [\w'’-]+){{0,5}}? {_SUMMARY}(?: of| on| about|\b)|"
        rf"what(?:['’]?s| is| was) (?:the|a) (?:\w+ )?{_SUMMARY} of"
    ),
    decisions=(
        r"what (?:all )?(?:did|have|had) (?:i|we)(?: \w+){0,3}? "
        r"(?:decided?|agreed?|settled?|chosen?|chose|choose|concluded?|resolved?)|"
        r"(?:what|which) (?:decisions?|agreements?|conclusions?) (?:did|have|had|were|was)(?: \w+)? "
        r"(?:i|we|made by us|our)|"
        r"(?:the|all|my|our|any|every)(?: \w+)? (?:decisions?|agreements?)(?: that)? (?:i|we)(?:['’]ve| have)? "
        r"(?:made|took|taken|reached|came to)|(?:list|show|recall|name)(?: me)?(?: all)? (?:of )?(?:my|our) "
        r"(?:decisions|agreements)|what (?:were|are) (?:my|our) (?:\w+ )?(?:decisions|agreements)"
    ),
    everything=(
        r"everything (?:that )?(?:i|we)(?:['’]ve| have|['’]d| had)?\b|everything (?:that )?you (?:\w+ )?"
        r"(?:know|remember|have|learn(?:ed|t)|noted|stored)|"
        r"everything (?:about|on|regarding|concerning) (?:my|our|me|us)|what all|all (?:that )?(?:i|we)(?:['’]ve|"
        r" have)? (?:ever )?(?:told|said|mentioned|shared|discussed|talked)|"
        r"all (?:that )?you (?:know|remember)|(?:tell|show|give|list)(?: me)? (?:it all|all of (?:it|that|them))"
    ),
    shared=(
        r"(?<!for )(?<!in )(?:my|our)|me (?:and|or)|us|"
        r"(?:i|we)(?:['’]ve|['’]d)?(?! (?:should|can|could|must|need|may|might|ought|would|will|am|are)\b)"
    ),
    advice=(
        r"(?:should|must|shall|would|ought) (?:i|we|one|my|our)|(?:can|could|may) (?:i|we)(?! (?:have|get|see|ask))|"
        r"(?:do|does) (?:i|we|my|our|one)(?! (?:know|have))|(?:i|we) (?:should|must|need|have) to"
    ),
    given=(
        r"(?:this|these|that|the) (?:following |attached |above |pasted |linked )?"
        r"(?:articles?|texts?|essays?|pages?|papers?|passages?|paragraphs?|documents?|pdf|files?|links?|emails?|"
        r"videos?)|(?:the )?following|below|attached|https?:|www\."
    ),
    asks=(
        r"(?:please )?(?:walk|take|guide|run) me through|(?:please )?(?:recap|sum up|outline|lay out|go over|name|"
        r"order|arrange|provide|trace)|i(?:['’]d| would)? (?:like|love|want|need) (?:to (?:see|hear|have|get|know) )?"
        r"(?:an?|the|you|my|our|everything|what|how)"
    ),
    talk=word_set(
        """
        told tell tells telling said say talk talked talking talks discuss discussed discussing discussion discussions
        conversation conversations chat chats mention mentioned bring brought order sequence timeline chronological
        chronologically summary summarise summarize overview recap list walk provide give comprehensive brief short
        detailed complete full far time times past last first week weeks month months year years day days session
        sessions over across throughout since ago until now together topics things everything
        changed change changes progress progressed developed develop development evolved evolve decided decide
        decisions decision agreed agree made make know remember include including
        """
    ),
)


_I_TELL: Final = (
    r"i (?:(?:just|all|last) )?(?:tell|told|say|said|mention|mentioned|write|wrote|share|shared|talk(?:ed)? about|"
    r"teach|taught)(?: to)?(?: you| u)?(?: about)?"
)

_SO: Final = "(?:so |and |ok |hey |well |now )?"
_WE: Final = "(?:i|we)"
_SOME: Final = "(?:on|planned|scheduled|coming up|going on|happening|up|due|lined up|left|booked)"
_SOMEWHAT: Final = rf" {_SOME}(?: for (?:me|us))?"
_PLANNED: Final = rf"(?: (?:{_SOME}|for (?:me|us)|to do|else|there))*"

TOLD: Final = ToldPatterns(
    asks=(
        rf"(?:so |and )?what (?:all |else )?(?:did|have|had|was it) {_I_TELL}(?: so far)?,? {{when}}",
        rf"what (?:was it|things?)(?: that)? {_I_TELL},? {{when}}",
        rf"{{when}},? what did {_I_TELL}",
        r"what did (?:you (?:learn|note|hear|remember|store)|we (?:talk about|discuss))(?: (?:about|from) me)? {when}",
        rf"(?:please )?(?:show|list|tell|remind)(?: me)?(?: of)? (?:what|everything|all)(?: that)? {_I_TELL} {{when}}",
    ),
    last=(
        rf"what (?:was|is|were) the (?:last|latest|newest|most recent)(?: things?)?(?: that)? {_I_TELL}|"
        rf"what did {_I_TELL}(?: (?:last|just now|most recently))|"
        r"what (?:did i|have i) (?:last|just) (?:tell|told|say|said|mention|mentioned)(?: to)?(?: you)?"
    ),
    spans={
        "today|this (?:morning|afternoon|evening)|so far today": ("day", 0),
        "yesterday|last night|yesterday (?:morning|evening)": ("day", 1),
        "the day before yesterday": ("day", 2),
        "this week|so far this week": ("week", 0),
        "last week": ("week", 1),
        "(?:(?:in|over|for) )?(?:the )?(?:next|coming) week": ("week", -1),
        "(?:this|on the|at the|the) weekend": ("weekend", 0),
        "next weekend": ("weekend", -1),
        "this month": ("month", 0),
        "last month": ("month", 1),
        "next month": ("month", -1),
        "(?:for the rest of )?this year": ("year", 0),
        "last year": ("year", 1),
        "(?:(?:in|for|over) )?(?:the )?(?:new|next|coming) year": ("year", -1),
    },
    weekday="(?:on |last |on last )?{weekday}",
    plans=(
        (
            rf"{_SO}what(?: else| all)? (?:(?:have|has) {_WE}(?: got)?|do {_WE} have|(?:am|are) {_WE}(?: up to| doing)?"
            rf"|(?:do|should) {_WE} (?:have|need) to do){_PLANNED} {{when}}{_PLANNED}"
        ),
        rf"{_SO}what(?:['’]?s| is| are| do| have)?(?: there| {_WE} got)?{_SOMEWHAT} {{when}}",
        rf"{_SO}what(?:['’]?s| is)(?: there)? {{when}}{_SOMEWHAT}",
        (
            rf"{_SO}(?:(?:have|do) {_WE} (?:got |have )?|is there |are there |got )?any(?:thing|thing else| plans|"
            rf" appointments?| meetings?){_PLANNED}(?: for)? {{when}}{_PLANNED}"
        ),
        rf"{_SO}(?:am|are) {_WE} (?:free|busy|available|booked) {{when}}",
        (
            rf"{_SO}(?:what(?:['’]?s|['’]re| is| are) |how(?:['’]?s| is) |show me )?(?:on )?(?:my|our|the) (?:plans?|"
            r"schedule|agenda|calendar|appointments?|meetings?|diary)(?: looking)?(?: like)?(?: for)? {when}"
        ),
        rf"{_SO}(?:how|what) (?:does|is)(?: my| our)? {{when}} look(?:ing)?(?: like)?",
        rf"{{when}},? what (?:have {_WE} got|do {_WE} have|(?:am|are) {_WE} doing){_PLANNED}",
    ),
    ahead="(?:(?:in|over|for|during|within) )?(?:the |my )?(?:next|coming|following) (?:{count} )?{unit}",
    units={"days": 1, "weeks": 7, "months": 31},
    since="(?:ever )?since(?: the)?(?: (?:start|beginning|end) of)?",
    whole={"(?:the )?week": "week", "(?:the )?month": "month", "(?:the )?year": "year"},
    in_month="(?:(?:in|for|during|over) )?(?:(?:early|late|mid) )?",
    coming=(
        r"(?:comin[g'’]? up|coming|on the horizon|ahead|upcoming|planned|scheduled|lined up|"
        r"what(?:['’]?s| is) next|on next|in the pipeline|to look forward to|"
        r"happening(?= soon)|booked(?: in)?|to come|due|plans|dates|appointments?|events?|"
        r"schedule|agenda|calendar|diary)"
    ),
    asks_coming=(
        rf"{_SO}(?:what(?:['’]?s|['’]re)?\b|which|any(?:thing)?\b|is (?:there )?any(?:thing)?\b|are there any\b|"
        rf"got any|(?:have|do) {_WE}|show|tell me (?:what|about)|give me|(?:all )?(?:my|our) (?:\w+ )?\w+$)"
    ),
    coming_words=word_set(
        """
        what're whats there's stuff all else got up next soon days left big important like actually should remember know
        """
    ),
    over=(
        r"was|were|went|had|did|saw|met|came|bought|ate|slept|watched|visited|played|worked|talked|finished|cooked|"
        r"cleaned|arrived|returned|spent|passed|died|happened|enjoyed|lost|found|sold|fell|broke|been|ago|last|"
        r"yesterday"
    ),
)


_MORE: Final = r"(?: (?:all|else|again|already|still|ever|so far|exactly|everything|more|anything|something))*"
_ON: Final = "(?:about|on|of|re|regarding|concerning)"
_THAT: Final = (
    rf"(?: (?:what|everything|all|things?|stuff))?(?: that)?(?: (?:i|we|you)(?:['’]ve| have)?{_MORE}"
    rf" \w+(?: (?:to )?you)?)?"
)

ABOUT: Final = AboutPatterns(
    before=_ON,
    asks=(
        (
            rf"what{_MORE} (?:do|can|did|have) (?:you|i|we){_MORE} (?:know|remember|recall|have|tell|told|say"
            rf"|said|mention|mentioned|learned|learnt|got)(?: (?:to )?you)?{_MORE} {_ON} {{whom}}"
        ),
        rf"(?:tell|remind|update|brief|inform)(?: me)?{_MORE}{_THAT} {_ON} {{whom}}",
        rf"(?:run|take|talk|walk) (?:me|us) through{_MORE}{_THAT} {_ON} {{whom}}",
        (
            rf"(?:summari[sz]e|sum up|recap|list|show(?: me)?|give me|collect|gather|repeat)(?: an?| the| quick"
            rf"| short| brief|"
            rf" full)*(?: summary| overview| recap| rundown)?{_MORE}{_THAT}(?: {_ON} (?:what|everything|all)(?: that)?"
            rf" (?:i|we|you)\b(?: [\w'’]+){{0,4}})? {_ON} {{whom}}"
        ),
        (
            rf"(?:do you (?:know|remember|have)|have i (?:told you|mentioned)|did i (?:tell you|mention)|is there|"
            rf"(?:you )?got) (?:anything|something|more|stuff|info(?:rmation)?|notes)(?: \w+)? {_ON} {{whom}}"
        ),
        (
            rf"(?:everything|anything|all|info(?:rmation)?|(?:the )?facts)(?: that)?(?: you (?:know|have|remember)|"
            rf" (?:i|we)(?:['’]ve| have)? \w+(?: you)?)? {_ON} {{whom}}"
        ),
        rf"(?:all (?:the )?)?(?:infos?|information|details|notes) {_ON} {{whom}}",
        r"(?:what|how) about {whom}",
        (
            r"(?:(?:remind|tell) me )?what(?:['’]?s| is| was)(?: all)? (?:new|up|going on|happening|"
            r"the (?:latest|news|story|status|situation|state|deal)) (?:with|at|in|on|of|about|from|for) {whom}"
        ),
        r"(?:any|what) news (?:about|on|from|of) {whom}",
        r"(?:catch me up|(?:bring|get) me up to (?:date|speed)|fill me in|update me) (?:on|with|about) {whom}",
        r"where (?:do|did) (?:we|i|things) stand (?:with|on) {whom}",
        r"what(?:['’]s| is) there to (?:know|say|tell) about {whom}",
        r"what(?:['’]s| is| are) {whom} (?:up to|doing)(?: these days| lately| now)?",
        r"how(?:['’]s| is| are) {whom} (?:doing|going|getting on|coming along)(?: these days| now)?",
        r"(?:sum up|summari[sz]e|recap|outline)(?: for me)? {whom}",
    ),
    lists=(
        (
            r"what(?:['’]?s| is| do (?:i|we) have| have (?:i|we)(?: got)?| did (?:i|we) (?:put|write|add))?"
            r"(?: still| all| left| there| now)* on {whom}(?<=list|otes)"
        ),
        r"(?:show|read|give|list)(?: me| us)?(?: everything| all| what is| what['’]?s)?(?: on)? {whom}(?<=list)",
    ),
    changed=(
        (
            r"what(?:['’]s| has| have|['’]ve)? (?:all )?(?:changed|happened|been (?:happening|going on))(?:"
            r" lately| recently)? (?:at|with|in|to|about|for|on|around) {whom}"
        ),
        r"(?:what|which) (?:are the |were the )?changes (?:at|with|in|to|about|on)? ?{whom}",
        r"what(?:['’]s| is| has)? (?:become|happened) (?:of|to|with) {whom}",
        r"(?:sum up |tell me )?how {whom} (?:went|is going|has gone|goes)",
        r"how (?:has|have|did) {whom} (?:changed?|developed?|come along|gone|go|been going)",
    ),
    who=r"who(?:['’]s| is| was| are| were)(?: again)? {whom}",
)
