"""Times, days and repetitions in English."""

from __future__ import annotations

from typing import Final

from language.schedule import ScheduleWords

_AT: Final = "(?:at|by|around|about|@)"
_THING: Final = r"(?:reminder|alarm|timer)"

SCHEDULE: Final = ScheduleWords(
    numbers={
        "one": 1,
        "two|(?:a )?couple(?: of)?": 2,
        "three|a few": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "eleven": 11,
        "twelve": 12,
        "fifteen": 15,
        "twenty": 20,
        "twenty[- ]five": 25,
        "thirty": 30,
        "forty": 40,
        "forty[- ]five": 45,
        "fifty": 50,
        "sixty": 60,
        "ninety": 90,
    },
    articles="an?",
    ordinals={"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "tenth": 10, "fifteenth": 15},
    ordinal_ending="st|nd|rd|th",
    units={
        "seconds?|secs?": "second",
        "minutes?|mins?": "minute",
        "hours?|hrs?|h": "hour",
        "days?": "day",
        "weeks?": "week",
        "months?": "month",
        "years?": "year",
    },
    joins="and",
    after=("(?:in|within|after) {amount}(?:'s time)?", "{amount} from (?:now|today|tomorrow)"),
    spans={
        "(?:in )?half an hour(?: from now)?": 30,
        "in (?:a )?quarter of an hour": 15,
        "in three quarters of an hour": 45,
        "in an hour and a half|in one and a half hours": 90,
        "in two and a half hours": 150,
    },
    timer="for {amount}",
    lasting="for (?:the next )?{amount}",
    before="{amount} (?:before|prior to|ahead of)",
    days={"yesterday": -1, "today": 0, "tomorrow|tmrw|tmr": 1, "the day after tomorrow|day after tomorrow": 2},
    day_parts={
        "tonight": (0, "evening"),
        "this morning": (0, "morning"),
        "this afternoon": (0, "afternoon"),
        "this evening": (0, "evening"),
    },
    parts={
        "first thing(?: in the morning)?|(?:early )?(?:in the )?morning": "morning",
        "(?:(?:at|around|about|by) )?(?:noon|midday|lunch ?time)": "noon",
        "(?:in the )?afternoon": "afternoon",
        "(?:in the )?evening": "evening",
        "(?:at )?night": "night",
        "(?:(?:at|around|by) )?midnight": "midnight",
    },
    weekdays=(
        "mon(?:day)?",
        "tue(?:s(?:day)?)?",
        "wed(?:nesday)?",
        "thu(?:r(?:s(?:day)?)?)?",
        "fri(?:day)?",
        "sat(?:urday)?|weekend",
        "sun(?:day)?",
    ),
    on="on|by|at the|on the",
    gone="last (?:{weekday}|{unit}|night)",
    coming="this|the coming|coming|this coming",
    following="next",
    next_units={"(?:early )?next week": ("week", 1), "next month": ("month", 1), "next year": ("year", 1)},
    clocks=(
        rf"(?:{_AT} ?)?(?P<h>\d{{1,2}})(?:[:.](?P<m>[0-5]\d))? ?(?:(?P<am>a\.?m\b\.?)|(?P<pm>p\.?m\b\.?))",
        r"(?:at|by|around|about|@) ?(?P<h>\d{1,2})[:.](?P<m>[0-5]\d)(?: ?h)?",
        r"(?P<h>\d{1,2}):(?P<m>[0-5]\d)",
        r"(?:at|by|around|about|@) ?(?P<h>{h})(?: o['’]?clock)?(?: sharp)?",
        r"(?P<h>{h}) o['’]?clock",
        r"(?:(?:at|by|around|about) )?half past (?P<h>{h})(?P<half>)",
        r"(?:(?:at|by|around|about) )?half (?P<h>{h})(?P<half>)",
        r"(?:(?:at|by|around|about) )?(?:a )?quarter (?:past|after) (?P<h>{h})(?P<quarter>)",
        r"(?:(?:at|by|around|about) )?(?:a )?quarter (?:to|of|before) (?P<h>{h})(?P<less_quarter>)",
        r"(?:at|by|around|about) (?P<past>{h}) (?:minutes )?(?:past|after) (?P<h>{h})",
        r"(?:at|by|around|about) (?P<less>{h}) (?:minutes )?(?:to|before) (?P<h>{h})",
    ),
    twelve_hours=True,
    month_first=True,
    every={
        "(?:every|each) (?:single )?day|daily|once a day": ("day", 1),
        "every (?:other|second) day": ("day", 2),
        "(?:every|each) week|weekly|once a week": ("week", 1),
        "every (?:other|second) week|fortnightly|bi-?weekly": ("week", 2),
        "(?:every|each) month|monthly|once a month": ("month", 1),
        "every (?:other|second) month": ("month", 2),
        "every quarter|quarterly": ("month", 3),
        "(?:every|each) year|yearly|annually|once a year": ("year", 1),
        "(?:every|each) hour|hourly": ("hour", 1),
        "every (?:other|second) hour": ("hour", 2),
        "(?:every )?half an hour(?<=every half an hour)|every half[- ]hour": ("minute", 30),
    },
    every_number=("every {n} {unit}",),
    every_part={
        "(?:every|each) morning": "morning",
        "(?:every|each) (?:noon|lunch ?time)": "noon",
        "(?:every|each) afternoon": "afternoon",
        "(?:every|each) evening": "evening",
        "(?:every|each) night|nightly": "night",
    },
    each="every|each",
    each_weekday=("mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"),
    workdays=(
        "(?:(?:on|every|each) )?(?:week|work|business|working )days?|(?:every )?(?:weekday|working day|workday)|"
        "(?:from )?mon(?:day)? (?:to|through) fri(?:day)?"
    ),
    weekends="(?:on|every|each) weekends?",
    of_month=(
        "(?:on )?(?:the )?{d} (?:day )?of (?:every|each|the) month",
        "every {d}(?: of the month)?",
        "(?:on )?the last day of (?:every|each|the) month(?P<last>)",
        "(?:at )?the end of (?:every|each) month(?P<last>)",
    ),
    day_of_month="(?:on|by) (?:the )?{d}|the {D}",
    until="(?:until|till) (?:the )?end of(?P<end>)|until|till|til|up to|through",
    times="{n} times|(?P<twice>twice)",
    fillers="at|on|in|the|from|starting|beginning|and|of|every",
    lead=(
        r"remind (?:me|us)(?: again)?|(?:set|create|make|add|schedule|start)(?: me| us)?(?: up)?(?: an?| the| another)?"
        rf"(?: \w{{1,20}}){{0,2}}? {_THING}(?: for (?:me|us))?|(?:wake|ping|nudge|alert|notify) (?:me|us)(?: up)?|"
        "(?:don't|do not) let (?:me|us) forget"
    ),
    wakes="wake",
    timers="timer|alarm",
    told="what|where|who|whom|whose|when|how|why|which|whether",
    links="to|that|about|of|for|i (?:need|have|must|should)(?: to)?",
    courtesies="please|pls|thanks|thank you|ok|okay",
)
