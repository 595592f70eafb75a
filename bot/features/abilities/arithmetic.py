"""Sums in figures and words: exact, without ``eval``, and no work without an end.

Numbers are fractions, so that 0.1 + 0.2 is 0.3.  A percentage behind plus or minus is one of what stands before it, as
on a pocket calculator: 80 + 15 % is 92.

Amounts in other units: "12 stone in kg".

Feet, pounds and their kin are those of the international agreement of 1959, which are exact in metres and kilograms.
Of units that are one thing in one country and another elsewhere (a gallon, a pint) both are told; a cup is left out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import Final, TypeVar

from bot.memory.patterns import bound_repetitions, compile_bounded
from language import Language, alternatives
from language.patterns import compile_at_use

_LONGEST: Final = 200
_MOST_TOKENS: Final = 60
_MOST_BITS: Final = 400
"""Of a number that is worked with, of its numerator and its denominator each: about 120 digits."""
_PLACES: Final = 10
"""Digits behind the point; a result that has more is rounded."""
_MOST_DIGITS: Final = 40
_SIGNS: Final = {"×": "*", "·": "*", "∙": "*", "÷": "/", "−": "-", "–": "-", "**": "^"}
_SHOWN: Final = {"*": " × ", "/": " / ", "+": " + ", "-": " − ", "^": " ^ ", "%": " %", "of": " × ", "off": " off "}
Meaning = TypeVar("Meaning")
_NUMBER: Final = r"\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,9}(?!\d)(?:[.,]\d{1,30})?|\d[\d.,']{0,60}"
_CURRENCY: Final = 3
"""Letters by which a currency is known in all its forms."""
_LONELY: Final = re.compile(r"\(([\d.,]{1,60}(?: %)?)\)")
_MAYBE_A_DATE: Final = re.compile(r"\d{1,8}(?:[-/–+]\d{1,8}){1,6}")
"""Without a word or a mark that asks, it may be a date, a score, a span of pages or a telephone number."""


class _NoSum(Exception):
    """The text is no sum that is worked out here."""


class _ByZero(Exception):
    """Something is divided by zero."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum as it was understood, and what it makes; ``result`` is "" where something is divided by zero."""

    text: str
    result: str
    exact: bool = True


def reckon(plain: str, language: Language, *, asked: bool) -> Sum | None:
    """Return what a sentence without its courtesies asks to have reckoned, ``None`` for any other.

    ``asked`` says that its mark asks for it.
    """
    if not any(map(str.isalnum, plain)):
        return None
    if (converted := convert(plain, language)) is not None:
        return converted
    asks, orders = _compile_sums(language)
    whole = asks.fullmatch(plain)
    said = plain if whole is None else whole["sum"]
    for pattern, sign in orders:
        if (found := pattern.fullmatch(said)) is not None:
            return work_out(f"({found['a']}) {sign} ({found['b']})", language, asked=True)
    if whole is None:
        return None
    return work_out(said, language, asked=asked or bool(whole["asks"])) or _take_root(said, language)


@cache
def _compile_sums(language: Language) -> tuple[re.Pattern[str], tuple[tuple[re.Pattern[str], str], ...]]:
    """Return the pattern that takes a sum out of the words that ask for it, and those of orders with their signs."""
    words = language.abilities
    asks = rf"(?P<asks>{alternatives((words.calculates,))} )?(?P<sum>\S.{{0,200}}?){alternatives((words.result,))}"
    orders = tuple((compile_bounded(each, re.IGNORECASE), sign) for each, sign in words.orders.items())
    return compile_bounded(asks, re.IGNORECASE), orders


def work_out(text: str, language: Language, *, asked: bool) -> Sum | None:
    """Return what a text that is nothing but a sum makes, ``None`` for any other.

    ``asked`` says that a word or a mark asks for it; without, "24/7" is none.
    """
    plain = text.strip()
    if not plain or len(plain) > _LONGEST or (not asked and _MAYBE_A_DATE.fullmatch(plain)):
        return None
    money = _compile_money(language)
    if len({found[0].strip().casefold()[:_CURRENCY] for found in money.finditer(plain)}) > 1:
        return None  # of two currencies no sum is made
    plain = money.sub("", plain)
    tokens = _read_tokens(plain, language) if _compile_operator(language).search(plain) else None
    if tokens is None or all(token not in _BINARY for token in tokens[1:]):
        return None
    reader = _Reader(tokens)
    shown = _show(tokens, language)
    try:
        value = reader.read_all()
    except _NoSum:
        return None
    except _ByZero:
        return Sum(shown, "")
    written = write(value, language)
    return None if written is None else Sum(shown, *written)


def _take_root(text: str, language: Language) -> Sum | None:
    """Return the square root that a text asks for, ``None`` for any other text."""
    found = _compile_root(language).fullmatch(text.strip())
    number = _read_number(found["number"].strip(), decimal_comma=language.abilities.decimal_comma) if found else None
    if number is None or number.numerator.bit_length() > _MOST_BITS:
        return None
    scale = 10 ** (2 * _PLACES + 4)  # two digits more than are written, so that the last one is rounded
    root = Fraction(isqrt(number.numerator * scale // number.denominator), 10 ** (_PLACES + 2))
    written = write(root, language)
    shown = (write(number, language) or ("…", True))[0]
    return None if written is None else Sum(f"√{shown}", written[0], exact=root * root == number)


@cache
def _compile_root(language: Language) -> re.Pattern[str]:
    root = alternatives((language.abilities.root,))
    return compile_bounded(rf"(?:√|{root}) ?(?P<number>\S.{{0,40}})", re.IGNORECASE)


_BINARY: Final = frozenset({"+", "-", "*", "/", "^", "of", "off"})


@cache
def _list_numbers(language: Language) -> dict[str, int]:
    """Return the patterns of numbers in words, the longest first, with their values."""
    words = dict(language.schedule.numbers)
    tens = {pattern: value for pattern, value in words.items() if value >= 20}  # noqa: PLR2004 - the first of the tens
    ones = {pattern: value for pattern, value in words.items() if value < 10}  # noqa: PLR2004 - below ten
    compound = language.schedule.compound_number
    joined = {
        compound.format(ten=f"(?:{ten})", one=f"(?:{one})"): tens[ten] + ones[one] for ten in tens for one in ones
    }
    return joined | words if compound else words


@cache
def _compile_money(language: Language) -> re.Pattern[str]:
    words = alternatives((language.abilities.money or "(?!)",))
    return compile_bounded(rf"(?<=\d)\s?{words}(?!\w)|[€$£¥₽]\s?(?=\d)", re.IGNORECASE)


@cache
def _compile_operator(language: Language) -> re.Pattern[str]:
    """Return a pattern that stands in every sum, a small part of what reads one."""
    words = alternatives((*language.abilities.operators, *language.abilities.shares))
    return compile_bounded(rf"[-+*/^×·∙÷−–]|(?<![^\W\d_]){words}(?![^\W\d_])", re.IGNORECASE)


@cache
def _compile_token(language: Language) -> re.Pattern[str]:
    operators = sorted(language.abilities.operators, key=len, reverse=True)
    return compile_bounded(
        rf"\s*(?:(?P<share>{alternatives(language.abilities.shares)})(?![^\W\d_])|(?P<number>{_NUMBER})|(?P<sign>\*\*|[-+*/^%()×·∙÷−–])"
        rf"|(?P<operator>{alternatives(operators)})(?![^\W\d_])|(?P<word>{alternatives(_list_numbers(language))})(?!\w))",
        re.IGNORECASE,
    )


def _read_tokens(text: str, language: Language) -> list[str | Fraction] | None:
    pattern = _compile_token(language)
    tokens: list[str | Fraction] = []
    at = 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None or len(tokens) == _MOST_TOKENS:
            return None
        at = found.end()
        said = found[found.lastgroup or 0].casefold()
        match found.lastgroup:
            case "share":
                above, below = _find_meaning(said, language.abilities.shares)
                tokens += [Fraction(above), "/", Fraction(below), "of"]
            case "number":
                number = _read_number(said, decimal_comma=language.abilities.decimal_comma)
                if number is None:
                    return None
                tokens.append(number)
            case "word":
                tokens.append(Fraction(_find_meaning(said, _list_numbers(language))))
            case "operator":
                tokens.append(_find_meaning(said, language.abilities.operators))
            case _:
                tokens.append(_SIGNS.get(said, said))
    return tokens


def read_number(text: str, language: Language) -> Fraction | None:
    """Return the one number that a text is, in figures or words, ``None`` for any other text."""
    match _read_tokens(text, language):
        case [Fraction() as number]:
            return number
        case ["-", Fraction() as number]:
            return -number
    return None


def _find_meaning(said: str, meanings: Mapping[str, Meaning]) -> Meaning:
    return next(meaning for pattern, meaning in meanings.items() if re.fullmatch(pattern, said, re.IGNORECASE))


def _read_number(said: str, *, decimal_comma: bool) -> Fraction | None:
    """Return a number as people write it; of two different signs the last one stands before the fraction.

    A single sign before exactly three digits is one of thousands where the language writes those so.
    """
    plain = re.sub(r"[ \u00a0\u202f']", "", said)
    point, thousands = (",", ".") if decimal_comma else (".", ",")
    signs = [sign for sign in plain if sign in ".,"]
    if not plain[-1].isdigit():
        return None
    if len(set(signs)) == 2:  # noqa: PLR2004 - both
        point, thousands = plain[max(plain.rfind("."), plain.rfind(","))], signs[0]
    elif len(signs) > 1:
        point, thousands = "", signs[0]
    elif signs and not (signs[0] == thousands and re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", plain)):
        point, thousands = signs[0], ""
    whole, _, fraction = plain.partition(point) if point else (plain, "", "")
    groups = whole.split(thousands) if thousands else [whole]
    digits = "".join(groups)
    if any(len(group) != 3 for group in groups[1:]) or not (digits + fraction).isdecimal():  # noqa: PLR2004 - thousands
        return None
    return Fraction(f"{digits}.{fraction or 0}")


@dataclass(slots=True)
class _Reader:
    """Reads tokens by the rules of precedence (recursive descent)."""

    tokens: list[str | Fraction]
    at: int = 0

    def read_all(self) -> Fraction:
        value, _ = self._read_sum()
        if self.at != len(self.tokens):
            raise _NoSum
        return value

    def _take(self, *wanted: str) -> str:
        sign = self.tokens[self.at] if self.at < len(self.tokens) else None
        if not isinstance(sign, str) or sign not in wanted:
            return ""
        self.at += 1
        return sign

    def _read_sum(self) -> tuple[Fraction, bool]:
        """Return a sum, and whether it is a mere percentage."""
        value, alone = self._read_product()
        while sign := self._take("+", "-"):
            other, share = self._read_product()
            other = value * other if share else other
            value, alone = _bound(value + other if sign == "+" else value - other), False
        return value, alone

    def _read_product(self) -> tuple[Fraction, bool]:
        """Return a product, and whether it is a mere percentage."""
        value, share = self._read_power()
        part = share
        while sign := self._take("*", "/", "of", "off"):
            if sign in {"of", "off"} and not part:
                raise _NoSum
            other, _ = self._read_power()
            if sign == "/" and not other:
                raise _ByZero
            made = value / other if sign == "/" else other - value * other if sign == "off" else value * other
            part = sign == "/" and value < other  # three quarters of something, as three per cent of it
            value, share = _bound(made), False
        return value, share

    def _read_power(self) -> tuple[Fraction, bool]:
        negative = self._take("-")
        value, share = self._read_value()
        if self._take("^"):
            exponent, _ = self._read_power()
            value, share = _raise(value, exponent), False
        if self._take("%"):
            value, share = value / 100, True
        return -value if negative else value, share

    def _read_value(self) -> tuple[Fraction, bool]:
        if self._take("("):
            value = self._read_sum()
            if not self._take(")"):
                raise _NoSum
            return value
        number = self.tokens[self.at] if self.at < len(self.tokens) else None
        if not isinstance(number, Fraction):
            raise _NoSum
        self.at += 1
        return number, False


def _bound(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise _NoSum
    return value


def _raise(value: Fraction, exponent: Fraction) -> Fraction:
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if exponent.denominator != 1 or bits * abs(exponent.numerator) > _MOST_BITS:
        raise _NoSum
    if not value and exponent < 0:
        raise _ByZero
    return value**exponent.numerator


def write(value: Fraction, language: Language) -> tuple[str, bool] | None:
    """Return a number in figures, and whether it is exact; ``None`` for one that nobody reads."""
    if len(str(abs(int(value)))) > _MOST_DIGITS:
        return None
    places = _PLACES
    while value and abs(value) * 10**places < 10 ** (_PLACES // 2) and places < _MOST_DIGITS:
        places += 1
    rounded = round(value * 10**places)
    whole, fraction = divmod(abs(rounded), 10**places)
    digits = f"{fraction:0{places}d}".rstrip("0")
    point = "," if language.abilities.decimal_comma else "."
    sign = "−" if rounded < 0 else ""
    return f"{sign}{whole}{point if digits else ''}{digits}", Fraction(rounded, 10**places) == value


def _show(tokens: list[str | Fraction], language: Language) -> str:
    """Return the sum in signs: "17 × 23"."""
    written = ""
    for place, part in enumerate(tokens):
        if isinstance(part, Fraction):
            written += (write(part, language) or ("…", True))[0]
        elif part in "+-" and (place == 0 or tokens[place - 1] in {"+", "-", "*", "/", "^", "of", "("}):
            written += "−"
        else:
            written += _SHOWN.get(part, part)
    return _LONELY.sub(r"\1", written)


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
    **_list("mass", metric_pound="0.5", hundredweight="50", pood="16.3804964"),
    **_list("length", verst="1066.8"),
    **_list("volume", us_gallon="3.785411784", uk_gallon="4.54609", us_pint="0.473176473", uk_pint="0.56826125"),
    "celsius": Unit("temperature", Fraction(1)),
    "kelvin": Unit("temperature", Fraction(1), Fraction("-273.15")),
    "fahrenheit": Unit("temperature", Fraction(5, 9), Fraction(-160, 9)),
}


_SEVERAL: Final[Mapping[str, Mapping[str, str]]] = {
    "gallon": {"US": "us_gallon", "UK": "uk_gallon"},
    "pint": {"US": "us_pint", "UK": "uk_pint"},
}
"""Units of one name, by where they are in use."""
_MOST: Final = 2
"""Digits of what stands behind an amount: "6 foot 11"."""
_SMALLER: Final = {"stone": "pound", "foot": "inch"}
"""Units behind which a bare number counts another: "12 stone 4"."""


def measures(unit: str, language: Language) -> bool:
    """Return whether words are a unit of something else than time."""
    found = _find_units(unit, language)
    return bool(found) and found[0][1].dimension != "time"


def convert_told(told: str, unit: str, language: Language) -> Sum | None:
    """Return the only amount of a sentence that a unit can tell, in that unit; ``None`` for none or several."""
    made, comma = [], language.abilities.decimal_comma
    for found in _compile_amounts(language).finditer(told):
        amount, more = (_read_number(found[part] or "0", decimal_comma=comma) for part in (1, 3))
        name = next((name for pattern, name in _compile_units(language) if pattern.fullmatch(found[2])), "")
        if amount is None or more is None:
            continue
        if (smaller := _SMALLER.get(name)) is not None:
            amount += more * UNITS[smaller].size / UNITS[name].size
        shown = found[0] if smaller else found[0][: found.end(2) - found.start()]
        made.append(_convert(amount, shown.strip(), found[2], unit, language))
    answers = [each for each in made if each is not None]
    return answers[0] if len(answers) == 1 else None


@cache
def _compile_amounts(language: Language) -> re.Pattern[str]:
    unit = alternatives(language.abilities.units)
    return compile_bounded(
        rf"(?<![\w.,])({_NUMBER})\s?({unit})(?!\w)(?:\s(\d{{1,{_MOST}}})(?![\w.,:])(?:\s{unit}(?!\w))?)?", re.IGNORECASE
    )


def convert(sentence: str, language: Language) -> Sum | None:
    """Return what a sentence without its mark and courtesies asks to convert, ``None`` for any other."""
    for pattern in _compile(language):
        found = pattern.fullmatch(sentence)
        if found is None:
            continue
        words = found["amount"]
        amount = read_number(words, language) if words else Fraction(1)
        written = None if amount is None else write(amount, language)
        if amount is None or written is None:
            continue
        shown = f"{written[0]} {found['from'].strip()}"
        if (made := _convert(amount, shown, found["from"], found["to"], language)) is not None:
            return made
    return None


def _convert(amount: Fraction, shown: str, unit: str, to: str, language: Language) -> Sum | None:
    """Return an amount in another unit; of a gallon, which is one thing here and another there, in each."""
    made, exact = [], True
    for name, one in _find_units(unit, language):
        for another, other in _find_units(to, language):
            if one.dimension != other.dimension or one == other or (name and another and name != another):
                continue
            value = (amount * one.size + one.zero - other.zero) / other.size
            written, where = write(_round(value), language), name or another
            made += [f"{written[0]} {to.strip()}{f' ({where})' if where else ''}"] if written else []
            exact = exact and _round(value) == value
    return Sum(shown, " / ".join(made), exact=exact) if made else None


def _round(value: Fraction) -> Fraction:
    """Return a number with :data:`_DIGITS` digits, none of those before the point lost."""
    places, size = _DIGITS - 1, abs(value)
    while size >= 10 and places > 0:  # noqa: PLR2004 - one digit before the point
        size, places = size / 10, places - 1
    while 0 < size < 1 and places < 2 * _DIGITS:
        size, places = size * 10, places + 1
    return Fraction(round(value * 10**places), 10**places)


def _find_units(words: str, language: Language) -> tuple[tuple[str, Unit], ...]:
    """Return the unit that words name, the several of one name each with where it is in use, () for none."""
    said = words.strip(" .")
    name = next((name for pattern, name in _compile_units(language) if pattern.fullmatch(said)), "")
    return tuple((where, UNITS[each]) for where, each in _SEVERAL.get(name, {"": name}).items() if each in UNITS)


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
