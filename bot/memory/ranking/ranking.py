"""Ranks the utterances of a transcript for a question: a weighted sum of signals, best passage per utterance.

Linear because few labelled conversations exist: a small network over the same signals lost three points on
conversations it had not seen.
Beyond some thousand passages only candidates are scored: the best by words, by meaning and by date, with their
neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

import numpy as np

from bot.memory.ranking import cues
from bot.memory.ranking.certainty import KNOWN, certainty
from bot.memory.ranking.codes import Floats, Ints
from bot.memory.ranking.signals import Question, View, signals
from bot.memory.ranking.timewords import date_bonus, days_asked
from bot.memory.ranking.transcript import Transcript
from bot.memory.ranking.weights import Weights

ANSWER: Final = "answer_after"
"""Name of what a question gains from its answer, among the signals of a result."""

ASKED_SHARE: Final = 0.4
"""Of the distance to its answer; 0.3 to 0.5 are alike."""

EXACT_ROWS: Final = 3000
"""Up to this many passages all are scored."""
_CANDIDATES: Final = 400
"""Of each kind, beyond that."""
_NEIGHBOURS: Final = range(-2, 5)
_BLOCK: Final = 8192
_TELLING: Final = 0.05


@dataclass(frozen=True, slots=True)
class Ranked:
    """An utterance found.

    ``row`` is its best passage; ``signals`` what each signal contributed to ``score``, the largest first, after the
    certainty that it answers at all (:mod:`bot.memory.ranking.certainty`).
    """

    row: int
    score: float
    signals: Mapping[str, float]


def rank(
    transcript: Transcript, question: Question, weights: Weights, limit: int, exclude_session: int | None = None
) -> tuple[Ranked, ...]:
    """Return at most ``limit`` utterances, best first; empty for an empty transcript.

    Turns of ``exclude_session`` serve as context of others and are not returned.
    """
    if not len(transcript):
        return ()
    view = View(transcript, candidates(transcript, question))
    found = signals(view, question)
    counted = _counted(question, weights)
    used = {name: np.float32(counted[name]) for name in found if counted.get(name)}
    score = np.zeros(len(view), dtype=np.float32)
    for name, weight in used.items():
        score += weight * found[name]
    found[ANSWER], used[ANSWER] = lift(view, score), np.float32(1)
    score += found[ANSWER]
    if exclude_session is not None:
        score[view.session == exclude_session] = -np.inf
    best = best_passages(view, score)[:limit]
    best = best[np.isfinite(score[best])]
    told = _contributions(found, used, best)
    here = {name: values[best] for name, values in found.items()}
    sure = certainty(here, vector=question.vector is not None, words=question.states is not None)
    return tuple(
        Ranked(row, points, MappingProxyType({KNOWN: round(known, 3), **reasons}))
        for row, points, known, reasons in zip(
            view.rows[best].tolist(), score[best].tolist(), sure.tolist(), told, strict=True
        )
    )


def lift(view: View, score: Floats) -> Floats:
    """Return what a passage that asks gains from a better one after it: the question belongs to its answer."""
    after = view.earlier(score - score.min(), -1) + score.min()
    gained: Floats = np.float32(ASKED_SHARE) * view.marked(cues.ENDS_ASKING) * np.maximum(after - score, 0)
    return gained


def best_passages(view: View, score: Floats) -> Ints:
    """Return the places of the best passage of every utterance, best first; ties go to the newer."""
    order = np.lexsort((-view.rows, -score))
    _, first = np.unique(view.column("utterance")[order], return_index=True)
    best: Ints = order[np.sort(first)]
    return best


def candidates(transcript: Transcript, question: Question) -> Ints:
    """Return the rows worth scoring, ascending: all of a small transcript."""
    count = len(transcript)
    if count <= EXACT_ROWS:
        return np.arange(count, dtype=np.int64)
    rows = np.concatenate([_top(kind(transcript, question)) for kind in (_lexical, _dense, _dated)])
    rows = (rows[:, None] + np.array(_NEIGHBOURS)).ravel()
    return np.unique(rows[(rows >= 0) & (rows < count)])


def _counted(question: Question, weights: Weights) -> Mapping[str, float]:
    if question.vector is None:
        return weights.lexical
    return weights.full if question.states is not None else weights.vectors


def _top(score: Floats) -> Ints:
    if not len(score):
        return np.zeros(0, dtype=np.int64)
    best = np.argpartition(-score, min(_CANDIDATES, len(score) - 1))[:_CANDIDATES]
    return best[score[best] > 0].astype(np.int64)


def _lexical(transcript: Transcript, question: Question) -> Floats:
    postings = transcript.postings
    idf = np.array([postings.idf(key) for key in question.keys], dtype=np.float32)
    own: Floats = idf @ postings.matches(question.keys)
    own[1:] += own[:-1] / 2
    return own


def _dense(transcript: Transcript, question: Question) -> Floats:
    vectors, scales, owners = transcript.vectors
    found = np.zeros(len(transcript), dtype=np.float32)
    if question.vector is None:
        return found
    for start in range(0, len(owners), _BLOCK):
        part = slice(start, start + _BLOCK)
        found[owners[part]] = (vectors[part].astype(np.float32) @ question.vector) * scales[part]
    return found


def _dated(transcript: Transcript, question: Question) -> Floats:
    said_at = transcript.column("said_at").astype(np.float64)
    first, last = (datetime.fromtimestamp(said_at[place], UTC) for place in (0, -1))
    spans = days_asked(question.text, question.now, first, last)
    return date_bonus(said_at, spans) if spans else np.zeros(0, dtype=np.float32)


def _contributions(found: dict[str, Floats], used: dict[str, np.float32], places: Ints) -> tuple[dict[str, float], ...]:
    """Return for each place what the signals gave to its score, the largest first, trifles left out."""
    names = list(used)
    shares = np.array([weight * found[name][places] for name, weight in used.items()], dtype=np.float64)
    shares = shares.reshape(len(names), len(places)).T
    orders = np.argsort(-shares, axis=1, kind="stable")
    rounded = np.take_along_axis(shares, orders, axis=1).round(3)
    return tuple(
        {names[name]: share for name, share in zip(order, row, strict=True) if abs(share) >= _TELLING}
        for order, row in zip(orders.tolist(), rounded.tolist(), strict=True)
    )
