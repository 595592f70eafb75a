"""Changes in German."""

from __future__ import annotations

from typing import Final

from language.changes import Change, Changes

CHANGES: Final = Changes(
    kinds=(
        Change(
            r"(?:um|aus|weg|zurück)gezogen|(?:zieh(?:e|t|en)|zog(?:en)?)(?: [\w.]+){0,6}? (?:um|aus|weg)|"
            r"gezogen|zog(?:en)?(?: [\w.]+){0,4}? nach|umzug",
            r"wohn\w{1,4}|leb(?:e|t|en|te|ten)|zuhause|zu hause|adresse|wohnung|haus",
            personal=True,
            own=True,
        ),
        Change(
            r"(?:ver|weiterver)kauft(?:e|en)?|verschenkt(?:e|en)?|weggegeben|weggeworfen|entsorgt(?:e|en)?|verloren|"
            r"gestohlen|geklaut|kaputt(?:gegangen)?|zurückgegeben|eingetauscht|verschrottet|gespendet|"
            r"verlor(?:en)?|gab(?: [\w.]+){0,6}? (?:weg|ab|zurück)|abgegeben",
            (
                r"hab\w{0,3}|hat(?:te|ten)?|besitz\w{1,3}|gekauft|fahr\w{0,3}|fährt|nutz\w{1,3}|benutz\w{1,3}|ist|"
                r"sind|gehört|trag\w{0,3}|spiel\w{0,3}"
            ),
        ),
        Change(
            r"zurück(?:ge)?(?:zahlt|gegeben|bezahlt)|(?:zahl\w{1,4}|gab(?:en)?|geb\w{0,2}|gibt)(?: [\w.]+)"
            r"{0,6}? zurück|"
            r"beglichen|abbezahlt|abgezahlt|bezahlt|quitt|getilgt",
            r"schuld\w{0,5}|gelieh\w{1,3}|leih\w{0,3}|geborgt|ausgelegt|offen",
            personal=True,
        ),
        Change(
            r"gekündigt|kündigt(?:e|en)?|(?:in )?rente|pensioniert|in pension|entlassen|gefeuert|"
            r"(?:hör\w{0,4})(?: [\w.]+){0,6}? auf|aufgehört|den job (?:gewechselt|"
            r"verloren)|gewechselt|"
            r"arbeitslos|(?:neue[nrs]?|anderen?) (?:job|stelle|arbeit)|fäng\w{0,2}|angefangen|verlassen",
            r"arbeit\w{0,4}|job|stelle|angestellt|beruf|chef\w{0,3}|bin [a-zäöü]\w+|ist \w+",
            personal=True,
            own=True,
        ),
        Change(
            r"getrennt|trenn\w{1,4}|geschieden|scheid\w{1,4}|schluss gemacht|auseinander|single|geheiratet|verlobt|"
            r"entlobt|wieder zusammen",
            r"verheiratet|geheiratet|zusammen|verlobt|freund(?:in)?|partner(?:in)?|mann|frau|ehe\w{0,4}|single|paar",
            personal=True,
            own=True,
        ),
        Change(
            r"abgesagt|gekündigt|abbestellt|sag\w{1,3}(?: [\w.]+){0,6}? ab|verschoben|verschieb\w{1,3}|verlegt|"
            r"storniert|ausgefallen|"
            r"fäll\w{1,2}(?: [\w.]+){0,4}? aus|vorgezogen|geplatzt|gestrichen|findet nicht statt|geschlossen|aufgelöst",
        ),
        Change(
            r"(?:wieder )?gesund|genesen|geheilt|verheilt|erholt|(?:aus dem krankenhaus|entlassen)|wieder (?:fit|"
            r"zu hause|zuhause)|"
            r"geht (?:es )?(?:\w+ ){0,3}?(?:wieder )?(?:besser|gut)|gips (?:ist )?(?:ab|weg)",
            (
                r"krank\w{0,6}|gebroch\w{1,3}|grippe|fieber|verletz\w{1,3}|operiert|operation|erkält\w{1,4}|"
                r"schmerz\w{0,3}|gips|infekt\w{0,4}"
            ),
            personal=True,
            own=True,
        ),
        Change(r"gestorben|verstorben|starb(?:en)?|eingeschläfert|tot|eingeschlafen", personal=True),
        Change(
            r"(?:nicht|keine?[nrms]?|nie)(?: [\w.]+){0,4}? mehr|nie mehr|nie wieder|nicht länger|aufgehört|aufgegeben|"
            r"abgebrochen|beendet|(?:hin)?geschmissen|"
            r"fertig|"
            r"abgeschlossen|vorbei|zu ende|abgelaufen|umgestiegen|ersetzt|repariert|wiedergefunden|gefunden|"
            r"früher|abgewöhnt",
        ),
    ),
    past=(
        r"früher|vorher|zuvor|damals|davor|bisher|war(?:en|st)?|hatte[nst]{0,2}|ursprünglich|zuerst|jemals|ha(?:be|st|"
        r"t|ben)(?= .*\bge\w+t?\b)"
    ),
    speaker=r"ich|wir",
    implied=(
        r"(?:endlich |jetzt |nun |also |und )?(?:hab|habe|haben|bin|sind|war|waren|mag|muss|müssen|darf|wohne?|arbeite|"
        r"fahre?|esse?|trinke?|nehme?|spiele?|lerne?|ziehe?n?|suche?|brauche?)"
    ),
    absent=(
        r"(?:noch )?nicht (?:um|aus)?(?:gezogen|verkauft|bezahlt|gekündigt|abgesagt)|(?:will|wollen|möchte\w{0,1}|"
        r"plane\w{0,1}|"
        r"werde|wird|werden|würde\w{0,1}|soll\w{0,4}|muss|müssen|könnte\w{0,1}|falls|wenn)\b.{0,60}?\b(?:umziehen|"
        r"ausziehen|verkaufen|"
        r"zurückzahlen|kündigen|absagen|trennen|aufhören)|geträumt|träum\w{1,3}|traum|stell\w{0,2} (?:dir|euch) vor|"
        r"angeboten|beinahe|fast|scherz|spaß|spass|nicht (?:meine?[rsnm]?|unsere?[rsnm]?|ich|wir)|"
        r"betrifft (?:mich|uns)(?: \w+){0,3}? nicht"
    ),
    now=(
        r"jetzt|nun|mittlerweile|inzwischen|neuerdings|ab (?:sofort|heute|jetzt|diesem|dieser|nächstem|nächster)|"
        r"seit (?:heute|gestern|kurzem|neuestem|letzte[rm]|diese[rm])|nur noch|wieder|stattdessen|nicht mehr|"
        r"kein\w{0,2} mehr|endlich|doch|weg|fort|rum|geändert|gewechselt|umgestellt|umbenannt|erhöht|gesenkt|"
        r"getauscht|neue[rnsm]?|geschmissen|hingeschmissen|aus und vorbei|erledigt|geschafft"
    ),
)
