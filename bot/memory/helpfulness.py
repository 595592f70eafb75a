"""The probability that a memory helps with a message: one scale for turns, items, entities, relations and chunks.

A ranking always has a top, and a prompt that shows it pays for it; so what is shown is judged by whether it helps.
A logistic model over three things: how certain the memory is an answer by itself
(:func:`~bot.memory.ranking.ranking.estimate_certainty`), what share it has of what was ranked (the softmax that the
weights are fitted by), and the doubt whether anything remembered answers at all.
Labels are the evidence of questions; questions asked in another chat, and questions of general knowledge, have none.
``python -m benchmarks.recall.calibrate --data FILE --other FILE`` fits the constants, says how well they are calibrated
on conversations left out, and what messages that ask nothing gain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

HELPS: Final = "helps"
"""Name of the probability among the signals of a memory, 0..1."""

HELP_FLOOR: Final = 0.015
"""Below it a memory costs more than it is worth: from the curve of evidence against tokens (docs/recall.md)."""

OPENING: Final = 8.0
"""A block opens when its memories together are expected to help as much as this many at the floor: its heading and its
notice cost as much as some lines."""

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


FULL: Final = HelpModel(certainty=0.338, share=0.316, doubt=0.842, constant=-1.492)
VECTORS: Final = HelpModel(certainty=0.357, share=0.339, doubt=0.867, constant=-1.531)
LEXICAL: Final = HelpModel(certainty=0.611, share=0.319, doubt=0.781, constant=-1.664)

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


def choose_help_model(*, vector: bool, words: bool) -> HelpModel:
    """Return the model for a question of which its ``vector``, and the states of its ``words``, are known."""
    return FULL if words else VECTORS if vector else LEXICAL


_UNJUDGED: Final = 0.2
"""Of the first result without a certainty (long-term memory alone): its labels are those of no data that there is, so
that it is taken for a good one; those behind it share as ranks do."""


def get_help(signals: Mapping[str, float], rank: int) -> float:
    """Return the probability among ``signals``, else what is assumed of the ``rank``-th (from 0) without one."""
    return signals.get(HELPS, _UNJUDGED / (1 + rank))


def adjust_help(helps: float, asking: float) -> float:
    """Return the probability for a message of which the share ``asking`` (0..1) is a question or a request."""
    factor = math.exp(STATING * (1 - min(max(asking, 0.0), 1.0)))
    return helps * factor / (helps * factor + 1 - helps)
