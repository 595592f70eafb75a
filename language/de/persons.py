"""Persons in German."""

from __future__ import annotations

from typing import Final

from language.persons import Persons
from language.words import word_set

PERSONS: Final = Persons(
    asker="[Ii]ch|[Mm]ein|[Mm]eine[mnrs]?|mich|mir",
    speakers=r"[Ii]ch|[Mm]ein\w*|[Mm]ich|[Mm]ir|[Ww]ir|[Uu]ns\w*",
    first_person=word_set(
        "ich mir mich mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer"
    ),
    listener="du|dein|deine|dich|dir",
    asks_what_was_answered=(
        r"\bdu\s+(?:\w+\s+){0,2}(?:gesagt|empfohlen|vorgeschlagen|gegeben|geschrieben|erwähnt)\b|\berinner\w* mich\b"
    ),
    asks_what_was_told=r"\b(?:ich\s+(?:\w+\s+){0,2}(?:gesagt|erzählt|erwähnt)|(?:sagte|erzählte|erwähnte) ich)\b",
    together="beide|und",
)
