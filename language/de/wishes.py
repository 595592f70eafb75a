"""Standing wishes in German."""

from __future__ import annotations

from typing import Final

from language.learning import WishPatterns
from language.words import word_set

_ACT: Final = (
    r"(?:antwort(?:e|et|en)?|schreib(?:e|t|en)?|(?:be)?nutz(?:e|t|en)?|verwend(?:e|et|en)?|gib|gebt|geben|"
    r"nenn(?:e|t|en)?|"
    r"zeig(?:e|t|en)?|sag(?:e|t|en)?|schlag(?:e|t|en)?|empfiehl|empfehlt|empfehlen|erklär(?:e|t|en)?|"
    r"übersetz(?:e|t|en)?|rechn(?:e|et|en)?|formatier(?:e|t|en)?|füg(?:e|t|en)?|nimm|nehmt|nehmen|mach(?:e|t|en)?|"
    r"halt(?:e|et|en)?|sprich|sprecht|sprechen|red(?:e|et|en)?|lass(?:e|t|en)?|vermeid(?:e|et|en)?|"
    r"verzicht(?:e|et|en)?|erwähn(?:e|t|en)?|zitier(?:e|t|en)?|kürz(?:e|t|en)?|fass(?:e|t|en)?|prüf(?:e|t|en)?|"
    r"frag(?:e|t|en)?|beginn(?:e|t|en)?|acht(?:e|et|en)?|denk(?:e|t|en)?|geh(?:e|t|en)?|setz(?:e|t|en)?|"
    r"leg(?:e|t|en)?|"
    r"rund(?:e|et|en)?|erinner(?:e|t|n)?|biet(?:e|et|en)?|bleib(?:e|t|en)?|korrigier(?:e|t|en)?|list(?:e|et|en)?|"
    r"verlink(?:e|t|en)?|sei(?:d|en)?|hör(?:e|t|en)?|stell(?:e|t|en)?|formulier(?:e|t|en)?|behandel(?:e|t|n)?|"
    r"ergänz(?:e|t|en)?|berücksichtig(?:e|t|en)?|beantwort(?:e|et|en)?|liefer(?:e|t|n)?|beschränk(?:e|t|en)?)"
    r"(?:\s+sie)?"
)
"""What somebody who answers can be told to do, with the polite form."""
_INFINITIVE: Final = (
    r"(?:antworten|schreiben|(?:be)?nutzen|verwenden|(?:an|aus)?geben|nennen|(?:an)?zeigen|sagen|vorschlagen|"
    r"empfehlen|"
    r"erklären|übersetzen|(?:um)?rechnen|formatieren|(?:hinzu|ein)fügen|nehmen|machen|halten|sprechen|reden|"
    r"weglassen|"
    r"vermeiden|verzichten|erwähnen|zitieren|kürzen|zusammenfassen|prüfen|(?:nach)?fragen|beginnen|achten|"
    r"setzen|runden|"
    r"anbieten|bleiben|korrigieren|(?:auf)?listen|verlinken|formulieren|ergänzen|berücksichtigen|beantworten|"
    r"liefern)"
)
_STRONG: Final = (
    r"(?:ab (?:jetzt|sofort|heute|nun)|von (?:nun|jetzt) an|künftig|zukünftig|fortan|in zukunft|von heute an)"
)
_ALWAYS: Final = (
    rf"(?:immer(?!\s+(?:noch|wieder|wenn|mehr))|stets|nie(?!\s+wieder\b)|niemals|grundsätzlich|generell|"
    rf"standardmäßig|prinzipiell|jedes\s*mal|durchgehend|jederzeit|{_STRONG})"
)
_ANSWERS: Final = (
    r"(?:antwort(?:en)?|erklärung(?:en)?|vorschl(?:ag|äge)|empfehlung(?:en)?|zusammenfassung(?:en)?|nachrichten?|"
    r"texte?|codebeispiele?|beispiele?|mails?|briefe?|rezepte?|angaben|zahlen|preise|daten)"
)
_DEFINITE: Final = r"(?:das|den|die|dem|diese\w*|es|ihn|sie|ihm|ihr|alles|dir)\b"
_WHEN_ASKED: Final = (
    r"(?:(?:immer,?\s+|jedes\s*mal,?\s+)?wenn|falls|sobald|sooft)\s+(?:ich\s+(?:[^\s,]+\s+){0,6}?(?:frage|"
    r"bitte|schicke|"
    r"sende|schreibe|will|möchte|suche|brauche|poste|teile|erwähne|anfrage|spreche)|es\s+(?:[^\s,]+\s+){0,5}?geht|"
    r"(?:du|ihr)\s+(?:[^\s,]+\s+){0,5}?\w+s?t)\b"
)
_PREFER: Final = r"(?:bevorzuge|präferiere|favorisiere|meide|vermeide|verabscheue|hasse)"
_TASTE: Final = (
    r"(?:möchte|würde|will|nehme|mag|hätte|esse|trinke|kaufe|nutze|arbeite|lese|fahre|reise|höre|sehe|benutze|"
    r"verwende|"
    r"schreibe|spiele|koche|wähle|programmiere|übernachte|fliege|bezahle|zahle|lerne)"
)

WISHES: Final = WishPatterns(
    courtesy=(
        r"bitte|(?:kannst|könntest|würdest|wirst) du(?: bitte)?|(?:können|könnten|würden) sie(?: bitte)?|"
        r"nur damit du es weißt|achte? (?:bitte )?darauf|denke? (?:bitte )?daran|generell|allgemein"
    ),
    joints=(
        r"und|aber|weil|da|denn|dass|also|deshalb|daher|darum|deswegen|außerdem|sondern|obwohl|jedoch|doch|"
        r"sonst|zudem"
    ),
    orders=(
        rf"{_ACT}\s[^.!?]{{2,80}}?[\s,](?:immer|stets|jedes\s*mal)\s*[.!]*$",
        rf"{_ACT}\s+(?:(?!wenn\b|dass\b)[^\s,.]+\s+){{0,4}}?{_ALWAYS}\b",
        (
            rf"{_ALWAYS},?\s+(?:bitte\s+)?(?!(?:wird|werden|ist|sind|war|hat|geht|gern\w*|wenn|noch|wieder)\b)"
            rf"[^.!?]{{2,120}}?\b{_INFINITIVE}\b"
        ),
        rf"{_STRONG}\s[^.!?]{{0,80}}?\bbitte\b",
        rf"(?:{_ALWAYS})\s+(?:[^\s.!?]+\s+){{1,6}}bitte\s+\w",
        (
            rf"{_ACT}\s+(?:mir\s+|uns\s+|bitte\s+|also\s+)*(?:kein\w*|nie|niemals)\s+(?!(?:sorgen?|gedanken|"
            rf"angst)\b)\w"
        ),
        rf"(?:vermeide|meide|verzichte(?:\s+auf)?)(?:\s+bitte)?\s+(?!{_DEFINITE})\w",
        rf"{_WHEN_ASKED}[^,\n]*+,\s+(?:dann\s+)?(?:bitte\s+)?{_ACT}\s+(?!(?:ich|er|sie|wir|du)\b)\w",
        rf"{_WHEN_ASKED}[^,\n]*+,\s+(?:dann\s+)?bitte\s+\w",
        rf"(?!ruf|sag mir bescheid|melde){_ACT}\s.{{3,160}}?,\s+(?:immer\s+)?{_WHEN_ASKED}",
        rf"{_ACT}\s+für\s+(?:alle|jede\w*)\s+\w",
        rf"benutze?\s+(?!{_DEFINITE})[\w° -]{{2,40}}?\s+(?:statt|anstatt|und nicht|nicht)\s+\w",
        r"(?:nimm|verwende|nutze)\s+[\w° -]{2,40}?\s+(?:statt|anstatt|anstelle)\s+\w",
        (
            rf"lass(?:e|t)?\s+(?:bitte\s+)?(?:die|das|alle|solche)?\s*\w+\s+(?:in (?:deinen|"
            rf"den) {_ANSWERS}\s+)?(?:bitte\s+)?weg\b"
        ),
        r"hör(?:e|t)?(?:\s+bitte)?\s+auf,?\s+(?:\S+\s+){0,6}?(?:zu\s+\w+|\w+zu\w+en)\b",
        r"aufhören,?\s+(?:\S+\s+){0,6}?zu\s+\w+",
        rf"{_ALWAYS}\s[^.!?]{{2,100}}?\b{_INFINITIVE}\b",
    ),
    clause_orders=(
        r"(?:bitte\s+)keine?n?\s+[\w-]+(?:\s+mehr)?(?:\s+(?:in|bei|mit)\s+\w+)?",
        rf"keine?n?\s+[\w-]+(?:\s*,\s*bitte\b|\s+in\s+(?:deinen|euren|ihren)\s+{_ANSWERS})",
        rf"(?:halte?|fasse?)\s+(?:bitte\s+)?(?:deine|alle|die)\s+{_ANSWERS}\s+\w",
        rf"(?:deine|alle|jede|eure|ihre)\s+{_ANSWERS}\s+(?:soll|sollen|sollte|sollten|muss|müssen|dürfen|darf)\b",
        (
            r"(?:mir ist(?: es)?(?: sehr)? wichtig|es ist mir(?: sehr)? wichtig|wichtig ist mir|"
            r"ich lege wert darauf),?\s+"
            r"(?:dass|zu)\b"
        ),
        (
            rf"ich\s+(?:möchte|will|wünsche mir|hätte gern\w*|erwarte)(?:\s+nicht,\s+dass\s+(?:du|ihr|sie)|"
            rf",\s+dass\s+(?:(?:du|ihr|sie)\s+(?:\S+\s+){{0,3}}?{_ALWAYS}|(?:deine|alle|eure|ihre)\s+{_ANSWERS}))\b"
        ),
        rf"(?:ich|wir)\s+(?:will|wollen|möchten?|brauchen?|hätten? gern\w*)\s.{{2,100}}?{_ALWAYS}",
        r"(?:ich|wir)\s+(?:will|wollen|möchten?|brauchen?)\s+nur\s.{3,100}?,\s+wenn ich\b",
        r"du\s+(?:sollst|solltest|musst|darfst)\s+(?:\S+\s+){0,3}?(?:immer|nie|niemals|stets)\b",
    ),
    names=(
        (
            r"(?:bitte\s+)?nenn(?:e|t|en sie)?\s+mich\s+(?:bitte\s+|einfach\s+|doch\s+|niemals\s+|nie\s+|nicht\s+|"
            r"ab jetzt\s+)*"
            r"(?!(?:in|wenn|bei|an|auf)\b)[\w…]"
        ),
        (
            r"(?:du|sie|ihr)\s+(?:kannst|können|könnt|darfst|dürfen)\s+(?:mich|zu mir)\s.{1,40}?\b(?:nennen|sagen|"
            r"duzen|siezen)\b"
        ),
        r"mich\s+(?:\S+\s+){1,4}nennen\b",
        r"spr(?:ich|echt|echen sie)\s+mich\s+(?:bitte\s+)?(?:mit|als|per)\s+\S",
        r"(?:duz|siez)(?:e|t|en sie)?\s+mich\b",
        (
            r"(?:ich\s+(?:möchte|will|werde)|mich)\s+(?:\S+\s+){0,3}?(?:genannt|gesiezt|geduzt|"
            r"angesprochen)\s+(?:werden)?"
        ),
        r"lass uns (?:du|per du|duzen)\b",
    ),
    preferences=(
        rf"ich\s+(?:\w+\s+){{0,2}}?{_PREFER}\s+(?!{_DEFINITE})[\w…]",
        rf"{_PREFER}\s+ich\s+(?!{_DEFINITE})[\w…]",
        rf"ich\s+[^,.?!]{{2,60}}?\s(?:vorziehe|{_PREFER})\b",
        rf"ich\s+(?:[^\s,.?!]+\s+){{0,4}}?(?:lieber|am liebsten)\s+(?:[^\s,.?!]+\s+){{0,3}}?{_TASTE}\b",
        r"(?:ich\s+)?ziehe\s+(?:ich\s+)?[^,.!?]{3,80}?\svor\b",
        r"ich\s+verzichte\s+(?:\w+\s+){0,2}?auf\s+\w",
        rf"(?:ich\s+)?{_TASTE}(?:\s+ich)?\s+(?:[^\s,.?!]+\s+){{0,4}}?(?:lieber|am liebsten|eher)\s+\w",
        r"lieber\s+(?:möchte|hätte|nehme|mag|esse|nutze)\s+ich\b",
        r"(?!war)[^,.?!\n]{0,80}?\b(?:ist|sind|wäre|wären)\s+mir\s+(?:[^\s,.?!]+\s+){0,3}?lieber\b",
        r"mir\s+(?:ist|sind|wäre|wären)\s+[^.?!]{2,80}?\b(?:lieber|am liebsten)\b",
        r"am liebsten\s+(?:ist mir|sind mir|möchte ich|hätte ich|nehme ich|nutze ich|mag ich)\b",
        r"ich\s+(?:mag|will|möchte|esse|trinke|nutze|benutze|kaufe|schaue|lese)\s+(?:\w+\s+){0,2}?kein\w*\s+\w",
        r"ich\s+möchte\s+lieber\s+kein\w*\s+\w",
        r"ich\s+mag\s+es\s+(?:gar\s+|überhaupt\s+)?(?:nicht,|,|wenn\b)",
        r"ich\s+mag\s+es,\s+wenn\b",
        r"ich\s+bin\s+(?:\w+\s+){0,2}?(?:kein\s+(?:\w+\s+)?(?:freund|fan)|fan|freund)\s+(?:von|der|des)\s+\w",
        (
            r"ich\s+versuche,?\s+(?:möglichst\s+)?[^.?!]{2,60}?\b(?:zu\s+(?:vermeiden|meiden|reduzieren|sparen|"
            r"begrenzen|"
            r"halten|verzichten)|\w+zuhalten)\b"
        ),
        r"ich\s+lege\s+(?:\w+\s+)?wert\s+auf\s+\w",
        r"meine\s+(?:vorliebe|präferenz)\s+(?:ist|sind|für|gilt)\b",
    ),
    withdrawals=(
        r"du\s+(?:kannst|darfst)\s.{2,80}?\bwieder\b",
        r"du\s+(?:musst|brauchst)\s.{0,100}?\b(?:nicht|kein\w*)\b(?:\s+mehr\b)?",
        r"ich\s+(?:bevorzuge|will|möchte|mag|meide)\s.{2,80}?\bnicht mehr\b",
        r"(?:vergiss|ignoriere?),?\s+(?:dass|was)\s+ich\b.{0,80}",
    ),
    once=(
        r"diesmal|dieses (?:eine )?mal|nur (?:ein|dieses)\s?(?:eine )?mal|vorerst|fürs erste|im moment|gerade eben|"
        r"(?:für|in|zu) (?:diese\w?|die nächste)(?: \w+)? (?:frage|nachricht|antwort|aufgabe|brief|mail|datei|text|"
        r"abschnitt|fall|satz|absatz|entwurf)|hierzu|(?<!ab )(?<!von )heute|morgen früh|jetzt gleich|"
        r"(?<!ab )(?<!von )jetzt(?! an)"
    ),
    unreal=(
        r"wenn ich \w+ (?:würde|hätte|wäre)|würde ich es|bevorzugen würde|früher habe ich|"
        r"hätte ich (?:damals|doch)"
    ),
    subjects={
        "name": r"\b(?:nenn\w*(?: sie)? mich|mich\b.{0,40}\bnennen|sprich mich|sprechen sie mich|genannt werden)\b",
        "address": r"\b(?:duz\w*|siez\w*|gesiezt|geduzt|per du|per sie)\b",
        "language": (
            r"\b(?:antwort\w*|schreib\w*|sprich|sprech\w*|red\w*|erklär\w*)\b.{0,40}?\b(?:auf\s+(?-i:[A-ZÄÖÜ])\w+|"
            r"(?-i:[A-Z])\w+isch\b|deutsch\b)"
        ),
        "units": r"\b(?:metrisch\w*|imperial\w*|kilometern?|meilen)\b",
        "temperature": r"\b(?:celsius|fahrenheit|kelvin)\b",
        "clock": r"\b(?:24|12)[ -]?stunden\b",
        "length": (
            r"\bantworten?\b.{0,40}?\b(?:kurz|knapp|kürzer|länger|ausführlich|wörtern?|sätze|zeilen)\b|"
            r"\b(?:kurze|knappe|lange|ausführliche) antworten\b|\bantworte?\b.{0,20}?\b(?:kurz|knapp|ausführlich)\b"
        ),
        "emoji": r"\bemojis?\b",
        "markdown": r"\bmarkdown\b",
        "bullets": r"\b(?:aufzählung\w*|stichpunkt\w*)\b",
    },
    conditions=r"\b(?:wenn|falls|sobald|sooft)\s+(?:ich|du|es|ihr)\b[^,.;]*+",
    empty_words=word_set(
        "immer nie niemals bitte nicht kein keine keinen keiner stets wieder mehr lieber liebsten am gern "
        "gerne kannst "
        "könntest du ich wir mir mich uns dir sie der die das den dem ein eine einen einer es ist sind wäre "
        "zu ab jetzt "
        "künftig grundsätzlich generell mag möchte will bevorzuge vermeide meide hasse nutze benutze "
        "verwende schlag vor "
        "vorschlagen empfiehl empfehlen und oder als statt so wenn ob nach frage musst brauchst darfst auch nur"
    ),
)
