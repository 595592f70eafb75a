"""The calendar of English."""

from __future__ import annotations

from typing import Final

from language.calendar import Calendar

_WEEKDAY: Final = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"

CALENDAR: Final = Calendar(
    months=(
        "jan(?:uary)?",
        "feb(?:ruary)?",
        "mar(?:ch)?",
        "apr(?:il)?",
        r"(?:(?<=\bin )may|(?<=\bof )may|(?<=\d )may|may(?= (?:of )?\d))",
        "june?",
        "july?",
        "aug(?:ust)?",
        "sep(?:t(?:ember)?)?",
        "oct(?:ober)?",
        "nov(?:ember)?",
        "dec(?:ember)?",
    ),
    day_ending="st|nd|rd|th",
    of="of",
    relative={
        "today": (0, 0),
        "tonight": (0, 0),
        "this morning": (0, 0),
        "yesterday": (1, 1),
        "last night": (1, 1),
        "the day before yesterday": (2, 2),
        "this week": (6, 0),
        "last week": (13, 5),
        "past week": (8, 0),
        "last weekend": (9, 2),
        "this month": (30, 0),
        "last month": (62, 20),
        "past month": (32, 0),
        "last year": (730, 200),
        "this year": (365, 0),
    },
    counts={"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7},
    units={"days?": 1, "weeks?": 7, "months?": 30, "years?": 365},
    ago=r"{count}\s+{unit}\s+ago",
    exactly=(
        "yesterday|today|tonight|tomorrow|last (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn)|"
        rf"last {_WEEKDAY}|next (?:week|weekend|month|year|summer|{_WEEKDAY})|"
        r"(?:this|past|few|couple of|two|three|four|five|\d+) (?:week|weekend|month|year|day|summer)s?|ago|"
        "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    ),
    vaguely="just|already|finally|lately|recently|upcoming|soon|since",
    compares=(
        "before|after|afterwards|until|till|since|earlier|later|(?:first|last|next) time|how (?:long|recently)|"
        "what (?:day|date|time)|(?:which|what) (?:week|month|year)|by when|date of|when"
    ),
)
