"""Payment cards and bank accounts, however their figures are grouped, told from other numbers by their checksums."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

from bot.memory.secrets.checksums import iban_length, is_card, is_iban
from bot.memory.secrets.findings import Finding

_GROUP: Final = re.compile(r"(?<![0-9A-Za-z])[0-9]{1,19}(?![0-9A-Za-z])")
_FRACTION: Final = re.compile(r"[0-9][.,]")
_BETWEEN: Final = re.compile(r"[ \n]|[ \n]?[.–‑_/|·*-][ \n]?")
_IBAN: Final = re.compile(r"(?i)(?<![A-Z0-9])(?=([A-Z]{2}[0-9]{2}(?:[ \n.-]?[A-Z0-9]){11,32}))")
_SHORTEST_CARD: Final = 13
_LONGEST_CARD: Final = 19
_PRINTED: Final = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 4, 2), (4, 4, 4, 1)})
"""As cards are printed: these groups may stand in a column or be parted by different signs."""

_Span = tuple[int, int]


def cards(text: str) -> Iterator[Finding]:
    """Yield card numbers, also where other figures stand beside them (expiry dates, amounts, lists)."""
    run: list[_Span] = []
    for group in _GROUP.finditer(text):
        if run and (group.start() - run[-1][1] > 3 or _BETWEEN.fullmatch(text, run[-1][1], group.start()) is None):  # noqa: PLR2004  a sign between two blanks
            yield from _cards_of(text, run)
            run = []
        run.append(group.span())
    yield from _cards_of(text, run)


def _cards_of(text: str, groups: list[_Span]) -> Iterator[Finding]:
    """Yield the cards in one row of groups, from every beginning, longest first; each group in one card at most."""
    first = 0
    while first < len(groups):
        taken, figures = first, 0
        fitting = 0
        while taken < len(groups) and (figures := figures + groups[taken][1] - groups[taken][0]) <= _LONGEST_CARD:
            taken += 1
            if figures >= _SHORTEST_CARD and _is_card_at(text, groups[first:taken]):
                fitting = taken
        if fitting:
            yield Finding(groups[first][0], groups[fitting - 1][1], "card number")
        first = fitting or first + 1


def _is_card_at(text: str, groups: list[_Span]) -> bool:
    """Return whether these groups are a card's: grouped as printed, or all alike and parted by one kind of sign."""
    if _FRACTION.match(text, max(0, groups[0][0] - 2), groups[0][0]):
        return False
    sizes = tuple(end - start for start, end in groups)
    between = {text[before[1] : after[0]] for before, after in itertools.pairwise(groups)}
    alike = len(between) <= 1 and (min(sizes) > 1 or set(sizes) == {1})
    return (alike or sizes in _PRINTED) and is_card("".join(text[start:end] for start, end in groups))


def ibans(text: str) -> Iterator[Finding]:
    """Yield bank accounts; each has the length of its country and a checksum."""
    for match in _IBAN.finditer(text):
        length = iban_length(match[1][:2].upper())
        places = [n for n, c in enumerate(match[1]) if c.isalnum()]
        if 0 < length <= len(places):
            end = places[length - 1] + 1
            if is_iban("".join(c for c in match[1][:end] if c.isalnum()).upper()):
                yield Finding(match.start(), match.start() + end, "IBAN")
