"""What the Unicode Common Locale Data Repository (CLDR) says of dates, times, zones and plurals.

``cldr.json`` holds what is asked for here, picked out of it by ``python -m harness.cldr``; its licence is in it.
"""

import json
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any, Final

DATA: Final = Path(__file__).with_name("cldr.json")

Span = tuple[int, int]
"""Seconds of the day from which and before which a word is said; it may go over midnight."""


@cache
def read_cldr() -> Mapping[str, Any]:  # Any: each part has a shape of its own
    """Return the parts by name, those of one language by its code.

    ``names`` lists days of the week and months; ``month_first`` says of zones where English is official whether it puts
    the month before the day; ``abbreviations`` are in small letters, each with a zone, and ``cities`` those that stand
    for zones, by zone.  ``spans`` are the parts of the day by word and language, ``fillers`` words beside dates that
    say nothing, ``orders`` short dates that somebody writes: the sign between the numbers, whether it stands behind
    them, too, their order ("dmy"), and whether the year has two digits.
    """
    found: Mapping[str, Any] = json.loads(DATA.read_bytes())
    return found


@cache
def load_plural_rule(language: str) -> Callable[[int], str]:
    """Return what gives the plural category ("few") of a whole number in a language; "other" where CLDR has none."""
    expression, categories = read_cldr()["plurals"].get(language, ("0", ["other"]))
    choose = c2py(expression)
    return lambda count: str(categories[choose(abs(count))])


def split_words(text: str) -> list[str]:
    """Return the words of a piece of a date as they are compared: no case, no stops, no marks."""
    plain = (letter if unicodedata.category(letter)[0] in "LM" else " " for letter in text.casefold())
    return "".join(plain).split()
