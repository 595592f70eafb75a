"""Turns passages and questions into vectors and sign codes.

Names of the chat's authors are taken out before embedding.  One run of the model gives the passage's vector, the states
of its words and, averaged, those of its sentences ("late chunking", Günther et al. 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.memory.ranking.codes import CODE_WORDS, Codes, Floats, sign_codes
from bot.memory.ranking.passages import passages
from bot.memory.ranking.subject import in_first_person, without_names
from bot.memory.ranking.terms import Analyser
from bot.memory.ranking.transcript import Meaning
from bot.memory.sentences import sentences
from bot.ports.embedder import Embedder, WordEmbedder, WordVectors

_LEAST_SENTENCE: Final = 14
_NO_CODES: Final = np.zeros((0, CODE_WORDS), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question embedded: its vector, and per content word its stem and sign code."""

    vector: Floats
    words: tuple[str, ...]
    codes: Codes | None


@dataclass(frozen=True, slots=True)
class _Embedded:
    """A text embedded: stems of its content words, one code each in ``words``; one code per sentence."""

    vector: Floats
    stems: tuple[str, ...]
    words: Codes
    sentences: Codes


class Meanings:
    """Embeds for recall.  Raises what the embedder raises."""

    def __init__(self, embedder: Embedder, words: Analyser) -> None:
        self._embedder = embedder
        self._words = words

    @property
    def model(self) -> str:
        """Name of the model; rows made by another are made again."""
        return self._embedder.model

    async def of_text(self, text: str, names: Sequence[str], *, patient: bool) -> tuple[Meaning, ...]:
        """Return the meanings of a message, one per passage."""
        texts = [without_names(piece, names) or piece for piece in passages(text)]
        return tuple([_stored(await self._embed(each, patient=patient)) for each in texts])

    async def of_question(self, text: str, names: Sequence[str]) -> Asked:
        """Return the meaning of a question about authors with these names."""
        found = await self._embed(in_first_person(text, names), patient=False)
        if not isinstance(self._embedder, WordEmbedder):
            return Asked(found.vector, (), None)
        first = {stem: place for place, stem in reversed(list(enumerate(found.stems)))}
        return Asked(found.vector, tuple(first), found.words[list(first.values())])

    async def _embed(self, text: str, *, patient: bool) -> _Embedded:
        if isinstance(self._embedder, WordEmbedder):
            (found,) = await self._embedder.embed_words([text], patient=patient)
            return self._coded(text, found)
        (vector,) = await self._embedder.embed([text])
        return _Embedded(vector, (), _NO_CODES, sign_codes(vector[None]))

    def _coded(self, text: str, found: WordVectors) -> _Embedded:
        """Average the states of each content word and each sentence that lies within the model's window."""
        terms = self._words.terms(text)
        words = [_mean(found, term.start, term.end) for term in terms]
        met = [place for place, state in enumerate(words) if state is not None]
        spans = [_mean(found, start, end) for start, end in _sentence_spans(text)]
        return _Embedded(
            found.vector,
            tuple(terms[place].stem for place in met),
            _codes([words[place] for place in met]),
            _codes(spans),
        )


def _mean(found: WordVectors, start: int, end: int) -> Floats | None:
    """Return the mean state of the pieces between two offsets, ``None`` if there is none."""
    inside = (found.spans[:, 0] >= start) & (found.spans[:, 1] <= end)
    mean: Floats = found.pieces[inside].mean(axis=0) if inside.any() else found.vector[:0]
    return mean if len(mean) else None


def _codes(states: Sequence[Floats | None]) -> Codes:
    known = [state for state in states if state is not None]
    return sign_codes(np.stack(known)) if known else _NO_CODES


def _stored(found: _Embedded) -> Meaning:
    scale = max(float(np.abs(found.vector).max()), 1e-12) / 127
    return Meaning(np.rint(found.vector / scale).astype(np.int8), scale, found.words, found.sentences)


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of ``text`` stand; one shorter than a few words joins the one before it."""
    spans: list[tuple[int, int]] = []
    at = 0
    for sentence in sentences(text):
        start = text.find(sentence, at)
        at = start + len(sentence)
        if spans and (at - start < _LEAST_SENTENCE or spans[-1][1] - spans[-1][0] < _LEAST_SENTENCE):
            spans[-1] = (spans[-1][0], at)
        else:
            spans.append((start, at))
    return spans
