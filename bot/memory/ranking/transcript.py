"""The turns of one scope, laid out for ranking: columns, postings and vectors that only grow.

Adding an utterance costs the same whatever is there already, and a query scans arrays instead of rows.
Vectors come later than words: an utterance is found by its words at once and by its meaning when it has been embedded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.memory.ranking.codes import CodeColumn, Codes, Ints
from bot.memory.ranking.growing import Growing
from bot.memory.ranking.postings import Postings


@dataclass(frozen=True, slots=True)
class Passage:
    """A scored piece of an utterance: its index ``keys``, its :func:`~bot.memory.ranking.cues.cues` and its words."""

    keys: tuple[str, ...]
    cues: int
    words: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """A passage embedded.

    ``vector`` is int8 of shape (dimension,) and has length 1 when multiplied with ``scale``; ``words`` and
    ``sentences`` hold one sign code per content word and per sentence, shape (count, CODE_WORDS).
    """

    vector: npt.NDArray[np.int8]
    scale: float
    words: Codes
    sentences: Codes


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one author said in one message.

    ``exchange`` is the id of its exchange; ``assistant`` tells the two utterances of an exchange apart; ``said_at`` in
    seconds since 1970 (UTC).
    """

    exchange: int
    assistant: bool
    author_id: int
    author_name: str
    session: int
    said_at: float
    passages: tuple[Passage, ...]


class Transcript:
    """All utterances of a scope, oldest first.  Rows are passages; ``utterance`` maps a row to its utterance."""

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension
        self.postings = Postings()
        self.names: list[str] = []
        self._authors: dict[int, int] = {}
        self._utterances: dict[tuple[int, bool], int] = {}
        self._first_row: list[int] = []
        self._columns = {
            name: Growing(dtype)
            for name, dtype in (
                ("exchange", np.int64),
                ("assistant", np.bool_),
                ("author", np.int32),
                ("session", np.int64),
                ("said_at", np.float64),
                ("utterance", np.int32),
                ("cues", np.int64),
                ("words", np.float32),
                ("pieces", np.int32),
            )
        }
        self._vectors = Growing(np.int8, dimension)
        self._scales = Growing(np.float32)
        self._vector_rows = Growing(np.int64)
        self.word_codes = CodeColumn()
        self.sentence_codes = CodeColumn()
        self._has_meaning = Growing(np.bool_)

    def __len__(self) -> int:
        return self._columns["exchange"].size

    @property
    def utterances(self) -> int:
        """How many utterances there are."""
        return len(self._first_row)

    def column(self, name: str) -> npt.NDArray[np.generic]:
        """Return one column, one value per row."""
        return self._columns[name].view()

    def add(self, utterance: Utterance) -> None:
        """Append an utterance, newer than all before it."""
        number = len(self._first_row)
        self._utterances[utterance.exchange, utterance.assistant] = number
        self._first_row.append(len(self))
        author = self._author(utterance)
        for passage in utterance.passages:
            row = {
                "exchange": utterance.exchange,
                "assistant": utterance.assistant,
                "author": author,
                "session": utterance.session,
                "said_at": utterance.said_at,
                "utterance": number,
                "cues": passage.cues,
                "words": passage.words,
                "pieces": len(utterance.passages),
            }
            for name, value in row.items():
                self._columns[name].append(value)
            self._has_meaning.append(False)
            self.postings.add(passage.keys)

    def embed(self, exchange: int, meanings: tuple[Meaning, ...], *, assistant: bool) -> bool:
        """Attach the meanings of an utterance, one per passage; ``False`` if it is not here or has them already."""
        number = self._utterances.get((exchange, assistant))
        if number is None or self._has_meaning.view()[self._first_row[number]]:
            return False
        for offset, meaning in enumerate(meanings):
            row = self._first_row[number] + offset
            self._vectors.append(meaning.vector)
            self._scales.append(meaning.scale)
            self._vector_rows.append(row)
            self._has_meaning.view()[row] = True
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
        return self._vectors.view(), self._scales.view(), self._vector_rows.view()  # type: ignore[return-value]  # dtypes are given at construction

    @property
    def nbytes(self) -> int:
        """Bytes held in arrays (postings come on top, roughly 8 per term and passage)."""
        columns = sum(column.nbytes for column in (*self._columns.values(), self._vectors, self._scales))
        return columns + self.word_codes.nbytes + self.sentence_codes.nbytes

    def _author(self, utterance: Utterance) -> int:
        if utterance.assistant:
            return -1
        place = self._authors.get(utterance.author_id)
        if place is None:
            place = self._authors[utterance.author_id] = len(self.names)
            self.names.append(utterance.author_name)
        elif utterance.author_name:
            self.names[place] = utterance.author_name
        return place
