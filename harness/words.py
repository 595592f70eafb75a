"""Words and sentences that made-up talks and documents are put together from: ``words.json``, by who draws them."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def read_words(name: str) -> dict[str, Any]:  # Any: lists of texts, or of pairs of them
    """Return the pools of one generator by their names."""
    pools: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return pools[name]


def draw(chance: random.Random, pool: Sequence[str], steep: float) -> str:
    """Return one of a pool, its first ones more often: people talk about few things often and many things once."""
    return pool[min(int(chance.expovariate(steep / len(pool))), len(pool) - 1)]
