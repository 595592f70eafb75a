"""What the bot says about reminders, as data: a language is one value of :class:`ReminderTexts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ReminderTexts:
    """``{text}`` is what to be reminded of, ``{when}`` a full date with its time, ``{zone}`` an IANA name."""

    kept: str = ""
    kept_repeated: str = ""
    """``{repeat}`` from ``repeats``; ``{when}`` is the first time."""
    changed: str = ""
    assumed_time: str = ""
    """``{time}``: no time of day was said."""
    assumed_zone: str = ""
    untitled: str = ""
    """In place of a text that nobody gave."""
    ask_when: str = ""
    ask_when_event: str = ""
    """In place of it where the time hangs on something that is not known."""
    ambiguous: str = ""
    past: str = ""
    never: str = ""
    too_many: str = ""
    """``{count}``: how many there may be."""
    head: str = ""
    """``{total}``."""
    none: str = ""
    hint: str = ""
    usage: str = ""
    missing: str = ""
    """``{number}``."""
    not_yours: str = ""
    done: str = ""
    cancelled: str = ""
    snoozed: str = ""
    next: str = ""
    late_down: str = ""
    """``{when}``: due while the bot was not running."""
    late: str = ""
    missed: str = ""
    """``{count}``: repetitions that were missed besides."""
    again: str = ""
    """Above one that was put off by its reader."""
    done_button: str = ""
    minutes_button: str = ""
    hour_button: str = ""
    tomorrow_button: str = ""
    cancel_button: str = ""
    back_button: str = ""
    open_button: str = ""
    """``{number}``."""
    agree_button: str = ""
    ask_agreement: str = ""
    """Above what a model would have us remind of: the user decides."""
    repeats: Mapping[str, str] = field(default_factory=dict)
    """By unit, "day" for one and "days" for several (``{count}``); weeks have ``{days}``, months ``{day}``, years
    ``{date}``; also "workdays" and "last" (day of the month)."""
    at: str = ""
    """``{repeat}``, ``{time}``."""
    until: str = ""
    """``{repeat}``, ``{date}``."""
    times: str = ""
    """``{repeat}``, ``{count}``."""
    each_weekday: tuple[str, ...] = ()
    """Monday first."""
    nth_weekdays: tuple[Mapping[int, str], ...] = ()
    """Monday first: "the first Monday" to the fifth, and the last as -1."""
    day_and_month: str = ""
    """``{day}``, ``{month}``: a date of every year."""
