"""Tells whether work grows with the length of a text or faster, by comparing times of the processor.

A first look at 4 kB lets pass what costs nothing there; what costs something is compared with 1 kB, and only what
grows too much between them is tried at 16 kB, least of several.  So most texts cost one call, and a busy machine
changes nothing: what it slows down it slows down at every length.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from harness.growth.attacks import Attack, grown

SIZES: Final = (1_000, 4_000, 16_000)
FLOOR_S: Final = 0.004
"""What costs less at 4 kB costs 64 ms at 16 kB even if it is quadratic: nobody notices."""
MOST: Final = 8.0
"""How much dearer a text of four times the length may be; sixteen times is quadratic, four linear."""
_TRIES: Final = 3


def outgrown(work: Callable[[str], object], attacks: Iterable[Attack], floor_s: float = FLOOR_S) -> str:
    """Return a sentence about the first attack that costs more than in proportion, "" when none does."""
    for attack in attacks:
        small, middle, large = (grown(attack, size) for size in SIZES)
        if _cost(work, middle, 1) <= floor_s:
            continue
        cost = _cost(work, middle, _TRIES)
        if cost <= floor_s or cost <= MOST * _cost(work, small, _TRIES):
            continue
        times = _cost(work, large, _TRIES) / _cost(work, middle, _TRIES)
        if times > MOST:
            return f"{attack!r:.160}: 16 kB cost {times:.1f} times as much as 4 kB"
    return ""


def _cost(work: Callable[[str], object], text: str, tries: int) -> float:
    """Return the least of several costs, in seconds of this thread."""
    least = float("inf")
    for _ in range(tries):
        began = time.thread_time()
        work(text)
        least = min(least, time.thread_time() - began)
    return least
