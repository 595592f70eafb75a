"""Sign codes: vectors as one bit per coordinate, compared by counting differing bits.

The sign keeps what ranking needs (random-hyperplane hashing, Charikar 2002) in 48 bytes instead of 1,536, and on
states of all-MiniLM ranks as well as the floats.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.ranking.growing import Growing, room_for

CODE_WORDS: Final = 6
"""A code of 384 bits as 64-bit words."""

BITS: Final = 64 * CODE_WORDS

Codes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def sign_codes(vectors: Floats) -> Codes:
    """Return the signs of the first 384 coordinates of each row, shape (rows, CODE_WORDS)."""
    if not len(vectors):
        return np.zeros((0, CODE_WORDS), dtype=np.uint64)
    bits = np.zeros((len(vectors), BITS), dtype=np.bool_)
    width = min(BITS, vectors.shape[1])
    bits[:, :width] = vectors[:, :width] > 0
    codes: Codes = np.packbits(bits, axis=1).view(np.uint64)
    return codes


class CodeColumn:
    """Codes in groups, each group owned by a row; groups are appended in any order of rows.

    Kept transposed, shape (CODE_WORDS, codes): comparing takes one pass per word of a code.
    """

    def __init__(self) -> None:
        self._codes: Codes = np.zeros((CODE_WORDS, 0), dtype=np.uint64)
        self._size = 0
        self._starts = Growing(np.int64)
        self._owners = Growing(np.int64)

    def append(self, row: int, codes: Codes) -> None:
        """Add the codes of a row; none changes nothing."""
        if not len(codes):
            return
        self._owners.append(row)
        self._starts.append(self._size)
        end = self._size + len(codes)
        if end > self._codes.shape[1]:
            grown = np.zeros((CODE_WORDS, room_for(end)), dtype=np.uint64)
            grown[:, : self._size] = self._codes[:, : self._size]
            self._codes = grown
        self._codes[:, self._size : end] = codes.T
        self._size = end

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return int(self._codes.nbytes) + self._starts.nbytes + self._owners.nbytes

    def nearest(self, rows: Ints, codes: Codes) -> Floats:
        """Return the similarity, -1 to 1, of each code to the nearest code of each row, shape (codes, rows).

        ``rows`` is ascending.  Rows without codes get the mean of the others: neither favoured nor buried.
        """
        found = np.zeros((len(codes), len(rows)), dtype=np.float32)
        places, present = places_of(rows, self._owners.view())
        if not len(present):
            return found
        parts, starts = self._gathered(present)
        for number, code in enumerate(codes):
            differing = np.bitwise_count(parts[0] ^ code[0]).astype(np.uint16)
            for part, word in zip(parts[1:], code[1:], strict=True):
                differing += np.bitwise_count(part ^ word)
            similar = 1 - np.minimum.reduceat(differing, starts).astype(np.float32) * np.float32(2 / BITS)
            found[number] = similar.mean()
            found[number, places] = similar
        return found

    def _gathered(self, present: Ints) -> tuple[Codes, Ints]:
        """Return the codes of the groups ``present`` only, and where each group starts."""
        parts = self._codes[:, : self._size]
        starts: Ints = self._starts.view()
        if len(present) == len(starts):
            return parts, starts
        ends = np.append(starts[1:], self._size)
        sizes = ends[present] - starts[present]
        begins = np.cumsum(sizes) - sizes
        index = np.arange(sizes.sum()) + np.repeat(starts[present] - begins, sizes)
        return parts[:, index], begins


def places_of(rows: Ints, owners: Ints) -> tuple[Ints, Ints]:
    """Return, for what ``owners`` own within ``rows`` (ascending): the place in ``rows`` and in ``owners`` of each."""
    if not len(rows) or not len(owners):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    places = np.searchsorted(rows, owners)
    places[places == len(rows)] = 0
    present = np.flatnonzero(rows[places] == owners)
    return places[present], present
