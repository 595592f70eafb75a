"""Fits what was found into a token budget without a model: nothing twice, then the sentences that count.

Extractive only: every word that stays was said, so that dates and names cannot be invented.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.memory.items import Recalled
from language import negations
from language.sentences import split_sentences
from language.tokens import count_tokens
from language.words import split_exactly

GAP: Final = " […] "

Relevance = Callable[[str], float]
"""Score of a sentence for the question at hand, higher is better, 0 for none."""


def drop_near_duplicates(found: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Return memories without those that say the same as a better ranked one by the same author.

    The same words may stand in another order, but for numbers, and for all of a text that denies something: what
    differs in an amount, a day, a name or a "not" is another statement.
    """
    first = {(memory.author, _reduce(memory.text)): memory for memory in reversed(found)}
    return tuple(memory for memory in found if first[memory.author, _reduce(memory.text)] is memory)


def _reduce(text: str) -> tuple[str, ...]:
    """Return what is equal for texts that say the same."""
    words = split_exactly(text)
    if negations().search(text):
        return words
    return (*sorted(words), *(word for word in words if not word.isalpha()))


def compress(
    found: tuple[Recalled, ...], budget: int, relevance: Relevance, *, head_tokens: int = 24
) -> tuple[Recalled, ...]:
    """Return memories that fit into ``budget`` tokens, best first, ``head_tokens`` charged for each one's heading.

    Near-duplicates go first.  A memory that does not fit whole keeps its most relevant sentences, in their order; one
    without a relevant sentence that fits is left out.
    """
    kept: list[Recalled] = []
    left = budget
    for memory in drop_near_duplicates(found):
        room = left - head_tokens
        text = memory.text if count_tokens(memory.text) <= room else _extract(memory.text, room, relevance)
        if text:
            kept.append(memory if text == memory.text else replace(memory, text=text))
            left -= count_tokens(text) + head_tokens
    return tuple(kept)


def _extract(text: str, room: int, relevance: Relevance) -> str:
    said = split_sentences(text)
    order = sorted(range(len(said)), key=lambda place: (-relevance(said[place]), place))
    chosen: list[int] = []
    for place in order:
        if relevance(said[place]) <= 0:
            break
        if count_tokens(_join(said, [*chosen, place])) <= room:
            chosen.append(place)
    return _join(said, chosen) if chosen else ""


def _join(said: tuple[str, ...], chosen: list[int]) -> str:
    """Return sentences in order, with a mark where some are left out."""
    parts: list[str] = []
    before = -1
    for place in sorted(chosen):
        parts += [GAP if place != before + 1 else " ", said[place]]
        before = place
    parts += [GAP] if before != len(said) - 1 else []
    return "".join(parts).strip()
