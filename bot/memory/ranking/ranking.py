"""Ranks the utterances of a transcript for a question: a weighted sum of signals, best passage per utterance.

Linear because few labelled conversations exist: a small network over the same signals lost three points on
conversations it had not seen.
Beyond some thousand passages only candidates are scored: the best by words, by meaning and by date, with their
neighbours.
One configuration of weights serves every chat.  They are fitted by
``python -m benchmarks.recall fit --data FILE --other FILE`` (listwise softmax, Cao et al. 2007, with an L2 penalty) on
two kinds of talk in the LoCoMo format, between people and with an assistant, which count alike.  Other weights replace
these, and raise ``VERSION``, only where they are better on conversations left out of the fit.  A weight of 0 switches a
signal off.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from types import MappingProxyType
from typing import Final

import numpy as np

from bot.memory.helpfulness import COMPETING, DECIDING, HELPS, choose_help_model, estimate_help
from bot.memory.items import Recalled
from bot.memory.ranking import passages as cues
from bot.memory.ranking.binary_codes import Floats, Ints
from bot.memory.ranking.passages import find_days, score_dates
from bot.memory.ranking.signals import BY_MEANING, BY_WORDS, RankingQuestion, View, compute_signals
from bot.memory.ranking.transcript import Transcript

VERSION: Final = 8

FULL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.107,
        "lexical_before": -0.033,
        "lexical_around": 0.331,
        "lexical_share": 0.443,
        "late": 0.094,
        "late_before": 0.496,
        "late_around": 0.42,
        "least": 2.203,
        "dense": 1.85,
        "dense_after": 1.945,
        "sentence": 3.323,
        "asked_before": 1.616,
        "speaker": 2.863,
        "first_speaker": 1.561,
        "date": 5.647,
        "when": 1.975,
        "when_vaguely": 1.134,
        "ends_asking": -0.793,
        "number": 0.759,
        "name_wanted": 0.961,
        "reason": 1.162,
        "news": 0.822,
        "assistant": -1.99,
        "pieces": -1.424,
        "wish": 0.145,
        "wish_wanted": 4.365,
        "request": 0.929,
        "summed_up": 6.124,
    }
)
"""With vectors and word states."""

VECTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.026,
        "lexical_before": 0.051,
        "lexical_around": 0.363,
        "lexical_share": 1.206,
        "dense": 6.063,
        "dense_after": 3.627,
        "asked_before": 1.766,
        "speaker": 2.792,
        "first_speaker": 1.625,
        "date": 5.255,
        "when": 2.162,
        "when_vaguely": 1.602,
        "ends_asking": -0.752,
        "answers": -0.149,
        "number": 0.879,
        "name_wanted": 0.971,
        "reason": 1.127,
        "personal": 0.44,
        "news": 0.903,
        "assistant": -1.959,
        "pieces": -1.192,
        "wish": 0.127,
        "wish_wanted": 4.685,
        "request": 1.015,
        "summed_up": 5.948,
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
    """Weights by signal name (see :mod:`bot.memory.ranking.signals`); signals without one do not count.

    Three sets, by what is known of the question: everything, its vector alone, or its words alone.
    """

    full: Mapping[str, float] = field(default_factory=lambda: FULL)
    vectors: Mapping[str, float] = field(default_factory=lambda: VECTORS)
    lexical: Mapping[str, float] = field(default_factory=lambda: LEXICAL)
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """Exact search of up to ``exact_passages``; beyond that only candidates are scored.

    Candidates are the best ``candidates`` by words, by meaning and by date, each, with their neighbours.  Measured in
    conversations of some 470 passages: 50 of each kind lose nothing, 30 lose 0.6 points of recall@10, 20 a whole one.
    """

    exact_passages: int = 3000
    candidates: int = 400


SEARCH_BUDGET: Final = SearchBudget()

ANSWER: Final = "answer_after"
"""Name of what a question gains from its answer, among the signals of a result."""

ASKED_SHARE: Final = 0.4
"""Of the distance to its answer; 0.3 to 0.5 are alike."""

SESSION_DISCOUNT: Final = 0.5
"""What a result loses for each better one of its session in a question over time; 0.2 to 1 are alike."""

_NEIGHBOURS: Final = range(-2, 5)
_BLOCK: Final = 8192
_TELLING: Final = 0.05


class Reasons(Mapping[str, float]):
    """Why something was found: its certainties, then what the signals gave, the largest first, trifles left out.

    Made when it is looked at: most of what is ranked is never shown.
    """

    __slots__ = ("_helps", "_known", "_made", "_names", "_shares")

    def __init__(self, known: float, helps: float, names: tuple[str, ...], shares: Floats) -> None:
        self._known = known
        self._helps = helps
        self._names = names
        self._shares = shares
        self._made: dict[str, float] | None = None

    def __getitem__(self, name: str) -> float:
        if name == KNOWN:
            return round(self._known, 3)
        return round(self._helps, 4) if name == HELPS else self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def items(self) -> ItemsView[str, float]:
        """Return all pairs at once, where :class:`Mapping` asks for one after the other."""
        return self._all().items()

    def _all(self) -> dict[str, float]:
        if self._made is None:
            shares = self._shares.round(3).tolist()
            told = sorted(zip(self._names, shares, strict=True), key=lambda pair: -pair[1])
            self._made = {
                KNOWN: round(self._known, 3),
                HELPS: round(self._helps, 4),
                **{name: share for name, share in told if abs(share) >= _TELLING},
            }
        return self._made


@dataclass(frozen=True, slots=True)
class Ranked:
    """An utterance found.

    ``row`` is its best passage; ``signals`` what each signal contributed to ``score``, the largest first, after the
    certainty that it answers at all and the probability that it helps (:mod:`bot.memory.helpfulness`).
    """

    row: int
    score: float
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PartialScores:
    """The signals ``found`` by the words of a question ``text`` in a small transcript, before it is embedded."""

    view: View
    text: str
    found: dict[str, Floats]


def score_by_words(
    transcript: Transcript, question: RankingQuestion, budget: SearchBudget = SEARCH_BUDGET
) -> PartialScores | None:
    """Return what :func:`rank` need not do again for this question, ``None`` where candidates are chosen first."""
    if not 0 < len(transcript) <= budget.exact_passages:
        return None
    view = View(transcript, np.arange(len(transcript), dtype=np.int64))
    return PartialScores(view, question.text, compute_signals(view, question, BY_WORDS))


def rank(
    transcript: Transcript,
    question: RankingQuestion,
    weights: Weights,
    limit: int,
    budget: SearchBudget = SEARCH_BUDGET,
    begun: PartialScores | None = None,
) -> tuple[Ranked, ...]:
    """Return at most ``limit`` utterances, best first; empty for an empty transcript.

    ``begun`` is of the same transcript; it does not count when the question is another one meanwhile.
    """
    if not len(transcript):
        return ()
    if begun is not None and begun.text == question.text:
        view, found = begun.view, begun.found | compute_signals(begun.view, question, BY_MEANING)
    else:
        view = View(transcript, choose_candidates(transcript, question, budget))
        found = compute_signals(view, question)
    counted = choose_weights(question, weights)
    used = {name: np.float32(counted[name]) for name in found if counted.get(name)}
    score = np.zeros(len(view), dtype=np.float32)
    for name, weight in used.items():
        score += weight * found[name]
    found[ANSWER], used[ANSWER] = compute_answer_gain(view, score), np.float32(1)
    score += found[ANSWER]
    best = choose_best_passages(view, score)
    if question.overview is not None:
        best, score = spread_over_sessions(view, score, best)
    best = best[: max(limit, COMPETING)]
    shares = _compute_contributions(found, used, best)
    here = {name: values[best] for name, values in found.items()}
    vector, words = question.vector is not None, question.states is not None
    sure = estimate_certainty(here, vector=vector, words=words)
    helps = estimate_help(sure, score[best], choose_help_model(vector=vector, words=words))
    names = tuple(used)
    columns = (view.rows[best].tolist(), score[best].tolist(), sure.tolist(), helps.tolist(), shares)
    return tuple(
        Ranked(row, points, Reasons(known, helpful, names, told))
        for row, points, known, helpful, told in islice(zip(*columns, strict=True), limit)
    )


def compute_answer_gain(view: View, score: Floats) -> Floats:
    """Return what a passage that asks gains from a better one after it: the question belongs to its answer."""
    after = view.earlier(score - score.min(), -1) + score.min()
    gained: Floats = np.float32(ASKED_SHARE) * view.marked(cues.ENDS_ASKING) * np.maximum(after - score, 0)
    return gained


def choose_best_passages(view: View, score: Floats) -> Ints:
    """Return the places of the best passage of every utterance, best first; ties go to the newer."""
    order = np.lexsort((-view.rows, -score))
    _, first = np.unique(view.column("utterance")[order], return_index=True)
    best: Ints = order[np.sort(first)]
    return best


def spread_over_sessions(view: View, score: Floats, best: Ints) -> tuple[Ints, Floats]:
    """Return the places of ``best`` and all scores, where each further result of a session counts less than the last.

    What is spread over time is told in many sessions; the fullest of them would else take all the places.
    """
    session = view.session[best]
    order = np.argsort(session, kind="stable")
    _, first, sizes = np.unique(session[order], return_index=True, return_counts=True)
    before = np.empty(len(best), dtype=np.float32)
    before[order] = np.arange(len(best)) - np.repeat(first, sizes)
    spread = score.copy()
    spread[best] -= np.float32(SESSION_DISCOUNT) * before
    return best[np.argsort(-spread[best], kind="stable")], spread


def choose_candidates(transcript: Transcript, question: RankingQuestion, budget: SearchBudget) -> Ints:
    """Return the rows worth scoring, ascending: all of a small transcript."""
    count = len(transcript)
    if count <= budget.exact_passages:
        return np.arange(count, dtype=np.int64)
    rows = np.concatenate(
        [
            _choose_top(kind(transcript, question), budget.candidates)
            for kind in (_score_words, _score_meaning, _score_dates)
        ]
    )
    rows = (rows[:, None] + np.array(_NEIGHBOURS)).ravel()
    return np.unique(rows[(rows >= 0) & (rows < count)])


def choose_weights(question: RankingQuestion, weights: Weights) -> Mapping[str, float]:
    """Return the weights for what is known of a question: everything, its vector alone, or its words alone."""
    if question.vector is None:
        return weights.lexical
    return weights.full if question.states is not None else weights.vectors


def _choose_top(score: Floats, most: int) -> Ints:
    if not len(score):
        return np.zeros(0, dtype=np.int64)
    best = np.argpartition(-score, min(most, len(score) - 1))[:most]
    return best[score[best] > 0].astype(np.int64)


def _score_words(transcript: Transcript, question: RankingQuestion) -> Floats:
    postings = transcript.postings
    idf = np.array([postings.idf(key) for key in question.keys], dtype=np.float32)
    own: Floats = idf @ postings.matches(question.keys)
    own[1:] += own[:-1] / 2
    return own


def _score_meaning(transcript: Transcript, question: RankingQuestion) -> Floats:
    vectors, scales, owners = transcript.vectors
    found = np.zeros(len(transcript), dtype=np.float32)
    if question.vector is None:
        return found
    for start in range(0, len(owners), _BLOCK):
        part = slice(start, start + _BLOCK)
        found[owners[part]] = (vectors[part].astype(np.float32) @ question.vector) * scales[part]
    return found


def _score_dates(transcript: Transcript, question: RankingQuestion) -> Floats:
    said_at = transcript.table()["said_at"].astype(np.float64)
    first, last = (datetime.fromtimestamp(said_at[place], UTC) for place in (0, -1))
    spans = find_days(question.text, question.now, first, last)
    return score_dates(said_at, spans) if spans else np.zeros(0, dtype=np.float32)


def _compute_contributions(found: dict[str, Floats], used: dict[str, np.float32], places: Ints) -> Floats:
    """Return for each place what each of the ``used`` signals gave to its score, shape (places, signals)."""
    shares: Floats = np.array([weight * found[name][places] for name, weight in used.items()], dtype=np.float32).T
    return shares.reshape(len(places), len(used))


# Estimates whether a found turn answers at all: it separates "I know" from "I don't know".
#
# A ranking always has a top; whether it means anything shows in how much of the question it covers.
# A logistic model over four shares that do not depend on the length of the question, fitted by
# ``python -m benchmarks.recall calibrate`` to questions asked in their own chat and in another one.

KNOWN: Final = "known"
"""Name of the certainty among the signals of a recalled turn, 0..1."""

FLOOR: Final = 0.4
"""Below it say that nothing is known: keeps 92 % of the questions that can be answered and refuses 84 % of the
others in sample, 99 and 84 on a kind of talk that the fit has not seen."""

_FULL: Final[Mapping[str, float]] = {"met": 2.19, "late_share": 5.96, "dense": 3.5, "sentence": 6.82, "": -6.84}
_VECTORS: Final[Mapping[str, float]] = {"met": 4.64, "dense": 10.15, "": -5.42}
_LEXICAL: Final[Mapping[str, float]] = {"met": 6.33, "": -2.85}


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


# Groups the signals of recall into the few kinds that ``/why`` names.

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
    stem = name
    while stem:
        if stem in _KINDS:
            return _KINDS[stem]
        stem = stem.rpartition("_")[0]
    return OTHER


SIGNAL_GROUPS: Final = frozenset((*_KINDS.values(), OTHER))
