"""The inverted index of one chat: in which passages each term stands, and how much that says (BM25)."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.ranking.binary_codes import Array, Floats, GrowingArray, Ints
from bot.memory.ranking.string_table import StringTable

K1: Final = 1.2
"""Saturation of repetitions in BM25 (Robertson and Zaragoza 2009)."""

Rows = npt.NDArray[np.int32]


class _Frozen:
    """Terms of the first rows as arrays, which may be mapped from a file."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.terms = StringTable(arrays["terms"], arrays["term_ends"])
        self._arrays = arrays

    def find(self, term: str, name: str) -> Array:
        """Return the ``rows`` of a term, or its ``repeated`` rows with their counts."""
        place = self.terms.find(term)
        return self.cut(place, name) if place >= 0 else self._arrays[name][:0]

    def cut(self, place: int, name: str) -> Array:
        """Return the same for the term at a place."""
        ends = self._arrays[f"{name}_ends"]
        found: Array = self._arrays[name][ends[place - 1] if place else 0 : ends[place]]
        return found


class Postings:
    """Term → rows, and counts of those that hold it several times.  Rows are numbered in the order they are added.

    Terms are interned: chats share most of their words.
    """

    def __init__(self) -> None:
        self._frozen: _Frozen | None = None
        self._rows: dict[str, array[int]] = {}
        self._repeated: dict[str, dict[int, int]] = {}
        self.lengths = GrowingArray(np.float32)
        """Terms of each row."""
        self._total = 0.0
        self._squares = 0.0

    def __len__(self) -> int:
        return self.lengths.size

    def __contains__(self, term: object) -> bool:
        return term in self._rows or (isinstance(term, str) and self.frequency(term) > 0)

    def add(self, terms: Iterable[str]) -> None:
        """Add the next row with its terms."""
        row, length = len(self), 0.0
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
        self.lengths.append(length)
        self._total += length
        self._squares += length * length

    def frequency(self, term: str) -> int:
        """Return how many rows hold the term."""
        frozen = len(self._frozen.find(term, "rows")) if self._frozen is not None else 0
        return frozen + len(self._rows.get(term, ()))

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of BM25 (never negative); 0 for an unknown term."""
        frequency = self.frequency(term)
        return math.log1p((len(self) - frequency + 0.5) / (frequency + 0.5)) if frequency else 0.0

    @property
    def idf_unknown(self) -> float:
        """Return the idf of a term that no row holds: the rarest possible."""
        return math.log1p((len(self) + 0.5) / 0.5) if len(self) else 0.0

    def weigh(self, terms: Iterable[str]) -> tuple[Floats, Floats]:
        """Return the idf of each term, and the same with that of the rarest in place of 0."""
        idf = np.array([self.idf(term) for term in terms], dtype=np.float32)
        return idf, np.where(idf > 0, idf, np.float32(self.idf_unknown))

    @property
    def b(self) -> float:
        """The weight of length against a row: 0.4 among short turns of like length, up to 0.75 for mixed lengths.

        Chosen by the spread of lengths (standard deviation over mean), so that one rule serves every chat.
        """
        count = len(self)
        if not count or not self._total:
            return 0.4
        mean = self._total / count
        spread = math.sqrt(max(self._squares / count - mean * mean, 0.0)) / mean
        return min(0.75, max(0.4, 0.4 + 0.35 * (spread - 0.8)))

    def matches(self, terms: tuple[str, ...], rows: Ints | None = None) -> Floats:
        """Return the saturated, length-normalised counts of each term in each of ``rows`` (``None``: in all).

        Shape ``(terms, rows)``; ``rows`` ascending.  A value is BM25 without the idf: 0 where the term is absent, about
        1 for one occurrence in an average row.
        """
        found = np.zeros((len(terms), len(self) if rows is None else len(rows)), dtype=np.float32)
        for place, term in enumerate(terms):
            holding, counts = self._saturate(term)
            if rows is not None and len(rows) < len(self):
                at, present = _find_common(rows, holding)
                found[place, at] = counts[present]
            else:
                found[place, holding] = counts
        return found

    def score(self, terms: Iterable[str]) -> Floats:
        """Return BM25 of every row for these terms."""
        score = np.zeros(len(self), dtype=np.float32)
        for term in terms:
            holding, counts = self._saturate(term)
            score[holding] += np.float32(self.idf(term)) * counts
        return score

    def _saturate(self, term: str) -> tuple[Rows, Floats]:
        """Return the rows that hold a term, ascending, and its saturated, length-normalised count in each."""
        rows = np.array(self._rows.get(term, ()), dtype=np.int32)
        repeated = np.array(list(self._repeated.get(term, {}).items()), dtype=np.int32).reshape(-1, 2)
        if self._frozen is not None:
            rows = np.concatenate([self._frozen.find(term, "rows"), rows])
            repeated = np.concatenate([self._frozen.find(term, "repeated"), repeated])
        if not len(rows):
            return rows, np.zeros(0, dtype=np.float32)
        counts = np.ones(len(rows), dtype=np.float32)
        counts[np.searchsorted(rows, repeated[:, 0])] = repeated[:, 1]
        b, mean = self.b, self._total / len(self)
        norm = K1 * (1 - b + b * self.lengths.rows[rows] / mean)
        saturated: Floats = (counts * (K1 + 1) / (counts + norm)).astype(np.float32)
        return rows, saturated

    def freeze(self) -> FrozenPostings:
        """Return what :class:`FrozenPostings` makes arrays of, as it stands now; costs little."""
        return FrozenPostings(self._frozen, dict(self._rows), dict(self._repeated), len(self))

    def thaw(self, arrays: Mapping[str, Array]) -> None:
        """Take the first rows, whose :attr:`lengths` are there, from arrays; called before anything is added."""
        self._frozen, lengths = _Frozen(arrays), self.lengths.rows.astype(np.float64)
        self._total, self._squares = float(lengths.sum()), float(lengths @ lengths)


class FrozenPostings:
    """Makes arrays of postings in a thread of its own, while rows are added beside it."""

    def __init__(
        self, frozen: _Frozen | None, rows: dict[str, array[int]], repeated: dict[str, dict[int, int]], count: int
    ) -> None:
        self._frozen, self._rows, self._repeated, self._count = frozen, rows, repeated, count

    def build(self) -> dict[str, Array]:
        """Return the arrays by name."""
        places = {term: place for place, term in enumerate(self._frozen.terms)} if self._frozen is not None else {}
        terms = StringTable.build((*places, *self._rows))
        rows, repeated = [], []
        for term in terms:
            rows.append(self._join(places.get(term), "rows", self._list_rows(term)))
            repeated.append(self._join(places.get(term), "repeated", self._list_repeated(term)))
        return {
            "terms": terms.text,
            "term_ends": terms.ends,
            "rows": np.concatenate([*rows, np.zeros(0, dtype=np.int32)]),
            "rows_ends": np.cumsum([len(each) for each in rows], dtype=np.int64),
            "repeated": np.concatenate([*repeated, np.zeros((0, 2), dtype=np.int32)]),
            "repeated_ends": np.cumsum([len(each) for each in repeated], dtype=np.int64),
        }

    def _join(self, place: int | None, name: str, added: Rows) -> Rows:
        if self._frozen is None or place is None:
            return added
        return np.concatenate([self._frozen.cut(place, name), added])

    def _list_rows(self, term: str) -> Rows:
        """Return the added rows up to where the postings were frozen; the copy lets others go on appending."""
        rows = np.frombuffer(self._rows[term][:], dtype=np.int32) if term in self._rows else np.zeros(0, dtype=np.int32)
        return rows[: np.searchsorted(rows, self._count)]

    def _list_repeated(self, term: str) -> Rows:
        pairs = [pair for pair in list(self._repeated.get(term, {}).items()) if pair[0] < self._count]
        return np.array(pairs, dtype=np.int32).reshape(-1, 2)


Numbers = npt.NDArray[np.int32] | npt.NDArray[np.int64]


def _find_common(rows: Numbers, others: Numbers) -> tuple[Ints, Ints]:
    """Return where the rows that stand in both (ascending) stand in each, by looking the fewer up among the more."""
    if len(others) < len(rows):
        there, here = _find_common(others, rows)
        return here, there
    places = np.searchsorted(others, rows.astype(others.dtype))
    places[places == len(others)] = 0
    here = np.flatnonzero(others[places] == rows)
    return here, places[here]
