"""Others beside us in the same run: BM25 and MiniLM over single turns, as one gets them from a library."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.recall.answered import Answered, turn_cost
from bot.memory.ranking.passages import remove_names
from bot.memory.ranking.transcript import Postings
from bot.ports.embedder import Embedder
from harness.recall.dataset import Conversation, Labelled
from language.analyser import Analyser

_SHOWN = 60

Ask = Callable[[Labelled], Awaitable[Answered]]


@dataclass(frozen=True, slots=True)
class Bm25:
    """Okapi BM25 (k1 1.2) with stems and stop-words over single turns."""

    name = "bm25"

    async def ready(self, conversation: Conversation) -> Ask:
        """Index a conversation and return what asks it."""
        words, postings = Analyser(), Postings()
        for said in conversation.said:
            postings.add(words.keys(said.text))

        async def ask(question: Labelled) -> Answered:
            start = time.perf_counter()
            keys = tuple(dict.fromkeys(words.keys(question.text)))
            score = np.array([postings.idf(key) for key in keys], dtype=np.float32) @ postings.matches(keys)
            return answered(conversation, question, score, start)

        return ask


@dataclass(frozen=True, slots=True)
class MiniLm:
    """Cosine of all-MiniLM-L6-v2 vectors of whole turns, the names of the speakers taken out of both sides."""

    embedder: Embedder
    name = "minilm"

    async def ready(self, conversation: Conversation) -> Ask:
        """Embed a conversation and return what asks it."""
        names = {said.speaker for said in conversation.said}
        texts = [remove_names(said.text, names) or said.text for said in conversation.said]
        vectors = await self.embedder.embed(texts)

        async def ask(question: Labelled) -> Answered:
            start = time.perf_counter()
            (vector,) = await self.embedder.embed([remove_names(question.text, names)])
            return answered(conversation, question, vectors @ vector, start)

        return ask


def answered(conversation: Conversation, question: Labelled, score: np.ndarray, start: float) -> Answered:
    """Return the ranking by ``score``, one value per turn; ``start`` is when the question was asked."""
    order = np.argsort(-score, kind="stable")[:_SHOWN]
    ms = 1000 * (time.perf_counter() - start)
    said = [conversation.said[place] for place in order]
    return Answered(
        conversation=conversation.name,
        question=question,
        ranked=tuple(turn.id for turn in said),
        cost=tuple(turn_cost(turn, conversation) for turn in said),
        scores=tuple(float(score[place]) for place in order),
        ms=ms,
    )
