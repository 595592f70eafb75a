"""Passages of texts from outside a chat, embedded as far as time allows and kept for the next question.

A chunk of a document has a dozen passages and embedding one takes some milliseconds, so that of many the likeliest are
embedded: of each text the one that shares most with the question, then the others by what they share.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain
from typing import Final

from cachetools import LRUCache

from adapters.sqlite.turn_search.passage_embedder import PassageEmbedder
from bot.memory.ranking.outside_texts import OutsidePassage
from bot.memory.ranking.passages import find_cues, split_passages
from bot.memory.ranking.signals import RankingQuestion
from bot.memory.ranking.transcript import Meaning, Passage, Transcript
from language.analyser import Analyser

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
        self._meanings: LRUCache[bytes, Meaning] = LRUCache(_KEPT)
        """By a digest of passage and names: no text is kept."""

    async def read(
        self, texts: Sequence[str], transcript: Transcript, question: RankingQuestion
    ) -> tuple[tuple[OutsidePassage, ...], ...]:
        """Return the passages of each text; raises what the embedder raises."""
        names = tuple(transcript.names)
        pieces = [split_outside(text) for text in texts]
        found = [[OutsidePassage(self._read_words(piece)) for piece in each] for each in pieces]
        if question.vector is None:
            return tuple(map(tuple, found))
        began, room = time.monotonic(), MOST_EMBEDDED
        for text, place in _order(found, transcript, question):
            key = _digest(pieces[text][place], names)
            meaning = self._meanings.get(key)
            if meaning is None and room and time.monotonic() - began < self._budget_s:
                room -= 1
                made = await self._embedder.embed_text(pieces[text][place], "", names, patient=True)
                meaning = self._meanings[key] = made[0]
            found[text][place] = replace(found[text][place], meaning=meaning)
        return tuple(map(tuple, found))

    def forget(self) -> None:
        """Drop what is kept, because a text of it may have been erased."""
        self._meanings.clear()

    def _read_words(self, piece: str) -> Passage:
        return Passage(self._words.keys(piece), find_cues(piece), len(piece.split()))


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
