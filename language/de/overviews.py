"""Questions over time and over everything in German."""

from __future__ import annotations

from typing import Final

from language.overviews import OverviewPatterns
from language.words import word_set

_SUMMARY: Final = r"(?:überblick|übersicht|zusammenfassung|rückblick|rückschau|zwischenstand|resümee)"

OVERVIEWS: Final = OverviewPatterns(
    order=(
        r"in welcher (?:\w+ )?(?:reihenfolge|abfolge)|der reihe nach|in (?:der |zeitlicher |chronologischer |"
        r"richtiger )?"
        r"reihenfolge|chronologisch\w*|(?:der|den|die|wie war|ein\w*)(?: der| die)? (?:zeitlich\w* )?"
        r"(?:ablauf|abfolge|reihenfolge|zeitverlauf|chronik|chronologie)|zeitstrahl|zeitleiste|was (?:kam|war) zuerst|"
        r"schritt für schritt,? was (?:ich|wir)"
    ),
    change=(
        r"was hat sich(?: [\wäöüß-]+){0,12}? (?:ge|ver)ändert|was hat sich(?: [\wäöüß-]+){0,12}? getan|"
        r"was hat sich(?: [\wäöüß-]+){0,12}? (?:entwickelt|verbessert|verschlechtert)|"
        r"was (?:ist|war)(?: [\wäöüß-]+){0,6}? anders geworden|"
        r"(?:wie|inwiefern) (?:hat|haben) sich(?: [\wäöüß-]+){1,12}? "
        r"(?:entwickelt|verändert|geändert|gewandelt|verbessert|verschlechtert)|"
        r"wie (?:ist|sind|lief|liefen)(?: [\wäöüß-]+){1,10}? (?:verlaufen|vorangekommen|gelaufen|weitergegangen)|"
        r"(?:welche|was für|wie viele?) (?:\w+ )?(?:fortschritte?|veränderung(?:en)?|änderung(?:en)?|"
        r"entwicklung(?:en)?)|"
        r"wie weit (?:bin ich|sind wir)"
    ),
    summary=(
        r"fass(?:e|t|en sie)?(?: [\wäöüß-]+){0,14}? zusammen|zusammenfassen|zusammenzufassen|resümier\w*|"
        r"rekapitulier\w*|"
        rf"(?:gib|gebt|geben|mach|mache|schreib|schreibe|erstell|erstelle|zeig|liefere|hätte|brauche|möchte|will|"
        rf"kannst|"
        rf"könntest)(?: [\wäöüß-]+){{0,6}}? {_SUMMARY}"
    ),
    decisions=(
        r"was (?:haben wir|habe? ich|hatten wir|hatte ich)(?: [\wäöüß-]+){0,10}? (?:beschlossen|entschieden|vereinbart|"
        r"abgemacht|ausgemacht|festgelegt|verabredet)|"
        r"(?:worauf|wofür|wogegen|auf was|für was)(?: [\wäöüß-]+)? (?:haben|hatten|habe?|hatte) (?:wir uns|ich mich)"
        r"(?: [\wäöüß-]+){0,10}? (?:geeinigt|verständigt|entschieden|festgelegt)|"
        r"(?:welche|was für) (?:\w+ )?(?:entscheidung(?:en)?|beschlüsse|vereinbarung(?:en)?|abmachung(?:en)?) "
        r"(?:haben|hatten|habe?|hatte) (?:wir|ich)|(?:alle|unsere|meine|die) (?:entscheidungen|beschlüsse|"
        r"vereinbarungen)"
        r"(?:, die)? (?:wir|ich|auf|aus|vom|von)"
    ),
    everything=(
        r"alles,? was (?:ich|wir)|alles,? was du|alles,? worüber (?:ich|wir)|"
        r"alles (?:über|von|zu) (?:mich|mir|mein\w*|uns|unser\w*)|(?:weißt|weisst|hast|kennst) du (?:\w+ )?alles|"
        r"was (?:habe?|hatte) ich dir alles|was (?:haben|hatten) wir alles|was alles|(?:sag|erzähl|nenn|"
        r"zeig)\w* mir alles "
        r"davon"
    ),
    shared=(
        r"(?<!für )(?<!in )(?:mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|unsre[nmrs]?)|wir|uns|"
        r"ich(?! (?:soll|sollte|muss|müsste|kann|könnte|darf|will|möchte|brauche)\b)"
    ),
    advice=(
        r"(?:soll|sollte|sollten|sollen|muss|müsste|müssen|darf|dürfen|kann|könnte|können) (?:ich|wir|man)|"
        r"(?:ich|wir|man)(?: [\wäöüß-]+){0,8}? (?:soll|sollte|sollten|sollen|muss|müssen)|nehme ich|mache ich"
    ),
    given=(
        r"(?:dies(?:e[nmrs]?)?|den|das|die) (?:folgende[nmrs]? |angehängte[nmrs]? |obige[nmrs]? |verlinkte[nmrs]? )?"
        r"(?:artikel|texte?|aufsatz|seiten?|dokumente?|dateien?|datei|pdf|links?|e-?mails?|videos?|absatz|absätze)|"
        r"folgende[nmrs]?|unten|angehängt\w*|https?:|www\."
    ),
    asks=(
        r"(?:bitte )?(?:erzähl|erzähle|sag|sage|nenn|nenne|zähl|zähle|liste|fass|fasse|gib|zeig|zeige|beschreib|"
        r"beschreibe|ordne|mach|mache|schreib|schreibe|erstell|erstelle|rekapituliere|resümiere|geh|gehe)\b|"
        r"ich (?:hätte|möchte|brauche|will|würde) (?:gern|gerne|bitte|eine|einen|wissen|alles)"
    ),
    talk=word_set(
        """
        erzählt erzählen erzähl erzähle gesagt sagen sag sage gesprochen sprechen gespräch gespräche gesprächen geredet
        reden besprochen besprechen erwähnt erwähnen unterhalten unterhaltung unterhaltungen reihenfolge reihe abfolge
        ablauf chronologisch zeitlich zeitlicher zusammen fass fasse zusammenfassung überblick übersicht gib mach mache
        auflisten liste nenn nenne alles bisher letzten letzte letztes letzter woche wochen monat monate monaten jahr
        jahre tag tage seit geändert verändert entwickelt getan fortschritte fortschritt entwicklung gemacht beschlossen
        entschieden entscheidungen geeinigt vereinbart getroffen weißt kurz kurze kurzen ausführlich gelaufen verlaufen
        """
    ),
)
