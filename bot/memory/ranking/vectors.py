"""Vectors as two bits per coordinate, compared by counting bits, in arrays that grow; and the map of questions.

A coordinate's sign and whether it is large keep what ranking needs in 96 bytes instead of 1,536.  Signs alone cost half
a point of recall.  What is asked is not rounded that far: stored codes cost memory, a question's cost nothing.
Arrays grow at the end by a quarter: many are held at once, and doubling leaves a third of the memory unused.

The map moves what a question means to where its answers lie: one matrix for its vector, one for its words' states.
An embedding model puts "Who looks after my teeth?" near other questions about teeth; the map, learnt from plain facts
and questions for them in other words, puts it nearer to "Dr. Lind is my dentist".  Stored texts stay as they are, so
that a new map costs no store a new embedding.
Another matrix moves what somebody said to where what it may have changed lies.
``python -m benchmarks.recall questions`` and ``later`` make and judge the maps (``question_map.npz``, docs/recall.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Any, Final

import numpy as np
import numpy.typing as npt


def map_question(vectors: Floats, model: str) -> Floats:
    """Return the vector of a question, or one per row, mapped and of length 1.

    ``model`` names the embedding model: what another one gave is returned as it is.
    """
    return _map(vectors, "vector", model)


def map_words(states: Floats, model: str) -> Floats:
    """Return the states of a question's words, one per row, as :func:`map_question` does."""
    return _map(states, "words", model)


def map_later(vector: bytes) -> bytes:
    """Return the vector of what was said later, in int8 numbers, mapped to what it may have changed, in as many.

    It must be of the model that the map is of; one of another length is returned as it is.
    """
    maps, model = load_maps()
    if len(vector) != len(maps["later"]):
        return vector
    mapped = _map(np.frombuffer(vector, np.int8).astype(np.float32), "later", model)
    return bytes(np.rint(mapped * (127 / np.abs(mapped).max())).astype(np.int8))


def _map(vectors: Floats, name: str, model: str) -> Floats:
    maps, trained = load_maps()
    if model != trained:
        return vectors
    mapped: Floats = vectors + vectors @ maps[name]
    mapped /= np.maximum(np.linalg.norm(mapped, axis=-1, keepdims=True), np.float32(1e-12))
    return mapped


@cache
def load_maps() -> tuple[dict[str, Floats], str]:
    """Return what the maps add to a row, by name, shape (dimension, dimension), and the embedding model they are of."""
    with resources.files("bot.memory.ranking").joinpath("question_map.npz").open("rb") as file, np.load(file) as packed:
        maps = {
            name: packed[name].astype(np.float32) * packed[f"{name}_scale"] for name in ("vector", "words", "later")
        }
        return maps, str(packed["embedding"])


def liken(one: bytes, others: Sequence[bytes]) -> list[float]:
    """Return how alike vectors of int8 numbers are to one, as cosines; 0 where there is none, or of another length."""
    vector, found = np.frombuffer(one, np.int8).astype(np.float32), [0.0] * len(others)
    places = [place for place, other in enumerate(others) if other and len(other) == len(one)]
    if places:
        matrix = np.frombuffer(b"".join(others[place] for place in places), np.int8).reshape(len(places), -1)
        rows = matrix.astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows)) * np.linalg.norm(vector)
        for place, cosine in zip(places, ((rows @ vector) / np.maximum(lengths, 1e-12)).tolist(), strict=True):
            found[place] = cosine
    return found


_LEAST_SPARE: Final = 16
_NOWHERE: Final = -1

Array = npt.NDArray[Any]  # Any: the type is given at construction


class GrowingArray:
    """Rows of one shape and type, fields of a structured type as one tuple; appending is amortised O(1)."""

    __slots__ = ("_held", "rows", "size")

    def __init__(self, dtype: npt.DTypeLike, width: int = 0) -> None:
        shape = (_LEAST_SPARE, width) if width else (_LEAST_SPARE,)
        self._held: Array = np.zeros(shape, dtype=dtype)
        self.size = 0
        self.rows: Array = self._held[:0]
        """The rows so far, not copied; valid until the next append."""

    def append(self, row: float | tuple[float, ...]) -> None:
        """Add one row."""
        self._grow(1)[0] = row

    def extend(self, rows: Sequence[float] | Array) -> None:
        """Add rows."""
        self._grow(len(rows))[:] = rows

    def _grow(self, count: int) -> Array:
        """Return so many new rows, to be written."""
        end = self.size + count
        if end > len(self._held):
            grown = np.zeros((reserve_for(end), *self._held.shape[1:]), dtype=self._held.dtype)
            grown[: self.size] = self.rows
            self._held = grown
        self.rows, self.size = self._held[:end], end
        return self._held[end - count : end]

    def thaw(self, held: Array, size: int) -> None:
        """Take the first ``size`` rows from an array, the rest of which is room for more."""
        self._held, self.size, self.rows = held, size, held[:size]


class RowPlaces:
    """Where what belongs to a row stands in a column that was filled in any order of rows."""

    def __init__(self) -> None:
        self.places = GrowingArray(np.int32)

    def __len__(self) -> int:
        return self.places.size

    def put(self, rows: Sequence[int], first: int) -> None:
        """Say that what belongs to these rows stands one behind another, from a place on."""
        if (missing := max(rows) + 1 - len(self)) > 0:
            self.places.extend(np.full(missing, _NOWHERE))
        self.places.rows[rows] = np.arange(first, first + len(rows))

    def find(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return, for those of ``rows`` (ascending) that have something: the index in ``rows``, and the place of each.

        Sorted by place.
        """
        inside = rows[: np.searchsorted(rows, len(self))]
        places = self.places.rows[inside].astype(np.int64)
        having = np.flatnonzero(places >= 0)
        having = having[np.argsort(places[having], kind="stable")]
        return having, places[having]


def reserve_for(count: int) -> int:
    """Return the capacity to reserve when ``count`` rows no longer fit."""
    return count + max(_LEAST_SPARE, count // 4)


BITS: Final = 384
"""Coordinates of a code."""

PLANE_WORDS: Final = BITS // 64
CODE_WORDS: Final = 2 * PLANE_WORDS
"""A code as 64-bit words: the plane of the signs, then a plane that repeats them where the coordinate is large."""

PLANES: Final = 3
"""Planes of signs that stand for a question's vector."""

_LARGE: Final = 0.9816
"""Times the root mean square; with the two levels below the best quantiser of two bits for Gaussian coordinates
(Max 1960, "Quantizing for Minimum Distortion")."""
_LEVELS: Final = ((1.5104 + 0.4528) / 2, (1.5104 - 0.4528) / 2)
"""Weights of the two planes: together they give the levels 1.51 and 0.45 of either sign."""
_NORM: Final = 1 / (0.8825 * BITS**0.5)
"""Brings the product of a unit vector and a code near to the cosine; 0.88 of the energy lies in the levels."""

_EXACT_CODES: Final = 8192
"""Up to so many codes all are compared in full, beyond only those nearest by sign (0.5 points of recall@10)."""
_AT_ONCE: Final = 1 << 17
"""Comparisons made in one pass: enough that a small chat takes one, few enough to stay in the cache."""
_FEW: Final = 1 << 13
"""Pairs of a code and a plane whose words are compared in one pass."""
_PLACE_BITS: Final = 16
_PLACE_MASK: Final = (1 << _PLACE_BITS) - 1
"""A code's place in its group, packed below its distance, so that the least of both is found in one pass."""

Codes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def encode_vectors(vectors: Floats) -> Codes:
    """Return the codes of the first 384 coordinates of each row, shape (rows, CODE_WORDS)."""
    if not len(vectors):
        return np.zeros((0, CODE_WORDS), dtype=np.uint64)
    values = _coordinates(vectors)
    positive = values > 0
    large = np.abs(values) > _LARGE * np.sqrt(np.mean(values**2, axis=1, keepdims=True))
    return np.concatenate([_plane(positive), _plane(positive == large)], axis=1)


def split_into_planes(vectors: Floats) -> tuple[Codes, Floats]:
    """Return vectors, made unit length, as weighed sums of signs: (rows, PLANES, PLANE_WORDS) and (rows, PLANES).

    Greedy residual binarisation (Guo et al. 2017, "Network Sketching"): each plane is the sign of what is left, with
    the mean of its absolute values.
    """
    left = _coordinates(vectors)
    left /= np.maximum(np.sqrt(np.einsum("ij,ij->i", left, left)), np.float32(1e-12))[:, None]
    planes = np.zeros((len(vectors), PLANES, PLANE_WORDS), dtype=np.uint64)
    weights = np.zeros((len(vectors), PLANES), dtype=np.float32)
    for place in range(PLANES):
        positive = left > 0
        planes[:, place] = _plane(positive)
        weight = np.add.reduce(np.abs(left), axis=1, keepdims=True) / np.float32(BITS)
        weights[:, place] = weight[:, 0]
        left -= np.where(positive, weight, -weight)
    return planes, weights


class GrowingColumns:
    """Columns of one height, appended at the end: comparing takes one pass per row."""

    def __init__(self, height: int) -> None:
        self._held: Codes = np.zeros((height, 0), dtype=np.uint64)
        self.size = 0

    @property
    def columns(self) -> Codes:
        """The columns so far, not copied, shape (height, size)."""
        return self._held[:, : self.size]

    def extend(self, codes: Codes) -> None:
        """Add codes, shape (count, height)."""
        end = self.size + len(codes)
        if end > self._held.shape[1]:
            grown = np.zeros((len(self._held), reserve_for(end)), dtype=np.uint64)
            grown[:, : self.size] = self.columns
            self._held = grown
        self._held[:, self.size : end] = codes.T
        self.size = end

    def thaw(self, held: Codes, size: int) -> None:
        """Take the first ``size`` columns from an array, the rest of which is room for more."""
        self._held, self.size = held, size


class CodeColumn:
    """Codes in groups, each group owned by a row; groups are appended in any order of rows."""

    def __init__(self) -> None:
        self.codes = GrowingColumns(CODE_WORDS)
        self.starts = GrowingArray(np.int64)
        self.owners = RowPlaces()

    def extend(self, rows: Sequence[int], codes: Sequence[Codes]) -> None:
        """Add the codes of each row; none changes nothing."""
        given = [(row, each) for row, each in zip(rows, codes, strict=True) if len(each)]
        if not given:
            return
        self.owners.put([row for row, _ in given], self.starts.size)
        self.starts.extend(list(accumulate([len(each) for _, each in given[:-1]], initial=self.codes.size)))
        self.codes.extend(np.concatenate([each for _, each in given]))

    def nearest(self, rows: Ints, vectors: Floats) -> Floats:
        """Return the similarity, about -1 to 1, of each vector to the nearest code of each row, shape (vectors, rows).

        ``rows`` is ascending.  Rows without codes get the mean of the others: neither favoured nor buried.
        """
        found = np.zeros((len(vectors), len(rows)), dtype=np.float32)
        places, present = self.owners.find(rows)
        if not len(present) or not len(vectors):
            return found
        parts, starts = self._gathered(present)
        planes, weights = split_into_planes(vectors)
        if parts.shape[1] <= _EXACT_CODES:
            at_once = max(1, _AT_ONCE // (PLANES * parts.shape[1]))
            blocks = (slice(start, start + at_once) for start in range(0, len(vectors), at_once))
            products = (_products(parts[:, None, None], planes[block], weights[block]) for block in blocks)
            similar = np.concatenate([np.maximum.reduceat(product, starts, axis=1) for product in products])
        else:
            chosen = np.take(parts, _nearest_by_sign(parts[:PLANE_WORDS], starts, planes[:, 0]), axis=1)
            similar = _products(chosen[:, :, None], planes, weights)
        found[:] = similar.mean(axis=1, keepdims=True)
        found[:, places] = similar
        return found

    def _gathered(self, present: Ints) -> tuple[Codes, Ints]:
        """Return the codes of the groups ``present`` only, and where each group starts."""
        parts = self.codes.columns
        starts: Ints = self.starts.rows
        if len(present) == len(starts):
            return parts, starts
        ends = np.append(starts[1:], self.codes.size)
        sizes = ends[present] - starts[present]
        begins = np.cumsum(sizes) - sizes
        index = np.arange(sizes.sum()) + np.repeat(starts[present] - begins, sizes)
        return parts[:, index], begins


def _coordinates(vectors: npt.NDArray[np.float32] | npt.NDArray[np.int8]) -> Floats:
    """Return a copy with 384 columns."""
    values = np.zeros((len(vectors), BITS), dtype=np.float32)
    width = min(BITS, vectors.shape[1])
    values[:, :width] = vectors[:, :width]
    return values


def _plane(bits: npt.NDArray[np.bool_]) -> Codes:
    plane: Codes = np.packbits(bits, axis=1).view(np.uint64)
    return plane


def _products(codes: Codes, planes: Codes, weights: Floats) -> Floats:
    """Return the product of each vector with each code, shape (vectors, codes).

    Vectors are given by their planes, see :func:`split_into_planes`; ``codes`` has shape (CODE_WORDS, 1, 1, codes), or
    (CODE_WORDS, vectors, 1, codes) where each vector has codes of its own.
    """
    product = np.zeros((len(planes), codes.shape[-1]), dtype=np.float32)
    words = planes.transpose(2, 0, 1)[..., None]
    for half, level in zip((codes[:PLANE_WORDS], codes[PLANE_WORDS:]), _LEVELS, strict=True):
        weighed = weights * np.float32(level * _NORM)
        differing = (weighed[:, None] @ _differing(half, words).astype(np.float32))[:, 0]
        product += np.float32(BITS) * weighed.sum(axis=1, keepdims=True) - 2 * differing
    return product


def _nearest_by_sign(signs: Codes, starts: Ints, planes: Codes) -> Ints:
    """Return, for each of ``planes``, which code of each group has most signs in common, shape (planes, groups).

    ``signs`` has shape (PLANE_WORDS, codes).  This costs a sixth of comparing all in full and nearly always finds the
    same code.
    """
    count = signs.shape[1]
    inside = (np.arange(count) - np.repeat(starts, np.diff(starts, append=count))).astype(np.uint32)
    keys = [(_differing(signs, plane[:, None]).astype(np.uint32) << _PLACE_BITS) | inside for plane in planes]
    first = np.stack([np.minimum.reduceat(key, starts) for key in keys])
    nearest: Ints = starts + (first & _PLACE_MASK)
    return nearest


def _differing(parts: Codes, plane: Codes) -> npt.NDArray[np.uint16]:
    """Return in how many bits codes and a plane differ; both have one row per word and otherwise shapes that fit.

    Few are compared in one pass, which spares calls; many word by word, which stays in the cache.
    """
    if parts.shape[-1] * plane[0].size <= _FEW:
        few: npt.NDArray[np.uint16] = np.add.reduce(np.bitwise_count(parts ^ plane), axis=0, dtype=np.uint16)
        return few
    differing: npt.NDArray[np.uint16] = np.bitwise_count(parts[0] ^ plane[0]).astype(np.uint16)
    for part, word in zip(parts[1:], plane[1:], strict=True):
        differing += np.bitwise_count(part ^ word)
    return differing


def get_signs(vectors: npt.NDArray[np.float32] | npt.NDArray[np.int8]) -> Codes:
    """Return the signs of the first 384 coordinates of each row, shape (rows, PLANE_WORDS)."""
    return _plane(_coordinates(vectors) > 0)


def count_differing(signs: Codes, vector: Floats) -> npt.NDArray[np.uint16]:
    """Return in how many signs each column, shape (PLANE_WORDS, vectors), differs from a vector."""
    return _differing(signs, get_signs(vector[None])[0][:, None])
