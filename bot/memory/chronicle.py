"""The chronicle: of every exchange the sentence or two that tell what it was about, so that months fit into a prompt.

Extracted word for word, by rules: what somebody decided says more than what they like, that more than what they asked.
A line belongs to one exchange, so that it goes with it; the digest of a session is the best lines of its exchanges.
An assistant's answer gives a line only where it holds a decision or a result: it is long, and repeats what was asked.
A line that a model worded says in few words what the author said in many.  It takes the place of one that the rules
chose, keeps that one's key, weight and trust, and goes with the same exchange; where it fits none, the rules' stay.
How near a line is to a question the search over verbatim turns knows best, by meaning as by words: it gets what its
exchange got there, and something for words of its own; then what it tells decides.
What a model reads behind a conversation, to sum it up or to note something, is shortened by the same measure: names,
numbers, dates and what somebody says of themselves stay, the long explanations between them are paid for in vain.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from bot.memory.concepts import list_concepts
from bot.memory.helpfulness import HELPS, KNOWN
from bot.memory.items import Channel, ItemType, Recalled, Trust
from bot.memory.learning.speech_acts import SpeechAct, classify_speech, keep_own_words, strip_opening
from bot.memory.learning.statements import find_facts, states_fact
from bot.memory.learning.wishes import states_wish
from bot.memory.overviews import Overview, OverviewKind
from bot.memory.patterns import cut_for_rules
from bot.memory.ranking.passages import FIRST_PERSON, NAME, NUMBER, TIME, find_cues, find_days
from bot.memory.secrets.redaction import redact
from language import alternatives, languages, negations
from language.patterns import compile_at_use
from language.sentences import split_sentences
from language.tokens import count_tokens, shorten
from language.words import split_exactly

LINE_TOKENS: Final = 25
"""Tokens of a line at most; a longer sentence is cut."""
DECIDED: Final = 1.0
"""Weight of a line that says what was decided, solved or achieved."""
_FACTS: Final = {
    ItemType.DECISION: DECIDED,
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
    answered = (fact for fact in find_facts("\n".join(ends)) if fact.rule.type is ItemType.DECISION)
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


_SAME: Final = 0.5
"""Share of the concepts of the shorter that the longer has, of a line and a sentence, if both say the same."""

_COUNTS: Final = {word: str(count) for each in languages() for word, count in each.calendar.counts.items() if count > 1}
_DAYS: Final = {
    f"{kind} {place}": compile_at_use(rf"\b{alternatives(patterns)}\b")
    for kind, names in (
        ("month", [each.calendar.months for each in languages()]),
        ("day", [each.schedule.weekdays for each in languages()]),
    )
    for place, patterns in enumerate(zip(*filter(None, names), strict=True))
}


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """What a model says that the author of an exchange said: ``exchange`` is its uid, ``text`` one line."""

    exchange: str
    text: str


def find_reworded(text: str, user_text: str) -> int | None:
    """Return the number of the author's line that ``text`` may stand for, ``None`` if there is none.

    ``user_text`` is what the author typed.  The line whose sentence has most in common with ``text`` is taken, if
    that is enough.
    A "not" that the author never said, or that the line loses, would turn it into its opposite, and a number, amount,
    month or day of the week that is not in the sentence into something else: then it is none.
    """
    sentences = [line.sentence for line in choose_lines(user_text, "")]
    said = set(list_concepts(text))
    shares = [_compute_share(said, set(list_concepts(sentence))) for sentence in sentences]
    best = max(range(len(sentences)), key=lambda number: shares[number], default=None)
    if best is None or shares[best] < _SAME:
        return None
    denied = bool(negations().search(text))
    if denied < bool(negations().search(sentences[best])) or denied > bool(
        negations().search(keep_own_words(user_text))
    ):
        return None
    return best if _list_amounts(text) <= _list_amounts(sentences[best]) else None


def _list_amounts(text: str) -> frozenset[str]:
    """Return the numbers of a text with their signs, in figures where they are words, and its months and weekdays."""
    words = [_COUNTS.get(word, word) for word in split_exactly(text)]
    amounts = {word for word in words if any(map(str.isdigit, word)) or not any(map(str.isalnum, word))}
    return frozenset(amounts.union(name for name, pattern in _DAYS.items() if pattern.search(text.lower())))


def _compute_share(some: set[str], others: set[str]) -> float:
    shorter = min(len(some), len(others))
    return len(some & others) / shorter if shorter else 0.0


_FOUND: Final = 1.0
_WORDS: Final = 0.5
_TELLS: Final = 0.2
"""What counts how much: the exchange's place in the search, words in common, what a line tells by itself."""
_AGAIN: Final = 0.93
"""What the next line of a session counts, of what the one before it did."""
_SECOND_OF_ONE: Final = 0.5
"""What the second line of one exchange counts: another exchange is of more worth."""
_LEAST: Final = 0.15
"""Lines below this share of the best one's worth are left out, unless nothing says what the question is about."""
MOST: Final = MappingProxyType(
    {
        OverviewKind.ORDER: 40,
        OverviewKind.CHANGE: 24,
        OverviewKind.DECISIONS: 24,
        OverviewKind.SUMMARY: 24,
        OverviewKind.EVERYTHING: 18,
    }
)
"""Lines for one question, of some 25 tokens: an order needs many, a summary also what was answered."""
_SUREST: Final = 0.9
"""Certainty of lines where all that a question names is in the chronicle."""
_NOTHING: Final = 0.15
"""Certainty below which the chronicle is silent: nothing of what the question names was ever said."""
_HELPS: Final = 0.65
_FADES: Final = 0.5
"""Probability that the best line helps, and what the last one has lost of it: a line costs a third of a passage, so
that it may help a third as often and be worth its tokens as much."""
_HALF: Final = 0.5
"""The certainty that is left where nothing was said on the days that a question names."""
_OTHER: Final = 0.8
"""What a line gets of what the other side of its exchange got."""
_JUDGED_BY: Final = 5
_DAY: Final = timedelta(days=1)


def rank_lines(
    lines: Sequence[DigestLine], overview: Overview, found: Sequence[Recalled], *, question: str, now: datetime
) -> tuple[Recalled, ...]:
    """Return as many lines as the kind of question wants as memories, in the order in which they were said.

    How good each is its probability to help tells.  ``found`` is what the search over turns found, best first.

    A question that names days is answered from those days, if anything was said on them, and one for decisions from
    decisions, if there are any.  The certainty (``signals[KNOWN]``) is the larger of what the search over turns has of
    its best results and of how much of what the question names is in the chronicle at all.
    """
    if not lines:
        return ()
    spans = find_days(question, now, lines[0].said_at, lines[-1].said_at)
    within = [line for line in lines if any(span.start <= line.said_at < span.end + _DAY for span in spans)]
    decided = [line for line in within or lines if line.weight >= DECIDED]
    asked = decided if decided and overview.kind is OverviewKind.DECISIONS else within or lines
    subject = _Subject.read(overview.subject, asked)
    missed = bool(spans) and not within
    known = max((memory.signals.get(KNOWN, 0.0) for memory in found[:_JUDGED_BY]), default=0.0)
    sure = max(subject.covered * (_HALF if missed else 1.0), known) * _SUREST
    if sure < _NOTHING:
        return ()
    picked = _pick(_weigh(asked, subject, found), MOST[overview.kind], sure, every=not subject.wanted)
    return tuple(memory for _, memory in sorted(picked, key=lambda pair: pair[0].place))


@dataclass(frozen=True, slots=True)
class _Subject:
    """The concepts that a question names with their rarity among the lines, and those of each line.

    ``covered`` is the share of them that the lines hold together, 0..1; 1 where none is named.  Rarity does not count
    there: in a young chat every verb that nobody used is rarer than all that was said.
    """

    wanted: frozenset[str]
    rarity: Mapping[str, float]
    said: Sequence[frozenset[str]]
    covered: float

    @classmethod
    def read(cls, subject: str, lines: Sequence[DigestLine]) -> _Subject:
        wanted = frozenset(list_concepts(subject))
        said = [frozenset(list_concepts(line.text)) & wanted for line in lines]
        counts = Counter(concept for concepts in said for concept in concepts)
        rarity = {concept: math.log(1 + len(lines) / (counts[concept] or 0.5)) for concept in wanted}
        return cls(wanted, rarity, said, len(counts) / len(wanted) if wanted else 1.0)

    def measure(self, place: int) -> float:
        """Return how much of the subject a line names, 0..1."""
        whole = sum(self.rarity.values())
        return sum(self.rarity[concept] for concept in self.said[place]) / whole if whole else 0.0


def _weigh(lines: Sequence[DigestLine], subject: _Subject, found: Sequence[Recalled]) -> list[tuple[float, DigestLine]]:
    """Return each line with its worth."""
    near = _scale_found(found)
    return [
        (
            _FOUND * max(near.get((line.exchange, line.role), 0.0), _OTHER * near.get((line.exchange, ""), 0.0))
            + _WORDS * subject.measure(place)
            + _TELLS * line.weight,
            line,
        )
        for place, line in enumerate(lines)
    ]


def _scale_found(found: Sequence[Recalled]) -> Mapping[tuple[str, str], float]:
    """Return how near each exchange is, 0..1, by the role that said it, and under "" whoever did."""
    if not found:
        return {}
    scores = [memory.score for memory in found]
    low, high = min(scores), max(scores)
    near: dict[tuple[str, str], float] = {}
    for memory in found:
        share = (memory.score - low) / ((high - low) or 1.0)
        for key in ((memory.exchange, memory.role), (memory.exchange, "")):
            near[key] = max(near.get(key, 0.0), share)
    return near


def _pick(
    worth: list[tuple[float, DigestLine]], most: int, surest: float, *, every: bool
) -> list[tuple[DigestLine, Recalled]]:
    """Take lines one after the other, the next one of each session and exchange for less."""
    best = max(value for value, _ in worth)
    floor = 0.0 if every else _LEAST * best
    rest = [(value, line) for value, line in worth if value >= floor]
    taken: Counter[int] = Counter()
    told: Counter[str] = Counter()
    picked: list[tuple[DigestLine, Recalled]] = []

    def rate(pair: tuple[float, DigestLine]) -> float:
        return pair[0] * _AGAIN ** taken[pair[1].session] * _SECOND_OF_ONE ** told[pair[1].exchange]

    while rest and len(picked) < most:
        value, line = max(rest, key=rate)
        rest.remove((value, line))
        taken[line.session] += 1
        told[line.exchange] += 1
        helps = surest * _HELPS * (1 - _FADES * len(picked) / most)
        memory = Recalled(
            key=line.key,
            text=line.text,
            channel=Channel.DIGEST,
            score=value,
            author=line.author,
            author_id=line.author_id,
            role=line.role,
            said_at=line.said_at,
            exchange=line.exchange,
            signals=MappingProxyType({KNOWN: round(surest, 3), HELPS: round(helps, 4)}),
            trust=line.trust,
        )
        picked.append((line, memory))
    return picked


_FENCED: Final = compile_at_use(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CODE_MARK: Final = "[…]"
_FACT: Final = 3.0
_FIRST: Final = 1.0
"""An answer's first sentence says what it is about."""
_SENTENCES: Final = 200
"""Sentences that are looked at; behind them a text is an attachment rather than something said."""


def drop_code(text: str) -> str:
    """Return a text with its fenced blocks marked instead of shown, unless it is nothing else.

    Beside other words it is code that somebody speaks about.
    """
    return _FENCED.sub(_CODE_MARK, text) if _FENCED.sub("", text).strip() else text


def choose_telling(text: str, most_tokens: int) -> str:
    """Return the sentences of a text that tell most, verbatim and in their order, within so many tokens.

    A text that fits is returned as it is, but for code; where sentences are left out, there is an ellipsis.
    """
    text = drop_code(text)
    if count_tokens(text) <= most_tokens:
        return text
    sentences = split_sentences(cut_for_rules(text))[:_SENTENCES]
    facts = {fact.sentence for fact in find_facts(text)}
    weights = [_weigh_sentence(sentence, facts) + _FIRST * (number == 0) for number, sentence in enumerate(sentences)]
    left, chosen = most_tokens, set[int]()
    for number in sorted(range(len(sentences)), key=lambda number: (-weights[number], number)):
        cost = count_tokens(sentences[number]) + 2
        if cost <= left:
            chosen.add(number)
            left -= cost
    if not chosen:
        return shorten(text, most_tokens)
    return " ".join(
        sentences[number] if number == 0 or number - 1 in chosen else f"… {sentences[number]}"
        for number in sorted(chosen)
    )


def states_something(text: str) -> bool:
    """Return whether a message may say something about its author or their world: worth asking a model what.

    Small talk does not, nor does a question that is not about oneself, nor a request that names nobody, no number, no
    time and no standing wish.  In doubt it does.
    """
    if states_fact(text) or states_wish(text):
        return True
    own = keep_own_words(cut_for_rules(text))
    if not own.strip():
        return bool(text.strip())
    sentences = split_sentences(own)
    return len(sentences) > _SENTENCES or any(map(_states, sentences))


def _states(sentence: str) -> bool:
    act, cues = classify_speech(sentence), find_cues(sentence)
    if act is SpeechAct.SMALLTALK:
        return False
    if act is SpeechAct.QUESTION:
        return bool(cues & FIRST_PERSON)
    if act is SpeechAct.REQUEST:
        return bool(cues & (FIRST_PERSON | NAME | NUMBER | TIME))
    return True


def _weigh_sentence(sentence: str, facts: set[str]) -> float:
    cues = find_cues(sentence)
    told = sum(bool(cues & cue) for cue in (FIRST_PERSON, NAME, NUMBER, TIME))
    return _FACT * (sentence in facts) + told - 0.5 * (classify_speech(sentence) is SpeechAct.SMALLTALK)
