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
