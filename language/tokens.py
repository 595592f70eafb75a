"""Estimate the tokens of a text without a tokenizer, by the scripts it is written in, and cut texts to a budget.

Every model has its own vocabulary and most cannot be had offline, so the count errs upwards: a budget that is kept by
the estimate is kept by the model.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from language.sentences import split_sentences

_BOUNDS: Final = np.array([0x80, 0x800, 0x3000, 0x10000], dtype=np.uint32)
_COSTS: Final = np.array([25, 50, 100, 130, 250], dtype=np.int64)
"""Hundredths of a token per character of the code points below, between and above the bounds; in the spirit of
byte-pair vocabularies of 100,000 entries, which hold English in 4 to 5 characters a token, Cyrillic in 2 to 3, Han in
about 1.  Whole numbers, so that sums are exact."""
_LIGHT: Final = bytes(code for code in range(0x80) if chr(code).isalpha() or chr(code) == " ")
_NOT_DENSE: Final = _LIGHT + bytes(range(0x80, 0x100))
_DENSE_COST: Final = 25
"""What ASCII digits, punctuation and line ends cost more than letters and spaces do."""


@lru_cache(maxsize=1024)
def count_tokens(text: str) -> int:
    """Return about how many tokens ``text`` costs, rounded up; 0 for an empty text."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) == len(text):  # most texts: a microsecond instead of twenty
        cost = len(raw) * int(_COSTS[0]) + len(raw.translate(None, _NOT_DENSE)) * _DENSE_COST
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        dense = len(raw.translate(None, _NOT_DENSE))
        cost = int(_COSTS[np.searchsorted(_BOUNDS, codes, side="right")].sum()) + dense * _DENSE_COST
    return -(-cost // 100)


CUT_MARK: Final = " […]"
"""Ends a text that was cut."""


def shorten(text: str, limit: int) -> str:
    """Return ``text`` if it costs at most ``limit`` tokens, else its beginning, cut at a sentence, and a mark.

    A first sentence that is too long is cut at a word, a first word that is too long anywhere.
    "" when not even the mark fits.
    """
    if count_tokens(text) <= limit:
        return text
    if count_tokens(CUT_MARK) >= limit:
        return ""
    room = _measure_longest(text, limit)
    end = 0
    for sentence in split_sentences(text[:room]):
        stop = text.index(sentence, end) + len(sentence)
        if stop >= room and not text[:room].rstrip().endswith((".", "!", "?", "…")):
            break
        end = stop
    if end * 3 < room:
        end = max(text.rfind(" ", 0, room + 1), text.rfind("\n", 0, room + 1))
    head = text[: end if end > 0 else room].rstrip()
    return head + CUT_MARK if head else ""


def count_left_out(costs: Sequence[int], budget: int) -> int:
    """Return how many of the oldest entries to leave out so that the others cost at most ``budget`` together.

    The number grows in steps: of ``n`` half budgets too many, rounded up, all ``n`` are left out at once.  So what is
    kept begins at the same entry until half a budget has been added, and it is at least half a budget but for the last
    entry left out.  Nothing is left out while all fit.
    """
    over = sum(costs) - budget
    if over <= 0:
        return 0
    half = max(budget // 2, 1)
    excess = -(-over // half) * half
    for number, cost in enumerate(costs):
        if excess <= 0:
            return number
        excess -= cost
    return len(costs)


def count_newest_within(costs: Sequence[int], budget: int) -> int:
    """Return how many of the last entries cost at most ``budget`` together."""
    left = budget
    for kept, cost in enumerate(reversed(costs)):
        left -= cost
        if left < 0:
            return kept
    return len(costs)


def _measure_longest(text: str, limit: int) -> int:
    """Return the number of leading characters that fit together with the mark, by bisection."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(text[:middle] + CUT_MARK) <= limit:
            low = middle
        else:
            high = middle - 1
    return low
