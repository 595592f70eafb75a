"""Splits a message into its questions and analyses each: the kind of answer, the words it must share, its subject.

A question is a sentence, or several are joined in one ("where is Vera and when do I fly?").  A joint is a place where
both sides ask: what stands before it begins as a question, and what follows begins with a question word or turns verb
and subject around.  "Where do Vera and Max live?" has none.
A question that speaks of "her" is read with whom the one before it named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from bot.memory.answering.complements import Complement, list_complements
from bot.memory.concepts import PEOPLE, STOP_WORDS, find_concept, list_concepts, mend_opening
from bot.memory.learning.kinds import keep_until_read
from bot.memory.learning.rewording import PREPOSITIONS, cut_times, holds_hour
from bot.memory.learning.speech_acts import (
    SpeechAct,
    asks_memory,
    asks_to_keep,
    classify_speech,
    list_own_sentences,
    strip_opening,
)
from bot.memory.patterns import compile_bounded, compile_words
from language import alternatives, detect_languages, languages, negations
from language.analyser import strip_ending, strip_possessive
from language.language import Language
from language.patterns import compile_at_use
from language.questions import AnswerPatterns
from language.words import CAPITAL, fold, split_words


class AnswerKind(StrEnum):
    """The kind of thing that answers a question."""

    PLACE = "place"
    TIME = "time"
    PERSON = "person"
    NUMBER = "number"
    REASON = "reason"
    YES_NO = "yes or no"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class QuestionAnalysis:
    """One question, analysed.

    ``hour`` says that it asks for a time of day, ``amount`` for a number that is none, nor a day; ``called``
    that it asks what somebody or something is called, ``gathering`` that it asks who comes.
    ``terms`` are the concepts of its content words with their weights; ``entities`` those that an answer cannot do
    without (names, "sister", codes); ``of_asker`` whether it is about the asker themselves ("where do I live"), ``own``
    whether about them or theirs ("my sister", or just "sister"); ``whole`` whether it asks for all that is known,
    ``name`` whether it asks for the asker's own name; ``rather`` a concept that an answer has if there is a choice:
    "work" in "what does Max do", which "Max is a pilot" answers, too; ``subject`` whom or what it is about, where
    that shows: a relative, or what stands bare behind the verb; ``complements`` say which of several things that is;
    ``languages`` are those that it is most likely written in.
    """

    kind: AnswerKind
    terms: dict[str, float]
    entities: frozenset[str]
    of_asker: bool
    own: bool
    whole: bool
    name: bool = False
    hour: bool = False
    amount: bool = False
    called: bool = False
    gathering: bool = False
    rather: str = ""
    subject: frozenset[str] = frozenset()
    complements: tuple[Complement, ...] = ()
    languages: tuple[Language, ...] = ()

    @property
    def naming(self) -> bool:
        """Whether it asks for a name by the words of one that asks for somebody."""
        return self.called and self.kind is AnswerKind.PERSON


_QUESTIONS: Final = tuple(each.questions for each in languages())
_ANSWERS: Final = tuple(each.answers for each in languages())
_ASKED: Final = {
    each.code: (
        *(
            (kind, compile_at_use(rf"\b{alternatives((pattern,))}\b", re.IGNORECASE))
            for kind, pattern in (
                (AnswerKind.PLACE, alternatives(filter(None, (each.questions.place, each.questions.searches)))),
                (AnswerKind.TIME, each.questions.time),
                (AnswerKind.NUMBER, each.questions.number),
                (AnswerKind.PERSON, each.questions.person),
                (AnswerKind.REASON, each.questions.reason),
            )
        ),
        (AnswerKind.YES_NO, compile_bounded(alternatives((each.questions.yes_no,)), re.IGNORECASE)),
    )
    for each in languages()
}
"""By language, what asks for each kind of answer, in the order in which they are tried."""
_GIVEN: Final = {
    each.code: {
        kind: compile_at_use(alternatives((pattern,)), re.IGNORECASE)
        for kind, pattern in (
            (AnswerKind.PLACE, each.answers.place),
            (AnswerKind.TIME, each.answers.time),
            (AnswerKind.NUMBER, each.answers.number),
            (AnswerKind.REASON, each.answers.reason),
        )
    }
    for each in languages()
}
"""By language, what gives an answer of each kind."""
_SEARCHES: Final = compile_bounded(
    alternatives(each.questions.searches for each in languages() if each.questions.searches), re.IGNORECASE
)
_IMPLIED: Final = {
    each.code: {
        kind: {find_concept(word) for word in said} - {"live"}
        for kind, said in (
            (AnswerKind.PLACE, each.questions.place_words),
            (AnswerKind.TIME, each.questions.time_words),
            (AnswerKind.PERSON, each.questions.person_words),
            (AnswerKind.NUMBER, each.questions.number_words),
        )
    }
    for each in languages()
}
"""By language, what only says which kind of answer is asked for."""
_OCCUPIED: Final = frozenset(list_concepts(" ".join(word for each in _QUESTIONS for word in sorted(each.occupied))))
_WHICH: Final = compile_bounded(
    "|".join(
        rf"(?:{each.which})\s+(?!{alternatives((each.no_kind,))}\b)(?P<sort{n}>[\w-]+)\s+\S"
        for n, each in enumerate(_QUESTIONS)
        if each.which
    ),
    re.IGNORECASE,
)
IMPLIED: Final = 0.5
"""Weight of a word that only says what kind of thing is asked for, like "old" of "how old"."""
_MOST_ASKING: Final = 2
"""Words of "how come" and "since when"."""
_SORT_WEIGHT: Final = 0.6
"""Of "book" in "which book did I read": an answer names the book and may not call it one."""
_ABOUT_ASKER: Final = compile_at_use(alternatives(each.about_asker for each in _QUESTIONS), re.IGNORECASE)
_LISTENER: Final = compile_at_use(rf"\b{alternatives(each.persons.listener for each in languages())}\b", re.IGNORECASE)
BEFORE_PLACES: Final = frozenset[str]().union(*(each.entities.place_prepositions for each in languages()))
"""Words before the name of a place, where it is told who lives, or has moved, there."""
_INSIDE: Final = frozenset[str]().union(*(each.answers.inside for each in languages()))
_NAME_FIRST: Final = compile_bounded(alternatives(each.learning.name for each in languages()), re.IGNORECASE)
_OWN_NAME: Final = compile_at_use(alternatives(each.own_name for each in _QUESTIONS), re.IGNORECASE)
_HOUR: Final = compile_words(lambda each: each.questions.hour)
_AMOUNT: Final = compile_words(lambda each: each.questions.amount)
_NAMING: Final = compile_bounded(rf"\b{alternatives(each.naming for each in _QUESTIONS)}\b")
_AGAIN: Final = compile_words(lambda each: each.questions.again)
_GATHERING: Final = compile_bounded(alternatives(each.gathering for each in _QUESTIONS))
_INTRODUCES: Final = compile_at_use(alternatives(each.introduces for each in _ANSWERS), re.IGNORECASE)
_NAME_BEFORE, _NAME_BEHIND = 3, 2
"""Words from a name to what has it ("Vera is my sister"), and from that to its name ("my sister is Vera")."""
_IS_CALLED: Final = compile_bounded(alternatives(each.is_called for each in _ANSWERS))
_IS_A: Final = compile_bounded(alternatives(each.is_a for each in _ANSWERS), re.IGNORECASE)
_IS_ONE: Final = compile_bounded(alternatives(each.is_one for each in _ANSWERS if each.is_one), re.IGNORECASE)
_PERHAPS: Final = 0.92
"""Of "I'm Sam" as a name and of "I'm a baker" as an occupation: "I'm German" and "I'm a vegan" look the same."""
_LESS_SURE: Final = 0.5
"""The same where nouns have capitals, "Ich bin Vegetarier", and of "this is Sam"."""
_ASKS_WHEN_TOLD: Final = compile_bounded(
    rf"^(?:{alternatives(each.interrogatives.when for each in languages())})\b.{{0,20}}"
    rf"{alternatives(each.persons.asks_what_was_told for each in languages())}",
    re.IGNORECASE,
)
"""Asks for the day on which something was told, which every answer names."""
_OCCUPATION: Final = compile_bounded(alternatives(each.occupation for each in _QUESTIONS), re.IGNORECASE)
"""Asks for somebody's work without a word for it."""
FIRST_PERSON: Final = frozenset[str]().union(*(each.first_person for each in _QUESTIONS))
"""Words that mean another person in another mouth."""
SPEAKERS: Final = FIRST_PERSON.difference(*(each.learning.articles for each in languages()))
"""Words by which people speak of themselves and of nothing of theirs: "we", not "our"."""
ASKER: Final = frozenset[str]().union(*(each.asker for each in _QUESTIONS))
TOGETHER: Final = frozenset[str]().union(*(each.together for each in _QUESTIONS))
"""Words of the first person that may mean others of a chat as well."""
_NO_NAMES: Final = frozenset[str]().union(*(each.no_names for each in _ANSWERS))
_CODE: Final = compile_bounded(r"(?=.*\d)[\w-]+")
_WORD: Final = compile_at_use(r"[^\W_]+(?:[-'’][^\W_]+)*")
LIKED: Final = "like"
DISLIKED: Final = "dislike"
_CLAUSE: Final = compile_at_use(r"[,;:.!?]")
_NEAR: Final = 2
"""Words between "not" and "like", whichever is first, and one more."""


@keep_until_read
def analyse(question: str) -> QuestionAnalysis:
    """Return what ``question`` (one or several sentences) asks for."""
    plain = strip_opening(question.strip())
    spoken = detect_languages(plain)
    kind = AnswerKind.ANY if _ASKS_WHEN_TOLD.search(plain) else _find_kind(plain, spoken)
    said = split_words(plain)
    implied = {term for each in spoken for term in _IMPLIED[each.code].get(kind, ())}
    certain = spoken[0].vocabulary.ambiguous_words if len(spoken) == 1 else frozenset()
    ambiguous = {find_concept(word) for word in certain}
    terms = [
        term
        for term in (list_concepts(plain) if kind is AnswerKind.YES_NO else list_meant(plain))
        if term not in ambiguous and (term not in implied or kind is AnswerKind.NUMBER)
    ]
    occupation = _OCCUPATION.match(plain) is not None
    if occupation:
        kind = AnswerKind.ANY
        terms = [term for term in terms if term not in _OCCUPIED] or ["work"]
    entities = frozenset(_find_entities(plain))
    sort = _WHICH.match(plain)
    kind_of_thing = (
        {term: _SORT_WEIGHT for term in list_concepts(sort[sort.lastgroup or 0]) if term in terms}
        if sort and len(terms) > 1
        else {}
    )
    of_asker = not ASKER.isdisjoint(said) and not entities & PEOPLE and _SEARCHES.match(plain) is None
    called = kind in {AnswerKind.PERSON, AnswerKind.ANY} and _NAMING.search(plain.lower()) is not None
    return QuestionAnalysis(
        kind=kind,
        terms={term: 1.5 if term in entities else IMPLIED if term in implied else 1.0 for term in terms}
        | kind_of_thing,
        entities=entities & frozenset(terms),
        of_asker=of_asker,
        own=not FIRST_PERSON.isdisjoint(said) or (bool(entities) and entities <= PEOPLE),
        whole=_ABOUT_ASKER.search(plain) is not None and _asks_assistant(plain),
        hour=kind is AnswerKind.TIME and _HOUR.search(plain) is not None,
        amount=kind is AnswerKind.NUMBER and _AMOUNT.search(plain) is not None,
        called=called,
        gathering=_GATHERING.match(plain.lower()) is not None,
        name={"name"}.issuperset(terms) and ((called and of_asker) or _OWN_NAME.match(plain) is not None),
        rather="work" if occupation else "",
        subject=frozenset() if kind is AnswerKind.PERSON else _find_subject(plain, spoken, entities) & frozenset(terms),
        complements=list_complements(plain),
        languages=spoken,
    )


def strip_again(question: str) -> str:
    """Return a question without the words that only say that it was told before; whether something is so needs them."""
    return question if analyse(question).kind is AnswerKind.YES_NO else _AGAIN.sub("", question).strip()


def _asks_assistant(question: str) -> bool:
    """Return whether it is the assistant who knows or is to tell: not in "what does she want of me"."""
    return _LISTENER.search(question) is not None or classify_speech(question) is SpeechAct.REQUEST


@lru_cache(maxsize=1024)
def list_meant(text: str) -> tuple[str, ...]:
    """Return the concepts of a text, "dislike" for what it says is not liked: "Ich mag keinen Kohl"."""
    said = list_concepts(text)
    if LIKED not in said or not any(map(_denies_liking, _CLAUSE.split(text))):
        return said
    return tuple(DISLIKED if concept == LIKED else concept for concept in said)


def _denies_liking(clause: str) -> bool:
    # "Without" denies what stands behind it, and not the liking.
    said = [word for word in split_words(clause) if not PREPOSITIONS.fullmatch(word)]
    near = (said[max(0, at - _NEAR) : at + _NEAR + 1] for at, word in enumerate(said) if find_concept(word) == LIKED)
    return any(negations().search(" ".join(words)) for words in near)


def _find_kind(question: str, spoken: tuple[Language, ...]) -> AnswerKind:
    """Return the kind by the rules of the language that the question is most likely written in."""
    for language in spoken:
        for kind, pattern in _ASKED[language.code]:
            if pattern.search(question):
                return kind
    return AnswerKind.ANY


def list_named(question: str) -> frozenset[str]:
    """Return the concepts that a question names, without those of the words that say what kind of thing it asks for."""
    asked = analyse(question)
    patterns = (pattern for each in asked.languages for kind, pattern in _ASKED[each.code] if kind is asked.kind)
    found = (match[0] for each in patterns for match in each.finditer(question))  # "what is the gate code" names one
    words = {term for each in found if len(each.split()) <= _MOST_ASKING for term in list_concepts(each)}
    return frozenset(term for term, weight in asked.terms.items() if weight > IMPLIED and term not in words)


def rate_introduction(sentence: str) -> float:
    """Return how surely somebody says their own name in a sentence, 0..1."""
    if _INTRODUCES.search(sentence):
        return 1.0
    if not _IS_CALLED.fullmatch(strip_opening(sentence.strip())):
        return 0.0
    unsure = FIRST_PERSON.isdisjoint(split_words(sentence))  # "this is Kate" may be told of a picture
    return _LESS_SURE if unsure or detect_languages(sentence)[0].learning.nouns_have_capitals else _PERHAPS


def may_introduce(text: str) -> bool:
    """Return whether a text may say its author's own name: it speaks of them, and not of what is theirs alone."""
    return rate_introduction(text) > 0 or not ASKER.isdisjoint(split_words(text))


def rate_occupation(sentence: str, *, of_asker: bool) -> float:
    """Return how surely it is said what somebody is without a word of work: "I'm a baker", "she is a baker", 0..1."""
    return _PERHAPS if (_IS_A if of_asker else _IS_ONE).search(sentence) else 0.0


def holds_kind(analysis: QuestionAnalysis, sentence: str) -> bool:
    """Return whether ``sentence`` holds the kind of thing that a question asks for."""
    if analysis.kind is AnswerKind.PERSON:
        named = names_someone(sentence, analysis)
        return (named and _tells_name(sentence, analysis)) or says_name(sentence) if analysis.naming else named
    if analysis.called:
        return _tells_name(sentence, analysis)
    if analysis.hour:
        return holds_hour(sentence)
    return analysis.kind in {AnswerKind.YES_NO, AnswerKind.ANY} or _holds_answer(
        analysis.kind, cut_times(sentence) if analysis.amount else sentence, analysis.languages
    )


def _holds_answer(kind: AnswerKind, sentence: str, asked_in: tuple[Language, ...]) -> bool:
    """Return whether a sentence holds such a thing; the question's language decides where the sentence tells none."""
    likely = detect_languages(sentence)
    spoken = [each for each in likely if each in asked_in] or likely
    return any(_GIVEN[each.code][kind].search(sentence) for each in spoken)


def names_someone(sentence: str, asked: QuestionAnalysis) -> bool:
    """Return whether there is a name or a relative.

    The first word has a capital anyway: it is a name unless it is a common one or the question has it, too.
    """
    first = (sentence.split() or ("",))[0]
    if any(True for _ in _list_names(sentence, asked)):
        return True
    begins = _NAME_FIRST.match(sentence) and not _holds_answer(AnswerKind.TIME, first, asked.languages)
    word = next(iter(split_words(first)), "")
    if begins and word not in SPEAKERS and find_concept(word) not in asked.terms:
        return True
    return not PEOPLE.isdisjoint(list_concepts(sentence))


def _list_names(sentence: str, asked: QuestionAnalysis) -> Iterator[int]:
    """Yield the places of the words with the capital of a name that is no place's, and that the question has not.

    Who tells of themselves, "guess who knows Vera? me", or what somebody is called need name nobody else.
    """
    said = fold(sentence).split()
    of_others = FIRST_PERSON.isdisjoint(split_words(sentence)) and not says_name(sentence)
    places = BEFORE_PLACES if "live" in list_concepts(sentence) else _INSIDE if of_others else ()
    known = frozenset(asked.terms) if of_others else frozenset[str]()
    for place in _list_capitals(sentence):
        if said[place - 1] not in places and known.isdisjoint(list_concepts(said[place])):
            yield place


def _tells_name(sentence: str, asked: QuestionAnalysis) -> bool:
    """Return whether a sentence tells the name of what is asked about: it says so, or a name stands beside it.

    Who writes all in small letters shows no names, and what is not named itself is known by another name.
    """
    if sentence[1:].islower() or says_name(sentence):
        return True
    said = sentence.split()
    meant = [place for place, word in enumerate(said) if not asked.terms.keys().isdisjoint(list_concepts(word))]
    first = next(iter(split_words(said[0])), "")
    named = [*_list_names(sentence, asked), *([] if first in STOP_WORDS | FIRST_PERSON else [0])]
    if not asked.naming:
        return named[:1] not in ([], [0])
    beside = (term - name for term in meant for name in named if term != name)
    return not meant or any(-_NAME_BEHIND <= words <= _NAME_BEFORE for words in beside)


def says_name(sentence: str) -> bool:
    """Return whether a sentence has a word by which one is called something."""
    return _NAMING.search(sentence.lower()) is not None


def names_directly(sentence: str, asked: QuestionAnalysis) -> bool:
    """Return whether a name stands right behind the one thing that a question asks the name of: "my son Kuba"."""
    things = asked.entities or asked.terms.keys()
    if not (asked.naming or "name" in asked.terms) or len(asked.entities) > 1:
        return False
    said = sentence.split()
    return any(not things.isdisjoint(list_concepts(said[place - 1])) for place in _list_capitals(sentence))


def _list_capitals(sentence: str) -> Iterator[int]:
    """Yield the places of the words inside a sentence that have a capital as names have."""
    said, spoken = sentence.split(), detect_languages(sentence)[0].answers
    for place, word in enumerate(said[1:], 1):
        if word[:1].isupper() and word not in _NO_NAMES and not _is_noun(said, place, spoken):
            yield place


def _is_noun(said: list[str], place: int, language: AnswerPatterns) -> bool:
    """Return whether a word has its capital because all nouns have one in the language it stands in."""
    if not language.before_nouns:
        return False
    word = next(iter(split_words(said[place])), "")
    if (find_concept(word) != strip_ending(word) and find_concept(word) not in PEOPLE) or _compile_noun_ending(
        language.noun_ending
    ).search(word):
        return True
    before = [next(iter(split_words(each)), "") for each in said[max(0, place - 2) : place]]
    if before[-1] in language.before_nouns:
        return True
    described = len(before) > 1 and before[0] in language.before_nouns and said[place - 1].islower()
    return described and re.fullmatch(language.adjective or "(?!)", before[-1]) is not None


@cache
def _compile_noun_ending(endings: str) -> re.Pattern[str]:
    return compile_at_use(rf"(?:{endings})$" if endings else "(?!)")


def _find_subject(question: str, spoken: tuple[Language, ...], entities: frozenset[str]) -> frozenset[str]:
    """Return the concepts of the relatives that are named, and of the word behind the verb: "does ann like"."""
    found = set(entities & PEOPLE)
    common = STOP_WORDS.union(*(each.vocabulary.common_words for each in spoken))
    for match in (each for language in spoken if (each := _compile_verbs(language).search(question))):
        word = next(iter(split_words(match["subject"])), "")
        if word and word not in common and strip_possessive(word) not in common:
            found.add(find_concept(word))
    return frozenset(found)


@cache
def _compile_verbs(language: Language) -> re.Pattern[str]:
    verbs = language.questions.before_subject
    return compile_bounded(rf"\b(?:{verbs})\s+(?P<subject>[^\W\d_][\w'’-]*)" if verbs else "(?!)", re.IGNORECASE)


def _find_entities(question: str) -> list[str]:
    """Return the concepts of names, of people near the asker and of codes in a question."""
    found = []
    said, spoken = _WORD.findall(question), detect_languages(question)[0].answers
    for place, (word, folded) in enumerate(zip(said, fold("\n".join(said)).splitlines(), strict=True)):
        bare = strip_possessive(folded)
        if bare in STOP_WORDS or folded in STOP_WORDS:
            continue
        is_name = word[0].isupper() and place > 0 and not _is_noun(said, place, spoken)
        if find_concept(bare) in PEOPLE or is_name or _CODE.fullmatch(word):
            found.append(find_concept(folded))
    return found


MOST: Final = 8
"""Questions of one message that are answered."""
_LONGEST: Final = 600
"""Characters of a sentence that is looked at for joints."""

_BEGINS: Final = compile_bounded(alternatives(each.begins for each in _QUESTIONS), re.IGNORECASE)


def _match_any_word(sets: Iterable[frozenset[str]]) -> str:
    """Return a pattern of any of the words."""
    return alternatives(map(re.escape, sorted(frozenset[str]().union(*sets), key=lambda word: (-len(word), word))))


_JOINT: Final = compile_bounded(
    rf"\s*(?:;|,?\s{_match_any_word(each.joins for each in _QUESTIONS)}(?=\s)|,)\s+"
    rf"(?:{_match_any_word(each.too for each in _QUESTIONS)}\s+)?(?=\S)",
    re.IGNORECASE,
)
_CONTINUES: Final = tuple(
    (each, compile_bounded(alternatives((each.continues,)), re.IGNORECASE)) for each in _QUESTIONS
)
_LISTED: Final = compile_bounded(alternatives(each.listed for each in _QUESTIONS), re.IGNORECASE)
_SUPPOSES: Final = compile_bounded(rf"{alternatives(each.supposes for each in _QUESTIONS)}\b", re.IGNORECASE)
_REFERS: Final = frozenset[str]().union(*(each.refers for each in _QUESTIONS))
_NAME: Final = compile_bounded(rf"(?<![.!?…]\s)(?<!^)\b{CAPITAL}[\w'’-]+(?:\s+{CAPITAL}[\w'’-]+)?")


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One question of a message: its ``text``, and the same ``resolved``, with the name that it only refers to."""

    text: str
    resolved: str


@keep_until_read
def split_questions(message: str) -> tuple[SubQuestion, ...]:
    """Return the questions of a message to memory, in order; empty when it asks nothing.

    What asks for nothing by itself ("Really?") is no question of its own beside one that does.
    """
    found: list[SubQuestion] = []
    for sentence in list_own_sentences(message):
        if classify_speech(sentence) is SpeechAct.QUESTION or asks_memory(sentence):
            for part in _split_sentence(mend_opening(sentence)):
                meant = _resolve(part, found[-1].resolved) if found else part
                found.append(SubQuestion(part, meant))
    asking = [question for question in found if _has_content(analyse(question.resolved))]
    return tuple(asking or found[:1])


def expects_answer(message: str) -> bool:
    """Return whether a message wants an answer: it holds a question or a request, answerable or not."""
    return any(map(_wants_answer, list_own_sentences(message)))


@keep_until_read
def measure_asking(message: str) -> float:
    """Return how much of a message wants an answer: the share of its words, 0..1."""
    said = [(len(each.split()), _wants_answer(each)) for each in list_own_sentences(message)]
    return sum(words for words, wanted in said if wanted) / (sum(words for words, _ in said) or 1)


def _wants_answer(sentence: str) -> bool:
    return classify_speech(sentence) in {SpeechAct.QUESTION, SpeechAct.REQUEST} and not asks_to_keep(sentence)


def _split_sentence(sentence: str) -> tuple[str, ...]:
    """Return the questions that one sentence joins, each with its mark."""
    if len(sentence) > _LONGEST:
        return (sentence,)
    plain = strip_opening(sentence.strip())
    parts, start = [], 0
    for joint in _JOINT.finditer(plain):
        before, after = plain[start : joint.start()], plain[joint.end() :]
        if _is_asking(before) and _is_further_question(joint[0], before, after):
            parts.append(before)
            start = joint.end()
    if not parts:
        return (sentence,)
    return (*(f"{part.rstrip(' ,;?')}?" for part in parts), plain[start:])


def _is_asking(clause: str) -> bool:
    """Return whether a clause begins as a question and asks for something by itself."""
    return (_BEGINS.match(clause) is not None or asks_memory(clause)) and _has_content(analyse(clause))


def _is_further_question(joint: str, before: str, after: str) -> bool:
    """Return whether what stands after a joint is a question of its own."""
    word = joint.strip(" ,;\n\t").casefold().partition(" ")[0]
    continues = [(each, pattern) for each, pattern in _CONTINUES if word in each.joins]
    if not continues and _SUPPOSES.match(before):
        return False
    begins = _LISTED.match(after) is not None
    if continues:
        begins = any(pattern.match(after) for _, pattern in continues)
    clause = _JOINT.split(after, maxsplit=1)[0]
    return begins and (_has_content(analyse(clause)) or not _REFERS.isdisjoint(split_words(clause)))


def _has_content(analysis: QuestionAnalysis) -> bool:
    return bool(analysis.terms) or analysis.whole or analysis.name


def _resolve(question: str, before: str) -> str:
    """Return a question that only refers to somebody ("her") with the name, or thing, of the one before."""
    if not list_references(question) or analyse(question).entities:
        return question
    names = [match[0] for match in _NAME.finditer(before)]
    near = [word for word in split_words(before) if find_concept(word) in PEOPLE]
    who = next(iter(names[-1:] or near[-1:]), None) or name_thing(before)
    return f"{question.rstrip('?!. ')} {who}?" if who else question


def list_references(question: str) -> frozenset[str]:
    """Return the words of a question that stand for somebody, or something, named before it: "her"."""
    return _REFERS.intersection(split_words(question))


def name_thing(before: str, *, first: bool = False) -> str | None:
    """Return the last thing that a question, or a statement, is about, or the ``first``."""
    terms = analyse(before).terms
    asks, *said = split_words(before) or ("",)  # "wieviel" is no thing
    words = said if first else (asks, *said)
    things = [word for word in words if word not in STOP_WORDS and find_concept(word) in terms]
    return next(iter(things if first else things[-1:]), None)
