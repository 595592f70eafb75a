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

VERSION: Final = 4

FULL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.256,
        "lexical_before": 0.105,
        "lexical_around": 0.283,
        "lexical_share": 1.069,
        "late": 0.28,
        "late_before": 0.629,
        "late_around": 0.795,
        "least": 1.891,
        "dense": 1.233,
        "dense_after": 2.143,
        "sentence": 1.81,
        "asked_before": 2.411,
        "speaker": 3.066,
        "first_speaker": 1.513,
        "date": 4.806,
        "when": 1.985,
        "when_vaguely": 1.305,
        "ends_asking": -0.776,
        "answers": -0.035,
        "number": 0.598,
        "name_wanted": 1.603,
        "reason": 1.216,
        "personal": 0.021,
        "news": 1.063,
        "assistant": -1.2,
        "pieces": -0.5,
    }
)
"""With vectors and word states."""

VECTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.073,
        "lexical_before": 0.233,
        "lexical_around": 0.409,
        "lexical_share": 1.211,
        "dense": 4.378,
        "dense_after": 3.726,
        "asked_before": 2.539,
        "speaker": 3.007,
        "first_speaker": 1.519,
        "date": 4.602,
        "when": 2.286,
        "when_vaguely": 1.818,
        "ends_asking": -0.632,
        "answers": -0.143,
        "number": 0.94,
        "name_wanted": 1.905,
        "reason": 1.284,
        "personal": 0.332,
        "news": 1.06,
        "assistant": -1.2,
        "pieces": -0.5,
    }
)
"""With an embedding model that gives no word states (an endpoint)."""

LEXICAL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "lexical": -0.095,
        "lexical_before": 0.33,
        "lexical_around": 0.59,
        "lexical_share": 2.052,
        "speaker": 3.046,
        "first_speaker": 1.488,
        "date": 4.843,
        "when": 2.243,
        "when_vaguely": 1.552,
        "ends_asking": -0.579,
        "answers": 0.641,
        "number": 0.718,
        "name_wanted": 2.288,
        "reason": 1.142,
        "personal": 0.467,
        "news": 0.695,
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
