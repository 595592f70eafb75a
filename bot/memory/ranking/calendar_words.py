"""Names of months and relative days in English, Russian and German: the vocabulary of time understanding."""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = "january february march april may june july august september october november december"
_RUSSIAN: Final = "январ феврал март апрел ма июн июл август сентябр октябр ноябр декабр"
_GERMAN: Final = "januar februar märz april mai juni juli august september oktober november dezember"

MONTHS: Final[dict[str, int]] = {
    **{name: number for number, name in enumerate(_GERMAN.split(), 1)},
    **{name: number for number, name in enumerate(_ENGLISH.split(), 1)},
    **{name[:3]: number for number, name in enumerate(_ENGLISH.split(), 1) if name != "may"},
    "sept": 9,
}
"""Lower-case name → 1..12."""

RUSSIAN_MONTHS: Final[tuple[str, ...]] = tuple(_RUSSIAN.split())
"""Stems in order; each takes an ending ("январь", "января", "январе")."""

ENGLISH_WEEKDAYS: Final = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
RUSSIAN_WEEKDAYS: Final = "(?:понедельник|вторник|сред[уые]|четверг|пятниц[уаые]|суббот[уаые]|воскресень[ея])\\w*"
GERMAN_WEEKDAYS: Final = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?"

DAYS_AGO: Final[dict[str, tuple[int, int]]] = {
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
    "сегодня": (0, 0),
    "вчера": (1, 1),
    "позавчера": (2, 2),
    "на этой неделе": (6, 0),
    "на прошлой неделе": (13, 5),
    "в прошлые выходные": (9, 2),
    "в этом месяце": (30, 0),
    "в прошлом месяце": (62, 20),
    "в этом году": (365, 0),
    "в прошлом году": (730, 200),
    "heute": (0, 0),
    "gestern": (1, 1),
    "vorgestern": (2, 2),
    "diese woche": (6, 0),
    "letzte woche": (13, 5),
    "letztes wochenende": (9, 2),
    "letzten monat": (62, 20),
    "letztes jahr": (730, 200),
}
"""Expression → how many days before now the span begins and ends; generous, because the bonus is soft."""
