"""Says why a memory answers a question in reasons that a person can check: by reading both, not by figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.memory.answering.phrasing import turn_to_listener
from bot.memory.answering.questions import analyse
from bot.memory.answering.recollection import THEN
from bot.memory.concepts import PEOPLE, find_concept, is_alike, list_concepts, mend_words
from bot.memory.helpfulness import find_signal_group
from bot.memory.items import Recalled
from bot.memory.names import find_mentions
from language.words import split_words

_MOST_SHARED: Final = 0.6
"""Share of what a question is about from which on a memory has its words, and not some of them."""
_DATED: Final = 0.3
"""Of the signal of the days that a question names, from which on a memory is of those days."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Reason(StrEnum):
    """A reason; the value is its key among the texts."""

    THEN = "then"
    ABOUT = "about"
    SAME_WORDS = "same-words"
    SOME_WORDS = "some-words"
    MEANING = "meaning"
    SPEAKER = "speaker"
    PINNED = "pinned"
    LONG_TERM = "long-term-memory"
    NEAREST = "nearest"


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A reason, and for :attr:`Reason.ABOUT` whom or what both are about."""

    reason: Reason
    whom: str = ""


def find_reasons(question: str, memory: Recalled) -> tuple[Reasoned, ...]:
    """Return why a memory was found for a question, the plainest reason first; never none."""
    return tuple(_list_reasons(mend_words(question, split_words(memory.text)), memory)) or (Reasoned(Reason.NEAREST),)


def _list_reasons(question: str, memory: Recalled) -> Iterator[Reasoned]:
    groups: dict[str, float] = {}
    for name, value in memory.signals.items():
        group = find_signal_group(name)
        groups[group] = groups.get(group, 0.0) + value
    if THEN in memory.signals or memory.signals.get("date", 0.0) >= _DATED:
        yield Reasoned(Reason.THEN)
    if whom := _find_whom(question, memory.text):
        yield Reasoned(Reason.ABOUT, whom)
    terms, said = analyse(question).terms, list_concepts(memory.text)
    shared = [term for term in terms if any(is_alike(term, word) for word in said)]
    if terms and len(shared) >= _MOST_SHARED * len(terms):
        yield Reasoned(Reason.SAME_WORDS)
    elif shared and not whom:
        yield Reasoned(Reason.SOME_WORDS)
    if len(shared) < len(terms) and max(groups.get("meaning", 0.0), groups.get("near words", 0.0)) > 0:
        yield Reasoned(Reason.MEANING)
    if groups.get("speaker", 0.0) > 0 and set(split_words(memory.author)) & set(split_words(question)):
        yield Reasoned(Reason.SPEAKER)
    if groups.get("pinned", 0.0) > 0:
        yield Reasoned(Reason.PINNED)
    if groups.get("long-term memory", 0.0) > 0:
        yield Reasoned(Reason.LONG_TERM)


def _find_whom(question: str, text: str) -> str:
    """Return whom a question and a memory are both about, as the one who asked is told: "your sister", "Vera"."""
    said = set(list_concepts(text))
    words = _WORD.findall(question)
    for before, word in zip(["", *words], words, strict=False):
        concept = find_concept(word.casefold())
        if concept in PEOPLE and concept in said:
            return (turn_to_listener(f"{before} {word}") or word).strip()
    named = {find_concept(word) for word in split_words(question)}
    mentions = (each.shown for each in find_mentions(text) if set(list_concepts(each.shown)) & named)
    return next(mentions, "")
