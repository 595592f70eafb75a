"""Inflection of Russian."""

from __future__ import annotations

from typing import Final

from language.inflection import Inflection
from language.words import word_set

INFLECTION: Final = Inflection(
    ending=(
        "(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ием|ией|ется|ются|ится|ятся|ешь|ишь|ете|ите|лась|лось|лись|"
        "лся|ть|тся|ться|ой|ей|ий|ый|ая|яя|ое|ее|ые|ие|ых|их|ую|юю|ом|ем|ам|ям|ах|ях|ов|ев|ет|ют|ит|ят|ут|им|ла|ло|ли|"
        "ия|ию|ии|иё|а|я|о|е|у|ю|ы|и|ь|й|л)$"
    ),
    erasable_endings=word_set(
        """
        а ам ами ах ая е ев его ее ей ем ему ет ете ешь ею и ие ии ий им ими ию ия ит ите их ишь й л ла ли ло
        ов ого ое ой ом ому ою у ую ут ы ые ый ым ыми ых ть ти ь ью ье ья ю юю ют я ям ями ях яя ят
        """
    ),
)
