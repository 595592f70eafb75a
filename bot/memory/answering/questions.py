"""Which questions a message asks: one a sentence, or several joined in one ("where is Vera and when do I fly?").

A joint is a place where both sides ask: what stands before it begins as a question, and what follows begins with a
question word or turns verb and subject around.  "Where do Vera and Max live?" has none.
A question that speaks of "her" is read with whom the one before it named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.memory.answering.question_analysis import Wanted, read
from bot.memory.learning.speech_acts import Speech, asks_memory, asks_to_keep, opened, own_words, speech_of
from bot.memory.patterns import compiled
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import redact
from bot.memory.synonyms import PEOPLE, STOP_WORDS, concept
from language.sentences import sentences
from language.words import vocabulary, words

MOST: Final = 8
"""Questions of one message that are answered."""
_LONGEST: Final = 600
"""Characters of a sentence that is looked at for joints."""

_EN: Final = r"(?:what|where|when|who|whom|whose|why|how|which)(?:['’](?:s|re|d))?\b"
_DE: Final = (
    r"(?:was|wo|wohin|woher|womit|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wie|welche[mnrs]?|"
    r"(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus) (?:wem|wen|wann|wo|wie|was|welche[mnrs]?))\b"
)
_RU: Final = (
    r"(?:(?:в|на|о|об|с|у|за|от|из|к|по|до|для|во|со)\s+)?(?:что|чем|чего|ч[её]м|где|куда|откуда|кто|кого|кому|кем|ком|"
    r"чей|чья|чь[её]|когда|как|каков\w*|как(?:ой|ая|ое|ие|ого|ую|ом|им|их)|сколько|скольких|почему|зачем|котор\w+)\b"
)
_SUBJECT: Final = r"(?:i|you|he|she|it|we|they|there|my|your|his|her|our|their|the|this|that|an?|(?-i:[A-Z])\w*)\b"
_EN_VERB: Final = (
    rf"(?:(?:is|are|am|was|were|does|did|can|could|will|would|shall|should|has|had)\s+{_SUBJECT}"
    r"|(?:do|have)\s+(?:i|you|we|they)\b)"
)
_DE_VERB: Final = (
    r"(?:ist|sind|war|waren|bin|hat|hatte|habe|haben|kann|können|wird|werden|soll|muss)\s+"
    r"(?:ich|du|er|sie|es|wir|ihr|mein\w*|dein\w*|sein\w*|unser\w*|der|die|das|(?-i:[A-ZÄÖÜ])\w*)\b"
)
_BEGINS: Final = compiled(rf"(?:{_EN}|{_EN_VERB}|{_DE}|{_DE_VERB}|{_RU})|\S+\s+ли\b", re.IGNORECASE)
_JOINT: Final = compiled(
    r"\s*(?:;|,?\s(?:and|also|plus|&|und|sowie|и|а)(?=\s)|,)\s+(?:(?:also|then|auch|dann|ещё|еще|также)\s+)?"
    r"(?=\S)",
    re.IGNORECASE,
)
_EN_NEXT: Final = compiled(rf"(?:{_EN}|{_EN_VERB})\s+\S", re.IGNORECASE)
_DE_NEXT: Final = compiled(rf"(?:{_DE}|{_DE_VERB})\s+\S", re.IGNORECASE)
_RU_NEXT: Final = compiled(rf"(?:{_RU})\s+\S|\S+\s+ли\b", re.IGNORECASE)
_EN_LISTED: Final = compiled(
    rf"{_EN}(?:['’](?:s|re)|(?:\s+[\w'’-]+){{0,3}}?\s+(?:is|are|am|was|were|do|does|did|can|will|has|have|had))\s+\S",
    re.IGNORECASE,
)
_DE_LISTED: Final = compiled(
    rf"{_DE}(?:\s+\w+)?\s+(?:ist|sind|war|waren|bin|hat|hatte|habe|haben|kann|heißt|heiße|wohnt|wohne)\s+\S",
    re.IGNORECASE,
)
_RU_LISTED: Final = compiled(r"(?:как|сколько|почему|зачем|когда|как(?:ой|ая|ое|ие|ого))\s+\S+\s+\S", re.IGNORECASE)
"""After a mere comma "где" and "кто" begin a clause that belongs to the one before."""
_WHO: Final = compiled(r"(?:who|what|which)\b", re.IGNORECASE)
_SAME_SUBJECT: Final = compiled(r"\w+\s+(?:my|your|his|her|our|their|the|this|that|an?)\b", re.IGNORECASE)
"""After "who is my boss" it goes on about the same: "and was my teacher"."""
_SUPPOSES: Final = compiled(r"(?:when|if|while|once|wenn|falls|als|когда|если)\b", re.IGNORECASE)
_REFERS: Final = vocabulary(
    "he she it they him her them his hers its their er sie ihn ihm ihr ihre ihren ihrer sein seine seinen "
    "он она оно они его ее их ему ей им него нее них ним ней"
)
_NAME: Final = compiled(r"(?<![.!?…]\s)(?<!^)\b[A-ZА-ЯЁÄÖÜ][\w'’-]+(?:\s+[A-ZА-ЯЁÄÖÜ][\w'’-]+)?")


@dataclass(frozen=True, slots=True)
class Question:
    """One question: as it was ``asked``, and as it is ``read`` with the name that it only refers to."""

    asked: str
    read: str


def questions_of(message: str) -> tuple[Question, ...]:
    """Return the questions of a message to memory, in order; empty when it asks nothing.

    What asks for nothing by itself ("Really?") is no question of its own beside one that does.
    """
    said = sentences(own_words(redact(clean(message)).text))
    found: list[Question] = []
    for sentence in said:
        if speech_of(sentence) is Speech.QUESTION or asks_memory(sentence):
            for part in _parted(sentence):
                meant = _named(part, found[-1].read) if found else part
                found.append(Question(part, meant))
    asking = [question for question in found if _has_content(read(question.read))]
    return tuple(asking or found[:1])


def asks(message: str) -> bool:
    """Return whether a message wants an answer: it holds a question or a request, answerable or not."""
    said = sentences(own_words(clean(message)))
    return any(speech_of(each) in {Speech.QUESTION, Speech.REQUEST} and not asks_to_keep(each) for each in said)


def _parted(sentence: str) -> tuple[str, ...]:
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
    return (_BEGINS.match(clause) is not None or asks_memory(clause)) and _has_content(read(clause))


def _follows(joint: str, before: str, after: str) -> bool:
    """Return whether what stands after a joint is a question of its own."""
    word = joint.strip(" ,;\n\t").casefold().partition(" ")[0]
    if word in {"and", "also", "plus", "&"}:
        begins = None if _WHO.match(before) and _SAME_SUBJECT.match(after) else _EN_NEXT.match(after)
    elif word in {"und", "sowie"}:
        begins = _DE_NEXT.match(after)
    elif word in {"и", "а"}:
        begins = _RU_NEXT.match(after)
    elif _SUPPOSES.match(before):
        return False
    else:
        begins = _EN_LISTED.match(after) or _DE_LISTED.match(after) or _RU_LISTED.match(after)
    clause = _JOINT.split(after, maxsplit=1)[0]
    return begins is not None and (_has_content(read(clause)) or not _REFERS.isdisjoint(words(clause)))


def _has_content(wanted: Wanted) -> bool:
    return bool(wanted.terms) or wanted.whole or wanted.name


def _named(question: str, before: str) -> str:
    """Return a question that only refers to somebody ("her") with the name, or thing, of the one before."""
    if _REFERS.isdisjoint(words(question)) or read(question).entities:
        return question
    names = [match[0] for match in _NAME.finditer(before)]
    near = [word for word in words(before) if concept(word) in PEOPLE]
    things = [word for word in words(before) if word not in STOP_WORDS and concept(word) in read(before).terms]
    who = names[-1:] or near[-1:] or things[-1:]
    return f"{question.rstrip('?!. ')} {who[0]}?" if who else question
