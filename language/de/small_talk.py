"""Small talk of German."""

from __future__ import annotations

from typing import Final

from language.small_talk import SmallTalk, phrases
from language.words import word_set

SMALL_TALK: Final = SmallTalk(
    words=word_set(
        """
        hallo hallöchen moin moinmoin servus tschuss tschüss tschüß tschau danke dankeschön dankesehr bitte bitteschön
        ja jap jep nein nee nö doch gut prima super klasse spitze klar genau okay achso aha ach naja tja entschuldigung
        verstanden stimmt passt gern gerne jawohl natürlich schade echt perfekt wunderbar richtig
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
        danke sehr
        herzlichen dank
        besten dank
        tausend dank
        bis bald
        bis später
        bis morgen
        bis dann
        bis gleich
        schönen tag noch
        schönen abend noch
        schönes wochenende
        mach's gut
        alles klar
        alles gut
        kein problem
        kein ding
        gern geschehen
        nichts zu danken
        na klar
        na gut
        in ordnung
        sehr gut
        ganz gut
        passt schon
        ach so
        ach ja
        macht nichts
        geht klar
        freut mich
        das ist schön
        das ist gut
        das freut mich
        das stimmt
        so ist es
        schon gut
        """
    ),
    about_assistant=phrases(
        """
        was kannst du
        was kannst du alles
        was machst du
        wer bist du
        was bist du
        wie heißt du
        wie ist dein name
        """
    ),
    wellbeing=phrases(
        """
        wie geht's
        wie geht's dir
        wie gehts
        wie gehts dir
        wie geht es dir
        wie geht es ihnen
        wie läuft's
        alles gut bei dir
        was gibt's neues
        """
    ),
    fillers=word_set("dir euch ihnen schön sehr noch mal zusammen für alles und"),
    thanks=word_set("danke dankeschön dank"),
    farewells=word_set("tschüss tschüs tschuess wiedersehen servus nacht bald"),
    hellos=word_set("hallo moin guten tag abend grüß"),
)
