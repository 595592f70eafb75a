"""Finds the statements that answer a question, and says how well each fits it.

The fit is the share of the question's content that the sentence shares, by concept; it is less when the kind of thing
that is asked for is absent, and nothing when the sentence is about somebody else.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from bot.memory.answering.complements import names_other_complement, tells_of_relatives
from bot.memory.answering.questions import (
    ASKER,
    DISLIKED,
    FIRST_PERSON,
    LIKED,
    SPEAKERS,
    TOGETHER,
    AnswerKind,
    QuestionAnalysis,
    analyse,
    holds_kind,
    list_meant,
    names_someone,
    rate_introduction,
    rate_occupation,
)
from bot.memory.answering.utterances import (
    REFERS,
    RecalledUtterance,
    Trace,
    end_sentence,
    list_statements,
    list_utterances,
)
from bot.memory.concepts import (
    BEGUN,
    PEOPLE,
    STOP_WORDS,
    can_be_last_part,
    find_concept,
    is_alike,
    list_beginnings,
    list_concepts,
    widen_concept,
)
from bot.memory.helpfulness import (
    ANSWERING,
    BESIDE,
    KNOWN,
    MAY_ANSWER,
    get_answering,
    has_meaning,
    measure_beyond_words,
    measure_meaning,
)
from bot.memory.helpfulness import FLOOR as KNOWN_FLOOR
from bot.memory.items import ItemType, Recalled
from bot.memory.learning.rewording import holds_value
from bot.memory.learning.speech_acts import (
    SpeechAct,
    classify_speech,
    strip_opening,
)
from bot.memory.learning.statements import find_facts
from bot.memory.secrets.redaction import is_redacted
from bot.memory.speakers import Reader
from language import alternatives, detect_languages, languages
from language.patterns import compile_at_use
from language.sentences import split_sentences
from language.vocabulary import MEN, WOMEN
from language.words import split_exactly, split_words

ACT_FOR_US: Final = frozenset({"doctor", "boss"})
"""Who prescribes, cancels or moves what is the speaker's."""
_LEADING: Final = 5
"""Words of a sentence among which stands whom it is about."""
Aliases = dict[str, frozenset[str]]
"""Concepts that name the same person, by concept."""

_HINTED: Final = 0.5
"""Most that a sentence can fit that has all words of a question and that a model takes for no answer."""
_ABSENT: Final = 0.55
"""Share of its fit that a sentence keeps when it lacks the kind of thing that is asked for."""
_NAME_ONLY: Final = 0.44
"""Most that a sentence can fit that shares only the names of the question, and nothing of what is asked about them."""
_NAME_ALONE: Final = 0.2
"""The same where no kind of thing is asked for that the sentence could hold: that is no answer, nor nearly one."""
_SPECIFIC: Final = frozenset(
    {AnswerKind.PLACE, AnswerKind.TIME, AnswerKind.PERSON, AnswerKind.NUMBER, AnswerKind.REASON}
)
_DESCRIBED: Final = 3
"""Words behind "my" among which stands whose or what it is: "my dear old dad"."""
_ALIKE: Final = 0.1
_ALIKE_AMONG: Final = 0.025
"""Likeness in meaning from which on a message may answer, among one, and for each time that there are e times as many:
among many, more is alike by chance."""
_BELIEVED: Final = 0.28
"""Likeness beyond shared words from which on a part of a question's words, or none, is enough: of questions that have
an answer ten times as many are as alike as of those about the same things that have none (docs/recall.md)."""
_WHOLE: Final = 0.9
"""Fit from which on nothing is left of a question that could be about anything else."""
_SURE: Final = 0.7
"""Certainty from which on the first found answers where likeness is not known."""
_MOST_READ: Final = 3
_CERTAIN, _LEAST_SHARED = 0.9, 0.5
"""Likelihood below which a message must have so much of what is asked to tell whether something is so."""
_NOTHING: Final = 0.01
"""Likelihood to answer below which what was said later is no change of what answers, unless it surely is."""
_FEW: Final = 10
"""Memories found: of more some are alike by chance, and what a model that read them takes for none is no guess."""
_CLOSE: Final = 0.08
"""By how much less alike a second one may be that is shown, too."""
_PAUSE: Final = compile_at_use(r"[,;:.!?()–—]")
_TOLD_BY_FORM: Final = frozenset({AnswerKind.NUMBER, AnswerKind.TIME})
"""Kinds of things that can be told to be absent; a place, a person and a reason may be named in any way."""
_LOOKED_AT: Final = 3
_SHORT: Final = 240
"""Characters of a message that is shown as a whole."""
_NEAR_FIT: Final = 0.3
"""From here on a sentence is more than a name in common without the kind of thing that is asked for."""
_STRANGER: Final = 0.55
"""Share that it keeps when it is about somebody else than the question."""
_ANSWERS: Final = tuple(each.answers for each in languages())
_AGED: Final = {each.code: compile_at_use(alternatives((each.answers.age,)), re.IGNORECASE) for each in languages()}
"""By language: "am 1" tells an age in English and a day in German."""
_DECIDED: Final = "decide"
"""Asked for, it is also in what is a decision without the word: "Let's use Postgres"."""
_OBLIQUE: Final = compile_at_use(alternatives(each.oblique for each in _ANSWERS))
_ALIASES: Final = tuple(compile_at_use(pattern) for each in _ANSWERS for pattern in each.aliases)
PEOPLE_SPEAK: Final = frozenset({"user", "forwarded"})
"""Roles of those who speak for themselves."""
_NEAR: Final = compile_at_use(alternatives(each.near for each in _ANSWERS), re.IGNORECASE)
"""Stands in whatever one of the patterns above matches."""


@dataclass(frozen=True)
class Evidence:
    """One sentence of an utterance, verbatim, and how well it answers (0..1)."""

    text: str
    source: RecalledUtterance
    fit: float = 0.0

    @cached_property
    def age(self) -> float:
        """When it was said, as a number that grows with time; undated is oldest."""
        return self.source.said_at.timestamp() if self.source.said_at else 0.0

    def follows(self, other: Evidence) -> bool:
        """Return whether the same person said it, and later."""
        return self.source.whose == other.source.whose and self.age > other.age


def is_of_the_rest(later: Evidence, piece: Evidence) -> bool:
    """Return whether a later sentence shares words with other sentences of a message, and none with this one of it."""
    said = frozenset(list_concepts(later.text))
    rest = (each for each in split_sentences(piece.source.text) if each not in piece.text)
    return said.isdisjoint(list_concepts(piece.text)) and not all(said.isdisjoint(list_concepts(each)) for each in rest)


def drop_repeated(pieces: Iterable[Evidence]) -> list[Evidence]:
    """Keep the first of those by one person that say the same, and none that is a part of another of theirs.

    "Is 80" is none of "is 800".
    """
    seen: dict[tuple[tuple[object, ...], str], Evidence] = {}
    for piece in pieces:
        seen.setdefault((piece.source.whose, f" {' '.join(split_exactly(piece.text))} "), piece)
    return [
        piece
        for (by, said), piece in seen.items()
        if not any(by == theirs and said != other and said in other for theirs, other in seen)
    ]


def put_in_turn(pieces: Iterable[Evidence]) -> list[Evidence]:
    """Return sentences with the first of each person before the second of any, whoever spoke first before others."""
    said: dict[object, list[Evidence]] = {}
    for piece in pieces:
        said.setdefault(piece.source.whose, []).append(piece)
    by_age = sorted(said.values(), key=lambda own: min(piece.age for piece in own))
    return [piece for row in itertools.zip_longest(*by_age) for piece in row if piece is not None]


def find_aliases(spoken: tuple[RecalledUtterance, ...]) -> Aliases:
    """Return which concepts name the same person, both ways ("sister" ↔ "vera"), from what the asker said."""
    same: dict[str, set[str]] = {}
    for kin, name in itertools.chain.from_iterable(_list_named(said.text) for said in spoken if said.mine):
        same.setdefault(kin, set()).add(name)
        same.setdefault(name, set()).add(kin)
    return {term: frozenset(names) for term, names in same.items()}


@lru_cache(maxsize=4096)
def _list_named(text: str) -> tuple[tuple[str, str], ...]:
    """Return the concepts of the relatives that a text names, each with that of the name."""
    patterns = _ALIASES if _NEAR.search(text) else ()
    matches = (match for pattern in patterns for match in pattern.finditer(text))
    named = [[find_concept(next(iter(split_words(match[part])), "")) for part in ("kin", "name")] for match in matches]
    return tuple((kin, name) for kin, name in named if kin in PEOPLE and name not in PEOPLE)


def gather_evidence(
    spoken: tuple[RecalledUtterance, ...], asked: QuestionAnalysis, known: Aliases
) -> tuple[Evidence, ...]:
    """Return the statements that share a word with the question and what it cannot do without, with their fit."""
    known = {} if asked.naming else known  # what else is told of her under her name says nothing of that
    told_by_word = asked.terms and _DECIDED not in asked.terms and not (asked.name or asked.rather)
    trace = (_build_trace(asked.terms, known),) if told_by_word else ()
    needed = {term: _build_trace((term,), known) for term in asked.entities if asked.kind is not AnswerKind.YES_NO}
    found = []
    for said in spoken:
        author = frozenset() if said.mine else list_author_concepts(said)
        hints = () if said.role in PEOPLE_SPEAK and _is_named(said, asked) else trace
        for text in list_statements(said, (*(hint for term, hint in needed.items() if term not in author), *hints)):
            piece = Evidence(text, said)
            found.append(replace(piece, fit=_rate_worth(asked, piece, known)))
    return tuple(found)


def _rate_worth(asked: QuestionAnalysis, piece: Evidence, known: Aliases) -> float:
    if asked.name:
        return rate_introduction(piece.text) if piece.source.mine else 0.0
    score = rate_fit(asked, piece, known)
    if not asked.rather or asked.rather in list_concepts(piece.text):
        return score
    rated = rate_occupation(piece.text, of_asker=asked.of_asker)
    if asked.of_asker:
        return max(score * _NAME_ONLY, rated if piece.source.mine else 0.0)
    return score * max(rated, _NAME_ONLY)


def _build_trace(terms: Collection[str], known: Aliases) -> Trace:
    """Return what finds all words that can mean one of ``terms``."""
    meant = {name for term in terms for name in (term, *known.get(term, ()))}
    if DISLIKED in meant:
        meant.add(LIKED)
    beginnings = sorted({form for term in meant for form in list_beginnings(term)})
    return Trace(tuple(beginnings), tuple(sorted(term for term in terms if can_be_last_part(term))))


def rate_fit(asked: QuestionAnalysis, piece: Evidence, known: Aliases) -> float:
    """Return how well a sentence answers, 0..1: the weight of the shared concepts, less what speaks against it.

    The name of its author, asked for, needs not stand in it and counts for nothing.
    """
    said = list_concepts(piece.text) if asked.kind is AnswerKind.YES_NO else list_meant(piece.text)
    author = frozenset() if piece.source.mine else list_author_concepts(piece.source)
    by = author.intersection(asked.terms)
    terms = {term: weight for term, weight in asked.terms.items() if term not in by}
    has = build_matcher(said, known)
    shared = {term for term in terms if has(term)}
    if _DECIDED in terms and any(fact.rule.type is ItemType.DECISION for fact in find_facts(piece.text)):
        shared.add(_DECIDED)
    if not (shared or (by and not terms)) or _is_beside(asked, piece, shared | by, known):
        return 0.0
    if asked.kind is not AnswerKind.YES_NO and all(any(is_alike(term, word) for term in terms) for word in said):
        return 0.0
    if "age" in terms and tells_age(piece.text):
        shared.add("age")
    score = sum(terms[term] for term in shared) / sum(terms.values()) if terms else 1.0
    if shared and shared <= asked.entities and len(terms) > len(shared):
        score = min(score, _NAME_ONLY if asked.kind in _SPECIFIC else _NAME_ALONE)
    if not holds_kind(asked, piece.text):
        score *= _ABSENT
    of_a_day = all(map(holds_value, asked.terms))  # "what is on Monday" asks for whatever is
    of_nobody = (asked.kind in _SPECIFIC or of_a_day) and not (asked.own or asked.entities)
    if not of_nobody and _is_about_another(asked, said, known):
        score *= _STRANGER
    return score


def tells_age(text: str) -> bool:
    """Return whether a sentence tells how old somebody is."""
    return any(_AGED[each.code].search(text) for each in detect_languages(text))


def is_anothers(piece: Evidence) -> bool:
    """Return whether somebody else than the asker says "my" here."""
    said = piece.source
    return said.role in PEOPLE_SPEAK and not said.mine and not FIRST_PERSON.isdisjoint(split_words(piece.text))


def _is_anothers(asked: QuestionAnalysis, piece: Evidence) -> bool:
    """Return whether somebody else says "my" here whom the question does not name."""
    return is_anothers(piece) and list_author_concepts(piece.source).isdisjoint(asked.terms)


def _is_beside(asked: QuestionAnalysis, piece: Evidence, shared: AbstractSet[str], known: Aliases) -> bool:
    """Return whether a sentence cannot answer, whatever else it shares: it is about something or somebody else."""
    if not asked.entities <= shared and asked.kind is not AnswerKind.YES_NO:
        return True
    if (asked.subject and asked.subject.isdisjoint(shared)) or tells_of_another(asked, piece.text, known):
        return True
    if not asked.own or is_held_by_another(asked, piece.text, known):
        return asked.own
    mine = piece.source.mine and not asked.entities
    return _is_anothers(asked, piece) or (mine and is_of_somebody_else(asked, piece, known))


def is_of_somebody_else(asked: QuestionAnalysis, piece: Evidence, known: Aliases) -> bool:
    """Return whether a sentence of the asker's is about another person, and the question about the asker.

    "My brother is allergic" is no allergy of mine, nor is it Tom's taste that mine is asked for.
    """
    said = split_words(piece.text)
    if not ASKER.isdisjoint(said) or _begins_with_own(said):
        return False
    meant = {name for term in asked.terms for name in (term, *known.get(term, ()))}
    leading = (word for word in said[:_LEADING] if not _OBLIQUE.fullmatch(word))  # "должна соседке" is of the speaker
    people = (PEOPLE - meant).intersection(map(find_concept, leading)) if asked.of_asker else frozenset()
    if people:
        return True
    if not FIRST_PERSON.isdisjoint(said):
        return False
    # A subject that stands bare at the beginning is a name, or what one is like: "Tom loves old films".
    clauses = strip_opening(piece.text).split(",")
    first, *others = (find_concept(next(iter(split_words(clause)), "")) for clause in clauses)
    return any(fact.subject == first for fact in find_facts(piece.text)) and meant.isdisjoint((first, *others))


def is_held_by_another(asked: QuestionAnalysis, text: str, known: Aliases) -> bool:
    """Return whether a sentence tells of what somebody has who is not meant: "Mette's father" for mine."""
    said = split_words(text)
    if asked.own and any(
        one.endswith("s") and find_concept(one) in PEOPLE - asked.terms.keys() and find_concept(thing) in asked.terms
        for one, thing in itertools.pairwise(said)
    ):
        return True  # "my husbands dentist" for "my dentist"
    things = asked.terms.keys() & (PEOPLE if asked.own else asked.terms if asked.subject else ())
    pairs = itertools.pairwise(said) if things and FIRST_PERSON.isdisjoint(said) else ()
    owners = (one for one, thing in pairs if one.endswith("s") and find_concept(thing) in things)
    owners = (one for one in owners if one not in STOP_WORDS and find_concept(one) not in asked.terms)
    meant = not asked.own and any(map(build_matcher(list_concepts(text), known), asked.subject))
    return not meant and not all(map(holds_value, owners))  # "Monday's lesson"


def tells_of_another(asked: QuestionAnalysis, text: str, known: Aliases) -> bool:
    """Return whether a sentence tells of another thing of a kind: the plumber's number, and the electrician's is asked.

    What the question says beside the kind must be missing, and something else be said in its place.
    """
    if asked.kind is AnswerKind.YES_NO:
        return False
    has, wants = build_matcher(list_concepts(text), known), build_matcher(tuple(asked.terms), known)
    owned = [each for each in asked.complements if each.owns and each.head in PEOPLE & asked.terms.keys()]
    if any(has(each.concept) and not has(each.head) for each in owned):
        return True  # what Ann plays, of what her brother does
    missing = [each for each in asked.complements if each.concept in asked.terms and not has(each.concept)]
    return names_other_complement(missing, text, wants) or tells_of_relatives(text, wants)


def _begins_with_own(said: tuple[str, ...]) -> bool:
    """Return whether words begin with a thing of their speaker's, whoever else is named: "my locker is Dad's year"."""
    behind = map(find_concept, said[1 : 1 + _DESCRIBED])
    return said[:1] != () and said[0] in FIRST_PERSON and PEOPLE.isdisjoint(behind)


def list_author_concepts(said: RecalledUtterance) -> frozenset[str]:
    """Return the concepts of its author's name."""
    return frozenset(find_concept(word) for word in split_words(said.author))


def is_by(said: RecalledUtterance, named: frozenset[str]) -> bool:
    """Return whether one of those that a question names has said something themselves."""
    return said.role == "user" and not said.mine and not named.isdisjoint(list_author_concepts(said))


def is_of_whom(asked: QuestionAnalysis, said: RecalledUtterance) -> bool:
    """Return whether something was said by the one whose it is that is asked for: the asker, or who is named."""
    return said.mine if asked.own else is_by(said, frozenset(asked.terms))


def _is_named(said: RecalledUtterance, asked: QuestionAnalysis) -> bool:
    """Return whether the question names the speaker and nothing else: then anything they said may answer."""
    return not said.mine and bool(asked.terms) and list_author_concepts(said).issuperset(asked.terms)


def build_matcher(said: tuple[str, ...], known: Aliases) -> Callable[[str], bool]:
    """Return what tells whether a concept, or one that names the same, is among those that were said."""
    present = set(said)
    begun: dict[str, list[str]] = {}
    for word in present:
        begun.setdefault(word[:BEGUN], []).append(word)

    def has(term: str) -> bool:
        meant = (*widen_concept(term), *known.get(term, ()))
        if not present.isdisjoint(meant):
            return True
        if any(is_alike(name, word) for name in meant for word in begun.get(name[:BEGUN], ())):
            return True
        if term.isdecimal() and any(word.startswith(term) and word[len(term) :].isalpha() for word in present):
            return True  # "10 k" is "10k"
        return can_be_last_part(term) and any(word.endswith(term) for word in present - PEOPLE)

    return has


def _is_about_another(asked: QuestionAnalysis, said: tuple[str, ...], known: Aliases) -> bool:
    """Return whether the sentence is about somebody whom the question does not mean; "who …?" may mean anybody."""
    if asked.kind is AnswerKind.PERSON and not asked.entities:
        return False
    meant = {name for term in asked.terms for name in (term, *known.get(term, ()))}
    near = (PEOPLE & set(said)) - meant
    if not near or any(name in meant for kin in near for name in known.get(kin, ())):
        return False
    return asked.of_asker or asked.entities.isdisjoint(said)


def list_nearest(
    memories: tuple[Recalled, ...], asked: QuestionAnalysis, reader: Reader, *, most: int
) -> tuple[Evidence, ...]:
    """Return one statement of each of the first ``most`` memories that hold any, in the order of the memories."""
    spoken = list_utterances(memories, reader)
    known = find_aliases(spoken)
    kept: dict[str, Evidence] = {}
    for said in spoken:
        if said.memory.key not in kept and (
            best := max(_rate_statements(said, asked, known), key=lambda piece: piece.fit, default=None)
        ):
            kept[said.memory.key] = best
        if len(kept) == most:
            break
    return tuple(kept.values())


def list_guesses(
    memories: tuple[Recalled, ...], asked: QuestionAnalysis, reader: Reader, *, most: int, known: bool = True
) -> tuple[Evidence, ...]:
    """Return those of the nearest statements that may answer: they share something, or mean nearly the same.

    None that is about somebody else than the question, and none that lacks the number or time that it asks for and is
    not much alike.  What only means nearly the same is shown with all of its message.  What a model that read it
    beside the question takes for a possible answer goes before all that.
    """
    spoken = list_utterances(memories, reader)
    aliases, nothing = find_aliases(spoken), BESIDE if len(memories) > _FEW else _NOTHING
    if read := list_read(memories, asked, reader, MAY_ANSWER):
        meant = tuple(piece for piece in read if not names_only_another(asked, piece, aliases))
        return (meant or read)[:most]
    unrated = float(known and not asked.own)  # long-term memory: nobody's in particular
    nearest = (doubt(piece, asked) for piece in list_nearest(memories, asked, reader, most=most))
    shared = [piece for piece in nearest if piece.fit >= _NEAR_FIT and not is_read_as_beside(piece, nothing)]
    whole = [
        Evidence(_join_short(said), said) for said in spoken[:_LOOKED_AT] if any(True for _ in list_statements(said))
    ]
    near = [piece for piece in whole if _means_alike(asked, piece, aliases, len(memories), unrated)]
    near = [piece for piece in near if holds_kind(asked, piece.text)] or [
        piece
        for piece in near
        if asked.kind not in _TOLD_BY_FORM or measure_beyond_words(piece.source.memory.signals) >= _BELIEVED
    ]
    best = max(map(_measure, near), default=0.0)
    close = [piece for piece in near if _measure(piece) >= best - _CLOSE and not is_read_as_beside(piece, nothing)]
    told = {piece.source.memory.key: piece for piece in (*shared, *close)}
    return tuple(sorted(told.values(), key=lambda piece: -_measure(piece)))[:most]


def is_read_as_beside(piece: Evidence, nothing: float = _NOTHING) -> bool:
    """Return whether a model that read it beside the question found next to nothing of an answer."""
    rate = get_answering(piece.source.memory)
    return rate is not None and rate < nothing


def list_read(
    memories: Iterable[Recalled], asked: QuestionAnalysis, reader: Reader, floor: float
) -> tuple[Evidence, ...]:
    """Return the messages that a model which read them takes for answers, the likeliest first.

    None that asks, or that supposes and is not clearly one; and none that is of the one who said it where the question
    is about the asker's own.
    """
    rated = [(rate, each) for each in memories if (rate := get_answering(each)) is not None and rate >= floor]
    likely = tuple(each for _, each in sorted(rated, key=lambda pair: -pair[0]))
    spoken = list_utterances(likely, reader)
    whole = [Evidence(_join_short(said), said) for said in spoken if _may_tell(said)]
    return tuple(piece for piece in whole if not (asked.own and _is_anothers_own(asked, piece)))


def is_doubtful(piece: Evidence) -> bool:
    """Return whether no model that read a message beside the question takes it for an answer."""
    return (get_answering(piece.source.memory) or 0.0) < ANSWERING


def _may_tell(said: RecalledUtterance) -> bool:
    """Return whether a message states anything, or what it says is clearly an answer and no question."""
    clearly = not is_doubtful(Evidence(said.text, said))
    asks = any(classify_speech(sentence) is SpeechAct.QUESTION for sentence in split_sentences(said.text))
    return any(True for _ in list_statements(said)) or (clearly and not asks)


def _measure(piece: Evidence) -> float:
    return measure_meaning(piece.source.memory.signals)


def doubt(piece: Evidence, asked: QuestionAnalysis) -> Evidence:
    """Return a sentence as one that may answer at most, where it shares words with a question that means another.

    What is not alike at all is none even of these: "Which planet has the shortest day?"  Who asks what a parrot is
    called is not told for sure that there is one.
    """
    signals = piece.source.memory.signals
    if (read := get_answering(piece.source.memory)) is not None:
        least = MAY_ANSWER if piece.fit < _WHOLE else BESIDE
        least = ANSWERING if asked.naming or lacks_form(asked, piece.text) else least
        # That all of a question's words stand there is worth a look, whoever thinks that it is beside the point.
        most = _HINTED if piece.fit >= 1 else _NAME_ALONE
        return piece if read >= least else replace(piece, fit=min(piece.fit, most))
    if not has_meaning(signals) or piece.fit >= _WHOLE or measure_beyond_words(signals) >= _BELIEVED:
        return piece
    return replace(piece, fit=min(piece.fit, _NAME_ONLY if measure_meaning(signals) >= _ALIKE else _NAME_ALONE))


def lacks_form(asked: QuestionAnalysis, text: str) -> bool:
    """Return whether a question asks for a number, a time or a name that a text does not hold."""
    return (asked.kind in _TOLD_BY_FORM or asked.called) and not (is_redacted(text) or holds_kind(asked, text))


def asks_form(asked: QuestionAnalysis) -> bool:
    """Return whether what a question asks for shows in any wording of it."""
    return asked.hour or asked.amount or asked.called


def keep_answering(told: list[Evidence]) -> list[Evidence]:
    """Leave out what shares a question's words and is read as no answer, where another is read as one."""
    if all(map(is_doubtful, told)):
        return told
    return [piece for piece in told if (get_answering(piece.source.memory) or 1.0) >= MAY_ANSWER]


def find_sure(memories: tuple[Recalled, ...], asked: QuestionAnalysis, reader: Reader) -> tuple[Evidence, ...]:
    """Return the messages of which the search is sure that they answer, and against which nothing speaks.

    Where a model has read them, all that it takes for answers, the newest first, with what was said of the same thing
    after the first and may be one; else the first that was found.  The own word of whose it is goes before all that.
    """
    if any(get_answering(memory) is not None for memory in memories):
        read = list_read(memories, asked, reader, MAY_ANSWER)
        if not read or is_doubtful(read[0]):
            return ()
        spoken = list_utterances(memories, reader)
        known = find_aliases(spoken)
        unsure = asked.kind is AnswerKind.YES_NO and (get_answering(read[0].source.memory) or 0.0) < _CERTAIN
        if unsure and measure_shared(asked, read[0].text, known) < _LEAST_SHARED:
            return ()  # whether somebody does something any message about them seems to say
        told = [
            piece
            for piece in read
            if _stands_beside(piece, read[0], asked)
            and not (lacks_form(asked, piece.text) and (is_doubtful(piece) or asks_form(asked)))
            and not (names_only_another(asked, piece, known) or _only_tells_that(asked, piece))
            and not _leaves_out(asked, piece, spoken, known)
        ]
        told = sorted(put_in_turn(told), key=lambda piece: not is_of_whom(asked, piece.source))[:_MOST_READ]
        told = put_in_turn(sorted(told, key=lambda piece: -piece.age))
        return tuple(sorted(told, key=lambda piece: not is_of_whom(asked, piece.source)))
    first = list_guesses(memories[:1], asked, reader, most=1)
    if not first:
        return ()
    signals = first[0].source.memory.signals
    sure = measure_beyond_words(signals) >= _BELIEVED if has_meaning(signals) else signals.get(KNOWN, 0.0) >= _SURE
    return first if sure and holds_kind(asked, first[0].text) and _tells_occupation(asked, first[0].text) else ()


def measure_shared(asked: QuestionAnalysis, text: str, known: Aliases) -> float:
    """Return the share of what a question names that a text has, 0..1; of one that names nothing it has all."""
    has = build_matcher(list_concepts(text), known)
    whole = sum(asked.terms.values())
    return sum(weight for term, weight in asked.terms.items() if has(term)) / whole if whole else 1.0


def _leaves_out(
    asked: QuestionAnalysis, piece: Evidence, spoken: tuple[RecalledUtterance, ...], known: Aliases
) -> bool:
    """Return whether a message names nobody whom a question is about, and others do, nor refers to anybody.

    Who is written in small letters is known for a name by another message that shows the capital.
    """
    has = build_matcher(list_concepts(piece.text), known)
    beside = {one.concept for one in asked.complements if not one.owns}  # "in Berlin"
    about = {term for term in asked.terms.keys() - beside if not any(map(str.isdigit, term))}
    naming = [analyse(said.text).entities for said in spoken if not about.isdisjoint(list_concepts(said.text))]
    about &= frozenset().union(*naming)
    by = frozenset() if piece.source.mine else list_author_concepts(piece.source)
    return (
        bool(about) and not any(map(has, about)) and about.isdisjoint(by) and REFERS.isdisjoint(split_words(piece.text))
    )


def _stands_beside(piece: Evidence, first: Evidence, asked: QuestionAnalysis) -> bool:
    """Return whether a message is told beside the one that most likely answers: it does as well, or may change that.

    What shares nothing with a question that the first one shares words with has to be nearly as likely.
    """
    if piece is first:
        return True
    has = build_matcher(list_concepts(piece.text), {})
    if is_doubtful(piece):
        there = list_concepts(first.text)
        return piece.follows(first) and (any(map(has, there)) or len(list_concepts(piece.text)) <= _BARE)
    shares = build_matcher(list_concepts(first.text), {})
    if any(map(has, asked.terms)) or not any(map(shares, asked.terms)):
        return True
    rates = [min(get_answering(each.source.memory) or 0.0, _MOST_SURE) for each in (first, piece)]
    return rates[0] / (1 - rates[0]) < _FAR_BEHIND * rates[1] / (1 - rates[1])


_KIN: Final = MEN | WOMEN
"""Relatives none of whom can be another: a child may be a daughter, and a sister no brother."""
_BARE: Final = 3
"""Concepts of a message that need not name what it changes: "moved to Friday"."""
_FAR_BEHIND: Final = 7.0
"""Odds by which what shares a question's words is likelier than what shares none, so that this is beside the point."""
_MOST_SURE: Final = 0.999


def names_only_another(asked: QuestionAnalysis, piece: Evidence, known: Aliases) -> bool:
    """Return whether a question names somebody, and a sentence nobody of these but another: "Carl is 71" for Tom's age.

    Another is a relative, or who a sentence begins with, or somebody else who says "my"; "he is 71" names nobody.  Of
    what a model that read it takes for an answer only the last is asked, and that it tells of no sister who is asked of
    a brother: "my grandchildren" may be Lukas and Mia.
    """
    if is_held_by_another(asked, piece.text, known) or tells_of_another(asked, piece.text, known):
        return True
    has = build_matcher(list_concepts(piece.text), known)
    kin = asked.entities & _KIN
    if kin and not any(map(has, kin)) and any(fact.subject in _KIN for fact in find_facts(piece.text)):
        return True
    by = frozenset() if piece.source.mine else list_author_concepts(piece.source)
    named = [has(each) or each in by for each in asked.entities]
    if all(named):
        return False
    if is_anothers(piece) and not any(named):
        return True
    if not is_doubtful(piece):
        return False
    meant = {name for term in asked.terms for name in (term, *known.get(term, ()))}
    first = find_concept(next(iter(split_words(strip_opening(piece.text))), ""))
    begins = {fact.subject for fact in find_facts(piece.text)} - REFERS - meant
    return first in begins or not (PEOPLE - meant).isdisjoint(list_concepts(piece.text))


def _only_tells_that(asked: QuestionAnalysis, piece: Evidence) -> bool:
    """Return whether a sentence says in one clause what is asked the reason of, and gives none."""
    if asked.kind is not AnswerKind.REASON or holds_kind(asked, piece.text) or _PAUSE.search(piece.text.rstrip(" .!")):
        return False
    return all(map(build_matcher(list_concepts(piece.text), {}), asked.terms))


def _tells_occupation(asked: QuestionAnalysis, text: str) -> bool:
    """Return whether a sentence tells what somebody does, where a question asks for that."""
    told = asked.rather in list_concepts(text) or rate_occupation(text, of_asker=asked.of_asker) > 0
    return told or not asked.rather


def _means_alike(asked: QuestionAnalysis, piece: Evidence, known: Aliases, among: int, unrated: float) -> bool:
    """Return whether a message is near enough in meaning, among so many, and about whom the question is about."""
    alike = _measure(piece) >= _ALIKE + _ALIKE_AMONG * math.log(max(among, 1))
    if not alike and piece.source.memory.signals.get(KNOWN, unrated) < KNOWN_FLOOR:
        return False
    said = list_concepts(piece.text)
    has = build_matcher(said, known)
    by = frozenset() if piece.source.mine else list_author_concepts(piece.source)
    named = PEOPLE.isdisjoint(said) and names_someone(piece.text, asked)  # "the neighbour" may be Marjorie
    meant = all(
        has(each) or each in by or each in ACT_FOR_US or (named and each in PEOPLE)
        for each in asked.entities | asked.subject
    )
    return meant and not _is_of_others(asked, piece, known)


def _join_short(said: RecalledUtterance) -> str:
    """Return all of a short message, else its first statement."""
    text = " ".join(said.text.split())
    if len(text) > _SHORT:
        return next(list_statements(said), text)
    return f"{end_sentence(said.memory.before)} {text}" if said.memory.before else text


def _is_of_others(asked: QuestionAnalysis, piece: Evidence, known: Aliases) -> bool:
    """Return whether a question about the asker and theirs has nothing to do with whom a sentence is about."""
    if not asked.own:
        return False
    if not asked.of_asker or not piece.source.mine:
        return _is_anothers_own(asked, piece)
    return is_doubtful(piece) and is_of_somebody_else(asked, piece, known)


def _is_anothers_own(asked: QuestionAnalysis, piece: Evidence) -> bool:
    """Return whether a sentence is of somebody else who said it; what they call "ours" may be the asker's as well.

    "I feed the cat" tells who does.
    """
    if asked.kind is AnswerKind.PERSON and SPEAKERS.issuperset(FIRST_PERSON.intersection(split_words(piece.text))):
        return False
    return _is_anothers(asked, piece) and not TOGETHER.intersection(split_words(piece.text))


def _rate_statements(said: RecalledUtterance, asked: QuestionAnalysis, known: Aliases) -> Iterator[Evidence]:
    for text in list_statements(said):
        yield Evidence(text, said, rate_fit(asked, Evidence(text, said), known))
