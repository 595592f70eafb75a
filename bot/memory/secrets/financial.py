"""Cards (Luhn), bank accounts (ISO 7064 mod 97-10) and wallets' seed phrases (BIP-39), however they are written.

A checksum tells a card from an order number, so that masking the one leaves the other alone.  Twelve words in a row out
of a list of 2,048, which leaves out the small words of which sentences are made, do not come about by chance: a seed
phrase is found also where no word beside it says so.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from mnemonic import Mnemonic

from language import languages
from language.words import fold


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret at ``text[start:end]``; ``kind`` is a word for people, such as "API key"."""

    start: int
    end: int
    kind: str


_GROUP: Final = re.compile(r"(?<![0-9A-Za-z])(?<![+@_])[0-9]{1,19}(?![0-9A-Za-z]|[-_][A-Za-z])")
"""Figures that are no part of a name, an address or a phone number."""
_FRACTION: Final = re.compile(r"[0-9][.,]")
_BETWEEN: Final = re.compile(r"[ \n]|[ \n]?[.–‑_/|·*-][ \n]?")
_IBAN: Final = re.compile(r"(?i)(?<![A-Z0-9])(?=([A-Z]{2}[0-9]{2}(?:[ \n.-]?[A-Z0-9]){11,32}))")
_SHORTEST_CARD: Final = 13
_LONGEST_CARD: Final = 19
_PRINTED: Final = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 4, 2), (4, 4, 4, 1)})
"""As cards are printed: these groups may stand in a column or be parted by different signs."""

_Span = tuple[int, int]


def find_cards(text: str) -> Iterator[Finding]:
    """Yield card numbers, also where other figures stand beside them (expiry dates, amounts, lists)."""
    run: list[_Span] = []
    for group in _GROUP.finditer(text):
        if run and (group.start() - run[-1][1] > 3 or _BETWEEN.fullmatch(text, run[-1][1], group.start()) is None):  # noqa: PLR2004  a sign between two blanks
            yield from _list_cards(text, run)
            run = []
        run.append(group.span())
    yield from _list_cards(text, run)


def _list_cards(text: str, groups: list[_Span]) -> Iterator[Finding]:
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
    if sizes == (_SHORTEST_CARD,):  # no longer issued; articles, phones and moments are written like this
        return False
    between = {text[before[1] : after[0]] for before, after in itertools.pairwise(groups)}
    alike = len(between) <= 1 and (min(sizes) > 1 or set(sizes) == {1})
    return (alike or sizes in _PRINTED) and is_card("".join(text[start:end] for start, end in groups))


def find_ibans(text: str) -> Iterator[Finding]:
    """Yield bank accounts; each has the length of its country and a checksum."""
    for match in _IBAN.finditer(text):
        length = find_iban_length(match[1][:2].upper())
        places = [n for n, c in enumerate(match[1]) if c.isalnum()]
        if 0 < length <= len(places):
            end = places[length - 1] + 1
            if is_iban("".join(c for c in match[1][:end] if c.isalnum()).upper()):
                yield Finding(match.start(), match.start() + end, "IBAN")


_IBAN_COUNTRIES: Final = {
    15: "NO",
    16: "BE",
    18: "DK FI FK FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
"""Countries by the length of their IBANs, from the IBAN registry (ISO 13616)."""

_CARDS: Final = (
    # first and last prefix (inclusive), lengths; ISO/IEC 7812 issuer ranges of the large networks
    ("34", "34", (15,)),
    ("37", "37", (15,)),  # American Express
    ("300", "305", (14,)),
    ("36", "36", (14,)),
    ("38", "39", (14, 16)),  # Diners Club
    ("3528", "3589", (16, 17, 18, 19)),  # JCB
    ("4", "4", (13, 16, 18, 19)),  # Visa
    ("51", "55", (16,)),
    ("2221", "2720", (16,)),  # Mastercard
    ("2200", "2204", (16, 17, 18, 19)),  # Mir
    ("50", "50", (16, 18, 19)),
    ("56", "59", (16, 18, 19)),
    ("60", "60", (16, 17, 18, 19)),
    ("62", "65", (16, 17, 18, 19)),
    ("67", "67", (16, 17, 18, 19)),  # Maestro, Discover, UnionPay, RuPay
    ("9792", "9792", (16,)),  # Troy
)


def is_luhn(digits: str) -> bool:
    """Return whether ASCII ``digits`` pass the Luhn check (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value  # noqa: PLR2004  nine: the digit sum of a two-digit number
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Return whether ASCII ``digits`` can be the number of a payment card: issuer range, length and checksum."""
    return (
        any(low <= digits[: len(low)] <= high and len(digits) in lengths for low, high, lengths in _CARDS)
        and len(set(digits)) > 1
        and is_luhn(digits)
    )


def find_iban_length(country: str) -> int:
    """Return how many characters an IBAN of ``country`` (two capital letters) has, 0 when there are none."""
    return next((length for length, countries in _IBAN_COUNTRIES.items() if country in countries.split()), 0)


def is_iban(compact: str) -> bool:
    """Return whether ``compact`` (capital letters and digits, no spaces) is a valid IBAN."""
    if find_iban_length(compact[:2]) != len(compact) or not compact[2:4].isdecimal():
        return False
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


_FEWEST: Final = 12
_SHORTEST: Final = 4 * _FEWEST - 1
_ROW: Final = re.compile(r"[^\W\d_]{3,10}+(?:[ \n,;]{1,3}(?:[0-9]{1,2}[.):]? ?)?[^\W\d_]{3,10}+(?![^\W\d_])){0,47}+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LISTS: Final = tuple(each.secrets.seed_list for each in languages() if each.secrets.seed_list)


def find_seed_phrases(text: str, *, guessing: bool = True) -> Iterator[Finding]:
    """Yield every run of twelve or more words of one list; between them blanks, commas, line ends and numbers.

    Without ``guessing`` the checksum in the last word must be right: names of columns and poems are such runs, too.
    """
    if len(text) < _SHORTEST or not _may_hold(text):
        return
    for row in _ROW.finditer(text):
        if row.end() - row.start() < _SHORTEST:
            continue
        words = list(_WORD.finditer(text, *row.span()))
        for language in _LISTS:
            known = _words(language)
            first = None
            for place, word in enumerate([*words, None]):
                if word is not None and fold(word[0]) in known:
                    first = place if first is None else first
                    continue
                run = [] if first is None else [each[0].casefold() for each in words[first:place]]
                if (
                    first is not None
                    and len(run) >= _FEWEST
                    and (guessing or _load_list(language).check(" ".join(run)))
                ):
                    yield Finding(words[first].start(), words[place - 1].end(), "seed phrase")
                first = None


def _may_hold(text: str) -> bool:
    """Look at every twelfth word: a phrase of twelve has one of these; a number may be that of a word in a list."""
    for word in text.replace(",", " ").split()[_FEWEST - 1 :: _FEWEST]:
        if word[0].isdigit() or any(fold(word.strip(".;:")) in _words(one) for one in _LISTS):
            return True
    return False


@cache
def _load_list(language: str) -> Mnemonic:
    return Mnemonic(language)


@cache
def _words(language: str) -> frozenset[str]:
    """Return the list of a language, read when the first long row of words is seen."""
    return frozenset(map(fold, _load_list(language).wordlist))
