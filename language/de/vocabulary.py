"""Words of German."""

from __future__ import annotations

from typing import Final

from language.words import vocabulary

STOP_WORDS: Final = vocabulary(
    """
    aber alle als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den der des dich die
    dir doch     dort du ein eine einem einen einer eines er es etwas euch euer für hab habe haben hat hatte hatten
    ich ihm ihn ihr ihre     im ist ja kann kein keine man mein meine meinem meinen meiner mich mir mit nach nicht
    noch nur ob oder ohne schon sehr     sein seine sich sie sind so über um und uns unser unsere vom von vor wann
    war waren warum was wegen weil welche welcher     welches wem wen wenn wer werde werden wie wieder wir wird wo
    wurde zu zum zur hallo danke bitte
    """
)
AMBIGUOUS_WORDS: Final = vocabulary("die war man bin hat wo")
"""Stop words that are content words in English: a text's index keeps them, and their rarity weighs them."""

ABBREVIATIONS: Final = r"z\.b|bzw|usw|nr|dr|prof|str|ca|evtl|ggf|inkl|vgl|d\.h|u\.a"
