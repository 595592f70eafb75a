"""A model-free embedder: near means sharing words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from memory_server.options import Vectors

WORD = re.compile(r"\w+")


class WordEmbedder:
    """Every word has a random direction of its own; a text is the sum of its words."""

    def __init__(self, dimension: int = 64, model: str = "words") -> None:
        self.dimension, self.model = dimension, model
        self.calls = 0

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return normalised rows."""
        self.calls += 1
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in enumerate(texts):
            for word in WORD.findall(text.lower()):
                seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
                rows[row] += np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        normal: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return normal
