"""Reads a question as the people of a chat mean it: its words, whom it is about, what kind of thing it asks for."""

from __future__ import annotations

import math
from dataclasses import replace

from adapters.sqlite.turn_search.passage_embedder import Asked
from bot.memory.ranking.asked_categories import AskedKinds
from bot.memory.ranking.signals import Question
from bot.memory.ranking.subject import subject_of
from bot.memory.ranking.transcript import Transcript
from bot.ports.memory import MemoryQuery
from language.analyser import Analyser


class Questions:
    """Reads questions with the words of an analyser."""

    def __init__(self, words: Analyser) -> None:
        self._words = words
        self._kinds = AskedKinds(words)

    def read(self, transcript: Transcript, query: MemoryQuery) -> Question:
        """Return the question as the transcript knows its words."""
        fold, names = self._words.fold, transcript.names
        subject = subject_of(query.text, tuple(names), transcript.place(query.author_id))
        spoken = {fold(part) for place in subject.named for part in names[place].split()}
        keys = tuple(dict.fromkeys(key for key in self._words.keys(query.text) if key not in spoken))
        return Question(query.text, keys, subject, query.now, instances=self._kinds.instances(query.text))

    def put_right(self, transcript: Transcript, query: MemoryQuery, real: frozenset[str]) -> MemoryQuery:
        """Return the query without the typos that what was said here tells; ``real`` are words for sure."""
        postings, names = transcript.postings, {part.casefold() for name in transcript.names for part in name.split()}

        def known(word: str) -> bool:
            stem = self._words.fold(word)
            return not stem or stem in postings or word in real

        def worth(word: str) -> float:
            stem = self._words.fold(word)
            return math.inf if word in names else postings.frequency(stem) if stem else len(postings)

        return replace(query, text=transcript.spelling.put_right(query.text, known, worth))


def meant(question: Question, asked: Asked | None) -> Question:
    """Return the question with its meaning, if it could be embedded."""
    if asked is None:
        return question
    return replace(question, vector=asked.vector, words=asked.words, states=asked.states)
