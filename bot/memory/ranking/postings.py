"""An inverted index that is appended to: which passages hold a term, how often, and how telling the term is."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

K1: Final = 1.2
"""Saturation of repetitions in BM25 (Robertson and Zaragoza 2009)."""

Floats = npt.NDArray[np.float32]


class Postings:
    """Term → rows, and counts of those that hold it several times.  Rows are numbered in the order they are added.

    Terms are interned: chats share most of their words.
    """

    def __init__(self) -> None:
        self._rows: dict[str, array[int]] = {}
        self._repeated: dict[str, dict[int, int]] = {}
        self._lengths = array("f")
        self._total = 0.0
        self._squares = 0.0

    def __len__(self) -> int:
        return len(self._lengths)

    def __contains__(self, term: object) -> bool:
        return term in self._rows

    def add(self, terms: Iterable[str]) -> None:
        """Add the next row with its terms."""
        row, length = len(self._lengths), 0.0
        for term in terms:
            length += 1
            rows = self._rows.get(term)
            if rows is None:
                self._rows[sys.intern(term)] = array("i", (row,))
            elif rows[-1] != row:
                rows.append(row)
            else:
                repeated = self._repeated.setdefault(term, {})
                repeated[row] = repeated.get(row, 1) + 1
        self._lengths.append(length)
        self._total += length
        self._squares += length * length

    def frequency(self, term: str) -> int:
        """Return how many rows hold the term."""
        return len(self._rows.get(term, ()))

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of BM25 (never negative); 0 for an unknown term."""
        frequency = self.frequency(term)
        return math.log1p((len(self) - frequency + 0.5) / (frequency + 0.5)) if frequency else 0.0

    @property
    def idf_unknown(self) -> float:
        """Return the idf of a term that no row holds: the rarest possible."""
        return math.log1p((len(self) + 0.5) / 0.5) if len(self) else 0.0

    @property
    def b(self) -> float:
        """How far length counts against a row: 0.4 among short turns of like length, up to 0.75 for mixed lengths.

        Chosen by the spread of lengths (standard deviation over mean), so that one rule serves every chat.
        """
        count = len(self)
        if not count or not self._total:
            return 0.4
        mean = self._total / count
        spread = math.sqrt(max(self._squares / count - mean * mean, 0.0)) / mean
        return min(0.75, max(0.4, 0.4 + 0.35 * (spread - 0.8)))

    def matches(self, terms: tuple[str, ...], rows: npt.NDArray[np.int64] | None = None) -> Floats:
        """Return the saturated, length-normalised counts of each term in each of ``rows`` (``None``: in all).

        Shape ``(terms, rows)``.  A value is BM25 without the idf: 0 where the term is absent, about 1 for one
        occurrence in an average row.
        """
        found = self._counted(terms)
        return found if rows is None or len(rows) == len(self) else found[:, rows]

    def _counted(self, terms: tuple[str, ...]) -> Floats:
        found = np.zeros((len(terms), len(self)), dtype=np.float32)
        if not len(self) or not self._total:
            return found
        lengths = np.frombuffer(self._lengths, dtype=np.float32)
        b, mean = self.b, self._total / len(self)
        for place, term in enumerate(terms):
            if term not in self._rows:
                continue
            rows = np.array(self._rows[term], dtype=np.int64)
            counts = np.ones(len(rows), dtype=np.float32)
            if repeated := self._repeated.get(term):
                counts[np.searchsorted(rows, list(repeated))] = list(repeated.values())
            norm = K1 * (1 - b + b * lengths[rows] / mean)
            found[place, rows] = counts * (K1 + 1) / (counts + norm)
        return found
