"""Cuts text into sentences, for English, Russian and languages that look like them.

Rules instead of a model: a wrong border costs little here, a dependency or a slow start costs every turn.
"""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(
    r"[.!?…。！？\n](?:(?<=\n)\n*|(?<!\n)[\"'»”’)\]]*\s+(?=[\"'«“‘(\[]*[^\W_a-zа-яё])|(?<=[。！？])(?=\S))"
)
"""Begins with the sign, although a border stands after it: so the engine skips to the signs (twice as fast)."""
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(«\"'])(?:mrs?|ms|dr|prof|st|jr|sr|vs|no|nr|approx|etc|e\.g|i\.e|a\.m|p\.m|dept|inc|ltd|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|"
    r"т\.е|т\.к|т\.д|т\.п|и\.о|г|гг|ул|пр|д|кв|стр|рис|им|руб|тыс|млн|св|проф|доц|см|ср|z\.b|bzw|usw|[^\W\d_])\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION: Final = 12
_LIST_NUMBER: Final = re.compile(r"\s*\d{1,3}\.")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text`` in order, stripped, verbatim; lines are never joined.

    Abbreviations ("Dr. Weber", "ул. Ленина"), initials and list numbers do not end a sentence.
    """
    found: list[str] = []
    start = 0
    for border in _END.finditer(text):
        sign = border.start() + 1
        if "\n" not in border.group() and (
            _ABBREVIATION.search(text[max(start, sign - _LONGEST_ABBREVIATION) : sign].strip())
            or _is_number(text, start, sign)
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
