"""Splits a message into its questions: one a sentence, or several joined in one ("where is Vera and when do I fly?").

A joint is a place where both sides ask: what stands before it begins as a question, and what follows begins with a
question word or turns verb and subject around.  "Where do Vera and Max live?" has none.
A question that speaks of "her" is read with whom the one before it named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.memory.answering.question_analysis import QuestionAnalysis, analyse
from bot.memory.learning.speech_acts import Speech, asks_memory, asks_to_keep, opened, own_words, speech_of
from bot.memory.patterns import compiled
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import redact
from bot.memory.synonyms import PEOPLE, STOP_WORDS, concept
from language import alternatives, languages
from language.questions import QuestionPatterns
from language.sentences import sentences
from language.words import CAPITAL, words

MOST: Final = 8
"""Questions of one message that are answered."""
_LONGEST: Final = 600
"""Characters of a sentence that is looked at for joints."""

_QUESTIONS: Final = tuple(each.questions for each in languages())
_BEGINS: Final = compiled(alternatives(each.begins for each in _QUESTIONS), re.IGNORECASE)


def _either(sets: Iterable[frozenset[str]]) -> str:
    """Return a pattern of any of the words."""
    return alternatives(map(re.escape, sorted(frozenset[str]().union(*sets), key=lambda word: (-len(word), word))))


_JOINT: Final = compiled(
    rf"\s*(?:;|,?\s{_either(each.joins for each in _QUESTIONS)}(?=\s)|,)\s+"
    rf"(?:{_either(each.too for each in _QUESTIONS)}\s+)?(?=\S)",
    re.IGNORECASE,
)
_CONTINUES: Final = tuple((each, compiled(alternatives((each.continues,)), re.IGNORECASE)) for each in _QUESTIONS)
_LISTED: Final = compiled(alternatives(each.listed for each in _QUESTIONS), re.IGNORECASE)
_SAME_SUBJECT: Final = {
    each.who: (
        compiled(rf"{alternatives((each.who,))}\b", re.IGNORECASE),
        compiled(rf"\w+\s+{alternatives((each.determined,))}\b", re.IGNORECASE),
    )
    for each in _QUESTIONS
}
"""After "who is my boss" it goes on about the same: "and was my teacher"."""
_SUPPOSES: Final = compiled(rf"{alternatives(each.supposes for each in _QUESTIONS)}\b", re.IGNORECASE)
_REFERS: Final = frozenset[str]().union(*(each.refers for each in _QUESTIONS))
_NAME: Final = compiled(rf"(?<![.!?…]\s)(?<!^)\b{CAPITAL}[\w'’-]+(?:\s+{CAPITAL}[\w'’-]+)?")


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One question of a message: its ``text``, and the same ``resolved``, with the name that it only refers to."""

    text: str
    resolved: str


def split_questions(message: str) -> tuple[SubQuestion, ...]:
    """Return the questions of a message to memory, in order; empty when it asks nothing.

    What asks for nothing by itself ("Really?") is no question of its own beside one that does.
    """
    said = sentences(own_words(redact(clean(message)).text))
    found: list[SubQuestion] = []
    for sentence in said:
        if speech_of(sentence) is Speech.QUESTION or asks_memory(sentence):
            for part in _split_sentence(sentence):
                meant = _resolve(part, found[-1].resolved) if found else part
                found.append(SubQuestion(part, meant))
    asking = [question for question in found if _has_content(analyse(question.resolved))]
    return tuple(asking or found[:1])


def asks(message: str) -> bool:
    """Return whether a message wants an answer: it holds a question or a request, answerable or not."""
    said = sentences(own_words(clean(message)))
    return any(speech_of(each) in {Speech.QUESTION, Speech.REQUEST} and not asks_to_keep(each) for each in said)


def _split_sentence(sentence: str) -> tuple[str, ...]:
    """Return the questions that one sentence joins, each with its mark."""
    if len(sentence) > _LONGEST:
        return (sentence,)
    plain = opened(sentence.strip())
    parts, start = [], 0
    for joint in _JOINT.finditer(plain):
        before, after = plain[start : joint.start()], plain[joint.end() :]
        if _asks(before) and _follows(joint[0], before, after):
            parts.append(before)
            start = joint.end()
    if not parts:
        return (sentence,)
    return (*(f"{part.rstrip(' ,;?')}?" for part in parts), plain[start:])


def _asks(clause: str) -> bool:
    """Return whether a clause begins as a question and asks for something by itself."""
    return (_BEGINS.match(clause) is not None or asks_memory(clause)) and _has_content(analyse(clause))


def _follows(joint: str, before: str, after: str) -> bool:
    """Return whether what stands after a joint is a question of its own."""
    word = joint.strip(" ,;\n\t").casefold().partition(" ")[0]
    continues = [(each, pattern) for each, pattern in _CONTINUES if word in each.joins]
    if not continues and _SUPPOSES.match(before):
        return False
    begins = _LISTED.match(after) is not None
    if continues:
        begins = any(pattern.match(after) and not _goes_on(each, before, after) for each, pattern in continues)
    clause = _JOINT.split(after, maxsplit=1)[0]
    return begins and (_has_content(analyse(clause)) or not _REFERS.isdisjoint(words(clause)))


def _goes_on(language: QuestionPatterns, before: str, after: str) -> bool:
    """Return whether what follows "and" tells more of the person that "who" asks for."""
    who, subject = _SAME_SUBJECT[language.who]
    return who.match(before) is not None and subject.match(after) is not None


def _has_content(analysis: QuestionAnalysis) -> bool:
    return bool(analysis.terms) or analysis.whole or analysis.name


def _resolve(question: str, before: str) -> str:
    """Return a question that only refers to somebody ("her") with the name, or thing, of the one before."""
    if _REFERS.isdisjoint(words(question)) or analyse(question).entities:
        return question
    names = [match[0] for match in _NAME.finditer(before)]
    near = [word for word in words(before) if concept(word) in PEOPLE]
    things = [word for word in words(before) if word not in STOP_WORDS and concept(word) in analyse(before).terms]
    who = names[-1:] or near[-1:] or things[-1:]
    return f"{question.rstrip('?!. ')} {who[0]}?" if who else question
