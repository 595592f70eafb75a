"""Turns passages and questions into vectors and codes.

Names of the chat's authors are taken out before embedding.  A passage is embedded together with the end of what was
said before it, because "It was great!" means nothing alone: one run of the model gives the vector of both, and the
states of the passage's own words and, averaged, of its sentences as they stand after it ("late chunking", Günther et
al. 2024).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.ranking.binary_codes import Floats, Ints, encode_vectors
from bot.memory.ranking.passages import split_passages
from bot.memory.ranking.signals import find_focus, remove_names, rewrite_in_first_person
from bot.memory.ranking.transcript import Meaning
from bot.ports.embedder import Embedder, WordEmbedder, WordVectors
from language.analyser import Analyser
from language.sentences import split_sentences
from language.words import split_words

FORMAT: Final = 3
"""Grows with every change of how a text becomes a meaning; rows of another version are made again."""

CARRIED: Final = 200
"""Characters of the text before that are embedded along: its end, where a question stands."""

_LEAST_SENTENCE: Final = 14
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class EmbeddedQuestion:
    """A question embedded: its vector, and per content word its stem and its state, shape (words, dimension).

    ``whole`` are the words, in lower case, that the model knows as one piece: they are words, whoever said them.
    """

    vector: Floats
    words: tuple[str, ...]
    states: Floats | None
    whole: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _EmbeddedText:
    """A text embedded: stems of its content words, one state each in ``words``; one state per sentence.

    ``whole`` are the words, in lower case, that are one piece.
    """

    vector: Floats
    stems: tuple[str, ...]
    words: Floats
    sentences: Floats
    whole: frozenset[str] = frozenset()


class PassageEmbedder:
    """Embeds for recall.  Raises what the embedder raises."""

    def __init__(self, embedder: Embedder, words: Analyser) -> None:
        self._embedder = embedder
        self._by_word = embedder if isinstance(embedder, WordEmbedder) else None
        self._words = words

    @property
    def model(self) -> str:
        """Name of the model and of how it is used; rows made otherwise are made again."""
        return f"{self._embedder.model}/{FORMAT}"

    async def embed_text(self, text: str, before: str, names: Sequence[str], *, patient: bool) -> tuple[Meaning, ...]:
        """Return the meanings of a message said after ``before`` ("" for the first), one per passage.

        Of a ``before`` of several passages only its questions are carried: a long answer mentions everything, but what
        it asks is what is answered.
        """
        texts = [remove_names(piece, names) or piece for piece in split_passages(text)]
        carried = before if len(split_passages(before)) == 1 else _keep_questions(before)
        heads = [remove_names(carried, names), *texts]
        return tuple(
            [
                _quantise(await self._embed(each, _cut_end(head), patient=patient))
                for head, each in zip(heads, texts, strict=False)
            ]
        )

    async def embed_question(self, text: str, names: Sequence[str]) -> EmbeddedQuestion:
        """Return the meaning of a question about authors with these names; of one over time, that of its subject."""
        asked = rewrite_in_first_person(text, names)
        focus = find_focus(asked, self._words.fold)
        found = await self._embed(focus or asked, "", patient=False)
        whole = found.whole if focus is None else found.whole.union(set(split_words(asked)).difference(focus.split()))
        if self._by_word is None:
            return EmbeddedQuestion(found.vector, (), None, whole)
        first = {stem: place for place, stem in reversed(list(enumerate(found.stems)))}
        return EmbeddedQuestion(found.vector, tuple(first), found.words[list(first.values())], whole)

    async def _embed(self, text: str, before: str, *, patient: bool) -> _EmbeddedText:
        whole = f"{before} {text}" if before else text
        if self._by_word is not None:
            (found,) = await self._by_word.embed_words([whole], patient=patient)
            return self._average(text, len(whole) - len(text), found)
        (vector,) = await self._embedder.embed([whole])
        return _EmbeddedText(vector, (), vector[None, :0], vector[None])

    def _average(self, text: str, start: int, found: WordVectors) -> _EmbeddedText:
        """Average the states of each content word and each sentence that lies within the model's window."""
        terms, spans = self._words.terms(text), _sentence_spans(text)
        borders = np.array([*((term.start, term.end) for term in terms), *spans], dtype=np.int64).reshape(-1, 2)
        means, present = _average_states(found, borders + start)
        words = int(present[: len(terms)].sum())
        return _EmbeddedText(
            found.vector,
            tuple(term.stem for term, there in zip(terms, present.tolist(), strict=False) if there),
            means[:words],
            means[words:],
            _find_whole_words(text, start, found),
        )


def _cut_end(text: str) -> str:
    """Return the last :data:`CARRIED` characters, from the beginning of a word."""
    if len(text) <= CARRIED:
        return text
    return text[-CARRIED:].partition(" ")[2]


def _keep_questions(text: str) -> str:
    """Return the questions of a text alone."""
    return " ".join(sentence for sentence in split_sentences(text) if sentence.endswith("?"))


def _average_states(found: WordVectors, borders: Ints) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the mean state of the pieces between each two offsets, and which have any: the others have no mean."""
    first = np.searchsorted(found.spans[:, 0], borders[:, 0])
    last = np.searchsorted(found.spans[:, 1], borders[:, 1], side="right")
    present = last > first
    if not present.any():
        return found.pieces[:0], present
    first, last = first[present], last[present]
    ended = np.concatenate([found.pieces, np.zeros_like(found.pieces[:1])])
    sums: Floats = np.add.reduceat(ended, np.stack([first, last], axis=1).ravel())[::2]
    return sums / (last - first).astype(np.float32)[:, None], present


def _find_whole_words(text: str, start: int, found: WordVectors) -> frozenset[str]:
    """Return the words of ``text`` that are one piece; it begins at ``start`` of what was embedded."""
    spans = {(first - start, last - start) for first, last in found.spans.tolist()}
    return frozenset(match.group().casefold() for match in _WORD.finditer(text) if match.span() in spans)


def _quantise(found: _EmbeddedText) -> Meaning:
    scale = max(float(np.abs(found.vector).max()), 1e-12) / 127
    return Meaning(
        np.rint(found.vector / scale).astype(np.int8),
        scale,
        encode_vectors(found.words),
        encode_vectors(found.sentences),
    )


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of ``text`` stand; one shorter than a few words joins the one before it."""
    spans: list[tuple[int, int]] = []
    at = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, at)
        at = start + len(sentence)
        if spans and (at - start < _LEAST_SENTENCE or spans[-1][1] - spans[-1][0] < _LEAST_SENTENCE):
            spans[-1] = (spans[-1][0], at)
        else:
            spans.append((start, at))
    return spans
