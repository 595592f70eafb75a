"""How lists are kept in English."""

from __future__ import annotations

from typing import Final

from language.lists import ListWords, read_pairs
from language.words import word_set

LISTS: Final = ListWords(
    on_it=r"on (?:it|there)",
    asks_if=r"is|are|isn['’]?t|aren['’]?t|does|do",
    named={
        "shopping": (
            r"(?:shopping|grocery|groceries|food|supermarket|buying)[ -]lists?|things to buy|"
            r"(?:shopping|groceries|to buy)(?= ?[:–-])|(?<=\bto )shopping(?=\W{0,9}\Z)"
        ),
        "todo": (
            r"(?:to[- ]?dos?|tasks?|chores?|jobs?)[ -]lists?|to-?dos?|things to do|\Ato do|(?:my|me|our) "
            r"(?:to do|jobs)(?= for\b|\W{0,9}\Z)|\A(?:(?:new|next|another|one more) )?(?:task|chore)(?= ?[:–-] )|"
            r"(?:(?<=what )|(?<=which ))(?:tasks|chores)"
        ),
        "packing": r"(?:packing|luggage|suitcase)[ -]lists?|things to pack|(?<=\bto )packing(?=\W{0,9}\Z)",
    },
    other=(
        r"(?P<name>(?:(?!(?:the|an?|my|our|your|his|her|their|this|that|which|what|any|every|each|no|on|onto|to|off|"
        r"from|in|into|of|for|with|and|or|is|are|was|put|add|show|read|give|tell|see|me|us|whole|full|entire|new|old|"
        r"shared|same|list)\b)[\w'’-]+ ){0,3})lists?|"
        r"(?:(?<=the )|(?<=our )|(?<=my ))(?P<itself>order|basket|cart|trolley)(?! of\b)"
    ),
    onto=r"(?:onto|to) (?:the|my|our) (?:[\w'’-]+ ){0,3}lists?",
    called=("{} list",),
    behind=r"(?P<by>for )(?:the |my |our )?(?P<name>(?!(?:me|us|today|tomorrow|now|later)\b)[\w'’-]+)",
    joins=r"and|n|plus|as well as|or",
    points=r"the|those|them",
    articles=word_set("a an the some any my our your his her their those these that this more another few ones"),
    measures=word_set(
        """
        l litre litres liter liters ml kilo kilos kg g gram grams pound pounds lb ounce ounces oz pint pints gallon bag
        bags bottle bottles can cans tin tins box boxes pack packs packet packets dozen bunch bunches jar jars loaf
        loaves carton cartons crate crates tube tubes roll rolls slice slices piece pieces couple
        """
    ),
    frames=word_set(
        """
        rather mind go goes clean put them em those me while at would please pls plz kindly thanks thank you ta cheers
        can could will should must gotta gonna have has had got i i'd i'll i'm i've we we'd we'll we're we've he she
        it's its they it us let's lets also too as well and plus then now still just ok okay oh so hey hi actually yes
        yeah on onto to into in down up off of for from there here with again is are be being the a an my our your some
        any more another few don't dont do forget remember out running run low ran almost nearly all gone sure make
        under by way that this these else even only instead though
        """
    ),
    several=r"lists",
    makes=word_set("start begin create open make new list"),
    puts=word_set(
        "add put stick pop adding putting sticking popping writing write chuck note jot enter append include throw"
    ),
    buys=word_set("buying needing buy get grab pick fetch need needs needed want wanted order purchase bring"),
    needed_by_others=r"needs",
    tasks=(
        r"(?:call|ring|phone|email|mail|text|write|send|post|pay|book|cancel|renew|return|fix|repair|clean|wash|hoover|"
        r"vacuum|iron|mow|water|feed|walk|take|collect|drop|finish|prepare|sort|tidy|file|submit|fill|sign|print|"
        r"check|change|replace|update|install|paint|move|ask|tell|visit|meet|go|see|make|do|find|look|plan|register|"
        r"apply|study|learn|read|practise|practice|charge|back|empty|defrost|talk|reply|answer|organi[sz]e) \S.*"
    ),
    done=(
        r"bought|got|gotten|done|finished|sorted|tick(?:ed)?(?: off)?|check(?:ed)? off|cross(?:ed)?(?: off)?|picked "
        r"up|fetched|grabbed|ordered|packed|paid|in the (?:bag|basket|trolley|cart)|completed?|mark(?:ed)?"
    ),
    ticks=r"tick(?:ed)?(?: off)?|check(?:ed)? off|cross(?:ed)?(?: off)?",
    past=r"\w{2,}ed|went|made|took|wrote|sent|paid|rang|did|found|fed|saw|met|told|read|brought",
    deeds=read_pairs(
        """
        went/go made/make took/take wrote/write written/write sent/send paid/pay rang/ring did/do done/do
        found/find fed/feed met/meet told/tell brought/bring spoke/speak spoken/speak gave/give given/give
        got/get bought/buy swept/sweep hung/hang kept/keep lent/lend built/build drove/drive sold/sell
        sewed/sew threw/throw thrown/throw caught/catch chose/choose chosen/choose swam/swim ran/run won/win
        woke/wake dug/dig bent/bend taught/teach thought/think drew/draw drawn/draw taken/take stuck/stick
        """
    ),
    removes=(
        r"strike|struck|removed?|(?:take|took|taken)(?=(?: \S+){0,6} (?:off|from|out of)\b)|deleted?|scratch|scrap|"
        r"drop|ditch|(?:come|comes|came) off|off again|don['’]?t (?:\w+ )?(?:need|want)|do not (?:need|want)|"
        r"no longer (?:need\w*|want\w*)|after all|any ?more|get(?:ting)? rid of|no need for|never ?mind|"
        r"(?:we|i)(?:['’]ve| have)? got(?= .{1,40} (?:at home|in the (?:fridge|cupboard|freezer)))|"
        r"still (?:have|got)(?! no)|skip|(?:\A|(?:oh|no|nah|nope|wait|sorry|actually|but)\W{1,3})not"
    ),
    empties=word_set("clear empty wipe delete erase remove scrap bin trash dump discard ditch drop reset"),
    whole=word_set("whole entire complete completely full"),
    returns=(
        r"(?:put|stick|pop|chuck|add|bring|get|have|want|need)\s+(?P<thing>.{1,80}?)\s+back(?:\s+(?:on|onto|it|there|the|my|our))*",
        r"(?:bring back|put back(?: on)?|restore|un-?tick|re-?open)\s+(?P<thing>.{1,80}?)",
    ),
    denies=word_set("no nope nah not never none skip drop lose cancel"),
    open=(
        r"not|n['’]t|\w+n['’]t|never|no|will|['’]ll|would|should|could|must|may|might|if|when|unless|need(?:s|ed)?|"
        r"want(?:s|ed)?|going to|gonna|have to|has to|had to|let['’]?s|please|tomorrow|later|soon|forgot|forget|"
        r"almost|nearly"
    ),
    everything=r"everything|all|the (?:whole )?(?:lot|rest)",
    but=r"but|except(?: for)?|apart from|besides|other than|minus",
    left=r"left|missing|remaining|open|outstanding|(?<!did i )(?<!did we )(?:buy|get|need|pack)|everything|to do",
    asks=word_set(
        """
        things tasks chores items what what's whats which who who's how many much show read tell give see list lists
        left open remaining missing does did has have was were been already yet anyone anybody someone somebody there's
        there buy get got need everything anything something nothing bought still stand stands do shall should put pack
        to according going
        """
    ),
    follows=word_set("also too and plus oh another"),
    swaps=(
        r"(?:instead of|rather than) (?P<both>.{1,80})",
        r"(?:make|swap|replace|change|trade) (?P<old>.{1,40}?) (?:into|for|with|by|to) (?P<new>.{1,40})",
        (
            r"(?:no|not|lose|skip|scrap|drop|forget) (?P<old>.{1,40}?),? (?:but|rather|(?:and )?(?:get|buy)) "
            r"(?P<new>.{1,40}?)(?: instead)?"
        ),
    ),
    takes=word_set("drop remove delete strike scratch scrap ditch skip lose cross take off"),
    lands=word_set("on"),
    hands=word_set("bung lob whack plonk"),
    unneeded=r"(?:don['’]?t|do not|no longer) (?:\w+ )?(?:need|want)|get(?:ting)? rid of|no need for",
    turns=r"but",
    instead=r"instead",
)
