"""Words of a text as they are compared: case-folded, "ё" as "е"."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

CAPITAL: Final = "[A-ZÀ-ÖØ-Þ\u0400-\u042f]"
"""Pattern of a capital letter."""
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.@/:][^\W_]+)*")
_WORD_OR_SIGN: Final = re.compile(rf"{_WORD.pattern}|[^\w\s]")
_SHARES: Final = frozenset("%‰#")
_OF_NAMES: Final = frozenset("+#")

CAPITALS: Final = "".join(letter for letter in map(chr, range(0x590)) if letter.isupper())
"""A class of letters: the capitals of Latin, Greek, Cyrillic and Armenian, which are the scripts that have any."""
SMALL_LETTERS: Final = "".join(letter for letter in map(chr, range(0x590)) if letter.islower())


@lru_cache(maxsize=4096)
def split_words(text: str) -> tuple[str, ...]:
    """Return the words of ``text`` case-folded, with "ё" as "е"; codes such as ``567-G0`` stay whole."""
    return tuple(_WORD.findall(fold(text)))


@lru_cache(maxsize=1024)
def split_exactly(text: str) -> tuple[str, ...]:
    """Return the words as :func:`split_words` does, with the signs that make another number or thing of them.

    Those are signs of money, of sums and shares beside a number or right behind a name ("5 €", "-5", "40 %", "C++").
    """
    folded = fold(text)
    found = _WORD_OR_SIGN.finditer(folded)
    return tuple(match[0] for match in found if match[0][0].isalnum() or _tells(folded, match.start()))


def _tells(text: str, place: int) -> bool:
    sign, before, behind = text[place], text[:place][-2:], text[place + 1 : place + 3]
    category = unicodedata.category(sign)
    if category == "Pd":
        return behind[:1].isdigit() and not before[-1:].isalnum()
    if category == "Sm" or sign in _SHARES:
        beside = before.rstrip()[-1:].isdigit() or behind.lstrip()[:1].isdigit()
        return beside or (sign in _OF_NAMES and (before[-1:].isalpha() or before[-1:] == sign))
    return category == "Sc"


def word_set(*lists: str) -> frozenset[str]:
    """Return the set of the words written in ``lists``, separated by white space, as :func:`split_words` spells."""
    return frozenset(word for text in lists for word in fold(text).split())


def fold(text: str) -> str:
    """Return ``text`` as it is compared: case-folded, with "ё" as "е"."""
    return text.casefold().replace("ё", "е")


_LATIN: Final = str.maketrans(
    {
        **dict(zip("аеорсухіјѕԁһӏԛԝѵґвкмнт", "aeopcyxijsdhlqwvrbkmht", strict=True)),
        **dict(zip("αοριυνκτχηωϲϳ", "aopiuvktxnwcj", strict=True)),
    }
)


def fold_lookalikes(text: str) -> str:
    """Return ``text`` in small letters without marks and widths (NFKD), with Latin letters for what looks like them."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).translate(_LATIN)
