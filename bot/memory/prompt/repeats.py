"""What a prompt says already, sentence by sentence: items, turns, entities and history are one pool.

Two sentences are the same that have the same words in the same order, whatever their case and signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from bot.memory.synonyms import list_concepts
from language.sentences import split_sentences

LEAST_WORDS: Final = 5
"""Shorter sentences recur in every talk and say nothing by themselves: "Thank you very much."."""
_COVERED: Final = 0.8
"""Share of a text's concepts from which another text says what it says."""
_WORDS: Final = re.compile(r"\w+")
_FIGURE: Final = re.compile(r"\d")
_LINE_MARK: Final = " / "
"""What a line end inside a memory is shown as."""


def normalise_sentence(sentence: str) -> tuple[str, ...]:
    """Return the words of a sentence in order, in small letters."""
    return tuple(_WORDS.findall(sentence.casefold()))


class SaidAlready:
    """The sentences that stand in a prompt so far."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._sentences: set[tuple[str, ...]] = set()
        for text in texts:
            self._sentences.update(_list_telling(text))

    def holds(self, sentence: str) -> bool:
        """Return whether a sentence stands there; one too short to tell never does."""
        return any(words in self._sentences for words in _list_telling(sentence))

    def holds_all(self, text: str) -> bool:
        """Return whether all that ``text`` tells stands there; ``False`` for a text too short to tell anything."""
        telling = tuple(_list_telling(text))
        return bool(telling) and all(words in self._sentences for words in telling)

    def add(self, text: str) -> None:
        """Take note of a text that is shown."""
        self._sentences.update(_list_telling(text))


def _list_telling(text: str) -> Iterator[tuple[str, ...]]:
    """Yield what counts as a sentence of ``text``, as it is shown and as it was said."""
    for line in (text, text.replace(_LINE_MARK, "\n")) if _LINE_MARK in text else (text,):
        for sentence in split_sentences(line):
            words = normalise_sentence(sentence)
            if len(words) >= LEAST_WORDS:
                yield words


def says_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether a text with the concepts ``other`` says what one with the concepts ``one`` says.

    A number that is missing makes another statement of it.
    """
    missing = one - other
    return bool(one) and len(missing) <= (1 - _COVERED) * len(one) and not any(map(_FIGURE.search, missing))


def find_concepts(text: str) -> frozenset[str]:
    """Return the concepts of a text, and its numbers."""
    words = _WORDS.findall(text.casefold())
    return frozenset((*list_concepts(text), *(word for word in words if _FIGURE.search(word))))
