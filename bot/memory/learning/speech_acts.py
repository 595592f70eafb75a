"""Tells what a sentence does: states, asks, asks for something, supposes, or is small talk.

Only what a person states about their world is worth keeping as theirs; a question is no evidence for its answer.
An index full of "ok" and "thanks" answers every short question with "ok" and "thanks": small talk is not indexed.
"Remind me where Vera lives" asks for what is remembered; only an errand or a time makes it a reminder.
The patterns of all languages are tried together: people mix languages, and a short sentence may look like none.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.memory.concepts import PEOPLE, find_concept, list_concepts, mend_opening
from bot.memory.learning.kinds import (
    ASKING,
    BY_ORDER,
    LIKELY,
    SURE,
    ReadKinds,
    SentenceKind,
    asks_by_order,
    asks_for_keeping,
    begins_with_verb,
    decide_kind,
    find_asking_word,
    keep_until_read,
    tell_kinds,
    tell_order,
)
from bot.memory.learning.orders import Role
from bot.memory.patterns import compile_bounded, cut_for_rules
from bot.memory.sanitise import clean, remove_hidden
from bot.memory.secrets.redaction import redact
from language import alternatives, detect_languages, languages
from language.analyser import list_possessives
from language.patterns import compile_at_use
from language.sentences import split_sentences
from language.speech import OTHER, OTHER_GREETINGS, Phrases
from language.vocabulary import RELATIVES
from language.words import fold, split_words


class SpeechAct(StrEnum):
    """The act that a sentence performs."""

    STATEMENT = "statement"
    QUESTION = "question"
    REQUEST = "request"
    HYPOTHESIS = "hypothesis"
    SMALLTALK = "smalltalk"


_RECENT: Final = 4096
"""Sentences remembered: the stages of a turn ask about the same few, and questions find the same memories again."""
_LEAST_TOLD: Final = 3
"""Words that tell something behind "did I mention that"."""
_SPEECH: Final = tuple(each.speech for each in languages())


def _compile_any(*sources: str) -> re.Pattern[str]:
    return compile_bounded(alternatives(sources), re.IGNORECASE)


_GREETING: Final = alternatives((*(each.greetings for each in _SPEECH), OTHER_GREETINGS))
_GREETINGS: Final = rf"{_GREETING}(?:[ ,]{{1,2}}{_GREETING})?"
_NAME: Final = rf"(?:\s+(?!{alternatives(each.not_addressed for each in _SPEECH)}(?![\w-]))[\w'’-]+)"
_SUBJECT: Final = rf"{alternatives(each.self_subjects for each in _SPEECH)}\b"
GREETED: Final = _compile_any(
    rf"{_GREETINGS}(?:\s*,{_NAME}\s*[,!]\s*(?={_SUBJECT})"
    rf"|{_NAME}{{0,3}}\s*(?:[:;=]-?[()]{{1,3}}|[,!.…:;–—]|\s-)[,!.…:;–—\s-]*(?=\S+\s+\S)"
    rf"|{_NAME}{{0,2}}\s+(?={_SUBJECT}))"
)
"""A greeting, and whom it greets, before a clause of its own: "hello there, I am Bob", "привет всем, я Боб"."""
ONLY_GREETS: Final = _compile_any(rf"{_GREETINGS}(?:,?{_NAME}{{1,3}})?[\s,!.…)]*")
"""A sentence that greets somebody and says nothing else."""
WONDERS: Final = _compile_any(
    *(each.wondering for each in _SPEECH), *(each.questions.searches for each in languages() if each.questions.searches)
)
"""A question in the form of a statement about who asks: it is answered, and says nothing that it asks about."""
WISHES: Final = _compile_any(*(each.wishes for each in _SPEECH))
"""A request or wish addressed to the assistant, or to everybody: "I want you to …", "let's …", "я хочу, чтобы ты …"."""
_ASKS_WAY: Final = _compile_any(*(each.asks_way for each in _SPEECH if each.asks_way))
_LISTENER: Final = _compile_any(rf"\b{alternatives(each.persons.listener for each in languages())}\b")
_COMMANDS: Final = _compile_any(*(each.commands for each in _SPEECH))
_QUESTIONS: Final = _compile_any(*(each.questions for each in _SPEECH))
_OPENERS: Final = rf"{alternatives(each.openers for each in _SPEECH)}\b"
_ANNOUNCES: Final = alternatives(each.announces for each in _SPEECH)
_NEWS: Final = alternatives(each.tells_as_news for each in _SPEECH)
_OPENING: Final = _compile_any(
    r"^(?:[-–—•*]\s+|\d{1,2}[.)]\s+)?"
    rf"(?:(?:{_OPENERS}|{_ANNOUNCES}(?=\s*[?!,:…–—-]))[,!?.:…\s–—-]*)+(?=\S)"
)
_ANNOUNCED: Final = _compile_any(
    rf"(?:{_OPENERS}[,\s]*){{0,3}}(?:{_ANNOUNCES}|{alternatives(each.riddles for each in _SPEECH)}[^?!.]{{0,80}})"
    r"\s*[?!.…]+\s+(?=\S)"
)
"""A question that nobody is to answer, before what it announces: "guess who got in? me!"."""
_TOLD_AS_NEWS: Final = _compile_any(
    rf"(?:{_OPENERS}[,\s]*){{0,3}}(?:{_ANNOUNCES}\s*[,:…–—-]\s*(?:{_NEWS}\s+)?|{_NEWS}\s+)(?=\S)"
)
"""A question that tells what follows it, unless that asks: "did you know our rabbit is called Bun?"."""
_ASKS_IF_TOLD: Final = _compile_any(
    rf"(?:{_OPENERS}[,\s]*){{0,3}}{alternatives(each.asks_if_told for each in _SPEECH)}\s+(?=\S)"
)
_PLEASE: Final = f"{alternatives(each.please for each in _SPEECH)}?"
_KEEP: Final = _compile_any(
    rf"{_PLEASE}{alternatives(each.keeps for each in _SPEECH)}[,:\s–—-]+"
    rf"{alternatives(each.that for each in _SPEECH)}?(?=\S)"
)
_LISTS: Final = _compile_any(*(each.lists for each in _SPEECH))
_KEEP_BY_QUESTION: Final = _compile_any(*(each.keeps_by_question for each in _SPEECH))
_NOT_KEPT: Final = _compile_any(rf"{alternatives(each.not_kept for each in _SPEECH)}\b")
_NAMED: Final = compile_bounded(r"[^?:\n]{3,200}:\s+\S")
"""What is to be kept and says so behind its name, whatever word that begins with: "who fixed the roof: Barry"."""
_KEPT_WHOLE: Final = _compile_any(rf"[:,–—-]\s*$|{alternatives(each.that for each in _SPEECH)}$")
"""The end of a request to keep that is told from a request to do something with what follows."""
_LONGEST_HALT: Final = 60
_KINDLY: Final = alternatives(each.forgetting.please for each in languages())
_HALTS: Final = compile_bounded(
    rf"(?:{_KINDLY},?\s+)?{alternatives(each.halts for each in _SPEECH)}(?:,?\s+{_KINDLY})?\W{{0,9}}", re.IGNORECASE
)
_PERSONS: Final = frozenset[str]().union(
    *(each.questions.first_person - each.learning.articles | each.questions.refers for each in languages())
)
"""Words for people with which a statement begins, and no order."""
_MINE: Final = frozenset[str]().union(*(each.questions.first_person & each.learning.articles for each in languages()))
_POSSESSIVE: Final = alternatives(sorted(_MINE))
_INVERTED: Final = alternatives(each.self_subjects for each in _SPEECH if each.asks_by_order)
_OWNERS: Final = frozenset(ending.lstrip("'’") for ending in list_possessives()) - {""}
"""Endings by which something is somebody's, written without an apostrophe, as people type."""
_LONGEST_ORDER: Final = 400
"""Characters: who asks to forget something names it briefly."""
_ORDERS: Final = tuple(
    compile_bounded(rf"\A(?:(?:{each.forgetting.please})[,\s]{{1,3}}){{0,2}}(?:{form})", re.IGNORECASE)
    for each in languages()
    for form in (*each.forgetting.orders, *each.forgetting.requests)
)
_FORGETTING: Final = frozenset[str]().union(
    *(each.forgetting.order_words | each.forgetting.sweeping_words for each in languages())
)
_JOINS: Final = alternatives(sorted(frozenset[str]().union(*(each.questions.joins for each in languages()))))
_BEFORE_ORDER: Final = compile_bounded(rf"[,;.!?]\s+(?:{_JOINS}\s+)?", re.IGNORECASE)
_CLAUSES: Final = tuple(each.forgetting.clauses for each in languages())
_COURTESIES: Final = tuple(each.forgetting.please for each in languages())
_COURTESY: Final = _compile_any(rf"[\s,]{{0,3}}(?<!\w){alternatives(_COURTESIES)}(?!\w)")
_NO_OBJECT: Final = compile_bounded(
    rf"\s*(?:\w+\s*)?,(?!\s*{alternatives((*_CLAUSES, *_COURTESIES))}\b)|\s*(?:(?:{alternatives(_COURTESIES)}\s+)?"
    rf"{alternatives(each.forgetting.denials for each in languages())})",
    re.IGNORECASE,
)
"""What "forget it, …" and "don't forget" go on with: nothing that is to be forgotten."""
_PRONOUN: Final = alternatives(sorted(frozenset[str]().union(*(each.questions.refers for each in languages()))))
_THEIRS: Final = alternatives(each.changes.others for each in languages())
_REASON: Final = compile_bounded(rf",\s+(?!{_THEIRS}\b){_PRONOUN}(?:['’]\w+)?\s+\w.{{0,300}}", re.IGNORECASE)
"""The clause behind what is to be forgotten that tells why: ", she found somebody else"."""
_ASKS_MEMORY: Final = _compile_any(_PLEASE + alternatives(each.asks_memory for each in _SPEECH))
_SUPPOSING: Final = _compile_any(rf"{alternatives(each.supposes for each in _SPEECH)}\b")
_CONDITION: Final = _compile_any(rf"{alternatives(each.questions.supposes for each in languages())}\b")
_LEAVES_OPEN: Final = _compile_any(rf"\b{alternatives(each.leaves_open for each in _SPEECH)}(?!\w)")
_SUPPOSITIONS: Final = tuple(phrase for each in _SPEECH for phrase in each.suppositions)
_HEDGES: Final = _compile_any(rf"\b{alternatives(each.hedges for each in _SPEECH)}\b")
_CODE: Final = compile_at_use(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CITED: Final = compile_at_use(r"^[ \t]*>.*$", re.MULTILINE)
_CITES: Final = alternatives(
    pattern for each in languages() for pattern in (each.pasting.said, each.pasting.written) if pattern
)
_HEADED: Final = compile_bounded(
    rf"\s*[^\W\d_](?![^\n:]*\b{_CITES}\b)[^\n:.,;!?/\"“”„«»]{{1,40}}:(?=\s)(?!\s*[\"“„«])", re.IGNORECASE
)
_LONGEST_LIST: Final = 600
"""Characters of a message under a head; a longer one is a document."""
_QUOTED: Final = compile_at_use(
    r"\"[^\"\n]{2,600}+\"|“[^”\n]{2,600}+”|«[^»\n]{2,600}+»|„[^“”\n]{2,600}+[“”]|(?<!\w)'[^'\n]{12,600}+'(?!\w)"
)


@lru_cache(maxsize=_RECENT)
def strip_opening(sentence: str) -> str:
    """Return ``sentence`` without "By the way," and its like, and without "Remember that" before a statement."""
    rest = strip_greeting(sentence)
    asked = _KEEP.match(rest)
    kept = rest[asked.end() :] if asked else rest
    if _NOT_KEPT.match(kept) and not (asked and _NAMED.match(kept)):
        return rest
    return kept.rstrip().removesuffix("?") if asked and _KEEP_BY_QUESTION.match(asked[0]) else kept


@lru_cache(maxsize=_RECENT)
def strip_greeting(sentence: str) -> str:
    """Return ``sentence`` from where its first clause begins, after a greeting and "By the way,"."""
    return _OPENING.sub("", GREETED.sub("", sentence, count=1) if GREETED.match(sentence) else sentence)


OF_SPEAKER: Final = _compile_any(
    rf"(?:{alternatives(each.changes.now for each in languages())}\s+(?:\w+\s+)?)?{_SUBJECT}|"
    rf"(?!\w+ing\b){alternatives(each.changes.implied for each in languages())}(?!\w)(?:\W+\w+){{2}}"
)
"""Begins a sentence about its speaker, with or without what says that something begins: "these days I"; or leaves
that word out and tells what they did: "lost my keys"."""
_ACTS: Final = {
    SentenceKind.CHATTER: SpeechAct.SMALLTALK,
    SentenceKind.QUESTION: SpeechAct.QUESTION,
    SentenceKind.OVERVIEW: SpeechAct.QUESTION,
    SentenceKind.REQUEST: SpeechAct.REQUEST,
    SentenceKind.REMINDER: SpeechAct.REQUEST,
    SentenceKind.REMINDER_CANCEL: SpeechAct.REQUEST,
    SentenceKind.REMINDER_MOVE: SpeechAct.REQUEST,
    SentenceKind.REMINDER_SHOW: SpeechAct.QUESTION,
    SentenceKind.LIST_SHOW: SpeechAct.QUESTION,
    SentenceKind.UNDO: SpeechAct.REQUEST,
}
"""What a sentence without a form of its own does, by its kind."""
_ASKING: Final = tuple(kind for kind, act in _ACTS.items() if act is SpeechAct.QUESTION)
_ASKS_BY_NAMING: Final = 0.9
"""Likelihood from which on a sentence without a mark, a word or an order that asks does so all the same."""
_HARDLY: Final = 0.1
"""Likelihood to want anything below which a sentence without a mark of asking, whatever its form, exclaims or tells."""


@keep_until_read
def classify_speech(sentence: str) -> SpeechAct:
    """Return what one sentence does; what cannot be told is a statement.

    So is what somebody says of themselves, or with a number, however much it looks like chatter: what is none would
    never be found.  So is what tells something in the form of a question: "had the roof mended", "would you believe …".
    """
    if puts_on_list(sentence) or keeps_named(sentence):
        return SpeechAct.STATEMENT
    if (told := _find_announced(sentence)) is None:
        return _classify(sentence, tell_kinds(sentence))
    act = classify_speech(told)
    return SpeechAct.STATEMENT if act is SpeechAct.SMALLTALK else act


@lru_cache(maxsize=_RECENT)
def _find_announced(sentence: str) -> str | None:
    """Return what stands behind words that say that something is told, ``None`` where there are none."""
    if (announced := _ANNOUNCED.match(sentence)) is not None:
        return sentence[announced.end() :]
    news = _TOLD_AS_NEWS.match(sentence)
    return None if news is None else sentence[news.end() :].rstrip(" ?")


@lru_cache(maxsize=_RECENT)
def _classify(sentence: str, kinds: ReadKinds) -> SpeechAct:
    act = _read_form(sentence)
    return _decide(sentence, act, kinds) if kinds else act


_SURELY: Final = 0.85
_CERTAIN: Final = 0.95
"""Likelihood from which on a kind takes back what the form of a sentence says that it asks or orders."""


def _decide(sentence: str, act: SpeechAct, kinds: ReadKinds) -> SpeechAct:
    """Return what a sentence does whose form says ``act``, by how likely it is of each kind."""
    kind = kinds.decide(SURE)
    likely = kinds.measure(*_ASKING) >= SURE or kinds.decide(ASKING) is SentenceKind.QUESTION
    if kind is None and (likely or (kinds.decide(BY_ORDER) in _ASKING and asks_by_order(sentence))):
        kind = SentenceKind.QUESTION
    surely, asks = kinds.decide(_SURELY), act is SpeechAct.QUESTION
    supposes = act is SpeechAct.HYPOTHESIS  # "imagine, my boss has bought a yacht"
    tells = tells_condition(sentence) or ((asks or supposes) and kinds.telling >= SURE)
    if tells or (act is SpeechAct.REQUEST and surely is SentenceKind.FACT):
        return SpeechAct.STATEMENT  # "Book club meets on Thursdays" orders no book
    asking = "?" in sentence or WONDERS.match(strip_opening(sentence.strip())) is not None
    if asks and (asking or kinds.measure(*_ASKING, SentenceKind.REQUEST) >= _HARDLY):
        return SpeechAct.SMALLTALK if surely is SentenceKind.CHATTER else act
    act = SpeechAct.STATEMENT if asks else act  # "does he ever snore, I barely slept"
    comes = kind is SentenceKind.REMINDER and not _orders_surely(sentence)  # "the painter comes on Friday at 6"
    states = kind is SentenceKind.QUESTION and may_tell(sentence) and not _asks_by_naming(sentence, kinds)
    if kind is None or comes or states or act is not SpeechAct.STATEMENT or _HEADED.match(sentence):
        return act
    of_somebody = OF_SPEAKER.match(strip_opening(sentence.strip())) or not PEOPLE.isdisjoint(list_concepts(sentence))
    if kind is SentenceKind.CHATTER and (of_somebody or any(map(str.isdecimal, sentence))):
        return act  # "Dad is worse"
    if kind is SentenceKind.REQUEST and find_asking_word(sentence) is not None:
        return SpeechAct.QUESTION  # of the world, as it looks, which memory may know for all that
    return _ACTS.get(kind, act)


def may_tell(sentence: str) -> bool:
    """Return whether a sentence has no mark and no word that asks: it may tell something, whatever its words are like.

    "Mum in hospital" looks like "Mum's number", which asks by naming.
    """
    asks = find_asking_word(sentence) is not None or begins_with_verb(sentence)
    return not asks and _read_form(sentence) is SpeechAct.STATEMENT


def _asks_by_naming(sentence: str, kinds: ReadKinds) -> bool:
    """Return whether a sentence is all but certain to ask by what it names, "my wifi password", as no Russian one is.

    There whatever has no mark and no word that asks may tell something, elsewhere what begins with a person: "ich".
    """
    asks_by_order = detect_languages(sentence)[0].speech.asks_by_order
    begins = not _PERSONS.isdisjoint(split_words(strip_opening(sentence.strip()))[:1])
    return bool(asks_by_order) and not begins and kinds.measure(SentenceKind.QUESTION) >= _ASKS_BY_NAMING


def _read_form(sentence: str) -> SpeechAct:
    """Return what the form of a sentence says."""
    if is_trivial(sentence) or ONLY_GREETS.fullmatch(sentence.strip()):
        return SpeechAct.SMALLTALK
    plain = strip_opening(remove_hidden(sentence).strip())
    if is_question(plain):
        return SpeechAct.QUESTION
    asks = _COMMANDS.match(plain) or _ASKS_MEMORY.match(plain)
    if asks or asks_to_forget(sentence) or (WISHES.match(plain) and not asks_to_keep(sentence)):
        return SpeechAct.REQUEST
    if (_SUPPOSING.match(plain) or _contains_any(plain, _SUPPOSITIONS)) and not tells_condition(sentence):
        return SpeechAct.HYPOTHESIS
    return SpeechAct.STATEMENT


_ORDERING: Final = (SentenceKind.WISH, SentenceKind.REQUEST, SentenceKind.REMINDER, SentenceKind.FORGET)


def tells_condition(sentence: str) -> bool:
    """Return whether a sentence tells what is so, or is done, on a condition: "wenn es friert, wird nicht geleimt".

    It neither asks nor orders behind the condition; "then I tell her" is no order to tell her.
    """
    plain = strip_opening(sentence.strip())
    condition = _CONDITION.match(plain)
    if condition is None or _LEAVES_OPEN.search(plain) or find_asking_word(plain[condition.end() :]) is not None:
        return False
    if is_question(plain) or _contains_any(plain, _SUPPOSITIONS):
        return False
    ordered = "|".join(map(re.escape, tell_order(sentence).pick(Role.ORDER))) or r"\Z"
    own = re.search(rf"\b(?:{ordered})\s+(?!{_POSSESSIVE}\b){_INVERTED}\b", plain, re.IGNORECASE)
    return own is not None or tell_kinds(sentence).measure(*_ORDERING) < LIKELY


@lru_cache(maxsize=_RECENT)
def is_question(sentence: str) -> bool:
    """Return whether a sentence asks, by its mark or, where people leave that out, by its first words."""
    plain = strip_opening(sentence.strip())
    ending = plain.rstrip("\"'»”). ")
    if ending.endswith("!"):
        return False
    if ending.endswith(("?", "؟", "？")) or WONDERS.match(plain) or _QUESTIONS.match(plain):
        return True
    if (
        len(plain) <= _LONGEST_HALT and find_asking_word(plain) is not None and not list_concepts(plain)
    ):  # "with whom", "and when"
        return True
    return not plain.endswith(".") and _QUESTIONS.match(mend_opening(plain)) is not None


_FAVOURS: Final = tuple(compile_bounded(each.reminders.polite, re.IGNORECASE) for each in languages())
_ENDS_CLAUSE: Final = re.compile(r"[,:;–—]")


def wants_answer(sentence: str) -> bool:
    """Return whether a sentence asks what it wants to know, and not in the form of a question that something be done.

    Nor does what an order says behind it: "what I said of her, drop that".
    """
    plain = strip_opening(sentence.strip()).rstrip("?")
    if _ENDS_CLAUSE.search(plain) or _COURTESY.search(plain):
        return False
    bare = plain[max((favour.end() for each in _FAVOURS if (favour := each.match(plain))), default=0) :]
    return find_asking_word(bare) == 0 or is_question(bare) or asks_by_order(bare)


def _contains_any(sentence: str, phrases: tuple[str, ...]) -> bool:
    """Return whether one of ``phrases``, in small letters, stands in a sentence, not as a part of longer words."""
    folded = sentence.casefold()
    return any(phrase in folded and re.search(rf"\b{phrase}\b", folded) for phrase in phrases)


def tells_again(sentence: str) -> bool:
    """Return whether a question says what it asks for: "did I mention that my locker is number 88?"."""
    asked = _ASKS_IF_TOLD.match(sentence)
    told = sentence[asked.end() :].rstrip(" ?") if asked is not None else ""
    return len(told.split()) >= _LEAST_TOLD and _read_form(told) is SpeechAct.STATEMENT


def asks_memory(sentence: str) -> bool:
    """Return whether a sentence asks to be told something without being a question: "Remind me where Vera lives"."""
    return _ASKS_MEMORY.match(strip_opening(sentence.strip())) is not None and _ANNOUNCED.match(sentence) is None


def asks_to_keep(sentence: str) -> bool:
    """Return whether a sentence asks to keep what it says: "Please remember that the key is with Vera"."""
    return _KEEP.match(strip_greeting(sentence.strip())) is not None


def keeps_named(sentence: str) -> bool:
    """Return whether a sentence asks to keep what answers the question before it: "note what Tina said: no nuts"."""
    rest = strip_greeting(sentence.strip())
    asked = _KEEP.match(rest)
    if asked is None or _NAMED.match(rest, asked.end()) is None:
        return False
    asks = find_asking_word(rest)
    return asks is not None and asks <= asked.end()


@lru_cache(maxsize=_RECENT)
def puts_on_list(sentence: str) -> bool:
    """Return whether a sentence asks to put something on a list: "add milk to the shopping list"."""
    return _LISTS.match(strip_greeting(sentence.strip())) is not None


def asks_the_way(sentence: str) -> bool:
    """Return whether a sentence asks how, or whether, its speaker can do something: it orders nothing."""
    return _ASKS_WAY.match(strip_opening(sentence.strip())) is not None


def addresses_listener(sentence: str) -> bool:
    """Return whether a sentence speaks of whom it is said to."""
    return _LISTENER.search(sentence) is not None


def asks_to_halt(text: str) -> bool:
    """Return whether a message says nothing but to end what is being written: "stop", "хватит"."""
    return len(text) <= _LONGEST_HALT and _HALTS.fullmatch(remove_hidden(text).strip()) is not None


def find_kept(sentence: str) -> str | None:
    """Return the words that a sentence asks to keep, as they stand in it, ``None`` if it does not say what to keep.

    "Remember that the key is with Vera" does; "note the time" may mean anything.
    """
    rest = strip_greeting(sentence.strip())
    asked = _KEEP.match(rest)
    if asked is None or not _KEPT_WHOLE.search(asked[0]):
        return None
    kept = strip_opening(sentence.strip())
    return kept if kept != rest and len(kept.split()) > 1 else None


def asks_to_forget(sentence: str) -> bool:
    """Return whether a sentence asks to forget something: "Forget my old address"."""
    return find_forgotten(sentence) is not None


@keep_until_read
def find_forgotten(sentence: str) -> str | None:
    """Return the words that say what a sentence asks to forget, ``None`` if it does not ask for that.

    Wide: for showing what would go and for learning nothing from it; alone it is no reason to erase anything.
    """
    if decide_kind(sentence, SURE) not in (None, SentenceKind.FORGET) or asks_for_keeping(sentence):
        return None
    plain = strip_greeting(sentence.strip())
    told = (plain[each.end() :] for each in _BEFORE_ORDER.finditer(plain))  # "we changed the lock, forget the code"
    named = _read_order(sentence)
    if named is None and _has_word_of_forgetting(sentence):
        named = next((words for words in map(_read_order, told) if words and list_concepts(words)), None)
    if named is None and decide_kind(sentence, ASKING) is SentenceKind.FORGET:
        return None if _begins_with_person(plain) or wants_answer(sentence) else plain  # "we always forget the code"
    return named


def names_forgetting(sentence: str) -> bool:
    """Return whether a sentence has the form of an order to forget, or is read as one and has a word of it."""
    read = decide_kind(sentence, ASKING) is SentenceKind.FORGET and _has_word_of_forgetting(sentence)
    return read or _read_order(sentence) is not None


def _has_word_of_forgetting(sentence: str) -> bool:
    return not _FORGETTING.isdisjoint(split_words(sentence))


def _begins_with_person(plain: str) -> bool:
    """Return whether a sentence begins with a word for somebody, or with a relative: "I", "my sister", "Grandma".

    What is a relative's begins with none: "Grandma's number".
    """
    if not _PERSONS.isdisjoint(split_words(plain)[:1]):
        return True
    said = [fold(word) for word in plain.split()[:2]]
    relative = "".join(said[_MINE.issuperset(said[:1]) :][:1])
    bare = (relative.removesuffix(end).rstrip("'’") for end in _OWNERS if relative.endswith(end))
    return find_concept(relative) in RELATIVES and not any(find_concept(each) in RELATIVES for each in bare)


@lru_cache(maxsize=_RECENT)
def _read_order(sentence: str) -> str | None:
    plain = strip_greeting(remove_hidden(sentence).strip())
    if len(plain) > _LONGEST_ORDER:
        return None
    for form in _ORDERS:
        if (found := form.match(plain)) is not None and not _NO_OBJECT.match(found["object"]):
            return _COURTESY.sub("", _REASON.sub("", found["object"])).strip(" ,.;:!?–—-")
    return None


def is_hedged(sentence: str) -> bool:
    """Return whether the speaker says that they are not sure."""
    return _HEDGES.search(sentence) is not None


@lru_cache(maxsize=_RECENT)
def keep_own_words(text: str) -> str:
    """Return ``text`` without code blocks and cited lines: what the author says themselves, line ends kept."""
    return _CITED.sub("", _CODE.sub("\n", remove_hidden(text)))


@lru_cache(maxsize=_RECENT)
def list_own_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences that the author of ``text`` says themselves, of as much as rules look at, without secrets.

    One reading for all that is asked of a message: what it states, wishes, asks, wants to be forgotten.
    """
    return split_sentences(keep_own_words(redact(clean(cut_for_rules(text))).text))


@keep_until_read
def find_listed(text: str) -> str | None:
    """Return a whole message that is a list, a recipe or a note under a head, ``None`` for any other.

    Its parts say nothing without their head: "Pancakes: 200 g of flour. Two eggs."
    """
    own = keep_own_words(text)
    if len(own) > _LONGEST_LIST or _HEADED.match(own) is None:
        return None
    acts = [classify_speech(sentence) for sentence in split_sentences(own)]
    stated = acts[0] is SpeechAct.STATEMENT and set(acts) <= {SpeechAct.STATEMENT, SpeechAct.REQUEST}
    return " ".join(own.split()) if stated else None


def remove_quotations(sentence: str) -> str:
    """Return ``sentence`` with quotations taken out: they are somebody else's words."""
    return _QUOTED.sub("…", sentence)


def blank_quotations(sentence: str) -> str:
    """Return ``sentence`` with quotations made unreadable, every other letter in its place."""
    return _QUOTED.sub(lambda quoted: "…" * len(quoted[0]), sentence)


_LENGTHS: Final = (4, 3, 2, 1)
"""Words of a phrase, the longest first."""
_HEAD: Final = 64
"""Characters that mostly hold more than the longest phrase."""
_TALK: Final = (*(each.small_talk for each in languages()), OTHER)
_ONE_WORD: Final = frozenset[str]().union(*(each.words for each in _TALK))
_FILLERS: Final = frozenset[str]().union(*(each.fillers for each in _TALK))
ABOUT_ASSISTANT: Final = Phrases().union(*(each.about_assistant for each in _TALK))
"""Questions about the assistant, as tuples of words."""
_ASKS_ASSISTANT: Final = _compile_any(*(each.asks_assistant for each in _TALK if each.asks_assistant))
_LONGEST_ABOUT: Final = 80
_PARTING: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.partings for each in _TALK if each.partings)}(?!\w)", re.IGNORECASE
)
WELLBEING: Final = Phrases().union(*(each.wellbeing for each in _TALK))
"""Forms of "how are you", as tuples of words."""
_KNOWN: Final = Phrases().union(*(each.phrases for each in _TALK)) | ABOUT_ASSISTANT | WELLBEING


def asks_about_assistant(text: str) -> bool:
    """Return whether a message asks for nothing but what the assistant is or can."""
    plain = text[: _LONGEST_ABOUT + 1].strip().rstrip(" ?!.…")
    return len(plain) <= _LONGEST_ABOUT and _ASKS_ASSISTANT.fullmatch(strip_greeting(plain)) is not None


def says_goodbye(text: str) -> bool:
    """Return whether a message says nothing but good wishes at the end of a talk: "thanks, have a nice evening"."""
    short = len(text) <= _LONGEST_ABOUT and _PARTING.search(text) is not None
    return short and _says_nothing(_PARTING.sub(" ", text))


@lru_cache(maxsize=_RECENT)
def is_trivial(text: str) -> bool:
    """Return whether ``text`` is nothing but greetings, thanks, yes, no, "how are you", whatever its case and emoji.

    Also true for a text without any word ("👍", "?!").
    """
    return asks_about_assistant(text) or _says_nothing(text) or says_goodbye(text)


@lru_cache(maxsize=_RECENT)
def list_telling_sentences(text: str) -> tuple[str, ...]:
    """Return those of :func:`list_own_sentences` that are not trivial."""
    return tuple(each for each in list_own_sentences(text) if not is_trivial(each))


def _says_nothing(text: str) -> bool:
    head = split_words(remove_hidden(text[:_HEAD]))
    if len(head) > _LENGTHS[0] and not _measure_phrase(head, 0):  # no need to read the rest; the last word may be cut
        return False
    said = split_words(remove_hidden(text))
    position = 0
    while position < len(said):
        step = _measure_phrase(said, position)
        if step == 0:
            return False
        position += step
    return True


def find_skip_reason(
    user_text: str, assistant_text: str, *, min_length: int, states_fact: bool, synthetic: bool
) -> str | None:
    """Return why an exchange is not indexed, in words for the log, or ``None`` when it is.

    ``min_length`` in characters, user and assistant together; a stated fact is indexed however short it is.
    """
    if synthetic:
        return "synthetic answer"
    if not remove_hidden(assistant_text).strip():
        return "empty answer"
    if is_trivial(user_text):
        return "greeting or acknowledgement"
    length = len(user_text.strip()) + len(assistant_text.strip())
    if length < min_length and not states_fact:
        return f"shorter than {min_length} characters"
    return None


def contains_phrase(text: str, phrases: frozenset[tuple[str, ...]]) -> bool:
    """Return whether one of ``phrases`` stands in ``text``, which is trivial."""
    said = split_words(remove_hidden(text))
    return any(said[start : start + length] in phrases for start in range(len(said)) for length in _LENGTHS)


def _measure_phrase(said: tuple[str, ...], position: int) -> int:
    """Return how many words from ``position`` on say nothing; a filler counts only after another such word."""
    for length in _LENGTHS:
        if said[position : position + length] in _KNOWN:
            return length
    if said[position] in _ONE_WORD or (position > 0 and said[position] in _FILLERS):
        return 1
    return 0


_SENTENCES: Final = 50
_SENTENCE: Final = 300
"""Characters of a sentence that are looked at: who asks for a reminder says so at its beginning."""
_BREAKS: Final = compile_at_use(r"[.!?;\n]")

_PATTERNS: Final = tuple(
    compile_at_use(f"{each.reminders.polite}(?:{request})", re.IGNORECASE)
    for each in languages()
    for request in each.reminders.requests
)


def _compile_managing(sources: Iterable[str]) -> re.Pattern[str]:
    asked = rf"(?:{_KINDLY},?\s+)?{alternatives(sources)}(?:,?\s+{_KINDLY})?\W{{0,9}}"
    return compile_bounded(asked, re.IGNORECASE)


_MANAGES: Final = _compile_managing(each.reminders.manages for each in languages())
_MAY_MANAGE: Final = _compile_managing(each.reminders.may_manage for each in languages())


def manages_reminders(text: str, *, any_set: bool) -> bool:
    """Return whether a message is nothing but a question or an order about reminders that were set.

    Where ``any_set`` is false, words that mean memories as well are not about reminders.
    """
    said = strip_greeting(text.strip())
    forms = (_MANAGES, _MAY_MANAGE) if any_set else (_MANAGES,)
    return len(text) <= _SENTENCE and any(form.fullmatch(said) for form in forms)


@keep_until_read
def wants_reminder(text: str) -> bool:
    """Return whether a sentence of the text asks for a reminder, an alarm or a timer.

    One that is only likely to must have the form of an order: an event with its time orders nothing.
    """
    said = tuple(each for each in list_own_sentences(text) if not (puts_on_list(each) or tells_condition(each)))
    likely = [sentence for sentence in said if decide_kind(sentence) is SentenceKind.REMINDER]
    if any(_orders_surely(each) or _read_form(each) is SpeechAct.REQUEST for each in likely):
        return True
    told = bool(said) and all(
        decide_kind(sentence, SURE) is not None or decide_kind(sentence) in _ASKING for sentence in said
    )
    return not told and _asks_for_reminder(text)


def _orders_surely(sentence: str) -> bool:
    """Return whether a sentence surely asks for a reminder: more surely where no word is read that orders it."""
    return tell_kinds(sentence).decide(SURE if tell_order(sentence).pick(Role.ORDER) else _CERTAIN) is not None


@lru_cache(maxsize=_RECENT)
def _asks_for_reminder(text: str) -> bool:
    sentences = (sentence.strip(" \t\"'«»—-")[:_SENTENCE] for sentence in _BREAKS.split(text[: _SENTENCES * _SENTENCE]))
    looked_at = [sentence for sentence in sentences if sentence][:_SENTENCES]
    return any(pattern.match(sentence) for sentence in looked_at for pattern in _PATTERNS)
