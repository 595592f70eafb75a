"""Lines of the chronicle that a model worded: which line of its exchange such a one may stand for.

A model's line says in few words what the author said in many.  It takes the place of a line that the rules chose, keeps
that one's key, weight and trust, and goes with the same exchange; where it fits none, the rules' lines stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.memory.chronicle.lines import choose_lines
from bot.memory.learning.speech_acts import keep_own_words
from bot.memory.synonyms import list_concepts
from language import alternatives, languages, negations
from language.words import split_exactly

_SAME: Final = 0.5
"""Share of the concepts of the shorter that the longer has, of a line and a sentence, if both say the same."""

_COUNTS: Final = {word: str(count) for each in languages() for word, count in each.calendar.counts.items() if count > 1}
_DAYS: Final = {
    f"{kind} {place}": re.compile(rf"\b{alternatives(patterns)}\b")
    for kind, names in (
        ("month", [each.calendar.months for each in languages()]),
        ("day", [each.schedule.weekdays for each in languages()]),
    )
    for place, patterns in enumerate(zip(*filter(None, names), strict=True))
}


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """What a model says that the author of an exchange said: ``exchange`` is its uid, ``text`` one line."""

    exchange: str
    text: str


def find_reworded(text: str, user_text: str) -> int | None:
    """Return the number of the author's line that ``text`` may stand for, ``None`` if there is none.

    ``user_text`` is what the author typed.  The line whose sentence has most in common with ``text`` is taken, if
    that is enough.
    A "not" that the author never said, or that the line loses, would turn it into its opposite, and a number, amount,
    month or day of the week that is not in the sentence into something else: then it is none.
    """
    sentences = [line.sentence for line in choose_lines(user_text, "")]
    said = set(list_concepts(text))
    shares = [_compute_share(said, set(list_concepts(sentence))) for sentence in sentences]
    best = max(range(len(sentences)), key=lambda number: shares[number], default=None)
    if best is None or shares[best] < _SAME:
        return None
    denied = bool(negations().search(text))
    if denied < bool(negations().search(sentences[best])) or denied > bool(
        negations().search(keep_own_words(user_text))
    ):
        return None
    return best if _list_amounts(text) <= _list_amounts(sentences[best]) else None


def _list_amounts(text: str) -> frozenset[str]:
    """Return the numbers of a text with their signs, in figures where they are words, and its months and weekdays."""
    words = [_COUNTS.get(word, word) for word in split_exactly(text)]
    amounts = {word for word in words if any(map(str.isdigit, word)) or not any(map(str.isalnum, word))}
    return frozenset(amounts.union(name for name, pattern in _DAYS.items() if pattern.search(text.lower())))


def _compute_share(some: set[str], others: set[str]) -> float:
    shorter = min(len(some), len(others))
    return len(some & others) / shorter if shorter else 0.0
