"""The calendar of German."""

from __future__ import annotations

from typing import Final

from language.calendar import Calendar

CALENDAR: Final = Calendar(
    months=(
        "jan(?:uar)?|jänner",
        "feb(?:ruar)?|feber",
        "märz",
        "apr(?:il)?",
        "mai",
        "juni?",
        "juli?",
        "aug(?:ust)?",
        "sept?(?:ember)?",
        "okt(?:ober)?",
        "nov(?:ember)?",
        "dez(?:ember)?",
    ),
    day_ending=r"\.",
    relative={
        "heute": (0, 0),
        "heute morgen": (0, 0),
        "gestern": (1, 1),
        "vorgestern": (2, 2),
        "diese woche": (6, 0),
        "letzte woche": (13, 5),
        "letztes wochenende": (9, 2),
        "diesen monat": (30, 0),
        "letzten monat": (62, 20),
        "dieses jahr": (365, 0),
        "letztes jahr": (730, 200),
    },
    counts={"einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7},
    units={"tag(?:en)?": 1, "wochen?": 7, "monat(?:en)?": 30, "jahr(?:en)?": 365},
    ago=r"vor\s+{count}\s+{unit}",
    exactly=(
        r"gestern|heute|morgen abend|vorgestern|übermorgen|vor (?:\w+ )?(?:tag|woche|monat|jahr)\w*|"
        r"(?:letzt|nächst|diese)\w* (?:woche|wochenende|monat|jahr|sommer|winter)|"
        "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?"
    ),
    vaguely="kürzlich|bald|neulich|endlich",
    compares=(
        "bevor|vorher|vor|nach|nachdem|nachher|danach|davor|seit|seitdem|bis|früher|später|zuerst|zuletzt|"
        r"(?:erste|letzte|nächste)[nmrs]? mal|wie lange|an welche[mn] tag|welche[rsnm]? (?:tag|woche|monat|jahr|datum)|"
        "wann|als"
    ),
)
