"""Amounts in other units: "12 stone in kg".

Feet, pounds and their kin are those of the international agreement of 1959, which are exact in metres and kilograms.
Units that are one thing in one country and another elsewhere (a gallon, a pint, a cup) are left out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from bot.features.abilities.arithmetic import Sum, read_number, write
from bot.memory.patterns import bound_repetitions
from language import Language
from language.patterns import compile_at_use

_DIGITS: Final = 4
"""Of a result that is rounded: enough to measure with."""
_PARTS: Final = {
    "{amount}": r"(?P<amount>[-−]?\d[\d.,]{0,20}|[^\W\d_]{1,20}(?= ))",
    "{from}": r"(?P<from>[^\W\d](?:.{0,30}?\S)??|°.{1,20}?)",
    "{to}": r"(?P<to>[^\W\d](?:.{0,30}?\S)??|°.{1,20}?)",
}
"""What may stand there; whether it is a number or a unit is looked up, so that other sentences cost next to nothing."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What it measures, how many of its dimension's first unit it is, and where its zero lies in that unit."""

    dimension: str
    size: Fraction
    zero: Fraction = Fraction(0)


def _list(dimension: str, **sizes: str) -> dict[str, Unit]:
    return {name: Unit(dimension, Fraction(size)) for name, size in sizes.items()}


UNITS: Final[Mapping[str, Unit]] = {
    **_list("length", m="1", mm="0.001", cm="0.01", dm="0.1", km="1000"),
    **_list("length", inch="0.0254", foot="0.3048", yard="0.9144", mile="1609.344", sea_mile="1852"),
    **_list("mass", kg="1", mg="0.000001", g="0.001", t="1000", ounce="0.028349523125", pound="0.45359237"),
    **_list("mass", stone="6.35029318"),
    **_list("volume", l="1", ml="0.001", cl="0.01", dl="0.1", cubic_metre="1000"),
    **_list("area", square_metre="1", hectare="10000", square_kilometre="1000000", acre="4046.8564224"),
    **_list("speed", km_per_hour="1", mile_per_hour="1.609344", metre_per_second="3.6", knot="1.852"),
    **_list("time", s="1", min="60", h="3600", day="86400", week="604800"),
    "celsius": Unit("temperature", Fraction(1)),
    "kelvin": Unit("temperature", Fraction(1), Fraction("-273.15")),
    "fahrenheit": Unit("temperature", Fraction(5, 9), Fraction(-160, 9)),
}


def convert(sentence: str, language: Language) -> Sum | None:
    """Return what a sentence without its mark and courtesies asks to convert, ``None`` for any other."""
    for pattern in _compile(language):
        found = pattern.fullmatch(sentence)
        if found is None:
            continue
        words = found["amount"]
        amount = read_number(words, language) if words else Fraction(1)
        one = None if amount is None else _find_unit(found["from"], language)
        other = None if one is None else _find_unit(found["to"], language)
        if amount is None or one is None or other is None or one.dimension != other.dimension:
            continue
        value = (amount * one.size + one.zero - other.zero) / other.size
        written, amount_written = write(_round(value), language), write(amount, language)
        if written is not None and amount_written is not None:
            shown = f"{amount_written[0]} {found['from'].strip()}"
            return Sum(shown, f"{written[0]} {found['to'].strip()}", exact=_round(value) == value)
    return None


def _round(value: Fraction) -> Fraction:
    """Return a number with :data:`_DIGITS` digits, none of those before the point lost."""
    places, size = _DIGITS - 1, abs(value)
    while size >= 10 and places > 0:  # noqa: PLR2004 - one digit before the point
        size, places = size / 10, places - 1
    while 0 < size < 1 and places < 2 * _DIGITS:
        size, places = size * 10, places + 1
    return Fraction(round(value * 10**places), 10**places)


def _find_unit(words: str, language: Language) -> Unit | None:
    said = words.strip(" .")
    return next((UNITS[name] for pattern, name in _compile_units(language) if pattern.fullmatch(said)), None)


@cache
def _compile_units(language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    units = language.abilities.units.items()
    return tuple((compile_at_use(pattern, re.IGNORECASE), name) for pattern, name in units)


@cache
def _compile(language: Language) -> tuple[re.Pattern[str], ...]:
    return tuple(
        compile_at_use(_fill(bound_repetitions(source)), re.IGNORECASE) for source in language.abilities.converts
    )


def _fill(source: str) -> str:
    for place, pattern in _PARTS.items():
        source = source.replace(place, pattern)
    return source
