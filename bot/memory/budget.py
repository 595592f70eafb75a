"""Trim text to a number of tokens, as :mod:`language.tokens` estimates them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from language.sentences import sentences
from language.tokens import tokens

CUT_MARK: Final = " […]"
"""Ends a text that was cut."""


def shorten(text: str, limit: int, mark: str = CUT_MARK) -> str:
    """Return ``text`` if it costs at most ``limit`` tokens, else its beginning, cut at a sentence, and ``mark``.

    A first sentence that is too long is cut at a word, a first word that is too long anywhere.
    "" when not even the mark fits.
    """
    if tokens(text) <= limit:
        return text
    if tokens(mark) >= limit:
        return ""
    room = _longest(text, limit, mark)
    end = 0
    for sentence in sentences(text[:room]):
        stop = text.index(sentence, end) + len(sentence)
        if stop >= room and not text[:room].rstrip().endswith((".", "!", "?", "…")):
            break
        end = stop
    if end * 3 < room:
        end = max(text.rfind(" ", 0, room + 1), text.rfind("\n", 0, room + 1))
    head = text[: end if end > 0 else room].rstrip()
    return head + mark if head else ""


def newest_within(costs: Sequence[int], budget: int) -> int:
    """Return how many of the last entries cost at most ``budget`` together."""
    left = budget
    for kept, cost in enumerate(reversed(costs)):
        left -= cost
        if left < 0:
            return kept
    return len(costs)


def _longest(text: str, limit: int, mark: str) -> int:
    """Return the number of leading characters that fit together with the mark, by bisection."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens(text[:middle] + mark) <= limit:
            low = middle
        else:
            high = middle - 1
    return low
