"""Turns passages and questions into vectors and codes.

Names of the chat's authors are taken out before embedding.  A passage is embedded together with the end of what was
said before it, because "It was great!" means nothing alone: one run of the model gives the states of the passage's own
words and, averaged, of its sentences and of itself as they stand after it ("late chunking", Günther et al. 2024).

A text from outside a chat is embedded as far as time allows, and kept for the next question: of each text the passage
that shares most with the question first, then the others by what they share.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from bot.memory.ranking.outside_texts import OutsidePassage
from bot.memory.ranking.passages import find_cues, find_focus, remove_names, rewrite_in_first_person, split_passages
from bot.memory.ranking.ranking import RankingQuestion
from bot.memory.ranking.transcript import Meaning, Passage, Transcript
from bot.memory.ranking.vectors import Floats, Ints, encode_vectors, map_question, map_words
from bot.ports.embedder import Embedder, WordEmbedder, WordVectors
from language.analyser import Analyser
from language.sentences import split_sentences
from language.words import split_words

FORMAT: Final = 5
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
class EmbeddedText:
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
        carried = before if len(split_passages(before)) == 1 else keep_questions(before)
        heads = [remove_names(carried, names), *texts]
        return tuple(
            [
                _quantise(await self.embed_bare(each, _cut_end(head), patient=patient))
                for head, each in zip(heads, texts, strict=False)
            ]
        )

    async def embed_question(self, text: str, names: Sequence[str]) -> EmbeddedQuestion:
        """Return the meaning of a question about authors with these names; of one over time, that of its subject."""
        asked = rewrite_in_first_person(text, names)
        focus = find_focus(asked, self._words.fold)
        found = await self.embed_bare(focus or asked, question=True)
        whole = found.whole if focus is None else found.whole.union(set(split_words(asked)).difference(focus.split()))
        model = self._embedder.model
        vector = map_question(found.vector, model)
        if self._by_word is None:
            return EmbeddedQuestion(vector, (), None, whole)
        first = {stem: place for place, stem in reversed(list(enumerate(found.stems)))}
        return EmbeddedQuestion(vector, tuple(first), map_words(found.words[list(first.values())], model), whole)

    async def embed_bare(
        self, text: str, before: str = "", *, question: bool = False, patient: bool = False
    ) -> EmbeddedText:
        """Return what the model makes of a text said after ``before``; of a question before it is mapped."""
        whole = f"{before} {text}" if before else text
        if self._by_word is not None:
            (found,) = await self._by_word.embed_words([whole], question=question, patient=patient)
            return self._average(text, len(whole) - len(text), found)
        (vector,) = await self._embedder.embed([whole], question=question)
        return EmbeddedText(vector, (), vector[None, :0], vector[None])

    def _average(self, text: str, start: int, found: WordVectors) -> EmbeddedText:
        """Average the states of each content word and each sentence that lies within the model's window."""
        terms, spans = self._words.terms(text), _sentence_spans(text)
        borders = np.array([*((term.start, term.end) for term in terms), *spans], dtype=np.int64).reshape(-1, 2)
        means, present = _average_states(found, borders + start)
        words = int(present[: len(terms)].sum())
        return EmbeddedText(
            found.vector if start == 0 else _average_own(found, start),
            tuple(term.stem for term, there in zip(terms, present.tolist(), strict=False) if there),
            means[:words],
            means[words:],
            _find_whole_words(text, start, found),
        )


def _average_own(found: WordVectors, start: int) -> Floats:
    """Return the vector of what begins at ``start`` of what was embedded."""
    own = found.pieces[np.searchsorted(found.spans[:, 0], start) :]
    if not len(own):
        return found.vector
    mean: Floats = own.mean(axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-12)


def _cut_end(text: str) -> str:
    """Return the last :data:`CARRIED` characters, from the beginning of a word."""
    if len(text) <= CARRIED:
        return text
    return text[-CARRIED:].partition(" ")[2]


def keep_questions(text: str) -> str:
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


def _quantise(found: EmbeddedText) -> Meaning:
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


MOST_EMBEDDED: Final = 24
"""Passages embedded for one question: a fifth of a second on a slow machine, and nothing when it is asked again."""
_KEPT: Final = 4096
_SECTION: Final = re.compile(r"\[Section: [^\]\n]{1,400}\]")


class OutsidePassages:
    """Reads texts into passages; ``budget_s`` is how long a question waits for their meanings."""

    def __init__(self, words: Analyser, embedder: PassageEmbedder, *, budget_s: float) -> None:
        self._words = words
        self._embedder = embedder
        self._budget_s = budget_s
        self.meanings: LRUCache[bytes, Meaning] = LRUCache(_KEPT)
        """By a digest of passage and names: no text is kept."""

    async def read(
        self, texts: Sequence[str], transcript: Transcript, question: RankingQuestion
    ) -> tuple[tuple[OutsidePassage, ...], ...]:
        """Return the passages of each text; raises what the embedder raises."""
        names = tuple(transcript.names)
        pieces = [split_outside(text) for text in texts]
        found = [[OutsidePassage(read_passage(self._words, piece)) for piece in each] for each in pieces]
        if question.vector is None:
            return tuple(map(tuple, found))
        began, room = time.monotonic(), MOST_EMBEDDED
        for text, place in _order(found, transcript, question):
            key = _digest(pieces[text][place], names)
            meaning = self.meanings.get(key)
            if meaning is None and room and time.monotonic() - began < self._budget_s:
                room -= 1
                made = await self._embedder.embed_text(pieces[text][place], "", names, patient=True)
                meaning = self.meanings[key] = made[0]
            found[text][place] = replace(found[text][place], meaning=meaning)
        return tuple(map(tuple, found))


def read_passage(words: Analyser, piece: str) -> Passage:
    """Return a passage as the index knows it."""
    return Passage(words.keys(piece), find_cues(piece), len(piece.split()))


def split_outside(text: str) -> tuple[str, ...]:
    """Return the passages of a text, each with the section that the text is headed by."""
    heads = list(dict.fromkeys(_SECTION.findall(text)))
    body = _SECTION.sub(" ", text).strip()
    prefix = f"{heads[0]} " if heads else ""
    return tuple(f"{prefix}{piece}" for piece in split_passages(body) if piece)


def _order(
    found: Sequence[Sequence[OutsidePassage]], transcript: Transcript, question: RankingQuestion
) -> list[tuple[int, int]]:
    """Return text and passage, the likeliest first: the best of each text in order, then the others."""
    postings = transcript.postings
    worth = {key: postings.idf(key) or postings.idf_unknown or 1.0 for key in question.keys}

    def shared(text: int, place: int) -> float:
        return sum(worth[key] for key in worth.keys() & set(found[text][place].words.keys))

    by_text = [
        sorted(((text, place) for place in range(len(each))), key=lambda at: -shared(*at))
        for text, each in enumerate(found)
    ]
    first = [places[0] for places in by_text if places]
    others = sorted(chain.from_iterable(places[1:] for places in by_text), key=lambda at: -shared(*at))
    return [*first, *others]


def _digest(passage: str, names: tuple[str, ...]) -> bytes:
    return blake2b("\0".join((passage, *names)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
