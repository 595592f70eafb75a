"""What each signal of recall counts: one configuration for every chat.

Fitted by ``python -m benchmarks.recall.fit --data FILE`` (listwise softmax, Cao et al. 2007, with an L2 penalty) on
conversations in the LoCoMo format; what it prints replaces the numbers here and raises ``VERSION``.
A weight of 0 switches a signal off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

VERSION: Final = 3

FULL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.184,
        "lexical_before": 0.059,
        "lexical_around": 0.258,
        "lexical_share": 1.074,
        "late": 0.045,
        "late_before": 0.405,
        "late_around": 0.87,
        "least": 1.716,
        "dense": 1.825,
        "dense_before": 0.936,
        "dense_after": 1.137,
        "sentence": 1.742,
        "speaker": 2.527,
        "first_speaker": 1.37,
        "date": 4.548,
        "when": 1.582,
        "when_vaguely": 1.054,
        "ends_asking": -0.512,
        "answers": 0.434,
        "number": 0.578,
        "name_wanted": 1.572,
        "reason": 0.761,
        "personal": 0.32,
        "assistant": -1.2,
        "pieces": -0.5,
    }
)
"""With vectors and word states."""

VECTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.114,
        "lexical_before": 0.161,
        "lexical_around": 0.398,
        "lexical_share": 1.123,
        "dense": 5.088,
        "dense_before": 1.063,
        "dense_after": 1.548,
        "speaker": 2.63,
        "first_speaker": 1.362,
        "date": 4.428,
        "when": 1.806,
        "when_vaguely": 1.279,
        "ends_asking": -0.493,
        "answers": 0.359,
        "number": 0.764,
        "name_wanted": 1.698,
        "reason": 0.825,
        "personal": 0.507,
        "assistant": -1.2,
        "pieces": -0.5,
    }
)
"""With an embedding model that gives no word states (an endpoint)."""

LEXICAL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.085,
        "lexical_before": 0.171,
        "lexical_around": 0.488,
        "lexical_share": 2.243,
        "speaker": 2.595,
        "first_speaker": 1.335,
        "date": 4.579,
        "when": 1.774,
        "when_vaguely": 1.284,
        "ends_asking": -0.406,
        "answers": 0.501,
        "number": 0.863,
        "name_wanted": 1.884,
        "reason": 0.736,
        "personal": 0.524,
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
