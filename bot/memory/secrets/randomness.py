"""Tells what a machine has drawn from what people write: keys from words, names, paths, numbers and dates."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from typing import Final

from bot.memory.patterns import compiled

_WORDY: Final = re.compile(r"[a-z]{6}")
_RANDOM_BITS: Final = 3.0
_CAMEL_BITS: Final = 4.0
_MOST: Final = 600
"""Characters that are looked at: what is drawn shows that early."""
_NOT_RANDOM: Final = compiled(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"  # UUID
    r"|[0-9.,:/_+-]{1,600}|[a-z]+(?:[-_./][a-z]+)*[0-9]{0,4}|[A-Z]+(?:_[A-Z]+)*|https?.{0,600}|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,4}"
    r"|[A-Za-z][a-z]*(?:[A-Z][a-z]+)*(?:[._:/-]+[A-Za-z][a-z]*(?:[A-Z][a-z]+)*)+"  # dotted names in camel case
    r"|[a-z]+(?:[/.][a-z0-9_-]+)+"  # paths, host names, module names
)
_PART: Final = re.compile(r"[A-Za-z0-9]+")
_HEX: Final = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
_LEAST_PART: Final = 20
_LEAST_LETTERS: Final = 28
_CHANGES_OF_LETTERS: Final = 0.45
"""Of names in camel case a third of the letters change between small and capital."""
_CHANGES_OF_BASE_64: Final = 0.4
_CHANGES: Final = 0.2
"""Changes between figures, small and capital letters, a character: drawn ones have 0.4 to 0.6, written ones 0.1."""


def is_random(value: str, least: int = 16) -> bool:
    """Return whether ``value`` looks made by a machine: long, letters and digits mixed, no path, no UUID, no word.

    The thresholds are Shannon entropy in bits per character: the lower keeps hexadecimal keys in and repeated fillers
    out, the higher tells letters alone from words in camel case.
    """
    value = value[:_MOST].rstrip(".,;=")
    if len(value) < least or _NOT_RANDOM.fullmatch(value):
        return False
    if not any(c.isdigit() for c in value) and _WORDY.search(value):
        return False
    if value.isalpha():
        return not value.islower() and not value.istitle() and len(value) > least and _bits(value) > _CAMEL_BITS
    return _bits(value) >= min(_RANDOM_BITS, math.log2(least) - 0.5)


def is_drawn(word: str) -> bool:
    """Return whether a word holds, unlabelled, what only a machine draws: twenty mixed characters, or 32 of hex."""
    word = word[:_MOST]
    return _is_drawn_whole(word) or any(_is_drawn_part(part) for part in _PART.findall(word))


def is_hexadecimal(word: str) -> bool:
    """Return whether a word is figures and the letters a to f alone: a key, or the name of a state of a repository."""
    return _HEX.fullmatch(word[:_MOST]) is not None


def _is_drawn_whole(word: str) -> bool:
    """Return whether a word with signs in it (base 64) is drawn: there letters and figures change all the time."""
    body = "".join(_PART.findall(word))
    return (
        len(body) >= _LEAST_LETTERS
        and not body.isalpha()
        and any(c.islower() for c in body)
        and any(c.isupper() for c in body)
        and _changes(body) >= _CHANGES_OF_BASE_64 * len(body)
    )


def _changes(text: str) -> int:
    return sum(_sort(a) != _sort(b) for a, b in itertools.pairwise(text))


def _is_drawn_part(part: str) -> bool:
    if len(part) < _LEAST_PART or part.isdigit():
        return False
    if part.isalpha() and (len(part) < _LEAST_LETTERS or part.islower() or part.isupper()):
        return False
    mixed = any(c.islower() for c in part) and any(c.isupper() for c in part)
    least = _CHANGES_OF_LETTERS if part.isalpha() else _CHANGES_OF_BASE_64 if mixed else _CHANGES
    return _changes(part) >= least * len(part) and _bits(part) > _RANDOM_BITS


def _sort(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.islower() else 2


def _bits(value: str) -> float:
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())
