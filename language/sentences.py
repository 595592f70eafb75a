"""Cuts text into sentences, for languages with full stops.

Rules instead of a model: a wrong border costs little here, a dependency or a slow start costs every turn.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from language.points import is_ordinal, split_points
from language.registry import alternatives, languages
from language.words import SMALL_LETTERS

_END: Final = re.compile(
    rf"[.!?…。！？\n](?:(?<=\n)\n*|(?<!\n)[\"'»”’)\]]*\s+(?=[\"'«“‘(\[]*[^\W_{SMALL_LETTERS}])|(?<=[。！？])(?=\S))"
)
"""Begins with the sign, although a border stands after it: so the engine skips to the signs (twice as fast)."""
_LONGEST_ABBREVIATION: Final = 12
_LIST_NUMBER: Final = re.compile(r"[\s*_#>+•–-]{0,64}+\d{1,3}(?:\.\d{1,3}){0,3}\.")


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text`` in order, stripped, verbatim; lines are never joined.

    Abbreviations ("Dr. Weber", "ул. Ленина"), initials, list numbers and ordinals ("3. Mai") do not end a sentence.
    The points of a list begin one each, with their numbers or bullets, within a line, too.
    """
    return tuple(sentence for point in split_points(text) for sentence in _split_point(point))


def _split_point(text: str) -> tuple[str, ...]:
    abbreviation = _compile_abbreviation()
    found: list[str] = []
    start = 0
    for border in _END.finditer(text):
        sign = border.start() + 1
        if "\n" not in border.group() and (
            abbreviation.search(text[max(start, sign - _LONGEST_ABBREVIATION) : sign].strip())
            or _is_number(text, start, sign)
            or is_ordinal(text, sign)
        ):
            continue
        if before := text[start : border.end()].strip():
            found.append(before)
        start = border.end()
    last = text[start:].strip()
    return (*found, last) if last else tuple(found)


def _is_number(text: str, start: int, end: int) -> bool:
    """Return whether a sentence would be nothing but the number of a list's entry."""
    return _LIST_NUMBER.fullmatch(text, start, end) is not None


@cache
def _compile_abbreviation() -> re.Pattern[str]:
    known = alternatives(each.abbreviations for each in languages())
    return re.compile(rf"(?:^|[\s(«\"'])(?:{known}|[^\W\d_])\.$", re.IGNORECASE)
