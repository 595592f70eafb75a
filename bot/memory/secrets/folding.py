"""Folds characters that look alike into one spelling, with the way back to where each stood.

Secrets are pasted from tables, cards and chats: with narrow or several blanks between the groups, with characters of
no width, in full-width figures (Unicode Standard Annex 15, NFKC).  The patterns see one plain form; what is masked is
what was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_UNUSUAL: Final = re.compile(
    "[\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2010\u2011\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff\t\r\x0b\x0c]| {2}| \n|\n "
)
_BLANK: Final = " "


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in its plain spelling; ``places[n]`` is where its character ``n`` stands in what was written."""

    text: str
    places: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the written part that ``text[start:end]`` was made of."""
        return self.places[start], self.places[end - 1] + 1


def fold_spelling(text: str) -> FoldedText:
    """Return ``text`` in NFKC without characters of no width; blanks of every kind become one space, line ends stay."""
    if text.isascii() and text.isprintable() and "  " not in text:  # most messages
        return FoldedText(text, range(len(text)))
    if (text.isascii() or unicodedata.is_normalized("NFKC", text)) and _UNUSUAL.search(text) is None:
        return FoldedText(text, range(len(text)))
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if letters and unicodedata.combining(character):  # an accent of its own belongs to the letter before it
            joined = unicodedata.normalize("NFC", letters[-1] + character)
            letters[-1] = joined if len(joined) == 1 else letters[-1]
            continue
        for plain in _plain(character):
            if plain == _BLANK and letters and letters[-1] in " \n":
                continue
            if plain == "\n" and letters and letters[-1] == _BLANK:
                letters[-1], places[-1] = plain, place
                continue
            letters.append(plain)
            places.append(place)
    return FoldedText("".join(letters), places)


def _plain(character: str) -> str:
    if " " <= character <= "~" or character == "\n":
        return character
    if character in "\r\u2028\u2029\x0b\x0c":
        return "\n"
    if character.isspace() or character in "\u3164\uffa0\u115f\u1160":
        return _BLANK
    if unicodedata.category(character) in {"Cf", "Mn"} and unicodedata.combining(character) == 0:
        return ""  # no width: joiners, marks of direction, variation selectors, tags
    if character in "\u2010\u2011\u2012\u2212":
        return "-"
    return unicodedata.normalize("NFKC", character)


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret at ``text[start:end]``; ``kind`` is a word for people, such as "API key"."""

    start: int
    end: int
    kind: str
