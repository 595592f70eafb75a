"""Words around pasted texts in German."""

from __future__ import annotations

from typing import Final

from language.pasting import PastingWords

_THIS: Final = r"(?:das|dies(?:e[nmrs]?)?|es|ihn|den|folgende[nmrs]?)"
_LITTLE: Final = r"(?: (?:mir|mal|bitte|doch|eben|kurz|uns|einmal|hier|noch|schnell|mir mal)){0,3}"
_TEXT: Final = (
    r"(?:\w*(?:mails?|nachricht(?:en)?|brief(?:e|es)?|text(?:e|es)?|artikels?|kommentare?|bewertung(?:en)?|"
    r"beschwerde(?:n|brief)?|chats?|verlauf|gesprächs?|verträg?e?|vertrags?|klauseln?|gedicht(?:e|s)?|absatz|absätze|"
    r"abschnitt(?:e|s)?|anzeigen?|angebote?s?|zitate?s?|protokolle?s?|seiten?|pdfs?|antwort(?:en)?|einladung(?:en)?|"
    r"meldung(?:en)?|ausschnitt|berichte?s?|interviews?|rede|ansprache|geschichte|mitteilung(?:en)?|schreiben|"
    r"beiträge|beitrags?|posts?|sms|code|fehler(?:meldung)?|beschreibung|zettel|witz(?:e|es)?|notiz(?:en)?|tagebuch|"
    r"tagebuchs|spruch|sprüche|lied(?:er|es)?|rätsel|kapitel|formulierung|formular|parole|memo|dialogs?|"
    r"rundschreiben|liedtext|dokuments?|"
    r"anweisung(?:en)?|hinweise?s?|sätze|satz))"
)

PASTING: Final = PastingWords(
    works=(
        r"übersetz(?:e|en|ung)?|zusammenfass(?:en|ung)(?! (?:von )?(?:mein|unser)\w*)|zusammengefasst|"
        r"tl;?dr|paraphrasier\w*|umformulier\w*|"
        r"formulier\w*|korrigier\w*|korrekturles\w*|(?:finde?|such\w*|markiere?)(?: \w+)? (?:die|alle) (?:\w*fehler)|"
        r"lektorier\w*|redigier\w*|editier\w*|überarbeite?|sag (?:das|"
        r"es) (?:\w+ )?(?:anders|einfacher|höflich\w*|freundlich\w*|besser|kürzer)|kürz(?:e|en)?|vereinfach\w*|"
        r"umschreib\w*|interpretier\w*|"
        rf"(?:fasse?|fassen sie|lese?|lies|lesen sie|prüfe?|erkläre?|analysiere?|verbessere?|"
        rf"überarbeite|"
        rf"beurteile|bewerte|beantworte|kommentiere|schau|sieh|guck|beschreibe?){_LITTLE} "
        rf"(?:{_THIS}|(?:d(?:ie|en|as)|mein\w*|sein\w*|ihr\w*|ein\w*) (?:\w+ )?{_TEXT})|"
        rf"fasse?{_LITTLE} (?:zusammen|den|die|das)|(?:schreibe?|stelle?){_LITTLE} {_THIS}|"
        rf"(?:kannst|könntest|magst|würdest) du{_LITTLE} {_THIS}(?: \w+){{0,5}} (?:zusammenfassen|kürzen|erklären|"
        rf"lesen|"
        r"prüfen|bringen|übertragen|verbessern|überarbeiten|beantworten|umschreiben|übersetzen|anschauen|ansehen)|"
        rf"(?:bring|übertrag)e?{_LITTLE} {_THIS}(?: \w+){{0,2}} (?:in|ins|auf)|"
        rf"mach(?:e|en sie)?{_LITTLE} (?:das|es|daraus|dies)(?: \w+)? (?:kürzer|einfacher|freundlicher|höflicher|"
        rf"förmlicher|"
        r"länger|besser)|"
        r"was (?:bedeutet|heißt|besagt|meint|will|möchte|meinen|wollen) (?:das|dies\w*|es|er|sie|der|die|man|denn)\b|"
        r"was sagt (?:das|der|die|er|sie|man)\b(?!(?: \w+)? über (?:mich|uns))|was steht (?:da|hier|drin|in)|"
        r"was ist das|"
        rf"was (?:hältst|denkst|meinst|sagst) du (?:davon|dazu|darüber|(?:von|zu|über) (?:{_THIS}|dieser|dem) )|"
        r"was (?:soll|sollte|kann|könnte|würdest|muss|antworte|schreibe?|sage?) (?:ich|man|du|wir)(?: \w+){0,3} "
        r"(?:antworten|sagen|schreiben|reagieren|darauf|dazu|zurück|drauf)|was antworte ich|"
        r"worum (?:geht|gehts|ging)|wovon handelt|wie (?:antworte|reagiere|schreibe?|sage?|sagt|klingt|wirkt|liest|"
        r"verstehst)(?: (?:ich|man|du|wir|sich|das))?|wie (?:soll|sollte|kann|könnte|würdest) (?:ich|man|du|"
        r"wir)(?: \w+){0,3} "
        r"(?:antworten|reagieren|sagen|schreiben|formulieren|verstehen|übersetzen)|"
        rf"(?:ist|sind|war|klingt|stimmt|wirkt) {_THIS}(?: \w+){{0,3}} (?:betrug|spam|phishing|legal|echt|wahr|fake|"
        rf"abzocke|"
        r"seriös|rechtens|erlaubt|richtig|okay?|unhöflich|höflich|so|ernst|masche|scherz|gut|gültig|fair|"
        r"in ordnung)|"
        rf"stimmt {_THIS}|(?:heißt|bedeutet) {_THIS}|darf (?:der|die|er|sie|man)(?: \w+)? (?:das|so)|"
        r"(?:der|welche[nr]?|den|was für ein) (?:\w+ )?(?:ton|tonfall|kernaussage|kernpunkte?)|die (?:kernaussagen|"
        r"kernpunkte|wichtigsten (?:punkte|aussagen))|"
        r"(?:schreib|formulier|gib mir|entwirf|mach)e? (?:mir )?(?:eine )?antwort (?:auf|darauf)|"
        r"hilf mir(?: \w+){0,3} (?:antwort\w*|"
        r"versteh\w*)|deine meinung"
    ),
    shown=(
        rf"(?:dies(?:e[nmrs]?)?|das|die|der|den|dem|des|eine[nmrs]?|ein|meine[nmrs]?|seine[nmrs]?|ihre[nmrs]?|"
        rf"unsere[nmrs]?|"
        rf"folgende[nmrs]?)(?: \w+){{0,2}} {_TEXT}|folgende[nmrs]?|(?:das|dies) (?:hier )?(?:schrieb|schreibt|kam|"
        rf"stand|hat)|"
        r"schau mal,? was|hab(?:e)? (?:ich )?(?:das|dies)(?: hier)? (?:bekommen|gekriegt|erhalten|gefunden)"
    ),
    texts=(
        rf"(?:d(?:ie|er|as|en|em|es)|dies\w*|sein\w*|ihr\w*)(?: \w+){{0,2}} (?:{_TEXT}|aufs[aä]tz\w*|grammatik|wörter|"
        r"rechtschreibung|silben|zeichen|stil|autor|hausaufgabe\w*)|welche sprache|grammatik"
    ),
    makes=(
        r"schreibe?|verfasse?|erstelle?|erzeuge?|empfiehl|finde?|erzähle?|erfinde?|plane?|bestelle?|kaufe?|schicke?|"
        r"drucke?|erinnere?|such\w*|schlage?"
    ),
    origins=(
        r"(?:das|dies|es)(?: hier)? (?:ist|war|steht|stand|kommt|kam|stammt|hing|lag)(?: \w+){0,3}? "
        r"(?:aus|in|im|auf|von|vom|am|bei)(?: \w+){0,3} "
        rf"(?:{_TEXT}|forum|gruppe|kanal|zeitung|zeitschrift|website|webseite|internet|netz|reddit|facebook|twitter|"
        r"instagram|telegram|whatsapp|linkedin|wikipedia|youtube|buch|broschüre|prospekt|aushang|plakat|brett|schild|"
        r"postfach|jemand\w*|fremden)|"
        r"(?:das|dies|es)(?: hier)? (?:hat|haben)(?: mir| uns)? (?!ich\b|wir\b)\w+(?: \w+){0,4} "
        r"(?:geschrieben|geschickt|gepostet|gesagt|gemailt)|"
        r"(?:schrieb|schreibt|schickt|schickte|postete)(?: mir| uns)?(?: (?!ich\b|wir\b)\w+){0,3} (?:das|dies)\b"
    ),
    messages=(rf"(?:{_TEXT}|whatsapp|telegram|signal|slack|dm|mailbox|postkarte|ticket)(?: \w+)? (?:von|vom)"),
    written=(
        r"schrieb(?:en)?|schreib(?:t|en)|geschrieben|schickte?n?|schickt|geschickt|gesendet|gemailt|mailte?|postete?|"
        r"gepostet|simste?|weitergeleitet|veröffentlicht|gesimst|hinterließ(?:en)?|hinterlassen|hingelegt|hingehängt|"
        r"gelegt|reingeworfen|notierte?|whatsappt"
    ),
    said=r"sagt|sagte|sagen|gesagt|meint|meinte|fragt|fragte|gefragt|antwortet|antwortete|geantwortet|behauptet|"
    r"heißt es",
    headers=r"von|an|cc|bcc|datum|gesendet|antwort an",
    subjects=r"betreff|aw|wg",
    salutations=(
        r"sehr geehrte[rsnm]?\b|guten tag,? (?:herr|frau)\b|liebe[rs]? "
        r"(?!tagebuch\b|mneme\b|assistent\w*\b|bot\b)\w+|hallo zusammen|hallo alle|liebste[rs]?\b|an alle"
    ),
    closings=(
        r"mit (?:\w+ ){1,2}(?:grüßen|gruß)|(?:(?:viele|liebe|beste|herzliche|schöne|freundliche) )?grüße|"
        r"(?:lieben|herzlichen|schönen) gruß|gruß|hochachtungsvoll|mfg|lg|vg|"
        r"(?:dein|deine|euer|eure|ihr|ihre) \w+$|bis bald|alles (?:gute|liebe)"
    ),
    passed_on=r"ursprüngliche nachricht|weitergeleitete nachricht|original-?nachricht|anfang der weitergeleiteten",
)
