"""The turns of one scope, laid out for ranking: columns, postings and vectors that only grow.

Adding an utterance costs the same whatever is there already, and a query scans arrays instead of rows.
Vectors come later than words: an utterance is found by its words at once and by its meaning when it has been embedded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.ranking.binary_codes import CodeColumn, Codes, Ints
from bot.memory.ranking.growing_array import Growing
from bot.memory.ranking.postings import Postings
from bot.memory.ranking.spelling import Spelling


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
    """What one author said in one message.

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
        self._rows = Growing(_ROW)
        self._vectors = Growing(np.int8, dimension)
        self._scales = Growing(np.float32)
        self._vector_rows = Growing(np.int64)
        self.word_codes = CodeColumn()
        self.sentence_codes = CodeColumn()

    def __len__(self) -> int:
        return self._rows.size

    @property
    def utterances(self) -> int:
        """How many utterances there are."""
        return len(self._first_row)

    def column(self, name: str) -> npt.NDArray[np.generic]:
        """Return one column, one value per row."""
        return self._rows.view()[name]

    def add(self, utterance: Utterance) -> None:
        """Append an utterance, newer than all before it."""
        number = len(self._first_row)
        self._utterances[utterance.exchange, utterance.assistant] = number
        self._first_row.append(len(self))
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
        if number is None or self.column("embedded")[self._first_row[number]]:
            return False
        for offset, meaning in enumerate(meanings):
            row = self._first_row[number] + offset
            self._vectors.append(meaning.vector)
            self._scales.append(meaning.scale)
            self._vector_rows.append(row)
            self.column("embedded")[row] = True
            self.word_codes.append(row, meaning.words)
            self.sentence_codes.append(row, meaning.sentences)
        return True

    def piece(self, row: int) -> int:
        """Return which passage of its utterance a row is, from 0."""
        return row - self._first_row[int(self.column("utterance")[row])]

    def place(self, author_id: int) -> int | None:
        """Return the place of an author in :attr:`names`, ``None`` for somebody who never spoke here."""
        return self._authors.get(author_id)

    @property
    def vectors(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], Ints]:
        """Return int8 vectors, their scales, and the row of each."""
        return self._vectors.view(), self._scales.view(), self._vector_rows.view()

    @property
    def nbytes(self) -> int:
        """Bytes held in arrays (postings come on top, roughly 8 per term and passage)."""
        columns = sum(column.nbytes for column in (self._rows, self._vectors, self._scales, self._vector_rows))
        return columns + self.word_codes.nbytes + self.sentence_codes.nbytes

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
