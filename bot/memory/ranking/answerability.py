"""Estimates whether a found turn answers at all: it separates "I know" from "I don't know".

A ranking always has a top; whether it means anything shows in how much of the question it covers.
A logistic model over four shares that do not depend on the length of the question, fitted by
``python -m benchmarks.recall.abstention`` to questions asked in their own chat and in another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

import numpy as np

from bot.memory.items import Recalled
from bot.memory.ranking.binary_codes import Floats

KNOWN: Final = "known"
"""Name of the certainty among the signals of a recalled turn, 0..1."""

FLOOR: Final = 0.4
"""Below it say that nothing is known: keeps 93 % of the questions that can be answered and refuses 84 % of the
others in sample, 95 and 76 on a kind of talk that the fit has not seen."""

_FULL: Final[Mapping[str, float]] = {"met": 2.19, "late_share": 5.96, "dense": 3.5, "sentence": 6.82, "": -6.84}
_VECTORS: Final[Mapping[str, float]] = {"met": 4.64, "dense": 10.15, "": -5.42}
_LEXICAL: Final[Mapping[str, float]] = {"met": 6.33, "": -2.85}
_LOOKED_AT: Final = 5


def estimate_certainty(signals: Mapping[str, Floats], *, vector: bool, words: bool) -> Floats:
    """Return 0..1 per place from the signals there; ``vector`` and ``words`` say what of the question was embedded."""
    weights = _FULL if words else _VECTORS if vector else _LEXICAL
    total = sum((weight * signals[name] for name, weight in weights.items() if name), np.float32(weights[""]))
    return np.asarray(1 / (1 + np.exp(-total)), dtype=np.float32)


def is_known(found: Iterable[Recalled], floor: float = FLOOR) -> bool:
    """Whether one of the first results is certain enough to be given as an answer; ``False`` when nothing was found.

    Results without a certainty (long-term memory) decide only where there are no others.
    """
    shown = tuple(found)
    sure = islice((memory.signals[KNOWN] for memory in shown if KNOWN in memory.signals), _LOOKED_AT)
    best = max(sure, default=None)
    return best >= floor if best is not None else bool(shown)
