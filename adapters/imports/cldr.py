"""How the world writes dates and times of day, from the Unicode Common Locale Data Repository (CLDR).

"PM", "ÖS", "오후", "μ.μ.", "م" say which half of the day is meant, "晚上" or "de la noche" which part; "h" and "г." say
nothing.  Babel brings the repository; its files are read one by one and only when a date needs it, since all of
them in memory take 200 MB.
"""

from __future__ import annotations

import pickle
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel import localedata

Locale = Mapping[str, Any]  # one locale's data, as Babel stores it

_HALF: Final = 43_200
_DAY: Final = 86_400
_HALVES: Final = {"am": (0, _HALF), "pm": (_HALF, _DAY)}
_SPANS: Final = frozenset(_HALVES.values())
_WIDTHS: Final = ("abbreviated", "wide")
_QUOTED: Final = re.compile(r"'([^']+)'")
_MARKS: Final = re.compile("[\u061c\u200e\u200f]")
_DATE: Final = re.compile(
    r"(?P<a>[dMy]{1,4}+)\s{0,4}+(?P<sign>[./-])\s{0,4}+(?P<b>[dMy]{1,4}+)\s{0,4}+[./-]?\s{0,4}+(?P<c>[dMy]{1,4}+)"
    r"\s{0,4}+(?P<last>\W?)\W{0,8}+"
)
_FIELDS: Final = re.compile(r"'[^']*'|[A-Za-z]")
"""What is no word in a pattern: fields are ASCII letters, other letters need no quotes."""
_PATTERNS: Final = ("date_formats", "time_formats", "datetime_skeletons")

Span = tuple[int, int]
"""Seconds of the day from which and before which a word is said; it may go over midnight."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """``spans`` are the parts of the day by word and language, ``fillers`` words of patterns that say nothing.

    ``orders`` are the short dates that somebody writes: the sign between the numbers, whether it stands behind them,
    too, their order ("dmy"), and whether the year has two digits.
    """

    spans: Mapping[str, Mapping[str, Span]]
    fillers: frozenset[str]
    orders: frozenset[tuple[str, bool, str, bool]]

    def find_span_word(self, words: Iterable[str]) -> str | None:
        """Return what words beside a time say of its part of the day, "" for nothing, ``None`` for unknown ones."""
        told = list(words)
        if "".join(told) in self.spans or all(word in self.fillers for word in told):
            return "".join(told) if "".join(told) in self.spans else ""
        for begin in range(len(told)):
            for end in range(len(told), begin, -1):
                word, rest = "".join(told[begin:end]), told[:begin] + told[end:]
                if word in self.spans and all(filler in self.fillers for filler in rest):
                    return word
        return None

    def choose_spans(self, words: Iterable[str]) -> dict[str, Span]:
        """Return what words of one file mean: in the language that knows most of them, or what most languages mean."""
        seen = tuple(words)
        known = defaultdict[str, int](int)
        for word in seen:
            for language in self.spans[word]:
                known[language] += 1
        best = [language for language in sorted(known) if known[language] == max(known.values())]
        meanings = defaultdict[tuple[Span | None, ...], int](int)
        for language in best:
            meanings[tuple(self.spans[word].get(language) for word in seen)] += 1
        # A word for a part of the day may be another language's for a half: halves are what clocks show.
        chosen = max(
            meanings, key=lambda meaning: (sum(span in _SPANS for span in meaning), meanings[meaning]), default=()
        )
        return {word: span for word, span in zip(seen, chosen, strict=False) if span is not None}


def split_words(text: str) -> list[str]:
    """Return the words of a piece of a date as they are compared: no case, no stops, no marks."""
    plain = (letter if unicodedata.category(letter)[0] in "LM" else " " for letter in text.casefold())
    return "".join(plain).split()


def place_hour(hour: int, minute: int, span: Span) -> int:
    """Return the hour of the day that a clock of twelve hours shows in a part of the day."""
    begin, end = span
    for candidate in (hour % 12, hour % 12 + 12):
        second = candidate * 3600 + minute * 60
        if begin <= second < end or (begin > end and not end <= second < begin):
            return candidate
    return hour


@cache
def load_vocabulary() -> Vocabulary:
    """Return the words of every language."""
    spans: dict[str, dict[str, Span]] = defaultdict(dict)
    fillers: set[str] = set()
    orders: set[tuple[str, bool, str, bool]] = set()
    for name, data in _read_locales():
        language = name.partition("_")[0]
        for word, span in _list_spans(data):
            spans[word].setdefault(language, span)
        for patterns in (data.get(kind) or {} for kind in _PATTERNS):
            for pattern in patterns.values():
                told = str(getattr(pattern, "pattern", pattern))
                fillers.update(split_words(" ".join([*_QUOTED.findall(told), _FIELDS.sub(" ", told)])))
        short = (data.get("date_formats") or {}).get("short")
        if found := _DATE.fullmatch(_QUOTED.sub("", _MARKS.sub("", str(getattr(short, "pattern", short))))):
            order = "".join(numbers[0].lower() for numbers in found.group("a", "b", "c"))
            orders.add((found["sign"], found["last"] == found["sign"], order, "yy" in found.group("a", "b", "c")))
    return Vocabulary({word: dict(found) for word, found in spans.items()}, frozenset(fillers), frozenset(orders))


def _read_locales() -> Iterator[tuple[str, Locale]]:
    for name in localedata.locale_identifiers():
        with Path(localedata.resolve_locale_filename(name)).open("rb") as file:
            yield name, pickle.load(file)  # noqa: S301 - Babel's own file


def _list_spans(data: Locale) -> Iterator[tuple[str, Span]]:
    """Yield the words for parts of the day: for halves first, which other parts may share a word with."""
    named = [
        (kind, "".join(split_words(word)))
        for use in (data.get("day_periods") or {}).values()
        for width in _WIDTHS
        if isinstance(found := use.get(width), Mapping)
        for kind, word in found.items()
    ]
    rules = (data.get("day_period_rules") or {}).get(None) or {}
    for kind, word in named:
        if kind in _HALVES and word:
            yield word, _HALVES[kind]
    for kind, word in named:
        for rule in rules.get(kind, ()) if word else ():
            begin = rule.get("from", rule.get("at", 0))
            yield word, (begin, rule.get("before", begin + 3600))
