"""Rates texts from outside a chat, chunks of documents for example, as if they had been said in it.

The same signals with the same weights, over the same passages, so that a document's chunk and a turn have scores and
certainties that compare.  Words are as rare as they are in the chat and in these texts together.  Nobody said a
document, and on no day: whoever a question is about, it is taken as half theirs; a day that is asked for is not its
own.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.memory.helpfulness import Weights, judge
from bot.memory.ranking.passages import ASSISTANT
from bot.memory.ranking.postings import Postings
from bot.memory.ranking.ranking import (
    RankingQuestion,
    View,
    choose_best_passages,
    choose_weights,
    compute_signals,
    explain,
)
from bot.memory.ranking.transcript import Meaning, Passage, Transcript, Utterance
from bot.memory.ranking.vectors import Floats

SPEAKER_SHARE: Final = 0.5
"""Of what a turn gains from being said by whom the question is about."""
_NOT_SAID: Final = ("first_speaker", "assistant", "pieces", "date")


@dataclass(frozen=True, slots=True)
class OutsidePassage:
    """A passage of a text: its words, and its meaning if it could be embedded."""

    words: Passage
    meaning: Meaning | None = None


@dataclass(frozen=True, slots=True)
class Rated:
    """The best passage of text number ``text``, by its place there, with score and signals as a turn has them."""

    text: int
    passage: int
    score: float
    signals: Mapping[str, float]


def rate_texts(
    texts: Sequence[Sequence[OutsidePassage]], transcript: Transcript, question: RankingQuestion, weights: Weights
) -> tuple[Rated, ...]:
    """Return one result per text that has a passage, best first; ``question`` was read with ``transcript``.

    With a question that is embedded the passages without a meaning do not count, unless none has one.
    """
    embedded = question.vector is not None and any(each.meaning is not None for text in texts for each in text)
    if not embedded:
        question = RankingQuestion(question.text, question.keys, question.subject, question.now)
    laid_out, places = _lay_out(texts, transcript, embedded=embedded)
    if not laid_out:
        return ()
    view = View(laid_out, np.arange(len(laid_out), dtype=np.int64))
    found = compute_signals(view, question)
    neutral = np.zeros(len(view), dtype=np.float32)
    found |= dict.fromkeys(_NOT_SAID, neutral)
    found["speaker"] = neutral + np.float32(SPEAKER_SHARE * (question.subject.only is not None))
    counted = choose_weights(question, weights)
    used = {name: np.float32(counted[name]) for name in found if counted.get(name)}
    shares: Floats = np.stack([weight * found[name] for name, weight in used.items()], axis=1)
    score: Floats = shares.sum(axis=1)
    best = choose_best_passages(view, score)
    here = {name: values[best] for name, values in found.items()}
    vector, words = question.vector is not None, question.states is not None
    # No labels tell how likely a document helps: it is taken for a turn, its share being that among the texts.
    sure, helps = judge(here, score[best], vector=vector, words=words)
    told = explain(tuple(used), shares[best], sure, helps)
    found_at = (places[row] for row in best.tolist())
    return tuple(
        Rated(text, passage, points, why)
        for (text, passage), points, why in zip(found_at, score[best].tolist(), told, strict=True)
    )


class _SharedPostings(Postings):
    """Postings whose words are as rare as they are here and in a chat together."""

    def __init__(self, chat: Postings) -> None:
        super().__init__()
        self._chat = chat

    def idf(self, term: str) -> float:
        """Return the inverse document frequency over both; 0 for a term that neither has."""
        frequency = self.frequency(term) + self._chat.frequency(term)
        count = len(self) + len(self._chat)
        return math.log1p((count - frequency + 0.5) / (frequency + 0.5)) if frequency else 0.0

    @property
    def idf_unknown(self) -> float:
        """Return the idf of a term that neither has."""
        count = len(self) + len(self._chat)
        return math.log1p((count + 0.5) / 0.5) if count else 0.0


def _lay_out(
    texts: Sequence[Sequence[OutsidePassage]], transcript: Transcript, *, embedded: bool
) -> tuple[Transcript, list[tuple[int, int]]]:
    """Return the texts as utterances of sessions of their own, and for each row its text and its passage."""
    laid_out = Transcript(transcript.dimension)
    laid_out.postings = _SharedPostings(transcript.postings)
    places, meanings = list[tuple[int, int]](), list[tuple[int, bool, tuple[Meaning, ...]]]()
    for number, text in enumerate(texts):
        kept = [(place, each) for place, each in enumerate(text) if each.meaning is not None or not embedded]
        if not kept:
            continue
        said = tuple(each.words for _, each in kept)
        laid_out.add(Utterance(number, False, ASSISTANT, "", number, 0.0, said))
        meanings.append((number, False, tuple(each.meaning for _, each in kept if each.meaning is not None)))
        places += [(number, place) for place, _ in kept]
    if embedded:
        laid_out.embed(meanings)
    return laid_out, places
