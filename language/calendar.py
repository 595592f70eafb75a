"""Names of days and months in one language, and its ways to say when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The calendar of one language.  All patterns are of small letters and are given small letters."""

    months: tuple[str, ...] = ()
    """Twelve patterns, January first: every form and abbreviation of the name."""
    day_ending: str = ""
    """Pattern of what stands right behind the number of a day: "st|nd|rd|th"."""
    of: str = ""
    """Pattern of a word between the day and the month: "of"."""
    year_word: str = ""
    """Pattern of a word behind the number of a year."""
    relative: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """Expression → how many days before now the span begins and ends; generous, because the bonus is soft."""
    counts: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Small numbers in words, with the articles that stand for one."""
    units: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Pattern of a unit of time → its days."""
    ago: str = ""
    """Pattern of "three days ago", in which ``{count}`` stands for the number and ``{unit}`` for the unit."""
    exactly: str = ""
    """Pattern of what says when besides months and years: "last week", "on Friday"."""
    vaguely: str = ""
    """Pattern of what says so roughly: "recently"."""
    compares: str = ""
    """Pattern of what sets one time against another, or asks for a time in passing: "before", "how long"."""
