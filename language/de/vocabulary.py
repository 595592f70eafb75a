"""Words of German."""

from __future__ import annotations

from typing import Final

from language.vocabulary import Vocabulary
from language.words import word_set

VOCABULARY: Final = Vocabulary(
    stop_words=word_set(
        """
        aber alle als also am an auch auf aus bei beim bin bis bist bitte da damit danke dann das dass dein deine
        deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du ein
        eine einem einen einer eines er es etwas euch euer eure für hab habe haben hallo hat hatte hatten hier ich ihm
        ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jetzt kann kannst kein keine können könnt mal man mein
        meine meinem meinen meiner mich mir mit muss musst nach nicht noch nur ob oder ohne schon sehr sei seid sein
        seine seit selbst sich sie sind so um und uns unser unsere unserem unseren unserer unter vom von vor wann war
        waren warum was wegen weil welche welcher welches wem wen wenn wer werde werden weshalb wessen wie wieder
        wieso wir wird wo woher wohin womit wurde zu zum zur über will keinen keinem keiner keines darf dürfen mehr
        möchte müssen soll sollte viel viele vielen weswegen wobei wodurch wofür wogegen woran woraus worauf worüber
        worum wovon wovor wozu
        """
    ),
    ambiguous_words=word_set("die war man bin hat wo"),
    contrast_words=word_set(
        """
        selbst unter
        """
    ),
    negations=r"\b(?:nicht|nichts|nie|niemals|niemand\w{0,2}|nirgends|weder|ohne|kein\w{0,2})\b",
    asking_words=word_set(
        """
        aktuell derzeit eben eigentlich erinner erinnere erinnerst erwähnt erzähl erzähle erzählt erzählte genau
        gerade gesagt liebsten momentan nenn nenne nochmal sag sage sagen sagte weiss weisst wissen zeig zeige
        """
    ),
    opening_words=word_set("der die das ein eine er sie es wir ich mein seit im am"),
    skill_words=word_set(
        "benutzen benutzt benutzer brauche fragt gib hilf hilfe mach nutzer nutzt sag schreib skill verwenden verwendet"
    ),
)
ABBREVIATIONS: Final = r"z\.b|bzw|usw|nr|dr|prof|str|ca|evtl|ggf|inkl|vgl|d\.h|u\.a"
AFTER_ORDINALS: Final = (
    r"stock|etage|klasse|semester|jahrhundert|geburtstag|platz|mal|kapitel|liga|bezirk|advent|hochzeitstag|runde|"
    r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|apr|jun|jul|aug|"
    r"sept?|okt|nov|dez"
)
