"""Numbers that prove themselves: payment cards by Luhn, bank accounts by ISO 7064 mod 97-10.

A checksum tells a card from an order number, so that masking the one leaves the other alone.
"""

from __future__ import annotations

from typing import Final

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
    ("60", "69", (16, 17, 18, 19)),  # Maestro, Discover, UnionPay, RuPay
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


def iban_length(country: str) -> int:
    """Return how many characters an IBAN of ``country`` (two capital letters) has, 0 when there are none."""
    return next((length for length, countries in _IBAN_COUNTRIES.items() if country in countries.split()), 0)


def is_iban(compact: str) -> bool:
    """Return whether ``compact`` (capital letters and digits, no spaces) is a valid IBAN."""
    if iban_length(compact[:2]) != len(compact) or not compact[2:4].isdecimal():
        return False
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1
