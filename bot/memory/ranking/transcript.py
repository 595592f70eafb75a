"""The turns of one scope, laid out for ranking: columns, postings, vectors and spellings that only grow.

Adding an utterance costs the same whatever is there already, and a query scans arrays instead of rows.
Vectors come later than words: an utterance is found by its words at once and by its meaning when it has been embedded.
"""

from __future__ import annotations

import math
import re
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from sys import intern
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from bot.memory.ranking.binary_codes import Array, CodeColumn, Codes, GrowingArray, Ints, RowPlaces, SignColumn
from language.words import fold


@dataclass(frozen=True, slots=True)
class Passage:
    """A scored piece of an utterance: its index ``keys``, its features and its words."""

    keys: tuple[str, ...]
    cues: int
    words: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """A passage embedded.

    ``vector`` is int8 of shape (dimension,) and has length 1 when multiplied with ``scale``; ``words`` and
    ``sentences`` hold one code per content word and per sentence, shape (count, CODE_WORDS).
    """

    vector: npt.NDArray[np.int8]
    scale: float
    words: Codes
    sentences: Codes


@dataclass(frozen=True, slots=True)
class Utterance:
    """The words of one author in one message.

    ``exchange`` is the id of its exchange; ``assistant`` tells the two utterances of an exchange apart; ``said_at`` in
    seconds since 1970 (UTC); ``text`` is all of it, from which the spelling of words is learnt.
    """

    exchange: int
    assistant: bool
    author_id: int
    author_name: str
    session: int
    said_at: float
    passages: tuple[Passage, ...]
    text: str = ""


_ROW: Final = np.dtype(
    [
        ("exchange", np.int64),
        ("assistant", np.bool_),
        ("author", np.int32),
        ("session", np.int64),
        ("said_at", np.float64),
        ("utterance", np.int32),
        ("cues", np.int64),
        ("words", np.float32),
        ("pieces", np.int32),
        ("embedded", np.bool_),
    ]
)


class Transcript:
    """All utterances of a scope, oldest first.  Rows are passages; ``utterance`` maps a row to its utterance."""

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension
        self.postings = Postings()
        self.spelling = Spelling()
        self.names: list[str] = []
        self._authors: dict[int, int] = {}
        self._utterances: dict[tuple[int, bool], int] = {}
        self._first_row: list[int] = []
        self._answers = 0
        self._rows = GrowingArray(_ROW)
        self._vectors = GrowingArray(np.int8, dimension)
        self._scales = GrowingArray(np.float32)
        self._vector_rows = GrowingArray(np.int32)
        self.vector_places = RowPlaces()
        self.vector_signs = SignColumn()
        self.word_codes = CodeColumn()
        self.sentence_codes = CodeColumn()

    def __len__(self) -> int:
        return self._rows.size

    @property
    def utterances(self) -> int:
        """The number of utterances."""
        return len(self._first_row)

    @property
    def talk(self) -> float:
        """How much of a talk with an assistant this is: 1 where it answers every message, 0 where it says nothing."""
        return min(1.0, 2 * self._answers / len(self._first_row)) if self._first_row else 0.0

    def table(self) -> Array:
        """Return all columns, one structured value per row, without copying; valid until the next :meth:`add`."""
        return self._rows.rows

    def add(self, utterance: Utterance) -> None:
        """Append an utterance, newer than all before it."""
        number = len(self._first_row)
        self._utterances[utterance.exchange, utterance.assistant] = number
        self._first_row.append(len(self))
        self._answers += utterance.assistant
        self.spelling.learn(utterance.text)
        author = self._author(utterance)
        for passage in utterance.passages:
            self._rows.append(
                (
                    utterance.exchange,
                    utterance.assistant,
                    author,
                    utterance.session,
                    utterance.said_at,
                    number,
                    passage.cues,
                    passage.words,
                    len(utterance.passages),
                    False,
                )
            )
            self.postings.add(passage.keys)

    def embed(self, exchange: int, meanings: tuple[Meaning, ...], *, assistant: bool) -> bool:
        """Attach the meanings of an utterance, one per passage; ``False`` if it is not here or has them already."""
        number = self._utterances.get((exchange, assistant))
        if number is None or (table := self.table())["embedded"][self._first_row[number]]:
            return False
        for offset, meaning in enumerate(meanings):
            row = self._first_row[number] + offset
            self.vector_places.put(row, self._vectors.size)
            self.vector_signs.append(meaning.vector)
            self._vectors.append(meaning.vector)
            self._scales.append(meaning.scale)
            self._vector_rows.append(row)
            table["embedded"][row] = True
            self.word_codes.append(row, meaning.words)
            self.sentence_codes.append(row, meaning.sentences)
        return True

    def locate(self, rows: Sequence[int]) -> list[tuple[int, bool, int]]:
        """Return for each row its exchange, whether it is the assistant's, and which passage it is, from 0."""
        found = self.table()[list(rows)]
        columns = (found[name].tolist() for name in ("exchange", "assistant", "utterance"))
        return [
            (exchange, assistant, row - self._first_row[utterance])
            for row, exchange, assistant, utterance in zip(rows, *columns, strict=True)
        ]

    def place(self, author_id: int) -> int | None:
        """Return the place of an author in :attr:`names`, ``None`` for somebody who never spoke here."""
        return self._authors.get(author_id)

    @property
    def vectors(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """Return int8 vectors, their scales, and the row of each."""
        return self._vectors.rows, self._scales.rows, self._vector_rows.rows

    @property
    def nbytes(self) -> int:
        """Bytes held in arrays (postings come on top, roughly 8 per term and passage)."""
        arrays = (self._rows, self._vectors, self._scales, self._vector_rows, self.vector_places, self.vector_signs)
        return sum(array.nbytes for array in (*arrays, self.word_codes, self.sentence_codes))

    def _author(self, utterance: Utterance) -> int:
        if utterance.assistant:
            return -1
        place = self._authors.get(utterance.author_id)
        if place is None:
            place = self._authors[utterance.author_id] = len(self.names)
            self.names.append(utterance.author_name)
            self.spelling.learn(utterance.author_name)
        elif utterance.author_name:
            self.names[place] = utterance.author_name
        return place


K1: Final = 1.2
"""Saturation of repetitions in BM25 (Robertson and Zaragoza 2009)."""

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int32] | npt.NDArray[np.int64]


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

    def _saturate(self, term: str) -> tuple[npt.NDArray[np.int32], Floats]:
        """Return the rows that hold a term, ascending, and its saturated, length-normalised count in each."""
        rows = np.array(self._rows.get(term, ()), dtype=np.int32)
        if not len(rows):
            return rows, np.zeros(0, dtype=np.float32)
        counts = np.ones(len(rows), dtype=np.float32)
        if repeated := self._repeated.get(term):
            counts[np.searchsorted(rows, list(repeated))] = list(repeated.values())
        b, mean = self.b, self._total / len(self)
        norm = K1 * (1 - b + b * np.frombuffer(self._lengths, dtype=np.float32)[rows] / mean)
        saturated: Floats = (counts * (K1 + 1) / (counts + norm)).astype(np.float32)
        return rows, saturated


def _find_common(rows: Numbers, others: Numbers) -> tuple[Ints, Ints]:
    """Return where the rows that stand in both (ascending) stand in each, by looking the fewer up among the more."""
    if len(others) < len(rows):
        there, here = _find_common(others, rows)
        return here, there
    places = np.searchsorted(others, rows.astype(others.dtype))
    places[places == len(others)] = 0
    here = np.flatnonzero(others[places] == rows)
    return here, places[here]


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
        self._known: set[str] = set()
        self._words: defaultdict[tuple[str, int], list[str]] = defaultdict(list)

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def learn(self, text: str) -> None:
        """Learn the words of a text."""
        for word in set(_TOKEN.findall(fold(text))) - self._known:
            if len(word) <= _LONGEST and word.isalpha():
                self._known.add(interned := intern(word))
                self._words[word[0], len(word)].append(interned)

    def find_near(self, word: str) -> tuple[str, ...]:
        """Return the known words at most one edit away from ``word``."""
        sizes = range(len(word) - 1, len(word) + 2)
        known = chain.from_iterable(self._words.get((word[0], size), ()) for size in sizes)
        return tuple(one for one, _, _ in extract_iter(word, known, scorer=OSA.distance, score_cutoff=1))

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
