"""Embedder: texts to vectors; reranker: results in a better order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bot.memory.items import Recalled

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """A model that places texts in a space where near means alike."""

    @property
    def model(self) -> str:
        """Name and version: vectors of different names are never compared or mixed."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """Return one L2-normalised row per text: shape ``(len(texts), dimension)``, in order.

        A ``question`` is compared with texts, and somebody waits for it.
        The vector of a text does not depend on the other texts of the call.
        An empty sequence gives shape ``(0, dimension)``; an empty text gives some valid vector.
        Raises :class:`~bot.errors.EmbeddingUnavailable`.
        """


@dataclass(frozen=True, slots=True)
class WordVectors:
    """A text embedded as a whole and piece by piece, by one run of the model.

    ``vector`` is what :meth:`Embedder.embed` gives, shape (dimension,); ``pieces`` holds the last layer's state of
    every word piece, shape (pieces, dimension), not normalised; ``spans`` where each piece stands in the text, as
    character offsets, shape (pieces, 2).  Text beyond the model's window has no pieces.
    """

    vector: Vectors
    pieces: Vectors
    spans: npt.NDArray[np.int64]


@runtime_checkable
class WordEmbedder(Embedder, Protocol):
    """A model that also tells what each word means where it stands; optional: recall is better with it."""

    async def embed_words(
        self, texts: Sequence[str], *, question: bool = False, patient: bool = False
    ) -> tuple[WordVectors, ...]:
        """Return one result per text, in order; same meaning, independence and errors as :meth:`Embedder.embed`.

        ``patient`` says that nobody waits for the result: it may run at low priority.
        """


@dataclass(frozen=True, slots=True)
class WordStates:
    """What every word piece of a text is, in the layer of the model that tells names from other words.

    ``pieces`` has shape (pieces, dimension); ``spans`` says where each stands, as in :class:`WordVectors`.
    """

    pieces: Vectors
    spans: npt.NDArray[np.int64]

    def cut(self, start: int, end: int) -> WordStates | None:
        """Return those of the text from ``start`` to ``end``; ``None`` where the model's window ends before it."""
        if not len(self.spans) or self.spans[-1, 1] < end:
            return None
        within = (self.spans[:, 0] >= start) & (self.spans[:, 1] <= end)
        return WordStates(self.pieces[within], self.spans[within] - start)


@runtime_checkable
class StateReader(Protocol):
    """A model that tells what each word is; optional: without it names are found by rules."""

    async def read_states(self, text: str) -> WordStates:
        """Return the states of a text, at low priority.  Raises :class:`~bot.errors.EmbeddingUnavailable`."""


@runtime_checkable
class SentenceReader(Protocol):
    """A model that tells what sentences are for; optional: without it rules decide alone."""

    async def read_sentences(self, texts: Sequence[str]) -> tuple[Vectors, tuple[WordStates, ...]]:
        """Return for each its vector as a question, the mean of its inner states and the first: (texts, 3, dimension).

        And those states.  Somebody waits for it.  Raises :class:`~bot.errors.EmbeddingUnavailable`.
        """


@runtime_checkable
class AnswerReader(Protocol):
    """A model that reads a question and a text together; optional: without it likeness and words decide."""

    async def rate_answers(
        self, question: str, texts: Sequence[str], alike: Sequence[float | None] = ()
    ) -> tuple[float, ...]:
        """Return for each text how likely it answers the question, 0..1; somebody waits for it.

        ``alike`` are the cosines of the question's mapped vector and those of the texts, as far as they are known:
        such a text is not embedded, and not read where it cannot answer by them.
        Raises :class:`~bot.errors.EmbeddingUnavailable`.
        """


@runtime_checkable
class ChangeReader(Protocol):
    """A model that reads an earlier and a later message together; optional: without it rules decide alone."""

    @property
    def reader(self) -> str:
        """Name and version: what another one said is read anew."""

    async def rate_changes(
        self, question: str, earlier: str, later: Sequence[str], *, patient: bool = False
    ) -> tuple[float, ...]:
        """Return for each later message how likely what the earlier one answers to a question holds no more, 0..1.

        With no question, "", how likely anything that the earlier one says.  Somebody waits for it, or is ``patient``.
        Raises :class:`~bot.errors.EmbeddingUnavailable`.
        """


class Reranker(Protocol):
    """Sorts results; slower and better than what found them."""

    async def rerank(self, question: str, found: tuple[Recalled, ...], top_k: int) -> tuple[Recalled, ...]:
        """Return the ``top_k`` most relevant of ``found``, best first, with the model's score as ``score``.

        Raises :class:`~bot.errors.ModelUnavailable` or :class:`~bot.errors.ModelRefused`; nothing is retried.
        """
