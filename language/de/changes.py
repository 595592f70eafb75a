"""Changes, corrections and requests to forget in German."""

from __future__ import annotations

from typing import Final

from language.changes import Changes, CorrectionPatterns, ForgettingPatterns
from language.words import word_set

CHANGES: Final = Changes(
    ends=(
        r"(?:weiter)?verkauft(?:e|en)?|verschenkt(?:e|en)?|weggegeben|weggeworfen|entsorgt(?:e|en)?|verloren|gestohlen|"
        r"geklaut|kaputt(?:gegangen)?|(?:um|aus|weg)?gezogen|gekündigt|kündigt(?:e|en)?|abgesagt|abbestellt|verschoben|"
        r"verlegt|storniert|ausgefallen|sag\w{1,3}(?: [\w.]+){0,6}? ab|fäll\w{1,2}(?: [\w.]+){0,4}? (?:aus|flach)|"
        r"(?:nicht|keine?[nrms]?|nie)(?: [\w.]+){0,4}? mehr|aufgehört|aufgegeben|getrennt|gestorben|verstorben|vorbei"
    ),
    pays=(
        r"(?:zurück|wieder)(?:ge)?(?:zahlt|gegeben|bezahlt)|(?:zahl\w{1,4}|gab(?:en)?|geb\w{0,2}|gibt)"
        r"(?: [\w.]+){0,6}? zurück|(?<=\d )(?:euro |eur )?(?:schon |bereits )?(?:gegeben|überwiesen)|beglichen|"
        r"abbezahlt|abgezahlt|bezahlt|quitt|getilgt|(?:zurück|wieder)(?:bekommen|gekriegt)"
    ),
    owes=r"schuld\w{0,5}|gelieh\w{1,3}|leih\w{0,3}|geborgt|gepumpt|vorgestreckt|ausgelegt|offen",
    past=(
        r"früher|vorher|zuvor|damals|davor|bisher|war(?:en|st)?|hatte[nst]{0,2}|ursprünglich|zuerst|jemals|ha(?:be|st|"
        r"t|ben)(?= .*\bge\w+t?\b)(?! .*ge(?:legt|stellt|parkt|packt|räumt)\b)"
    ),
    speaker=r"ich|wir|(?:hat|haben) (?:mich|uns)",
    implied=(
        r"(?:endlich |jetzt |nun |also |und )?(?:hab|habe|haben|bin|sind|war|waren|mag|muss|müssen|darf|wohne?|arbeite|"
        r"fahre?|esse?|trinke?|nehme?|spiele?|lerne?|ziehe?n?|suche?|brauche?|vertrage?)"
    ),
    others=r"seine[nrsm]?|ihre[nrsm]?",
    joins=r"und|sowie",
    now=r"jetzt|nun|mittlerweile|inzwischen|neuerdings|endlich|wieder",
)


CORRECTIONS: Final = CorrectionPatterns(
    interjections=r"ach|ah|oh|äh+m?|hm+|öh+m?|na|ja|ups|hoppla|mist|oje|mensch|und|aber|also",
    openers=(
        r"(?:das )?stimmt (?:ja |doch )?(?:gar |so )?nicht(?=\s*[,.:;!?–—-])|(?:ach,? )?was "
        r"(?:red|sag|schreib|erzähl)e? ich(?: (?:da|denn|nur))*(?=\s*[,.:;!?–—-])|(?:ich lüge|gelogen|dicke finger|"
        r"(?:blöde |die )?autokorrektur)(?=\s*[,.:;!?–—-])|(?:ups|hoppla|mist|äh)(?=\s*[,.:;!–—-])|blödsinn|unsinn|"
        r"käse|(?:doch )?(?:lieber|eher)|(?:(?:es|das) )?(?:war|waren|warn) (?:doch|eigentlich|tatsächlich)"
        r"(?=\s+(?:\w+\s+)?\d)|(?:nein|nee|nö)(?=\s+[^,.;:!?]{0,40}\d)|(?:nein|nee|ne|nö)"
        r"(?:[,\s]+(?:nein|nee))*(?=\s*[,.:;!–—-]|\s+(?:der|die|das|mein\w{0,2}|unser\w{0,2}|er|sie|es|ich|wir)"
        r"\b)|nein (?:warte|moment|stopp|halt|doch)|nee (?:warte|moment)|wart(?:e|et)?(?: mal| kurz)?|"
        r"moment(?: mal)?|halt(?=\s*[,.:;!–—-])|stopp|quatsch|(?:sorry|entschuldig(?:ung|e|en sie))"
        r"(?=\s*[,.:;!–—-]|\s*$|\s+(?:\d|nicht|es|das|der|die|um|am|im|in|ich mein))|pardon|verzeihung|korrektur|"
        r"berichtigung|tippfehler|verschrieben|mein fehler|falsch|(?:da |jetzt )?hab(?:e)? ich mich "
        r"(?:vertan|geirrt|verschrieben|vertippt|versprochen|verlesen)|(?:ich )?hab(?:e)? mich "
        r"(?:da )?(?:vertan|geirrt|verschrieben|vertippt|versprochen|verlesen)|(?:verwechselt|vertauscht|vertan|"
        r"verwechslung)(?=\s*[,.:;!–—-])|ich hab(?:e)? (?:das|es|da was|etwas|die) (?:falsch "
        r"(?:gesagt|geschrieben|in erinnerung)|verwechselt)|(?:das (?:war|ist|stimmt)|gar) "
        r"(?:falsch|nicht wahr|nicht richtig|nicht korrekt|ein tippfehler|so nicht|nicht)|stimmt (?:gar |so )?nicht|"
        r"meinte(?=\s+(?:(?:natürlich|eigentlich|am|um|im|den|die|das|der)\s+){0,2}(?:\d\S*|(?-i:[A-ZÄÖÜ])\w*)"
        r"[\s.!]*$)|ich (?:wollte sagen|meinte(?: natürlich| eigentlich)?|meine(?= natürlich|\s*[,:]))|gemeint war|"
        r"ich muss mich (?:korrigieren|berichtigen)|lass mich das (?:korrigieren|berichtigen)|(?:vergiss|streich) "
        r"das|das (?:muss|müsste|sollte) (?:heißen|sein)|besser gesagt|genauer gesagt|richtiger|vielmehr|"
        r"beziehungsweise|bzw\.?|doch nicht|ich nehme das zurück"
    ),
    denials=(
        r"nein|nee|nö|falsch|(?:das )?stimmt (?:so |gar )?nicht|(?:das ist )?(?:falsch|nicht richtig|nicht wahr|"
        r"verkehrt)|nicht mehr|quatsch"
    ),
    weak_openers=(
        r"(?:(?:ach )?(?:ne|nee|nö|nein)|ups|hoppla)(?=(?:\s+[^\s,.!?]+){1,3}\s*(?:[,.!]|$))|"
        r"eigentlich|tatsächlich|in wirklichkeit|genau genommen|also|doch|übrigens"
    ),
    contrasts=(
        r"(?:.{0,60}?\b)?(?:nicht?|keine?[nrms]?)\s+{wrong}\s*,?\s*\bsondern\s+{right}",
        r"(?:(?:es|das|er|sie|dies)\s+(?:ist|war|sind|heißt)\s+)?nicht?\s+{wrong}\s*[,;:–—-]\s*{right}",
        (
            r"(?:.{0,60}?\b)?(?:ist|war|sind|heißt|heisst|wohnt|geht|kommt)\s+(?:gar |doch |ja )?(?:nicht?|"
            r"keine?[nrms]?)\s+{wrong}\s*[,;:–—-]\s*{right}"
        ),
        r"(?:ohne|keine?[nrms]?)\s+{wrong}\s*,\s*(?:sondern\s+)?(?=mit\b){right}",
        r"{right}\s*,?\s+(?:und\s+)?nicht?\s+{wrong}",
        r"{right}\s+(?:statt|anstatt|anstelle(?: von)?)\s+{wrong}",
        r"(?:statt|anstatt|anstelle(?: von)?)\s+{wrong}\s+(?=[a-zäöüß]+\s+(?:ich|wir|er|sie|es)\b){right}",
        r"(?:statt|anstatt|anstelle(?: von)?)\s+{wrong}\s*,?\s*{right}",
        (
            r"(?:ich\s+(?:hab(?:e)?|hatte)|hab(?:e)?\s+ich|(?:als|wo) ich)\s+{wrong}\s+(?:gesagt|geschrieben|"
            r"getippt)\s*(?:hab(?:e)?)?\s*,?\s*(?:aber\s+|und\s+)?(?:ich\s+)?(?:meinte|gemeint war|meine|richtig ist|"
            r"es ist|es sind)\s+(?:aber\s+|ich\s+|eigentlich\s+|natürlich\s+)*{right}"
        ),
        r"(?:bitte\s+)?(?:ändere|ersetze|korrigiere|tausche)\s+{wrong}\s+(?:zu|durch|in|auf|gegen|mit)\s+{right}",
        r"{wrong}\s+(?:ist|war) falsch\s*[,;:–—-]\s*{right}",
    ),
    fillers=(
        r"(?:es|das|er|sie|dies)\s+(?:ist|war|sind|heißt|heisst|muss|müsste|soll|sollte)"
        r"(?: eigentlich| natürlich| doch)?(?: heißen)?|ich (?:meine|meinte)(?: natürlich| eigentlich| doch)?|"
        r"sondern|richtig (?:ist|wäre|heißt es)|(?:sein|ihr|der|die|das) (?:richtiger? |richtige |korrekte )?(?:name|"
        r"uhrzeit|datum|tag|nummer|adresse|termin) (?:ist|war)"
    ),
    courtesies=(
        r"sorry|entschuldigung|natürlich|klar|bitte|danke|meinte ich|meine ich|wollte ich sagen|haha|ups|stattdessen"
    ),
    closers=(
        r"sorry|entschuldigung|mein fehler|tippfehler|meinte ich|meine ich|wollte ich sagen|(?:hab(?:e)? )?(?:mich )?"
        r"(?:verschrieben|vertippt|vertan|geirrt|versprochen|verlesen|verhört|verguckt|verrechnet|verzählt)|"
        r"(?:hab(?:e)? )?(?:ich )?(?:(?:das|es|die|den) )?(?:nachgeschaut|verwechselt|durcheinandergebracht|"
        r"falsch (?:gelesen|abgelesen|geschrieben|gehört|gemerkt))|zahlendreher|(?:blöde )?autokorrektur|dicke finger|"
        r"(?:das )?(?:verwechs(?:el|le)|vertausche?) ich (?:immer|dauernd|ständig|ewig)|korrektur"
    ),
    additions=r"auch|ebenfalls|ebenso|außerdem|zusätzlich|noch ein(?:e[nrms]?)?|sowohl|weder|beide",
    copulas=r"ist|ists|wars|sind|war|waren|bin|heißt|heisst|heißen|wird|werden",
    prepositions=(
        r"in|im|ins|an|am|auf|aus|bei|beim|bis|durch|für|gegen|mit|nach|neben|ohne|seit|über|um|unter|von|vom|vor|zu|"
        r"zum|zur|zwischen|hinter|ab|(?:an|auf|durch|für|hinter|über|um|unter|vor)s|als|und|oder|aber|weil|wo|denn|sondern"
    ),
    merged={
        **dict.fromkeys(("im", "ins"), "in"),
        **dict.fromkeys(("am", "ans"), "an"),
        **dict.fromkeys(("zum", "zur"), "zu"),
        "beim": "bei",
        "vom": "von",
    },
    clocks=(
        r"\d{1,2}(?:[:.]\d{2})\s?(?:uhr)?|\d{1,2}\s?uhr(?:\s\d{2})?|halb \w+|viertel (?:vor|nach) \w+|"
        r"mittags?|mitternacht"
    ),
)


_OBJECT: Final = r"(?P<object>.{1,500}?)\s"
"""Stands before the verb: a question, a wish and a bare request put it last."""
_INFINITIVE: Final = "(?:vergessen|löschen|entfernen)"
_MEMORY: Final = (
    r"(?:(?:dein(?:em|en|er)?|dem|den|ihrem|ihren)\s)?(?:gedächtnis|speicher|notizen|erinnerung(?:en)?|"
    r"unterlagen|daten|kopf|hirn|gehirn)\b"
)
_END: Final = r"\s{0,3}[.!]{0,9}$"

FORGETTING: Final = ForgettingPatterns(
    imports="Import",
    please="bitte",
    keeps=(
        r"(?:nicht|nie|niemals)(?: (?:wieder|mehr|zu|etwa)){0,2} verg(?:ess|iss)\w*|"
        r"(?:vergiss|verlier|lösch|streich|entfern)\w{0,2}\b[^,.:;?!]{0,60}\b(?:nicht(?! (?:mehr|nur|länger))|nie\w*)|"
        r"\A(?![^:,]*\b(?:nichts?|nie\w*|kein\w*|nur)\b)(?:(?:bitte|doch|mal|und|also|ok(?:ay)?|kannst|könntest|würdest|du|dir|solltest|musst|ich|möchte|will|"
        r"hätte|gern(?:e)?|dass),?\s+){0,8}(?:(?:(?:merk|notier|behalt|speicher|vermerk|bewahr)\w{0,2}|"
        r"präg\w? dir|denk\w? (?:bitte )?d(?:a|r|ar)an|schreib\w?(?: \w+){0,3} auf|schreib\w? auf|"
        r"halt\w?(?: \w+){0,3} fest|(?:mach|schreib)\w?(?: (?:dir|mir|eine|bitte))+ notiz)\b|"
        r"(?<=\w[,\s])(?:[\w-]+\s+){1,5}(?:merk|behältst|behalten|notier|aufschreib|festh[aä]lt)\w*)"
    ),
    restores=r"(?:hol|bring|stell)\w{0,3}(?: \w+){0,2} (?:zurück|wieder|her)(?! wie)|wiederherstell\w*|zurückhol\w*",
    undoes=(
        r"(?:mach|nimm|machs|nimms)(?:e)?(?: (?:das|es|dies|die (?:letzte|vorige) \w+|das letzte))?(?: wieder| bitte)*"
        r" (?:rückgängig|zurück)|(?:ich )?nehme? (?:das|es) (?:wieder )?zurück|"
        r"(?:rückgängig|zurücknehmen|widerrufen|zurück)(?: machen)?"
    ),
    drops_last=(
        r"(?:verg(?:iss|esst|essen)|lösch(?:en?)?|streich(?:en?)?|verw(?:irf|erfen)|n(?:imm|ehmen)|entfern(?:en?)?)"
        r"(?: sie)?(?: (?:mal|bitte|doch|einfach|lieber|wieder))*"
        r" (?:(?:den|die|meine?n?) letzten? (?:satz|nachricht|eintrag|aussage|angabe|sache|notiz|zeile)|"
        r"(?:das|mein) letzte(?: (?:wieder|von eben))?)(?: (?:wieder|bitte|mal|zurück|raus|weg))*|"
        r"das letzte(?: (?:bitte|wieder|kannst du|können sie))* (?:vergessen|löschen|streichen|zurücknehmen)"
    ),
    requests=(
        (rf"(?:(?:vergiss|vergesst|lösche?|löscht|entferne?|entfernt)|{_INFINITIVE} sie)\b(?P<object>.{{1,500}})"),
        rf"(?:kannst|könntest|würdest) du\s{{1,3}}{_OBJECT}{_INFINITIVE}\b",
        rf"(?:können|könnten|würden) sie\s{{1,3}}{_OBJECT}{_INFINITIVE}\b",
        rf"ich (?:möchte|will), dass (?:du|sie)\s{{1,3}}{_OBJECT}(?:vergisst|löschst|entfernst|{_INFINITIVE})\b",
        rf"(?<=bitte )(?P<object>[^,:]{{1,500}}?)\s{_INFINITIVE}{_END}",
        rf"(?P<object>[^,:]{{1,500}}?)\sbitte\s{_INFINITIVE}{_END}",
    ),
    orders=(
        (
            r"(?:nimm|nehmt|nehmen sie|streiche?|wirf|lösche?|entferne?|tilge?|hole?)\b(?P<object>.{1,300}?)"
            rf"\s(?:aus|von|in)\s{_MEMORY}"
        ),
        (
            r"(?:vergiss|vergesst|vergessen sie|tilge?|streiche?|verwirf)\b(?!\s+(?:es|das)\s{0,3}(?:[.,!]|$)|"
            r".{0,60}\b(?:nicht|nie)\b)(?P<object>.{1,300})"
        ),
        (
            r"(?!ich\b)(?P<object>(?:(?!\b(?:wir|er|sie|man|nicht|nie|zu)\b).){1,300}?)[:,]?\s(?:[–—-]\s)?"
            rf"(?:(?:bitte|(?:darf|kann|soll|könnte|würde)st(?: du)?|darf|kann|soll|aus {_MEMORY})\s){{1,3}}"
            r"(?:wieder\s)?(?:vergessen|löschen|streichen|tilgen|entfernen|rauswerfen|wegwerfen)\b"
        ),
        r"(?P<object>alles(?:\s\w+){0,4}?)\s(?:vergessen|löschen)\s{0,3}(?:[.!]|$)",
        r"wirf\b(?P<object>.{1,200}?)\sweg\b",
        r"(?P<object>.{1,200}?)\s(?:[–—-]\s)?(?:behalte?|merke?|speichere?) (?:dir )?(?:das|es|sie|ihn) nicht\b",
        (
            rf"(?P<object>(?:(?!\b(?:ich|wir|er|sie|man)\b).){{1,300}}?)\s(?:nehme?|"
            rf"nimm)\s(?:ich\s)?(?:zurück|(?:bitte\s)?aus {_MEMORY})"
        ),
        (
            r"(?:kannst|könntest|würdest|können|könnten|würden) (?:du|sie)\b(?P<object>(?:(?!\bnicht\b).){1,300}?)\s"
            r"(?:vergessen|löschen|streichen|tilgen)\b"
        ),
        r"(?:merke?|behalte?|speichere?)\s(?:dir\s)?(?P<object>.{1,200}?)\snicht (?:mehr|länger|weiter)\b",
        (
            r"(?:merke?|behalte?|speichere?)\s(?:dir\s)?(?:(?:das|dies|es|bitte)\s){0,2}nicht"
            r"(?::|,?(?=\s(?:dass|w\w+)\s))\s(?P<object>.{1,200})"
        ),
        (
            r"(?P<object>.{1,200}?)\s(?:sollst|musst|brauchst|darfst) du (?:dir )?nicht (?:mehr )?(?:zu )?"
            r"(?:merken|wissen|behalten|speichern)(?=\W*$|,)"
        ),
        (
            r"ich (?:möchte|will) nicht,? dass du\b(?P<object>.{1,200}?)\b"
            r"(?:weißt|weisst|merkst|behältst|speicherst)\b"
        ),
        r"ich (?:möchte|will) nicht,? dass du (?:weiter |noch |länger )?(?:weißt|weisst),?(?P<object>.{1,200})",
        (
            r"(?:lösche?|streiche?|entferne?)\s(?=(?:(?:die|diese|meine|den|alle|das)\s)?(?:\w+\s)?"
            r"(?:notiz\w*|erinnerung\w*|eintr\w+)\b)(?P<object>.{1,300})"
        ),
    ),
    favours="kannst|könntest|können|könnten|würdest|würden",
    about="über|von",
    ours=r"mein\w{0,2}|unser\w{0,2}|alles|was|dass",
    clauses=r"dass|ob|(?:(?:an|auf|bei|für|mit|von|zu) )?(?:was|wo\w*|we[rnm]|wessen|wie|wann|welche\w?)",
    denials=r"\b(?:nicht|nichts|nie|niemals|kein\w{0,2}|außer)\b",
    from_memory="aus (?:dem|deinem) gedächtnis",
    empty_words=word_set(
        """
        alles bitte doch mal einfach wieder jetzt ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen
        der die das den dem des dass daß ein eine einen einem einer eines dies diese diesen dieser dieses was wer wo wie
        mein meine meinen meinem meiner meines unser unsere unseren unserem unserer dein deine deinen und oder in im an
        am auf aus bei mit nach von vom zu zum zur über um für habe hast haben bist ist sind
        """
    ),
    sweeping_words=word_set("alles die letzte letzten letztes eingabe eintrag nachricht"),
    order_words=word_set(
        """
        vergiss vergessen vergisst vergesse lösch lösche löschen löschst gelöscht entfern entferne entfernen entfernt
        streich streiche streichen streichst gestrichen tilg tilge tilgen wirf schmeiß schmeiss schmeißen werfen hau
        nimm nehmen tu kick radier radiere vernichte vernichten verwirf lass weg raus rausschmeißen rauswerfen
        rausnehmen rausstreichen wegwerfen wegschmeißen heraus ausse verschwinden brauchst musst sollst kannst darfst
        merken merk behalten behalte aufheben speichern gespeichert gemerkt gedächtnis speicher notiz notizen info infos
        angabe angaben sache sachen kram zeug geschichte thema dinge komplett sofort lieber nimmer nie nichts länger
        wegen bezüglich betrifft erzählt geschrieben gesagt damit davon dazu ne nee nö ach doch
        """
    ),
)
