"""Analyses a question: the kind of thing that answers it, the words an answer must share, and whom it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from bot.memory.learning.speech_acts import opened
from bot.memory.patterns import compiled
from bot.memory.synonyms import PEOPLE, STOP_WORDS, concept, concepts
from language import alternatives, languages, likely_languages
from language.answers import AnswerPatterns
from language.language import Language
from language.stemming import strip_ending
from language.words import fold, words


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

    ``terms`` are the concepts of its content words with their weights; ``entities`` those that an answer cannot do
    without (names, "sister", codes); ``of_asker`` whether it is about the asker themselves ("where do I live"), ``own``
    whether about them or theirs ("my sister", or just "sister"); ``whole`` whether it asks for all that is known,
    ``name`` whether it asks for the asker's own name; ``rather`` a concept that an answer has if there is a choice:
    "work" in "what does Max do", which "Max is a pilot" answers, too; ``languages`` those that it is most
    likely written in.
    """

    kind: AnswerKind
    terms: dict[str, float]
    entities: frozenset[str]
    of_asker: bool
    own: bool
    whole: bool
    name: bool = False
    rather: str = ""
    languages: tuple[Language, ...] = ()


_QUESTIONS: Final = tuple(each.questions for each in languages())
_ANSWERS: Final = tuple(each.answers for each in languages())
_ASKED: Final = {
    each.code: (
        *(
            (kind, re.compile(rf"\b{alternatives((pattern,))}\b", re.IGNORECASE))
            for kind, pattern in (
                (AnswerKind.PLACE, each.questions.place),
                (AnswerKind.TIME, each.questions.time),
                (AnswerKind.NUMBER, each.questions.number),
                (AnswerKind.PERSON, each.questions.person),
                (AnswerKind.REASON, each.questions.reason),
            )
        ),
        (AnswerKind.YES_NO, compiled(alternatives((each.questions.yes_no,)), re.IGNORECASE)),
    )
    for each in languages()
}
"""By language, what asks for each kind of answer, in the order in which they are tried."""
_GIVEN: Final = {
    each.code: {
        kind: re.compile(alternatives((pattern,)), re.IGNORECASE)
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
_IMPLIED: Final = {
    each.code: {
        kind: {concept(word) for word in said} - {"live"}
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
_OCCUPIED: Final = frozenset(concepts(" ".join(word for each in _QUESTIONS for word in sorted(each.occupied))))
_WHICH: Final = compiled(
    "|".join(
        rf"(?:{each.which})\s+(?!{alternatives((each.no_kind,))}\b)(?P<sort{n}>[\w-]+)\s+\S"
        for n, each in enumerate(_QUESTIONS)
        if each.which
    ),
    re.IGNORECASE,
)
_SORT_WEIGHT: Final = 0.6
"""Of "book" in "which book did I read": an answer names the book and may not call it one."""
_ABOUT_ASKER: Final = re.compile(alternatives(each.about_asker for each in _QUESTIONS), re.IGNORECASE)
_NAME_FIRST: Final = compiled(alternatives(each.learning.name for each in languages()), re.IGNORECASE)
_OWN_NAME: Final = re.compile(alternatives(each.own_name for each in _QUESTIONS), re.IGNORECASE)
_INTRODUCES: Final = re.compile(alternatives(each.introduces for each in _ANSWERS), re.IGNORECASE)
_IS_CALLED: Final = compiled(alternatives(each.is_called for each in _ANSWERS))
_IS_A: Final = compiled(alternatives(each.is_a for each in _ANSWERS), re.IGNORECASE)
_PERHAPS: Final = 0.92
"""Of "I'm Sam" as a name and of "I'm a baker" as an occupation: "I'm German" and "I'm a vegan" look the same."""
_OCCUPATION: Final = compiled(alternatives(each.occupation for each in _QUESTIONS), re.IGNORECASE)
"""Asks for somebody's work without a word for it."""
FIRST_PERSON: Final = frozenset[str]().union(*(each.first_person for each in _QUESTIONS))
"""Words that mean another person in another mouth."""
_ASKER: Final = frozenset[str]().union(*(each.asker for each in _QUESTIONS))
_NO_NAMES: Final = frozenset[str]().union(*(each.no_names for each in _ANSWERS))
_CODE: Final = compiled(r"(?=.*\d)[\w-]+")
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_ADJECTIVE: Final = re.compile(r"[^\W\d_]{2,30}e[nmrs]?")


def analyse(question: str) -> QuestionAnalysis:
    """Return what ``question`` (one or several sentences) asks for."""
    plain = opened(question.strip())
    spoken = likely_languages(plain)
    kind = _kind_of(plain, spoken)
    said = words(plain)
    implied = {term for each in spoken for term in _IMPLIED[each.code].get(kind, ())}
    certain = spoken[0].ambiguous_words if len(spoken) == 1 else frozenset()
    ambiguous = {concept(word) for word in certain}
    terms = [
        term for term in concepts(plain) if term not in ambiguous and (term not in implied or kind is AnswerKind.NUMBER)
    ]
    occupation = _OCCUPATION.match(plain) is not None
    if occupation:
        terms = [term for term in terms if term not in _OCCUPIED] or ["work"]
    entities = frozenset(_entities(plain))
    sort = _WHICH.match(plain)
    kind_of_thing = (
        {term: _SORT_WEIGHT for term in concepts(sort[sort.lastgroup or 0]) if term in terms}
        if sort and len(terms) > 1
        else {}
    )
    return QuestionAnalysis(
        kind=kind,
        terms={term: 1.5 if term in entities else 0.5 if term in implied else 1.0 for term in terms} | kind_of_thing,
        entities=entities & frozenset(terms),
        of_asker=not _ASKER.isdisjoint(said) and not entities & PEOPLE,
        own=not FIRST_PERSON.isdisjoint(said) or (bool(entities) and entities <= PEOPLE),
        whole=_ABOUT_ASKER.search(plain) is not None,
        name={"name"}.issuperset(terms) and _OWN_NAME.match(plain) is not None,
        rather="work" if occupation else "",
        languages=spoken,
    )


def _kind_of(question: str, spoken: tuple[Language, ...]) -> AnswerKind:
    """Return the kind by the rules of the language that the question is most likely written in."""
    for language in spoken:
        for kind, pattern in _ASKED[language.code]:
            if pattern.search(question):
                return kind
    return AnswerKind.ANY


def rate_introduction(sentence: str) -> float:
    """Return how surely somebody says their own name in a sentence, 0..1."""
    if _INTRODUCES.search(sentence):
        return 1.0
    return _PERHAPS if _IS_CALLED.fullmatch(sentence.strip()) else 0.0


def rate_occupation(sentence: str) -> float:
    """Return how surely somebody says what they are without a word of work: "I'm a baker", 0..1."""
    return _PERHAPS if _IS_A.search(sentence) else 0.0


def holds_kind(analysis: QuestionAnalysis, sentence: str) -> bool:
    """Return whether ``sentence`` holds the kind of thing that a question asks for."""
    if analysis.kind is AnswerKind.PERSON:
        return _names_someone(sentence, analysis)
    return analysis.kind in {AnswerKind.YES_NO, AnswerKind.ANY} or _gives(analysis.kind, sentence, analysis.languages)


def _gives(kind: AnswerKind, sentence: str, asked_in: tuple[Language, ...]) -> bool:
    """Return whether a sentence holds such a thing; the question's language decides where the sentence tells none."""
    likely = likely_languages(sentence)
    spoken = [each for each in likely if each in asked_in] or likely
    return any(_GIVEN[each.code][kind].search(sentence) for each in spoken)


def _names_someone(sentence: str, asked: QuestionAnalysis) -> bool:
    """Return whether there is a name or a relative.

    The first word has a capital anyway: it is a name unless it is a common one or the question has it, too.
    """
    first = (sentence.split() or ("",))[0]
    if any(True for _ in _capitals(sentence)):
        return True
    begins = _NAME_FIRST.match(sentence) and not _gives(AnswerKind.TIME, first, asked.languages)
    return bool(begins and concept(next(iter(words(first)), "")) not in asked.terms) or not PEOPLE.isdisjoint(
        concepts(sentence)
    )


def _capitals(sentence: str) -> Iterator[str]:
    """Yield the words inside a sentence that have a capital as names have."""
    said, spoken = sentence.split(), likely_languages(sentence)[0].answers
    for place, word in enumerate(said[1:], 1):
        if word[:1].isupper() and word not in _NO_NAMES and not _is_noun(said, place, spoken):
            yield word


def _is_noun(said: list[str], place: int, language: AnswerPatterns) -> bool:
    """Return whether a word has its capital because all nouns have one in the language it stands in."""
    if not language.before_nouns:
        return False
    word = next(iter(words(said[place])), "")
    if (concept(word) != strip_ending(word) and concept(word) not in PEOPLE) or _ends_as_noun(
        language.noun_ending
    ).search(word):
        return True
    before = [next(iter(words(each)), "") for each in said[max(0, place - 2) : place]]
    if before[-1] in language.before_nouns:
        return True
    described = len(before) > 1 and before[0] in language.before_nouns and said[place - 1].islower()
    return described and _ADJECTIVE.fullmatch(before[-1]) is not None


@cache
def _ends_as_noun(endings: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{endings})$" if endings else "(?!)")


def _entities(question: str) -> list[str]:
    """Return the concepts of names, of people near the asker and of codes in a question."""
    found = []
    said, spoken = _WORD.findall(question), likely_languages(question)[0].answers
    for place, word in enumerate(said):
        folded = fold(word)
        bare = folded.removesuffix("'s").removesuffix("’s")
        if bare in STOP_WORDS or folded in STOP_WORDS:
            continue
        is_name = word[0].isupper() and place > 0 and not _is_noun(said, place, spoken)
        if concept(bare) in PEOPLE or is_name or _CODE.fullmatch(word):
            found.append(concept(folded))
    return found
