"""How far what a ranking found may be believed: its weights, the certainty that it answers, the probability to help.

All of it is fitted on talks in the LoCoMo format, between people and with an assistant, and on plain facts in three
languages (``benchmarks/recall/plain_facts.json``).  A fit to all counts each kind alike and costs the talks more than
the facts win, so that the constants lie between it and a fit to the talks alone; docs/recall.md says how far.
The weight of each signal of recall is one configuration for every chat, by
``python -m benchmarks.recall fit --data FILE --other FILE…`` (listwise softmax, Cao et al. 2007, with an L2 penalty); a
weight of 0 switches a signal off.

A ranking always has a top.  Whether it means anything shows in how much of the question it covers: the certainty is a
logistic model over four shares that do not depend on the length of the question, fitted by
``python -m benchmarks.recall calibrate`` to questions asked in their own chat and in another one.

A prompt that shows the top pays for it; so what is shown, turns, items, entities, relations and chunks alike, is judged
by whether it helps: a logistic model over how certain the memory is an answer by itself, what share it has of what was
ranked (the softmax that the weights are fitted by), and the doubt whether anything remembered answers at all.
Labels are the evidence of questions; questions asked in another chat, and questions of general knowledge, have none.
``python -m benchmarks.recall calibrate --data FILE --other FILE…`` fits the constants, says how well they are
calibrated on conversations left out, and what messages that ask nothing gain.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.items import Channel, MemoryItem, Recalled

Floats = npt.NDArray[np.float32]

VERSION: Final = 9

FULL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.133,
        "lexical_before": 0.022,
        "lexical_around": 0.304,
        "lexical_share": 0.702,
        "late": 0.192,
        "late_before": 0.52,
        "late_around": 0.385,
        "least": 2.637,
        "dense": 4.468,
        "dense_after": 4.587,
        "sentence": 4.119,
        "asked_before": 1.129,
        "speaker": 2.873,
        "first_speaker": 1.62,
        "date": 5.587,
        "when": 2.081,
        "when_vaguely": 1.198,
        "ends_asking": -0.831,
        "number": 0.675,
        "name_wanted": 0.812,
        "reason": 1.352,
        "news": 0.677,
        "assistant": -2.145,
        "pieces": -1.357,
        "wish": 0.438,
        "wish_wanted": 4.406,
        "request": 1.128,
        "summed_up": 5.151,
    }
)
"""With vectors and word states: three parts of a fit to both kinds of talk and one of a fit to them and to plain facts
in three languages, which alone cost talks with an assistant more than it won (docs/recall.md)."""

VECTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.045,
        "lexical_before": 0.08,
        "lexical_around": 0.352,
        "lexical_share": 1.204,
        "dense": 8.471,
        "dense_after": 5.796,
        "asked_before": 1.44,
        "speaker": 2.767,
        "first_speaker": 1.688,
        "date": 5.362,
        "when": 2.041,
        "when_vaguely": 1.623,
        "ends_asking": -0.843,
        "answers": -0.17,
        "number": 0.737,
        "name_wanted": 0.861,
        "reason": 1.18,
        "personal": 0.385,
        "news": 0.731,
        "assistant": -2.032,
        "pieces": -1.371,
        "wish": 0.145,
        "wish_wanted": 5.06,
        "request": 1.024,
        "summed_up": 5.37,
    }
)
"""With an embedding model that gives no word states (an endpoint)."""

LEXICAL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.003,
        "lexical_before": 0.1,
        "lexical_around": 0.451,
        "lexical_share": 2.503,
        "speaker": 3.048,
        "first_speaker": 1.8,
        "date": 5.351,
        "when": 2.093,
        "when_vaguely": 1.565,
        "ends_asking": -0.709,
        "answers": 0.328,
        "number": 1.047,
        "name_wanted": 1.014,
        "reason": 0.868,
        "personal": 0.508,
        "news": 0.581,
        "assistant": -2.204,
        "pieces": -1.778,
        "wish": 0.276,
        "wish_wanted": 6.227,
        "request": 0.923,
        "summed_up": 6.559,
    }
)
"""Without embeddings: the model is down."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights by signal name (see :mod:`bot.memory.ranking.ranking`); signals without one do not count.

    Three sets, by what is known of the question: everything, its vector alone, or its words alone.
    """

    full: Mapping[str, float] = field(default_factory=lambda: FULL)
    vectors: Mapping[str, float] = field(default_factory=lambda: VECTORS)
    lexical: Mapping[str, float] = field(default_factory=lambda: LEXICAL)
    version: int = VERSION


MEANING: Final = "dense"
"""Name of the likeness in meaning among the signals of a recalled turn, weighed."""

KNOWN: Final = "known"
"""Name of the certainty among the signals of a recalled turn, 0..1."""

FLOOR: Final = 0.3
"""Below it say that nothing is known.  Left out of a fit to talks, 88 % of the questions between people that can be
answered are kept and 88 % of the others refused, in talks with an assistant 97 and 74 %; left out of a fit to plain
facts as well 94 and 72, 99 and 55, and of these 71 and 59 %.  The constants are the mean of both fits."""

_FULL: Final[Mapping[str, float]] = {"met": 2.84, "late_share": 10.5, "dense": 2.95, "sentence": 3.99, "": -6.31}
_VECTORS: Final[Mapping[str, float]] = {"met": 3.41, "dense": 9.89, "": -5.13}
_LEXICAL: Final[Mapping[str, float]] = {"met": 5.63, "": -2.21}

HELPS: Final = "helps"
"""Name of the probability among the signals of a memory, 0..1."""

HELP_FLOOR: Final = 0.015
"""Below it a memory costs more than it is worth: from the curve of evidence against tokens (docs/recall.md)."""

OPENING: Final = 4.0
"""A block opens when its memories together are expected to help as much as this many at the floor."""

COMPETING: Final = 60
"""Best results among which a memory's share is counted."""
DECIDING: Final = 5
"""Best results of which the most certain says whether anything answers."""
_LEAST: Final = 0.001
"""Certainties are no surer than this, either way."""


@dataclass(frozen=True, slots=True)
class HelpModel:
    """Weights in log odds: of the certainty, of the logarithm of the share, of the doubt; and the constant."""

    certainty: float
    share: float
    doubt: float
    constant: float


HELP_FULL: Final = HelpModel(certainty=0.518, share=0.445, doubt=0.443, constant=-0.456)
HELP_VECTORS: Final = HelpModel(certainty=0.439, share=0.46, doubt=0.461, constant=-1.309)
HELP_LEXICAL: Final = HelpModel(certainty=0.562, share=0.41, doubt=0.517, constant=-1.449)

STATING: Final = -3.0
"""Log odds of a message that asks nothing: replies to such messages take up 1.3 to 3.3 less of what is remembered than
the models say, and a block that changes with small talk is read anew each time (docs/recall.md)."""


def compute_features(sure: Floats, score: Floats) -> Floats:
    """Return log odds of the certainty, logarithm of the share, and doubt, shape (memories, 3), of a ranking.

    ``sure`` in 0..1 and ``score`` are those of its memories, best first.
    """
    sure, score = np.asarray(sure, dtype=np.float32), np.asarray(score, dtype=np.float32)
    if not len(score):
        return np.zeros((0, 3), dtype=np.float32)
    bounded = np.clip(sure, _LEAST, 1 - _LEAST)
    odds = np.log(bounded / (1 - bounded))
    doubt = np.minimum(odds[:DECIDING].max(), 0)
    share = score - score[0] - np.log(np.exp(score[:COMPETING] - score[0]).sum())
    features: Floats = np.stack([odds, share, np.full_like(odds, doubt)], axis=1)
    return features


def estimate_help(sure: Floats, score: Floats, model: HelpModel) -> Floats:
    """Return for each memory of a ranking, best first, how likely it helps with a question."""
    weights = np.array([model.certainty, model.share, model.doubt], dtype=np.float32)
    odds = compute_features(sure, score) @ weights + np.float32(model.constant)
    helps: Floats = 1 / (1 + np.exp(-odds))
    return helps


def judge(signals: Mapping[str, Floats], score: Floats, *, vector: bool, words: bool) -> tuple[Floats, Floats]:
    """Return for each memory of a ranking, best first, how certainly it answers, and how likely it helps."""
    sure = estimate_certainty(signals, vector=vector, words=words)
    return sure, estimate_help(sure, score, choose_help_model(vector=vector, words=words))


def choose_help_model(*, vector: bool, words: bool) -> HelpModel:
    """Return the model for a question of which its ``vector``, and the states of its ``words``, are known."""
    return HELP_FULL if words else HELP_VECTORS if vector else HELP_LEXICAL


_UNJUDGED: Final = 0.2
"""Of the first result without a certainty (long-term memory alone): its labels are those of no data that there is, so
that it is taken for a good one; those behind it share as ranks do."""


def get_help(signals: Mapping[str, float], rank: int) -> float:
    """Return the probability among ``signals``, else what is assumed of the ``rank``-th (from 0) without one."""
    return signals.get(HELPS, _UNJUDGED / (1 + rank))


def measure_meaning(signals: Mapping[str, float]) -> float:
    """Return how alike a memory and the question are in meaning, as the cosine of their vectors; 0 without one.

    Of the local model alone, whose word states are known, too: what is much for another one nobody has measured.
    """
    return signals.get(MEANING, 0.0) / FULL[MEANING] if has_meaning(signals) else 0.0


def measure_beyond_words(signals: Mapping[str, float]) -> float:
    """Return how much more alike they are than the words account for that both have: -0.25..1.

    A question about something told that nobody has answered has its words, and with them half of the likeness.
    """
    shared = signals.get(_SHARED, 0.0) / FULL[_SHARED]
    return measure_meaning(signals) - _BY_WORDS * shared


_SHARED: Final = "lexical_share"
_BY_WORDS: Final = 0.25
"""Likeness that all of a question's words bring: by logistic regression on facts left out of the map (docs/recall.md),
0.27 of the weight of likeness in each language."""


ANSWERS: Final = "answers_read"
"""Name of the probability that a message answers, by a model that read it beside the question, among its signals."""


ANSWERING: Final = 0.5
"""From here on a message is told as the answer."""
MAY_ANSWER: Final = 0.15
"""From here on it is shown as what may answer."""
BESIDE: Final = 0.05
"""Below it a message is about something else, whatever words it shares."""


_AMONG_ONE, _BY_NUMBER = 20.0, 0.8
"""Odds that count for the best of what was read, and how they fall with the number of messages (docs/recall.md)."""

ORDERED: Final = "ordered"
"""Signal of a message that was an order to a list: it answers what nothing else does, and is never a guess."""

_READ_SHARE: Final = 0.5
"""What log odds count beside a score: with 1 the first of plain facts is right more often, and that of talks less."""


def get_answering(memory: Recalled) -> float | None:
    """Return how likely a memory answers, 0..1; ``None`` where no model read it beside the question."""
    return memory.signals.get(ANSWERS)


def settle_among_few(rate: float, among: int) -> float:
    """Return the best of several rates as one that answers, where that is likely ``among`` as few messages.

    A model that reads each by itself cannot know that there is little else that the question could mean.
    """
    odds = _get_odds(rate) + math.log(_AMONG_ONE) - _BY_NUMBER * math.log(among)
    return ANSWERING if MAY_ANSWER <= rate < ANSWERING and odds >= 0 else rate


_ALONE, _HOLDS, _FOR_NAMED, _EVEN = 0.73, 2.16, -1.2, 2.4
"""Log odds that what was just told answers a question that goes on: by those of the question read alone, that it holds
the kind of thing asked for, and for each thing that the question names (docs/recall.md)."""


def rate_going_on(alone: float, named: int, *, holds: bool) -> float:
    """Return the log odds that what was just told answers a question that names so many things, by its rate ``alone``.

    Read with words of what it may go on about, that is likely whatever is asked.
    """
    return _ALONE * _get_odds(alone) + _HOLDS * holds + _FOR_NAMED * named + _EVEN


def leave_unread(memory: Recalled) -> Recalled:
    """Return a memory as if no model had read it beside the question."""
    return replace(memory, signals={name: each for name, each in memory.signals.items() if name != ANSWERS})


def follows(later: Recalled, earlier: Recalled) -> bool:
    """Return whether the same person said something later, in another message."""
    same = (later.author_id, later.author, later.role) == (earlier.author_id, earlier.author, earlier.role)
    return same and later.said_at is not None and earlier.said_at is not None and later.said_at > earlier.said_at


def order_by_answering(found: tuple[Recalled, ...], rates: Mapping[str, float]) -> tuple[Recalled, ...]:
    """Return what was found with how likely it answers; ``rates`` are those of what was read (0..1, by key).

    What was read changes places among itself, by its score and its log odds.  What people said further down is taken
    for beside the question.
    """
    rated = [replace(one, signals={**one.signals, ANSWERS: rates[one.key]}) for one in found if one.key in rates]
    rated.sort(key=lambda one: -one.score - _READ_SHARE * _get_odds(one.signals[ANSWERS]))
    again = iter(rated)
    return tuple(next(again) if one.key in rates else _put_behind(one) if rates else one for one in found)


def _put_behind(memory: Recalled) -> Recalled:
    said = memory.channel is Channel.TURN and memory.role != "assistant"
    return replace(memory, signals={**memory.signals, ANSWERS: BESIDE}) if said else memory


def _get_odds(rate: float) -> float:
    bounded = min(max(rate, _LEAST), 1 - _LEAST)
    return math.log(bounded / (1 - bounded))


def has_meaning(signals: Mapping[str, float]) -> bool:
    """Return whether :func:`measure_meaning` can tell how alike a memory is."""
    return MEANING in signals and "sentence" in signals


def adjust_help(helps: float, asking: float) -> float:
    """Return the probability for a message of which the share ``asking`` (0..1) is a question or a request."""
    factor = math.exp(STATING * (1 - min(max(asking, 0.0), 1.0)))
    return helps * factor / (helps * factor + 1 - helps)


def estimate_certainty(signals: Mapping[str, Floats], *, vector: bool, words: bool) -> Floats:
    """Return 0..1 per place from the signals there; ``vector`` and ``words`` say what of the question was embedded."""
    weights = _FULL if words else _VECTORS if vector else _LEXICAL
    total = sum((weight * signals[name] for name, weight in weights.items() if name), np.float32(weights[""]))
    return np.asarray(1 / (1 + np.exp(-total)), dtype=np.float32)


def is_known(found: Iterable[Recalled], floor: float = FLOOR) -> bool:
    """Return whether one of the first results is certain enough to be an answer; ``False`` when nothing was found.

    Results without a certainty (long-term memory) decide only where there are no others.
    """
    shown = tuple(found)
    sure = islice((memory.signals[KNOWN] for memory in shown if KNOWN in memory.signals), DECIDING)
    best = max(sure, default=None)
    return best >= floor if best is not None else bool(shown)


_KINDS: Final = {
    "lexical": "words",
    "bm25": "words",
    "late": "near words",
    "least": "near words",
    "dense": "meaning",
    "sentence": "meaning",
    "speaker": "speaker",
    "first_speaker": "speaker",
    "date": "date",
    "time": "date",
    "when": "date",
    "known": "certainty",
    "helps": "certainty",
    "confidence": "certainty",
    "answers_read": "second look",
    "recency": "recent",
    "salience": "importance",
    "lightrag chunk": "long-term memory",
    "lightrag entity": "long-term memory",
    "lightrag relation": "long-term memory",
    "rank": "rank",
    "rerank": "second look",
    "pinned": "pinned",
}
OTHER: Final = "kind of message"
"""Who usually says such things, in what form: a question, a number, a long answer."""


def find_signal_group(name: str) -> str:
    """Return the kind of a signal: of its name, or of the name without its last parts ("dense_before")."""
    stems = (stem for stem in _KINDS if name == stem or name.startswith(f"{stem}_"))
    longest = max(stems, key=len, default="")
    return _KINDS.get(longest, OTHER)


SIGNAL_GROUPS: Final = frozenset((*_KINDS.values(), OTHER))


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item or another memory, and how likely it helps."""

    memory: MemoryItem | Recalled
    helps: float


def rate_memories(relevant: Iterable[Recalled], asking: float) -> list[Candidate]:
    """Return memories, best first, with their probabilities for a message of which the share ``asking`` asks."""
    rated = []
    unjudged = 0
    for memory in relevant:
        helps = get_help(memory.signals, unjudged)
        unjudged += HELPS not in memory.signals
        rated.append(Candidate(memory, adjust_help(helps, asking)))
    return rated


def rate_items(
    items: Iterable[tuple[MemoryItem, float]], relevant: Iterable[Recalled], hidden: set[str], asking: float
) -> list[Candidate]:
    """Return items with their probabilities: that of what was said in the exchange that an item comes from.

    An item of no exchange that was ranked is as likely to help as its relevance lets expect.
    """
    best: dict[str, float] = {}
    for memory in relevant:
        if memory.exchange and HELPS in memory.signals:
            best[memory.exchange] = max(best.get(memory.exchange, 0.0), memory.signals[HELPS])
    ranked = bool(best)
    rated = []
    for item, relevance in items:
        source = item.provenance.exchange
        if source in hidden:
            continue
        helps = best.get(source, 0.0) if ranked and source else _rate_relevance(relevance)
        rated.append(Candidate(item, adjust_help(helps, asking)))
    return rated


def _rate_relevance(relevance: float) -> float:
    """Return how likely an item of this relevance helps: its square, as few labelled items there are of the lower."""
    return min(max(relevance, 0.0), 0.99) ** 2 * 0.5


def list_helpful(
    found_items: Iterable[tuple[MemoryItem, float]], relevant: tuple[Recalled, ...], *, floor: float = HELP_FLOOR
) -> list[tuple[MemoryItem | Recalled, float]]:
    """Return what of a question's finds may help at all, the likeliest first, each with its probability.

    For who looks at what was found; what a prompt shows of it :func:`select_memories` chooses.
    """
    rated = [*rate_memories(relevant, 1.0), *rate_items(found_items, relevant, set(), 1.0)]
    helpful = [(one.memory, one.helps) for one in rated if one.helps >= floor]
    return sorted(helpful, key=lambda pair: -pair[1])
