"""Inflection of Russian."""

from __future__ import annotations

from typing import Final

from language.inflection import Inflection

INFLECTION: Final = Inflection(
    ending=(
        "(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ием|ией|ется|ются|ится|ятся|ешь|ишь|ете|ите|лась|лось|лись|"
        "лся|ть|тся|ться|ой|ей|ий|ый|ая|яя|ое|ее|ые|ие|ых|их|ую|юю|ом|ем|ам|ям|ах|ях|ов|ев|ет|ют|ит|ят|ут|им|ла|ло|ли|"
        "ия|ию|ии|иё|а|я|о|е|у|ю|ы|и|ь|й|л)$"
    ),
)
