"""Finds what a person states in a text, one fact a sentence at most, and makes items of it: by rules, without a model.

Only the author's own statements count.  Questions, requests, suppositions, quotations and code say nothing about the
author's world.  The content of an item is the sentence as it was said: the rules may misread it, the reader need not.
"""

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from bot.memory.concepts import PEOPLE, find_concept, list_concepts
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.learning.kinds import SURE, SentenceKind, decide_kind, keep_until_read, tell_kinds
from bot.memory.learning.speech_acts import (
    SpeechAct,
    classify_speech,
    find_kept,
    find_listed,
    is_hedged,
    list_own_sentences,
    may_tell,
    remove_quotations,
    strip_opening,
)
from bot.memory.learning.wishes import WISH, WITHDRAWAL, Wish, WishKind, find_wishes
from bot.memory.patterns import compile_bounded
from bot.memory.sanitise import flatten
from bot.memory.secrets.redaction import is_redacted, redact
from language import alternatives, detect_languages, languages
from language.analyser import list_possessives
from language.language import Language
from language.learning import Learning
from language.words import split_exactly, split_words

_MOST_FACTS: Final = 20
"""Of one message: what says more is a document, and documents are searched, not itemised."""
_RECENT: Final = 64
"""Texts remembered: the stages of a turn ask about the same few one after the other."""
_LONGEST: Final = 600
_TITLE: Final = 60
DAY_S: Final = 86_400
"""Seconds in a day: tasks and results grow old by the clock of their writing."""
_LANGUAGES: Final = languages()
_LEARNING: Final = tuple(each.learning for each in _LANGUAGES)
_MINE: Final = frozenset[str]().union(*(each.mine for each in _LEARNING))
_PRONOUNS: Final = frozenset[str]().union(*(each.pronouns for each in _LEARNING))
_ARTICLES: Final = frozenset[str]().union(*(each.articles for each in _LEARNING))
_NO_NAMES: Final = frozenset[str]().union(*(each.answers.no_names for each in _LANGUAGES))
_OPINION: Final = compile_bounded(
    rf"{alternatives(each.opinions for each in _LEARNING)}[,\s]+"
    rf"{alternatives(each.speech.that for each in _LANGUAGES)}?",
    re.IGNORECASE,
)
_VAGUE: Final = compile_bounded(alternatives(each.vague for each in _LEARNING), re.IGNORECASE)
_PASSING: Final = compile_bounded(rf"\b{alternatives(each.passing for each in _LEARNING)}\b", re.IGNORECASE)
_AS_REQUEST: Final = frozenset({ItemType.TASK, ItemType.CONSTRAINT, ItemType.DECISION})
"""What may be said as a request: "don't forget to …", "please never …", "давай использовать …"."""
_STANDING: Final = frozenset({ItemType.CONSTRAINT, ItemType.PREFERENCE})
"""Facts that may be wishes at the same time."""
_GROUP: Final = re.compile(r"\(\?P<(who|what|how)>")


@dataclass(frozen=True, slots=True)
class Rule:
    """What kind of memory a sentence makes; ``relation`` keys it, "" lets many with the same subject hold."""

    type: ItemType
    layer: Layer
    relation: str = ""
    salience: float = 0.5
    confidence: float = 0.8
    ttl_s: int | None = None


_WEEK_S: Final = 7 * DAY_S
FORMS: Final[Mapping[str, Rule]] = {
    # tasks come first: "remember to" and "don't forget to" would otherwise read as orders
    "errand": Rule(ItemType.TASK, Layer.WORKING, salience=0.7, ttl_s=2 * _WEEK_S),
    "duty": Rule(ItemType.TASK, Layer.WORKING, salience=0.6, ttl_s=2 * _WEEK_S),
    "decision": Rule(ItemType.DECISION, Layer.SEMANTIC, salience=0.75, confidence=0.85),
    "failure": Rule(ItemType.FAILURE, Layer.EPISODIC, salience=0.6),
    "diet": Rule(ItemType.CONSTRAINT, Layer.SEMANTIC, salience=0.9, confidence=0.9),
    "order": Rule(ItemType.CONSTRAINT, Layer.PROCEDURAL, salience=0.7),
    "favourite": Rule(ItemType.PREFERENCE, Layer.SEMANTIC, "is", 0.7, 0.9),
    "taste": Rule(ItemType.PREFERENCE, Layer.SEMANTIC, "like", 0.7, 0.9),
    "taste_of_others": Rule(ItemType.PREFERENCE, Layer.SEMANTIC, "like", 0.6),
    "live": Rule(ItemType.FACT, Layer.SEMANTIC, "live", 0.75, 0.9),
    "work": Rule(ItemType.FACT, Layer.SEMANTIC, "work", 0.7, 0.9),
    "birth": Rule(ItemType.FACT, Layer.SEMANTIC, "birth", 0.75, 0.9),
    "age": Rule(ItemType.FACT, Layer.SEMANTIC, "age", 0.6, 0.9),
    "name": Rule(ItemType.FACT, Layer.SEMANTIC, "name", 0.85, 0.9),
    "marry": Rule(ItemType.FACT, Layer.SEMANTIC, "marry", 0.7, 0.85),
    "study": Rule(ItemType.FACT, Layer.SEMANTIC, "study", 0.6),
    "is": Rule(ItemType.FACT, Layer.SEMANTIC, "is", 0.6, 0.8),
}
"""From the telling to the general, in the order in which they are tried: the first that matches makes the item."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement: its sentence verbatim, the rule it matched, whom it is about.

    ``key`` is equal for statements of which only the latest can hold ("sister vera|live"), "" when many can.
    ``own`` says that it is about the speaker or those they call "my": it means another thing in another mouth;
    ``passing`` that it holds for a day or so ("is tired today").
    """

    sentence: str
    rule: Rule
    subject: str
    key: str
    title: str
    own: bool
    passing: bool
    confidence: float


def _compile_forms(each: Language) -> tuple[tuple[re.Pattern[str], Rule], ...]:
    """Return the patterns of a language with what each makes, in order.

    A group may be named several times in a form, ``re`` allows it once: they are numbered here.
    """
    number, rules = itertools.count(), each.learning.rules
    joined = {form: _GROUP.sub(lambda group: f"(?P<{group[1]}{next(number)}>", rules[form]) for form in rules}
    return tuple((compile_bounded(joined[form], re.IGNORECASE), rule) for form, rule in FORMS.items() if form in rules)


def _compile_subject(learning: Learning) -> re.Pattern[str]:
    """Return the pattern of whom a sentence is about, where it begins: "I", "she", "my sister", a name."""
    own = learning.mine & learning.articles
    alone, owned = (alternatives(sorted(words)) for words in (learning.pronouns | (learning.mine - own), own))
    who = alternatives((rf"{alone}\b", rf"{owned}\s+[\w'’-]+", learning.name))
    return compile_bounded(rf"(?P<who>{who})", re.IGNORECASE)


_ANYTHING: Final = re.compile(r".+", re.DOTALL)
_KEPT: Final = Rule(ItemType.FACT, Layer.SEMANTIC, salience=0.7, confidence=0.9)
"""For what somebody asks to keep and no form is of: it is kept as it was said."""
_TOLD: Final = Rule(ItemType.FACT, Layer.SEMANTIC, confidence=0.7)
"""For what is told by its meaning, in whatever words."""
_TELLING: Final = 0.4
"""From this probability on a statement tells something: 116 of 136 new facts do, 2 of 102 of chatter."""
_ASKED: Final = SpeechAct.QUESTION
_NO_FACTS: Final = frozenset(
    {SentenceKind.CHATTER, SentenceKind.QUESTION, SentenceKind.OVERVIEW, SentenceKind.REQUEST, SentenceKind.FORGET}
)
"""Kinds that tell nothing, whatever rule they match."""
PATTERNS: Final = {each.code: _compile_forms(each) for each in _LANGUAGES}
"""By the code of the language, in the order in which they are tried."""
_SUBJECTS: Final = {each.code: _compile_subject(each.learning) for each in _LANGUAGES}


@keep_until_read
def states_fact(text: str) -> bool:
    """Return whether ``text`` tells something about the world: then it is kept, however short it is.

    Wider than :func:`find_facts`: a sentence that no rule knows is worth keeping if it says something definite.
    """
    return any(map(_is_definite, list_own_sentences(text))) or bool(find_wishes(text))


@keep_until_read
def tells(text: str) -> bool:
    """Return whether ``text`` states anything at all: then it is kept, though it was answered as if it asked.

    Wider than :func:`states_fact`: "отдала Гуле за шторы" is definite by no rule, and "nice" says nothing.
    """
    acts = {each: classify_speech(each) for each in list_own_sentences(text)}
    stated = (each for each, act in acts.items() if act is SpeechAct.STATEMENT or (act is _ASKED and may_tell(each)))
    return states_fact(text) or any(len(list_concepts(each)) > 1 for each in stated)


@lru_cache(maxsize=_RECENT)
def has_known_form(sentence: str) -> bool:
    """Return whether a sentence has the form of a fact by itself: "and Mia moved to Bath", but not "and a llama"."""
    return any(True for _ in _match_rules(strip_opening(sentence), sentence))


@keep_until_read
def find_facts(text: str) -> tuple[Fact, ...]:
    """Return what the author of ``text`` states, in order, at most 20; secrets are taken out before."""
    found: list[Fact] = []
    before: Fact | None = None
    listed = find_listed(text)
    for sentence in list_own_sentences(text) if listed is None else (redact(listed).text,):
        fact = _find_fact(sentence)
        if fact is not None and fact.subject in _PRONOUNS:
            fact = _resolve_pronoun(fact, before) or (fact if fact.rule is _TOLD else None)
        if fact is not None:
            found.append(fact)
            before = fact if fact.subject else before
        if len(found) == _MOST_FACTS:
            break
    return tuple(found)


def _find_fact(sentence: str) -> Fact | None:
    if len(sentence) > _LONGEST or is_redacted(sentence):
        return None
    sure, speech = decide_kind(sentence, SURE), classify_speech(sentence)
    fact = _read_fact(sentence, speech)
    sure = None if sure is SentenceKind.QUESTION and speech is SpeechAct.STATEMENT else sure
    if sure in _NO_FACTS and find_kept(sentence) is None:
        return fact if sure is SentenceKind.CHATTER and fact is not None and _tells_of_author(fact) else None
    if fact is not None:
        return fact
    plain = strip_opening(sentence)
    about = next(filter(None, (_SUBJECTS[each.code].match(plain) for each in detect_languages(plain))), None)
    match = about or _ANYTHING.fullmatch(plain)
    stated = speech is SpeechAct.STATEMENT and _tells(sentence, named=about is not None)
    if match is not None and (stated or find_listed(sentence) is not None):
        return _build_fact(sentence, plain, _TOLD, match)
    return None


def _tells(sentence: str, *, named: bool) -> bool:
    """Return whether a statement of no form tells something; ``named`` says that it begins with whom it is about.

    What ends or corrects something tells it of somebody, or is a mere word: "not Anna, Vera".
    """
    kinds = tell_kinds(sentence)
    if not kinds:
        return named and not _VAGUE.match(strip_opening(sentence)) and _names_or_counts(remove_quotations(sentence))
    of_somebody = named or not _MINE.isdisjoint(split_words(sentence))
    return (kinds.telling if of_somebody else kinds.measure(SentenceKind.FACT)) >= _TELLING


def _tells_of_author(fact: Fact) -> bool:
    """Return whether a fact says where its author lives, works, what they must not eat: no chatter has that form."""
    kept = fact.rule is FORMS["diet"] or (fact.rule.type is ItemType.FACT and bool(fact.key))
    return kept and fact.subject == "i"


@lru_cache(maxsize=_RECENT)
def _read_fact(sentence: str, speech: SpeechAct) -> Fact | None:
    """Try the rules on a sentence."""
    if speech not in (SpeechAct.STATEMENT, SpeechAct.REQUEST):
        return None
    plain = _OPINION.sub("", remove_quotations(strip_opening(sentence)), count=1)
    for rule, match in _match_rules(plain, sentence):
        if speech is SpeechAct.STATEMENT or rule.type in _AS_REQUEST:
            return _build_fact(sentence, plain, rule, match)
    if speech is SpeechAct.STATEMENT and (kept := _ANYTHING.fullmatch(find_kept(sentence) or "")) is not None:
        return _build_fact(sentence, plain, _KEPT, kept)
    return None


def _match_rules(plain: str, sentence: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    """Yield the rules that match, tasks also with the "don't forget" that is taken off elsewhere."""
    for pattern, rule in itertools.chain.from_iterable(PATTERNS[each.code] for each in detect_languages(plain)):
        match = pattern.match(plain) or (pattern.match(sentence) if rule.type is ItemType.TASK else None)
        if match is not None:
            yield rule, match


def _build_fact(sentence: str, plain: str, rule: Rule, match: re.Match[str]) -> Fact:
    groups = {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
    who, what, how = groups.get("who", ""), groups.get("what", ""), groups.get("how", "")
    bare = [word for word in split_words(who) if word not in _ARTICLES]
    subject = " ".join(sorted(find_concept(word) for word in bare)) if bare and bare[0] not in _MINE else "i"
    subject = bare[0] if len(bare) == 1 and bare[0] in _PRONOUNS else subject
    relation = _find_relation(rule, bare, what, how)
    passing = _PASSING.search(sentence) is not None
    return Fact(
        sentence=find_kept(sentence) or sentence,
        rule=rule,
        subject=subject,
        key=f"{subject}|{relation}" if relation and not passing else "",
        title=flatten(_choose_title(who, what) or strip_opening(sentence), _TITLE),
        own=subject == "i" or _is_near(bare) or not _MINE.isdisjoint(split_words(plain)[:1]),
        passing=passing,
        confidence=round(rule.confidence * (0.6 if is_hedged(sentence) else 1.0), 2),
    )


def _find_relation(rule: Rule, bare: list[str], what: str, how: str) -> str:
    """Return what the key says besides the subject, "" for what is not one thing at a time."""
    relation = rule.relation
    if relation == "is" and _is_near(bare):
        return ""
    if relation == "age" and not (_is_near(bare) or len(bare) == 1):
        relation = "is"
    if what and relation:
        return f"{relation} {' '.join(sorted(set(list_concepts(what))))[:80]}".strip()
    return f"{relation} {how.casefold()}".strip() if relation else ""


def _is_near(bare: list[str]) -> bool:
    """Return whether the subject is a person (or pet) near the speaker, not something of theirs ("wife's birthday")."""
    return any(find_concept(word) in PEOPLE and not word.endswith(list_possessives()) for word in bare)


def _choose_title(who: str, what: str) -> str:
    name = " ".join(word for word in who.split() if word.casefold() not in _ARTICLES)
    return what.rstrip(".!… ") if what else ("" if name.casefold() in _MINE else name)


def _resolve_pronoun(fact: Fact, before: Fact | None) -> Fact | None:
    """Return a fact about "she" as one about whom the sentence before was, quoting both; ``None`` when nobody was."""
    if before is None or before.subject == "i":
        return None
    relation = fact.key.partition("|")[2]
    return replace(
        fact,
        sentence=f"{before.sentence} {fact.sentence}",
        subject=before.subject,
        key=f"{before.subject}|{relation}" if relation else "",
        title=before.title,
        own=before.own,
    )


def _is_definite(sentence: str) -> bool:
    """Return whether a sentence states something that a rule knows, or that names, counts or speaks of "my"."""
    kind = decide_kind(sentence)
    if kind in (SentenceKind.FACT, SentenceKind.CORRECTION) or _find_fact(sentence) is not None:
        return True
    if decide_kind(sentence, SURE) in _NO_FACTS:
        return False
    if classify_speech(sentence) is not SpeechAct.STATEMENT or _VAGUE.match(strip_opening(sentence)):
        return False
    said = split_words(strip_opening(sentence))
    of_mine = len(said) > 2 and not _MINE.isdisjoint(said)  # noqa: PLR2004  a subject, a verb and something more
    return len(said) > 1 and (of_mine or _names_or_counts(sentence))


def _names_or_counts(sentence: str) -> bool:
    inner = strip_opening(sentence).split()[1:]
    named = any(word[:1].isupper() and word not in _NO_NAMES for word in inner)
    return any(c.isdigit() for c in sentence) or (
        named and not detect_languages(sentence)[0].learning.nouns_have_capitals
    )


@lru_cache(maxsize=_RECENT)
def compute_fingerprint(text: str) -> str:
    """Return 32 hex digits, equal for texts with the same words in the same order, whatever their case and points.

    Signs that make another number of one count: "-5" is not "5", and "5 $" not "5 €".
    """
    return hashlib.sha256(" ".join(split_exactly(text)).encode()).hexdigest()[:32]


def extract_items(*, user_text: str, provenance: Provenance, skill: str = "") -> tuple[MemoryItem, ...]:
    """Return the items that the words of a message give, in their order, each once.

    Text of less than a user's trust (files, forwards, tools, the web) gives none: it is never a fact by itself.
    The assistant's own words state nothing about anybody's world.
    """
    items: dict[str, MemoryItem] = {}
    if provenance.trust >= Trust.USER:
        wishes = {wish.content: wish for wish in find_wishes(user_text)}
        for fact in find_facts(user_text):
            item = _build_item(fact, provenance, skill)
            wish = wishes.get(item.content)
            if wish is not None and not fact.passing and (fact.rule.type in _STANDING or wish.kind is WishKind.NAME):
                item = _mark_wish(item, wishes.pop(item.content))
            items.setdefault(item.fingerprint, item)
        for item in (_build_wish(wish, provenance, skill) for wish in wishes.values()):
            items.setdefault(item.fingerprint, item)
    return tuple(items.values())


def _build_item(fact: Fact, provenance: Provenance, skill: str) -> MemoryItem:
    """Return the item; what is "mine" is keyed and fingerprinted by its author, so that two people never overwrite."""
    prefix = f"{provenance.author_id}:" if fact.own else ""
    return MemoryItem(
        layer=Layer.EPISODIC if fact.passing and fact.rule.layer is Layer.SEMANTIC else fact.rule.layer,
        type=fact.rule.type,
        title=fact.title,
        content=fact.sentence,
        provenance=provenance,
        fingerprint=compute_fingerprint(prefix + fact.sentence),
        confidence=fact.confidence,
        salience=fact.rule.salience,
        tags=(skill,) if skill else (),
        ttl_s=fact.rule.ttl_s,
        created_at=provenance.said_at,
        updated_at=provenance.said_at,
        accessed_at=provenance.said_at,
        subject=prefix + fact.key if fact.key else "",
    )


def _mark_wish(item: MemoryItem, wish: Wish) -> MemoryItem:
    """Return an item as the standing wish that its sentence is; the subject that more is known of keys it."""
    withdrawn = wish.kind is WishKind.WITHDRAWAL
    key = f"{item.provenance.author_id}:{wish.key}" if wish.key else ""
    return replace(
        item,
        tags=(*item.tags, WITHDRAWAL if withdrawn else WISH),
        subject=key if withdrawn or wish.known else item.subject or key,
    )


def _build_wish(wish: Wish, provenance: Provenance, skill: str) -> MemoryItem:
    """Return the item of a wish that is no other fact; it is fingerprinted by its author and apart from facts."""
    ordered = wish.kind is WishKind.ORDER
    item = MemoryItem(
        layer=Layer.PROCEDURAL if ordered else Layer.SEMANTIC,
        type=ItemType.CONSTRAINT if ordered else ItemType.PREFERENCE,
        title=flatten(wish.content, _TITLE),
        content=wish.content,
        provenance=provenance,
        fingerprint=compute_fingerprint(f"{WISH} {provenance.author_id}: {wish.content}"),
        confidence=0.9,
        salience=0.8,
        tags=(skill,) if skill else (),
        created_at=provenance.said_at,
        updated_at=provenance.said_at,
        accessed_at=provenance.said_at,
    )
    return _mark_wish(item, wish)
