"""Exact vector search in memory: int8 to choose candidates, float16 from disk to rank them.

A workspace of 20,000 exchanges has some 200,000 vectors; as float32 they would take 300 MB and be read at every
query.  int8 with one scale per row takes a quarter.  The candidates are ranked with the stored float16 values, so the
answer is that of an exhaustive float16 scan as long as int8 does not misplace a row by more than the candidate
margin (twice what is asked, and 32 more).
"""

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

BLOCK = 512
"""Rows converted to float32 at a time: small enough for the processor's cache, and for the linear algebra library not
to spread them over threads, which takes ten times as long on a busy machine (100,000 rows: 17 ms against 166)."""


class VectorIndex:
    """Row numbers, int8 rows and scales of one table; safe to use from several threads."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._numbers: Numbers = np.empty(0, np.int64)
        self._rows = np.empty((0, dimension), np.int8)
        self._scales = np.empty(0, np.float32)
        self._used = 0
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._numbers.nbytes + self._rows.nbytes + self._scales.nbytes

    def __len__(self) -> int:
        return self._used

    def put(self, changes: Iterable[tuple[int, Vector | None]]) -> None:
        """Insert, replace or (``None``) remove rows by number; ascending numbers are appended without a search."""
        with self._lock:
            for number, vector in sorted(changes, key=lambda change: change[0]):
                place, known = self._find(number)
                if vector is None:
                    if known:
                        self._remove(place)
                    continue
                if not known:
                    self._open(place)
                    self._numbers[place] = number
                peak = float(np.abs(vector).max()) or 1.0
                self._rows[place] = np.rint(vector * (127 / peak))
                self._scales[place] = peak / 127

    def candidates(self, query: Vector, count: int, allowed: Numbers | None = None, *, bits: int = 0) -> Numbers:
        """Return the numbers of at least ``count`` rows (if there are as many) nearest to ``query``, in no order.

        ``allowed`` restricts the search to these numbers, compared without their last ``bits``.
        """
        with self._lock:
            numbers, rows, scales = self._numbers[: self._used], self._rows[: self._used], self._scales[: self._used]
            if allowed is not None:
                places = _places(numbers, allowed, bits)
                numbers, rows, scales = numbers[places], rows[places], scales[places]
            wanted = count * 2 + 32
            if len(numbers) <= wanted:
                return numbers.copy()
            scores = np.empty(len(numbers), np.float32)
            for start in range(0, len(numbers), BLOCK):
                part = slice(start, start + BLOCK)
                scores[part] = rows[part].astype(np.float32) @ query
            scores *= scales
            return numbers[np.argpartition(-scores, wanted)[:wanted]]

    def _find(self, number: int) -> tuple[int, bool]:
        if self._used == 0 or number > self._numbers[self._used - 1]:
            return self._used, False
        place = int(np.searchsorted(self._numbers[: self._used], number))
        return place, bool(self._numbers[place] == number)

    def _open(self, place: int) -> None:
        if self._used == len(self._numbers):
            room = max(64, self._used + self._used // 4)
            self._numbers = _grown(self._numbers, room)
            self._rows = _grown(self._rows, room)
            self._scales = _grown(self._scales, room)
        end = self._used
        for part in (self._numbers, self._rows, self._scales):
            part[place + 1 : end + 1] = part[place:end].copy()
        self._used += 1

    def _remove(self, place: int) -> None:
        for part in (self._numbers, self._rows, self._scales):
            part[place : self._used - 1] = part[place + 1 : self._used].copy()
            part[self._used - 1] = 0
        self._used -= 1


def _places(numbers: Numbers, allowed: Numbers, bits: int) -> Numbers:
    """Return where sorted numbers, without their last ``bits``, are among the sorted ``allowed``."""
    if bits:
        return np.flatnonzero(np.isin(numbers >> bits, allowed))
    places = np.searchsorted(numbers, allowed)
    places = places[places < len(numbers)]
    return places[np.isin(numbers[places], allowed)]


def _grown(part: npt.NDArray[Any], room: int) -> npt.NDArray[Any]:  # Any: three element types
    larger = np.zeros((room, *part.shape[1:]), part.dtype)
    larger[: len(part)] = part
    return larger
