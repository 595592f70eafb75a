"""A bounded memory of vectors already computed, so that a text asked twice costs once."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]


class VectorCache:
    """Least-recently-used vectors by a digest of their text: at most ``limit`` entries, no text is kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()

    def get(self, text: str) -> Vector | None:
        """Return the vector of a text and mark it as used, ``None`` if it is not here."""
        key = _key(text)
        if (vector := self._vectors.get(key)) is not None:
            self._vectors.move_to_end(key)
        return vector

    def put(self, text: str, vector: Vector) -> None:
        """Keep a vector, dropping the one unused for longest when full."""
        key = _key(text)
        self._vectors[key] = vector
        self._vectors.move_to_end(key)
        while len(self._vectors) > self._limit:
            self._vectors.popitem(last=False)


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
