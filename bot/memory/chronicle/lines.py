"""The chronicle: of every exchange the sentence or two that tell what it was about, so that months fit into a prompt.

Extracted word for word, by rules: what somebody decided says more than what they like, that more than what they asked.
A line belongs to one exchange, so that it goes with it; the digest of a session is the best lines of its exchanges.
An assistant's answer gives a line only where it holds a decision or a result: it is long, and repeats what was asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.memory.items import ItemType, Trust
from bot.memory.learning.speech_acts import SpeechAct, classify_speech, keep_own_words, strip_opening
from bot.memory.learning.statements import find_facts
from bot.memory.patterns import cut_for_rules
from bot.memory.ranking.passages import FIRST_PERSON, NAME, NUMBER, TIME, find_cues
from bot.memory.secrets.redaction import redact
from language.sentences import split_sentences
from language.tokens import count_tokens

LINE_TOKENS: Final = 25
"""Tokens of a line at most; a longer sentence is cut."""
DECIDED: Final = 1.0
"""Weight of a line that says what was decided, solved or achieved."""
_FACTS: Final = {
    ItemType.DECISION: DECIDED,
    ItemType.FIX: DECIDED,
    ItemType.RESULT: 0.9,
    ItemType.FAILURE: 0.85,
    ItemType.TASK: 0.85,
    ItemType.CONSTRAINT: 0.8,
    ItemType.PREFERENCE: 0.75,
    ItemType.FACT: 0.7,
}
_SPOKEN: Final = {
    SpeechAct.STATEMENT: 0.4,
    SpeechAct.REQUEST: 0.3,
    SpeechAct.QUESTION: 0.25,
    SpeechAct.HYPOTHESIS: 0.15,
}
_OWN: Final = 0.15
_DEFINITE: Final = 0.05
_MOST_TOLD: Final = 0.95
"""Weight of what is no decision, at most."""
_SECOND: Final = 0.7
"""Weight from which on a second sentence of one message has a line of its own."""
_LEAST_WORDS: Final = 4
_LOOKED_AT: Final = 40
_ENDS: Final = 2
"""Sentences at either end of an answer that are looked at: there it says what came of it."""
_ANSWERED: Final = frozenset({ItemType.DECISION, ItemType.FIX, ItemType.RESULT})
_LOOKED_INTO: Final = 400
"""Characters at the beginning of a sentence: more than any line has."""
_CUT: Final = " …"
_PAUSES: Final = (",", ";", ":", "–", "—")


@dataclass(frozen=True, slots=True)
class ChosenLine:
    """A line of an exchange: whose words they are, how much it tells, 0..1, and the whole ``sentence`` it is from."""

    assistant: bool
    text: str
    weight: float
    sentence: str


@dataclass(frozen=True, slots=True)
class DigestLine:
    """A line of the chronicle as it is read: ``exchange`` is the uid of the exchange that it is from.

    ``place`` orders lines by when they were written down; ``role`` is "user" or "assistant".
    """

    exchange: str
    place: int
    session: int
    said_at: datetime
    author: str
    author_id: int
    role: str
    trust: Trust
    text: str
    weight: float

    @property
    def key(self) -> str:
        """The line's name, stable and unique within its scope."""
        return f"digest:{self.exchange}:{self.place & 0xFF}"


def choose_lines(user_text: str, assistant_text: str) -> tuple[ChosenLine, ...]:
    """Return the lines of an exchange, at most two of its author's and one of the answer; () for small talk.

    ``user_text`` is what the author typed, ``assistant_text`` the answer, "" where it only repeats memory.
    """
    own = _rate(user_text)
    kept = own[:1] + [line for line in own[1:2] if line.weight >= _SECOND]
    sentences = split_sentences(keep_own_words(cut_for_rules(assistant_text)))
    ends = sentences if len(sentences) <= 2 * _ENDS else (*sentences[:_ENDS], *sentences[-_ENDS:])
    answered = (fact for fact in find_facts("\n".join(ends)) if fact.rule.type in _ANSWERED)
    result = next(answered, None)
    if result is None:
        return tuple(kept)
    told = ChosenLine(
        assistant=True, text=cut_line(result.sentence), weight=_FACTS[ItemType.FACT], sentence=result.sentence
    )
    return (*kept, told)


def cut_line(sentence: str) -> str:
    """Return a sentence as a line, without "by the way": verbatim, and if it is long its beginning up to a pause."""
    begins = redact(sentence).text[:_LOOKED_INTO]
    plain = " ".join(strip_opening(begins).split())
    if count_tokens(plain) <= LINE_TOKENS:
        return plain
    words = plain.split(" ")
    size = len(words)
    while size > 1 and count_tokens(" ".join(words[:size]) + _CUT) > LINE_TOKENS:
        size -= 1
    pause = next((end for end in range(size, size // 2, -1) if words[end - 1].endswith(_PAUSES)), size)
    return " ".join(words[:pause]).rstrip(",;:–— ") + _CUT


def _rate(text: str) -> list[ChosenLine]:
    """Return the sentences of a message that tell something as lines, the most telling first."""
    facts = {fact.sentence: fact.rule.type for fact in find_facts(text)}
    rated = []
    for sentence in split_sentences(keep_own_words(cut_for_rules(text)))[:_LOOKED_AT]:
        act = classify_speech(sentence)
        brief = len(sentence.split()) < _LEAST_WORDS and sentence not in facts
        if act is SpeechAct.SMALLTALK or brief:
            continue
        weight = _FACTS[facts[sentence]] if sentence in facts else _SPOKEN[act]
        cues = find_cues(sentence)
        weight += _OWN * bool(cues & FIRST_PERSON) * (sentence not in facts)
        if weight < DECIDED:
            weight = min(weight + _DEFINITE * sum(bool(cues & cue) for cue in (TIME, NUMBER, NAME)), _MOST_TOLD)
        rated.append(ChosenLine(assistant=False, text=cut_line(sentence), weight=round(weight, 2), sentence=sentence))
    return sorted(rated, key=lambda line: -line.weight)
