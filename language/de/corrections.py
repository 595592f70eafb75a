"""Corrections in German."""

from __future__ import annotations

from typing import Final

from language.corrections import CorrectionPatterns

CORRECTIONS: Final = CorrectionPatterns(
    interjections=r"ach|ah|oh|äh+m?|hm+|öh+m?|na|ja|ups|hoppla|mist|oje|mensch|und|aber|also",
    openers=(
        r"(?:ups|hoppla|mist|äh)(?=\s*[,.:;!–—-])|blödsinn|unsinn|käse|(?:doch )?(?:lieber|eher)|"
        r"(?:nein|nee|ne|nö)(?:[,\s]+(?:nein|nee))*(?=\s*[,.:;!–—-])|nein (?:warte|moment|stopp|halt|doch)|"
        r"nee (?:warte|moment)|"
        r"wart(?:e|et)?(?: mal| kurz)?|moment(?: mal)?|halt(?=\s*[,.:;!–—-])|stopp|quatsch|"
        r"(?:sorry|entschuldig(?:ung|e|en sie))"
        r"(?=\s*[,.:;!–—-]|\s*$|\s+(?:\d|nicht|es|das|der|die|um|am|im|in|ich mein))|"
        r"pardon|verzeihung|korrektur|berichtigung|tippfehler|verschrieben|mein fehler|falsch|"
        r"(?:da |jetzt )?hab(?:e)? ich mich (?:vertan|geirrt|verschrieben|vertippt|versprochen|verlesen)|"
        r"(?:ich )?hab(?:e)? mich (?:da )?(?:vertan|geirrt|verschrieben|vertippt|versprochen|verlesen)|"
        r"ich hab(?:e)? (?:das|es|da was|etwas|die) (?:falsch (?:gesagt|geschrieben|in erinnerung)|verwechselt)|"
        r"das (?:war|ist|stimmt) (?:falsch|nicht richtig|nicht korrekt|ein tippfehler|so nicht|nicht)|stimmt (?:gar |"
        r"so )?nicht|"
        r"ich (?:wollte sagen|meinte(?: natürlich| eigentlich)?|meine(?= natürlich|\s*[,:]))|gemeint war|"
        r"ich muss mich (?:korrigieren|berichtigen)|lass mich das (?:korrigieren|berichtigen)|vergiss das|"
        r"das (?:muss|müsste|sollte) (?:heißen|sein)|besser gesagt|genauer gesagt|richtiger|vielmehr|beziehungsweise|"
        r"bzw\.?|doch nicht|ich nehme das zurück"
    ),
    denials=(
        r"nein|nee|nö|falsch|(?:das )?stimmt (?:so |gar )?nicht|(?:das ist )?(?:falsch|nicht richtig|nicht wahr|"
        r"verkehrt)|"
        r"nicht mehr|quatsch"
    ),
    topics=(
        (
            r"(?:bei|mit|wegen|in) (?P<topic>[^,.:;!–—]{1,40}?) (?:hab(?:e)?|hatte) ich (?:mich )?"
            r"(?:geirrt|vertan|verguckt|verlesen|unrecht)\s*[,.:;!–—-]"
        ),
        r"ich hab(?:e)? mich (?:bei|mit|wegen|in) (?P<topic>[^,.:;!–—]{1,40}?) (?:geirrt|vertan|verlesen)\s*[,.:;!–—-]",
        (
            r"(?:zu|wegen|was) (?P<topic>(?:der|dem|des|die|den|das|meine\w|unsere\w) [^,.:;!–—]{1,30}?)(?: (?:an)"
            r"?(?:geht|betrifft))?\s*[:,–—-]"
        ),
    ),
    weak_openers=r"eigentlich|tatsächlich|in wirklichkeit|genau genommen|also|doch|übrigens",
    contrasts=(
        r"(?:.{0,60}?\b)?(?:nicht|keine?[nrms]?)\s+{wrong}\s*,?\s*\bsondern\s+{right}",
        r"(?:(?:es|das|er|sie|dies)\s+(?:ist|war|sind|heißt)\s+)?nicht\s+{wrong}\s*[,;:–—-]\s*{right}",
        (
            r"(?:.{0,60}?\b)?(?:ist|war|sind|heißt|heisst|wohnt|geht|kommt)\s+(?:gar |doch |ja )?(?:nicht|"
            r"keine?[nrms]?)\s+{wrong}\s*[,;:–—-]\s*{right}"
        ),
        r"(?:ohne|keine?[nrms]?)\s+{wrong}\s*,\s*(?:sondern\s+)?(?=mit\b){right}",
        r"{right}\s*,?\s+(?:und\s+)?nicht\s+{wrong}",
        r"{right}\s+(?:statt|anstatt|anstelle(?: von)?)\s+{wrong}",
        r"(?:statt|anstatt|anstelle(?: von)?)\s+{wrong}\s*,?\s*{right}",
        (
            r"(?:ich\s+(?:hab(?:e)?|hatte)|hab(?:e)?\s+ich|(?:als|wo) ich)\s+{wrong}\s+(?:gesagt|geschrieben|getippt)"
            r"\s*(?:hab(?:e)?)?\s*,?\s*"
            r"(?:aber\s+|und\s+)?(?:ich\s+)?(?:meinte|gemeint war|meine|richtig ist|es ist|es sind)\s+(?:aber\s+|"
            r"ich\s+|eigentlich\s+|natürlich\s+)*{right}"
        ),
        r"(?:bitte\s+)?(?:ändere|ersetze|korrigiere|tausche)\s+{wrong}\s+(?:zu|durch|in|auf|gegen|mit)\s+{right}",
        r"{wrong}\s+(?:ist|war) falsch\s*[,;:–—-]\s*{right}",
    ),
    fillers=(
        r"(?:es|das|er|sie|dies)\s+(?:ist|war|sind|heißt|heisst|muss|müsste|soll|sollte)(?: eigentlich| natürlich|"
        r" doch)?(?: heißen)?|"
        r"ich (?:meine|meinte)(?: natürlich| eigentlich| doch)?|sondern|richtig (?:ist|wäre|heißt es)|"
        r"(?:sein|ihr|der|die|das) (?:richtiger? |richtige |korrekte )?(?:name|uhrzeit|datum|tag|nummer|adresse|"
        r"termin) (?:ist|war)"
    ),
    courtesies=(
        r"sorry|entschuldigung|natürlich|klar|bitte|danke|meinte ich|meine ich|wollte ich sagen|haha|ups|stattdessen"
    ),
    closers=(
        r"sorry|entschuldigung|mein fehler|tippfehler|meinte ich|meine ich|wollte ich sagen|(?:hab(?:e)? )?(?:mich )?"
        r"(?:verschrieben|vertippt|vertan|geirrt|versprochen)|(?:hab(?:e)? )?nachgeschaut|korrektur"
    ),
    additions=r"auch|ebenfalls|ebenso|außerdem|zusätzlich|noch ein(?:e[nrms]?)?|sowohl|weder|beide",
    copulas=r"ist|ists|wars|sind|war|waren|bin|heißt|heisst|heißen|wird|werden",
    prepositions=(
        r"in|im|ins|an|am|auf|aus|bei|beim|bis|durch|für|gegen|mit|nach|neben|ohne|seit|über|um|unter|von|vom|vor|"
        r"zu|zum|zur|zwischen|hinter|ab|als|"
        r"und|oder|aber|weil|wo|denn|sondern"
    ),
    clocks=(
        r"(?:um\s+)?\d{1,2}(?:[:.]\d{2})\s?(?:uhr)?|\d{1,2}\s?uhr(?:\s\d{2})?|halb \w+|viertel (?:vor|nach) \w+|"
        r"mittags?|mitternacht"
    ),
)
