"""Small talk of German."""

from __future__ import annotations

from typing import Final

from language.small_talk import SmallTalk, phrases
from language.words import vocabulary

SMALL_TALK: Final = SmallTalk(
    words=vocabulary(
        """
        hallo moin servus tschuss tschüss danke bitte ja nein doch gut prima super klar genau
        """
    ),
    phrases=phrases(
        """
        guten tag
        guten morgen
        guten abend
        gute nacht
        auf wiedersehen
        vielen dank
        danke schön
        """
    ),
    thanks=vocabulary("danke dankeschön dank"),
    farewells=vocabulary("tschüss tschüs tschuess wiedersehen servus nacht bald"),
    hellos=vocabulary("hallo moin guten tag abend grüß"),
)
