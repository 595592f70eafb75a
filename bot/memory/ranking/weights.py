"""The weight of each signal of recall: one configuration for every chat.

Fitted by ``python -m benchmarks.recall.fit --data FILE --other FILE`` (listwise softmax, Cao et al. 2007, with an L2
penalty) on two kinds of talk in the LoCoMo format, between people and with an assistant, which count alike.  Other
weights replace these, and raise ``VERSION``, only where they are better on conversations left out of the fit.
A weight of 0 switches a signal off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

VERSION: Final = 7

FULL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.121,
        "lexical_before": -0.029,
        "lexical_around": 0.312,
        "lexical_share": 0.776,
        "late": 0.148,
        "late_before": 0.484,
        "late_around": 0.46,
        "least": 1.753,
        "dense": 1.681,
        "dense_after": 1.856,
        "sentence": 2.658,
        "asked_before": 1.607,
        "speaker": 2.506,
        "first_speaker": 1.21,
        "date": 3.84,
        "when": 1.684,
        "when_vaguely": 1.03,
        "ends_asking": -0.717,
        "number": 0.662,
        "name_wanted": 0.838,
        "reason": 0.853,
        "news": 0.777,
        "assistant": -0.776,
        "pieces": -1.302,
        "wish": 0.328,
        "wish_wanted": 3.668,
        "request": 0.889,
    }
)
"""With vectors and word states."""

VECTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.022,
        "lexical_before": 0.051,
        "lexical_around": 0.355,
        "lexical_share": 1.374,
        "dense": 5.264,
        "dense_after": 3.421,
        "asked_before": 1.724,
        "speaker": 2.456,
        "first_speaker": 1.251,
        "date": 3.7,
        "when": 1.883,
        "when_vaguely": 1.357,
        "ends_asking": -0.694,
        "answers": -0.109,
        "number": 0.787,
        "name_wanted": 0.863,
        "reason": 0.851,
        "personal": 0.477,
        "news": 0.843,
        "assistant": -0.757,
        "pieces": -1.081,
        "wish": 0.276,
        "wish_wanted": 4.027,
        "request": 0.979,
    }
)
"""With an embedding model that gives no word states (an endpoint)."""

LEXICAL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": 0.001,
        "lexical_before": 0.098,
        "lexical_around": 0.44,
        "lexical_share": 2.535,
        "speaker": 2.798,
        "first_speaker": 1.309,
        "date": 3.777,
        "when": 1.867,
        "when_vaguely": 1.342,
        "ends_asking": -0.682,
        "answers": 0.332,
        "number": 0.922,
        "name_wanted": 0.918,
        "reason": 0.701,
        "personal": 0.549,
        "news": 0.573,
        "assistant": -0.832,
        "pieces": -1.692,
        "wish": 0.479,
        "wish_wanted": 5.121,
        "request": 0.927,
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
