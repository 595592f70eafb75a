"""The inverted index of one chat: in which passages each term stands, and how much that says (BM25).

Sorted strings in one buffer, which may be mapped from a file: found by bisection, read one at a time.

Corrects the misspelt words of a question by the words of its chat.
"""

from __future__ import annotations

import math
import re
import sys
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from sys import intern
from typing import Final, overload

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from bot.memory.ranking.vectors import Array, Floats, GrowingArray, Ints
from language.words import fold

_MAXIMUM = "\U0010ffff"


class StringTable(Sequence[str]):
    """``text`` holds the strings as UTF-8 behind one another, ``ends`` where each ends; ascending, each once."""

    def __init__(self, text: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> None:
        self.text, self.ends = text, ends

    @classmethod
    def build(cls, strings: Iterable[str]) -> StringTable:
        """Return the table of strings in any order."""
        encoded = [string.encode(errors="surrogatepass") for string in sorted(set(strings))]
        ends = np.cumsum([len(each) for each in encoded], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        start = self.ends[place - 1] if place else 0
        return self.text[start : self.ends[place]].tobytes().decode(errors="surrogatepass")

    def find(self, string: str) -> int:
        """Return where a string stands, -1 if it does not."""
        place = bisect_left(self, string)
        return place if place < len(self) and self[place] == string else -1

    def list_with_prefix(self, prefix: str) -> list[str]:
        """Return the strings that begin with ``prefix``."""
        return self[bisect_left(self, prefix) : bisect_left(self, prefix + _MAXIMUM)]


_LEAST: Final = 4
"""Shorter words have too many neighbours."""
_LONGEST: Final = 32
_TOKEN: Final = re.compile(rf"\w{{{_LEAST},}}")
_WORD: Final = re.compile(rf"(?<!\w)[^\W\d_]{{{_LEAST},{_LONGEST}}}(?!\w|['’]t\b)")


class Spelling:
    """Corrects the misspelt words of a question: one letter wrong, lost, added or swapped (optimal string alignment).

    A word is misspelt when neither it nor its stem was ever said here and a word that was is one edit away.  Words are
    kept as they were written, because a question is corrected before it is embedded and because a typo in an ending
    has no stem; learning one costs O(1), and hardly anything once it is known.
    They stand by first letter and length, so that a lookup compares a few hundred at most; a word's first letter is
    taken as right, as people rarely miss it (Pollock and Zamora 1984: under 8 % of misspellings).
    """

    def __init__(self) -> None:
        self._frozen: StringTable | None = None
        self._known: set[str] = set()
        self._words: defaultdict[tuple[str, int], list[str]] = defaultdict(list)

    def __contains__(self, word: str) -> bool:
        return word in self._known or (self._frozen is not None and self._frozen.find(_key(word)) >= 0)

    def learn(self, text: str) -> None:
        """Learn the words of a text."""
        for word in set(_TOKEN.findall(fold(text))) - self._known:
            if len(word) <= _LONGEST and word.isalpha() and word not in self:
                self._known.add(interned := intern(word))
                self._words[word[0], len(word)].append(interned)

    def find_near(self, word: str) -> tuple[str, ...]:
        """Return the known words at most one edit away from ``word``."""
        sizes = range(len(word) - 1, len(word) + 2)
        known = chain.from_iterable(self._list_words(word[0], size) for size in sizes)
        return tuple(one for one, _, _ in extract_iter(word, known, scorer=OSA.distance, score_cutoff=1))

    def freeze(self) -> Callable[[], dict[str, Array]]:
        """Return what makes arrays of the words that are known now, in a thread of its own; costs little."""
        frozen, added = self._frozen or (), tuple(self._known)

        def build() -> dict[str, Array]:
            words = StringTable.build((*frozen, *map(_key, added)))
            return {"words": words.text, "word_ends": words.ends}

        return build

    def thaw(self, arrays: Mapping[str, Array]) -> None:
        """Take the first words from arrays; called before anything is learnt."""
        self._frozen = StringTable(arrays["words"], arrays["word_ends"])

    def _list_words(self, first: str, size: int) -> Iterator[str]:
        if self._frozen is not None:
            yield from (key[2:] for key in self._frozen.list_with_prefix(first + chr(size)))
        yield from self._words.get((first, size), ())

    def correct_text(self, text: str, known: Callable[[str], bool], worth: Callable[[str], float]) -> str:
        """Return ``text`` with each misspelt word as the one it was meant to be.

        ``known`` tells of a word that was never written here whether it is right all the same; ``worth`` tells how
        likely a word that was written is meant.  Abbreviations in capitals stay.
        """

        def right(match: re.Match[str]) -> str:
            written = match.group()
            word = fold(written)
            if word in self or written.isupper() or known(word):
                return written
            meant = max(self.find_near(word), key=lambda each: (worth(each), each), default=None)
            if meant is None:
                return written
            return meant.capitalize() if written[0].isupper() else meant

        return _WORD.sub(right, text)


def _key(word: str) -> str:
    """Return a word as it is sorted: by first letter, then length."""
    return word[0] + chr(len(word)) + word


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
