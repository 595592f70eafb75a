"""The weight of each signal of recall: one configuration for every chat.

Fitted by ``python -m benchmarks.recall.fit --data FILE --other FILE`` (listwise softmax, Cao et al. 2007, with an L2
penalty) on conversations in the LoCoMo format.  Other weights replace these, and raise ``VERSION``, only where they are
better on conversations left out of the fit and on the second kind of talk.
A weight of 0 switches a signal off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

VERSION: Final = 6

FULL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.253,
        "lexical_before": 0.126,
        "lexical_around": 0.28,
        "lexical_share": 0.955,
        "late": 0.325,
        "late_before": 0.578,
        "late_around": 0.691,
        "least": 1.954,
        "dense": 1.315,
        "dense_after": 1.644,
        "sentence": 1.629,
        "asked_before": 2.104,
        "speaker": 3.141,
        "first_speaker": 1.662,
        "date": 4.664,
        "when": 2.023,
        "when_vaguely": 1.238,
        "ends_asking": -0.725,
        "number": 0.644,
        "name_wanted": 1.465,
        "reason": 1.093,
        "news": 1.091,
        "assistant": -1.2,
        "pieces": -0.5,
    }
)
"""With vectors and word states."""

VECTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.053,
        "lexical_before": 0.262,
        "lexical_around": 0.383,
        "lexical_share": 0.938,
        "dense": 4.298,
        "dense_after": 3.205,
        "asked_before": 2.152,
        "speaker": 3.052,
        "first_speaker": 1.642,
        "date": 4.44,
        "when": 2.332,
        "when_vaguely": 1.772,
        "ends_asking": -0.577,
        "answers": -0.096,
        "number": 0.937,
        "name_wanted": 1.853,
        "reason": 1.255,
        "personal": 0.158,
        "news": 1.135,
        "assistant": -1.2,
        "pieces": -0.5,
    }
)
"""With an embedding model that gives no word states (an endpoint)."""

LEXICAL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.069,
        "lexical_before": 0.35,
        "lexical_around": 0.534,
        "lexical_share": 1.698,
        "speaker": 3.169,
        "first_speaker": 1.831,
        "date": 4.589,
        "when": 2.325,
        "when_vaguely": 1.468,
        "ends_asking": -0.497,
        "answers": 0.579,
        "number": 0.837,
        "name_wanted": 2.074,
        "reason": 1.041,
        "personal": 0.314,
        "news": 0.829,
        "assistant": -1.2,
        "pieces": -0.5,
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
