"""The turns of one scope, laid out for ranking: columns, postings, vectors and spellings that only grow.

Adding an utterance costs the same whatever is there already, and a query scans arrays instead of rows.
Vectors come later than words: an utterance is found by its words at once and by its meaning when it has been embedded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.ranking.postings import Postings, Spelling
from bot.memory.ranking.vectors import (
    PLANE_WORDS,
    Array,
    CodeColumn,
    Codes,
    GrowingArray,
    GrowingColumns,
    RowPlaces,
    get_signs,
)


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


@dataclass(frozen=True, slots=True)
class Layout:
    """A transcript as arrays, to be written to a file and mapped from it.

    ``arrays`` grow where ``sizes`` says how much of them counts: along their last axis where they are ``COLUMNS``, else
    along their first.  ``authors`` are their ids and names by place, ``answers`` the number of the assistant's.
    """

    arrays: Mapping[str, Array]
    sizes: Mapping[str, int]
    authors: Sequence[tuple[int, str]]
    answers: int


COLUMNS: Final = frozenset({"signs", "word_codes", "sentence_codes"})


_CHANGING: Final = ("table", "vector_places", "word_owners", "sentence_owners")
"""Whose first rows are written again when an utterance is embedded."""


class Transcript:
    """All utterances of a scope, oldest first.  Rows are passages; ``utterance`` maps a row to its utterance."""

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension
        self.postings = Postings()
        self.spelling = Spelling()
        self.names: list[str] = []
        self._authors: dict[int, int] = {}
        self._keys = GrowingArray(np.int64)
        """Exchange and side of each utterance, ascending."""
        self._first_row = GrowingArray(np.int32)
        self._answers = 0
        self.passages = GrowingArray(_ROW)
        """Each passage with all its columns: one structured value per row."""
        self._vectors = GrowingArray(np.int8, dimension)
        self._scales = GrowingArray(np.float32)
        self._vector_rows = GrowingArray(np.int32)
        self.vector_places = RowPlaces()
        self.vector_signs = GrowingColumns(PLANE_WORDS)
        self.word_codes = CodeColumn()
        self.sentence_codes = CodeColumn()

    def __len__(self) -> int:
        return self.passages.size

    @property
    def utterances(self) -> int:
        """The number of utterances."""
        return self._keys.size

    @property
    def talk(self) -> float:
        """How much of a talk with an assistant this is: 1 where it answers every message, 0 where it says nothing."""
        return min(1.0, 2 * self._answers / self.utterances) if self.utterances else 0.0

    def add(self, *utterances: Utterance) -> None:
        """Append utterances, each newer than all before it."""
        rows, first_rows = list[tuple[float, ...]](), list[int]()
        for number, utterance in enumerate(utterances, self.utterances):
            first_rows.append(len(self.postings))
            self._answers += utterance.assistant
            self.spelling.learn(utterance.text)
            author = self._author(utterance)
            for passage in utterance.passages:
                rows.append(
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
        self._keys.extend([each.exchange << 1 | each.assistant for each in utterances])
        self._first_row.extend(first_rows)
        self.passages.extend(np.array(rows, dtype=_ROW))

    def embed(self, found: Sequence[tuple[int, bool, tuple[Meaning, ...]]]) -> int:
        """Attach the meanings of utterances, one per passage, and return of how many.

        Each is given by its exchange and whether it is the assistant's; one that is not here, or has them, is left out.
        """
        keys, first_rows, embedded = self._keys.rows, self._first_row.rows, self.passages.rows["embedded"]
        if not len(keys):
            return 0
        wanted = np.array([exchange << 1 | assistant for exchange, assistant, _ in found], dtype=np.int64)
        numbers = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        rows, taken = list[int](), list[tuple[Meaning, ...]]()
        for place in np.flatnonzero(keys[numbers] == wanted).tolist():
            first, meanings = int(first_rows[numbers[place]]), found[place][2]
            if not embedded[first]:
                embedded[first : first + len(meanings)] = True
                rows += range(first, first + len(meanings))
                taken.append(meanings)
        if rows:
            self._attach(rows, [each for meanings in taken for each in meanings])
        return len(taken)

    def _attach(self, rows: list[int], meanings: list[Meaning]) -> None:
        vectors = np.stack([each.vector for each in meanings])
        self.vector_places.put(rows, self._vectors.size)
        self.vector_signs.extend(get_signs(vectors))
        self._vectors.extend(vectors)
        self._scales.extend([each.scale for each in meanings])
        self._vector_rows.extend(rows)
        self.word_codes.extend(rows, [each.words for each in meanings])
        self.sentence_codes.extend(rows, [each.sentences for each in meanings])

    def list_unembedded(self) -> list[tuple[int, bool]]:
        """Return the exchange of each utterance without meanings, and whether it is the assistant's."""
        waiting = self._keys.rows[~self.passages.rows["embedded"][self._first_row.rows]]
        return [(key >> 1, bool(key & 1)) for key in waiting.tolist()]

    def locate(self, rows: Sequence[int]) -> list[tuple[int, bool, int]]:
        """Return for each row its exchange, whether it is the assistant's, and which passage it is, from 0."""
        found = self.passages.rows[list(rows)]
        columns = (found[name].tolist() for name in ("exchange", "assistant", "utterance"))
        return [
            (exchange, assistant, row - int(self._first_row.rows[utterance]))
            for row, exchange, assistant, utterance in zip(rows, *columns, strict=True)
        ]

    def read_vectors(self, rows: Sequence[int]) -> list[bytes]:
        """Return the int8 vector of each row, not scaled, and nothing where a row has none."""
        order = np.argsort(rows)
        found, (indexes, places) = [b""] * len(rows), self.vector_places.find(np.asarray(rows)[order])
        for index, place in zip(indexes.tolist(), places.tolist(), strict=True):
            found[order[index]] = self._vectors.rows[place].tobytes()
        return found

    def place(self, author_id: int) -> int | None:
        """Return the place of an author in :attr:`names`, ``None`` for somebody who never spoke here."""
        return self._authors.get(author_id)

    @property
    def vectors(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """Return int8 vectors, their scales, and the row of each."""
        return self._vectors.rows, self._scales.rows, self._vector_rows.rows

    def freeze(self) -> Callable[[], Layout]:
        """Return what lays out the transcript as it stands now, in a thread of its own while it grows."""
        parts = self._list_parts()
        arrays = {name: part.columns if isinstance(part, GrowingColumns) else part.rows for name, part in parts.items()}
        for name in _CHANGING:
            arrays[name] = arrays[name].copy()
        sizes = {name: part.size for name, part in parts.items()}
        postings, words = self.postings.freeze(), self.spelling.freeze()
        authors = list(zip(self._authors, self.names, strict=True))
        answers = self._answers
        return lambda: Layout(arrays | postings.build() | words(), sizes, authors, answers)

    def thaw(self, layout: Layout) -> None:
        """Take everything from a layout; called before anything is added."""
        for name, part in self._list_parts().items():
            part.thaw(layout.arrays[name], layout.sizes[name])
        self.postings.thaw(layout.arrays)
        self.spelling.thaw(layout.arrays)
        self.names = [name for _, name in layout.authors]
        self._authors = {author: place for place, (author, _) in enumerate(layout.authors)}
        self._answers = layout.answers

    def _list_parts(self) -> dict[str, GrowingArray | GrowingColumns]:
        """Return what grows, by the name that it has in a layout."""
        return {
            "table": self.passages,
            "keys": self._keys,
            "first_rows": self._first_row,
            "vectors": self._vectors,
            "scales": self._scales,
            "vector_rows": self._vector_rows,
            "vector_places": self.vector_places.places,
            "signs": self.vector_signs,
            "lengths": self.postings.lengths,
            "word_codes": self.word_codes.codes,
            "word_starts": self.word_codes.starts,
            "word_owners": self.word_codes.owners.places,
            "sentence_codes": self.sentence_codes.codes,
            "sentence_starts": self.sentence_codes.starts,
            "sentence_owners": self.sentence_codes.owners.places,
        }

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
