"""What questions ask for, and what tells that a statement or a passage answers them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPatterns:
    """The questions of one language.

    Patterns match in either case, except inside ``(?-i:…)``; word sets are case-folded.  A question asks for the first
    kind of thing whose pattern stands in it: ``place``, ``time``, ``number``, ``person``, ``reason``, ``yes_no``.
    """

    place: str = ""
    """Words that ask for a place; between word borders, as all patterns up to ``reason``."""
    searches: str = ""
    """Beginnings of sentences of somebody who looks for something of theirs, and asks with it where that is."""
    time: str = ""
    number: str = ""
    hour: str = ""
    """Pattern of those questions for a time that a day alone does not answer: "what time"."""
    amount: str = ""
    """Pattern of those for a number that no time or day answers: "how much", "how long"."""
    person: str = ""
    gathering: str = ""
    """Pattern of how a question for all who come to something begins, in small letters: "who is coming"."""
    naming: str = ""
    """Says, in a question as in its answer, what somebody or something is called; for small letters."""
    reason: str = ""
    yes_no: str = ""
    """Pattern of a question that is answered by yes or no; it says itself where it stands."""
    place_words: frozenset[str] = frozenset()
    """Words that only say that a place is asked for, so that an answer need not share them: "city"."""
    time_words: frozenset[str] = frozenset()
    person_words: frozenset[str] = frozenset()
    number_words: frozenset[str] = frozenset()
    which: str = ""
    """Words before the kind of thing that is asked for, at the beginning: "which" of "which book did I read"."""
    no_kind: str = ""
    """Words after ``which`` that name no kind of thing: "is"."""
    about_asker: str = ""
    """Pattern that asks, wherever it stands, for all that is known about the asker: "about me"."""
    before_subject: str = ""
    """Pattern of verbs right behind which a question names whom it is about: "does"."""
    demonstratives: str = ""
    """Pattern of words that stand for somebody named before where such a verb follows them: "der" in "der kommt"."""
    own_name: str = ""
    """Pattern, from the beginning, of a question for the asker's own name: "what is my name"."""
    occupation: str = ""
    """Pattern, from the beginning, of a question for somebody's work that has no word for it: "what does Max do"."""
    occupied: frozenset[str] = frozenset()
    """Words of such a question that an answer need not share: "living" of "what does Max do for a living"."""
    first_person: frozenset[str] = frozenset()
    """Words that mean another person in another mouth: "I", "my", "we"."""
    asker: frozenset[str] = frozenset()
    """Those of them that mean the asker alone: "I", "me"."""
    together: frozenset[str] = frozenset()
    """Those of them that may mean others of a chat as well: "we", "our"."""
    again: str = ""
    """Pattern of words by which is asked what was told before: "when was the viewing again"."""
    sums: str = ""
    """Pattern of words that ask for a sum of what was told: "altogether", "in total"."""
    until: str = ""
    """Pattern of words that ask the same beside ``paying`` alone: "so far"."""
    spending: str = ""
    """Pattern of those of ``paying`` that ask for all that was paid, be it in several parts: "spent on"."""
    bought_for: str = ""
    """Word before the price of what was bought: "grips for 18.50"."""
    was: str = ""
    """Pattern of words between a thing and what it came to, where no word says that this is money: "were"."""
    refunds: str = ""
    """Pattern of words that say that what was paid came back: "refunded"."""
    earning: str = ""
    """Pattern of those that say of money that it came in: "earned"."""
    owed: str = ""
    """Pattern that says of its subject that others owe it: "am I owed"."""
    along: str = ""
    """Pattern of words that join what is added up, beside ``joins``: "with"."""
    numbered: str = ""
    """Pattern of words before a number that is no amount: "size"."""
    wide: str = ""
    """Pattern of the last parts of words that name all kinds of things for something: "Gartensachen"."""
    paying: str = ""
    """Pattern of verbs that every amount implies, so that a part of a sum need not share them: "spent"."""
    priced: str = ""
    """Pattern between how many there are and what one of them costs, or when they are: "72 tickets at 2.50"."""
    shares: str = ""
    """Pattern of what stands there before a price alone: "je"."""
    thousands: str = ""
    """Pattern of the letter right behind figures that stands for thousands."""
    apiece: str = ""
    """Pattern of words behind a price that is each one's: "each"."""
    prices: str = ""
    """Pattern of words that ask for the price of one thing: "costs"."""
    trades: str = ""
    """Pattern of verbs of sentences in which such a number is a price, and no hour: "sold"."""
    begins: str = ""
    """Pattern of how a question begins."""
    joins: frozenset[str] = frozenset()
    """Words that join two questions in one sentence: "and"."""
    too: frozenset[str] = frozenset()
    """Words that may stand behind those: "also"."""
    continues: str = ""
    """Pattern of how a question begins after ``joins``."""
    listed: str = ""
    """Pattern of how one begins after a mere comma, where most question words begin a clause of the one before."""
    who: str = ""
    """Question words after which a verb and ``determined`` go on about the same: "who is … and was my …"."""
    supposes: str = ""
    """Words that begin a clause which a question follows: "when", "if"."""
    refers: frozenset[str] = frozenset()
    """Words that stand for somebody named before: "she", "her"."""
    points: str = ""
    """Pattern of other words that point at what was said before: "that"."""
    he: frozenset[str] = frozenset()
    """Those of ``refers`` that can mean a man, and those that can mean a woman; the others mean a thing, or several."""
    she: frozenset[str] = frozenset()
    theirs: frozenset[str] = frozenset()
    """Those that can say whose the thing behind them is: "her"."""
    earlier: str = ""
    """Pattern of a whole question for what was so before what was just answered: "and before that"."""
    anew: str = ""
    """Pattern of a whole question that asks once more what was asked last: "and now"."""
    formerly: str = ""
    """The word that such a question ends with where it says the whole: "previously"."""
    sources: str = ""
    """Pattern of a whole question for what the last answer is based on: "how do you know that"."""
    turns_to: str = ""
    """Pattern of what stands before a name alone that asks the same of somebody else: "what about"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrogatives:
    """The question words of one language.  All patterns are of small letters and stand between word borders."""

    when: str = ""
    """Begins a question that is answered by a time: "when", "which month", "how long"."""
    how_many: str = ""
    """Asks for a number, wherever it stands."""
    named: str = ""
    """Asks for what has a name, wherever it stands: "where", "who", "which", "what book"."""
    why: str = ""
    """Asks for a reason or a feeling, wherever it stands."""
    several: str = ""
    """Asks for what was told piece by piece, wherever it stands: "how many", "has"."""
    several_begin: str = ""
    """The same, at the beginning of a question: "which books does"."""
    advice: str = ""
    """Asks for help or advice, wherever it stands: "how should I", "help me"."""
    advice_begin: str = ""
    """The same, at the beginning of a message: "could you", "explain"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Persons:
    """The persons of one language.  Fields that say "as written" are patterns that tell capitals apart."""

    asker: str = ""
    """Words by which an asker means themselves, as written: "I", "my"."""
    speakers: str = ""
    """Words by which a speaker means themselves and theirs, as written: "I", "my", "we"."""
    first_person: frozenset[str] = frozenset()
    """All words of the first person, in small letters: they mean another person in another mouth."""
    turned: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Possessives of the first person → the form by which whoever said it is spoken to: "my" → "your"."""
    listener: str = ""
    """Words by which an asker means who is asked: "you", "your"."""
    asks_what_was_answered: str = ""
    """Pattern of a question for what the assistant said before: "what did you recommend", "remind me"."""
    asks_what_was_told: str = ""
    """Pattern of a question for what the asker said, as written: "did I tell you"."""
    asks_what_was_done: str = ""
    """Pattern, from the beginning, of a question for what the assistant did: "which hotel did you find"."""
    together: str = ""
    """Words that join two names so that the question is about both: "both", "and"."""
    name_vowels: str = ""
    """Letters that a name loses before the ending of a case; "" where names are not declined.

    A declined name is written with the language's own ``letters``.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """The cues of one language.  All patterns are of small letters and stand between word borders."""

    number: str = ""
    """Numbers in words: they answer "how many"."""
    reason: str = ""
    """What gives a reason or a feeling: it answers "why"."""
    news: str = ""
    """What tells of something new: what somebody has done so far is told piece by piece, each when it was news."""
    wish: str = ""
    """What says how somebody wants things done, or what they would rather have: it guides advice."""
    wish_begin: str = ""
    """The same where a sentence begins: "always", "never"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPatterns:
    """How the statements of one language answer.  Patterns match in either case, except inside ``(?-i:…)``."""

    place: str = ""
    """Pattern of what names a place: "in Porto"; as those up to ``reason`` it says itself where words end."""
    time: str = ""
    number: str = ""
    reason: str = ""
    no_names: frozenset[str] = frozenset()
    """Words, as written, that have a capital and name nobody: "I"."""
    owner: frozenset[str] = frozenset()
    """Prepositions before whose something is: "of"."""
    inside: frozenset[str] = frozenset()
    """Words behind which a name is a place's, and nobody's: "in"."""
    before_nouns: frozenset[str] = frozenset()
    """Words behind which a capital, or an adjective and a capital, is no sign of a name; empty where it always is."""
    noun_ending: str = ""
    """Pattern of the end of words that have a capital and are no names: "ung"."""
    adjective: str = ""
    """Pattern of an adjective as it stands before a noun: "kleine"."""
    introduces: str = ""
    """Pattern by which somebody says their own name: "my name is"."""
    is_called: str = ""
    """Pattern of a whole sentence, as written, that most probably says the speaker's name: "I'm Sam"."""
    is_a: str = ""
    """Pattern by which somebody most probably says their occupation: "I'm a baker"."""
    is_one: str = ""
    """The same of somebody else: "she is a baker"."""
    age: str = ""
    """Pattern by which an age is told without a word for it: "Tom is 40"."""
    near: str = ""
    """Words, or their beginnings, one of which stands in everything that one of ``aliases`` matches: "my"."""
    aliases: tuple[str, ...] = ()
    """Patterns, as written, of a relation and a name for the same person (``kin``, ``name``): "my sister Vera"."""
    oblique: str = ""
    """Pattern of a relative's word in a case of which no subject is; "" where the form does not tell."""
    there: frozenset[str] = frozenset()
    """Words that begin a sentence about the place that the one before named, or what it told: "there"."""
    alone: str = ""
    """Pattern of how a sentence begins that such a word begins, and that needs none before it: "there is"."""
    unnamed: str = ""
    """Pattern of how a sentence begins that tells what was done to a thing by whomever: "they changed the"."""
    several: str = ""
    """Pattern of those whom "they" stands for: "my parents", "Ann and Ben"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldPatterns:
    """Questions for what was said at a time, or what a day brings, whatever it is.

    All patterns stand for whole sentences.
    """

    asks: tuple[str, ...] = ()
    """Patterns with ``{when}``: "what did I tell you {when}"."""
    last: str = ""
    """Pattern of a question for the newest of all: "what did I tell you last"."""
    spans: Mapping[str, tuple[str, int]] = field(default_factory=dict, hash=False)
    """Pattern of a time → ``day``, ``week``, ``weekend``, ``month`` or ``year``, and how many of them it is ago."""
    ahead: str = ""
    """Pattern of the time to come that ``{unit}`` measures: "the next {count} {unit}", ``{count}`` any word or none."""
    units: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Patterns of its units → days."""
    since: str = ""
    """Pattern of words before the beginning of a time that lasts until now: "since the start of"."""
    whole: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Patterns of times behind ``since`` that name no more than their unit ("the year") → its name in ``spans``."""
    in_month: str = ""
    """Pattern of words before a month, blank behind them included: "in "."""
    weekday: str = ""
    """Pattern of a day of the week that is over, with ``{weekday}``: "on Monday"."""
    plans: tuple[str, ...] = ()
    """Patterns with ``{when}`` of questions for what is to come: "what have I got {when}"."""
    coming: str = ""
    """Pattern of words for what is to come: "ahead", "in the diary"; without one of them no question is for that."""
    asks_coming: str = ""
    """Pattern of what such a question begins with: "what", "anything"."""
    coming_words: frozenset[str] = frozenset()
    """All words that stand in such a question beside those for what is to come: who says more asks for more."""
    over: str = ""
    """Words by which a sentence tells of what has been, whatever day it names: "went", "last"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutPatterns:
    """Questions for all that was told of somebody or something, which ``{whom}`` stands for.

    All patterns stand for whole sentences without their mark and match in either case.
    """

    asks: tuple[str, ...] = ()
    """Ask for everything: "what do you know about {whom}", "catch me up on {whom}"."""
    before: str = ""
    """Words before the subject: "about"."""
    lists: tuple[str, ...] = ()
    """Ask for what stands on a list: "what's on my {whom}"."""
    changed: tuple[str, ...] = ()
    """Ask what became of it: "what changed at {whom}"."""
    who: str = ""
    """Asks who somebody with a name is: "who is {whom}"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPatterns:
    """The patterns of one language.  Each stands between word borders, matches in either case and is bounded."""

    order: str = ""
    """Asks for the order in which things happened: "in what order"."""
    change: str = ""
    """Asks what became of something: "what has changed about"."""
    summary: str = ""
    """Asks for a summary: "sum up"."""
    decisions: str = ""
    """Asks what those who talk here have decided; it names them: "what did we decide"."""
    everything: str = ""
    """Asks for all that is remembered: "everything I told"."""
    shared: str = ""
    """Says that a question is about those who talk here or what they said: "my", "we"."""
    advice: str = ""
    """Makes a question one for advice or general truth in spite of that: "should I"."""
    given: str = ""
    """Says that what is to be summed up comes with the message: "the following text"."""
    asks: str = ""
    """Beginnings of requests that are for nothing else: "walk me through"."""
    talk: frozenset[str] = frozenset()
    """Words for talking and for time that no such question is about: "told", "conversations"."""
