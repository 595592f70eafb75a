"""Rules of German sentences to learn from: work and taste, then the facts; and standing wishes about answers."""

from typing import Final

from language.de.facts import ANYONE, CLOSE, END, FACTS, FRONT, MY, NAME, NEAR, OFTEN, THE, WHO
from language.learning import Learning, WishPatterns
from language.words import word_set

_ACT: Final = (
    r"(?:verwend|benutz|nutz|schreib|antwort|sprich|red|lösch|änder|schick|send|deploy|erwähn|nenn|frag|kauf|bestell|"
    r"buch|ruf|weck|stör|füg|entfern|übersetz|fass|rund|zitier|erklär|wiederhol|merg|committ|push|speicher|duz|siez|"
    r"teil|zeig|sag|nimm|mach|start|plan|koch|iss|trink|fahr|gib|lass|überschreib|formatier|druck|öffn|schließ|tu|"
    r"verschieb|lad|kontaktier|aktualisier|prüf|test|stell|leg|bring)"
)
_NEVER: Final = r"(?:nie|niemals|nicht|kein\w{0,2}|immer|stets|auf keinen fall|keinesfalls|unter keinen umständen|nur)"
_LIKED: Final = r"(?!(?:dich|euch|ihn|ihr|sie|das|dies\w*|wie|wenn|dass|es|mich|uns|dein\w{0,2})\b)"

_RULES: Final = {
    "errand": (
        r"(?:todo|to-do|to do|aufgabe|nächste[rs]? schritte?)\s*[:–—-]\s*\S|(?:bitte\s+)?(?:nicht vergessen|"
        r"vergiss(?:\s+bitte)?\s+nicht|denk(?:e)?(?:\s+bitte)?\s+(?:daran|dran))\b(?!\s*,?\s+(?:dass|wie|was)\b)"
        r"[\s,:–—-]+\w|[^,:]{2,80}\snicht vergessen\s*[.!]*$"
    ),
    "duty": (
        rf"(?P<who>ich|wir)\s+(?:muss|müssen)\b{OFTEN}\s+(?!(?:.{{0,20}}\s)?(?:zugeben|sagen|gestehen|lachen|weinen|"
        rf"nachdenken|aufpassen|nicht|sehen|wissen)\b)\w|{FRONT}\s+(?:muss|müssen)\s+(?P<who>ich|wir)"
        rf"\s+(?!.*\b(?:zugeben|sagen|lachen)\b)\w|(?P<who>ich|wir)\s+.{{1,100}}?\s(?:muss|müssen){END}|"
        r"(?P<who>ich|wir)\s+arbeiten?\s+(?:gerade\s+|derzeit\s+|momentan\s+|zurzeit\s+)?(?:an\s+(?!der\s+(?:uni|"
        r"hoch|schule))|daran)"
    ),
    "decision": (
        r"(?:entscheidung|beschluss|beschlossen|entschieden|abgemacht|vereinbart)\s*:\s*\S|(?P<who>ich|wir|das team)"
        r"\s+(?:habe|haben|hat)\b(?:[^,]{1,80}?)?\s(?:entschieden|entschlossen|beschlossen|geeinigt|vereinbart|"
        rf"abgemacht|ausgemacht|festgelegt)\b|{FRONT}\s+(?:habe|haben|hat)\s+(?P<who>ich|wir|das team)"
        r"\s+[^,]{0,60}?(?:entschieden|beschlossen|geeinigt|vereinbart|ausgemacht|festgelegt)\b|(?P<who>ich|wir)"
        r"\s+[^,]{0,80}?(?:entschieden|beschlossen|geeinigt|vereinbart)\s+haben?\b|"
        r"(?:also\s+)?lass(?:t)?\s+uns\s.{1,60}?\s(?:nehmen|verwenden|nutzen|benutzen|bleiben|umsteigen|wechseln|"
        r"einsetzen|einführen)\b|(?P<who>wir)\s+(?:nehmen|verwenden|nutzen|benutzen|bleiben)"
        r"\s+(?:jetzt|künftig|ab|in zukunft|dann|also|doch|lieber|bei)\b|(?:ab\s+\w+|künftig|in zukunft)"
        r"\s+(?:nehmen|verwenden|nutzen|benutzen)\s+(?P<who>wir)\b|(?P<who>wir)\s+(?:steigen|wechseln|migrieren)"
        r"\s.{0,40}?\b(?:auf|zu|nach)\s+\S|(?P<who>wir)\s+werden\s.{1,60}?\s(?:nehmen|verwenden|nutzen|benutzen|"
        r"umsteigen|wechseln)\b"
    ),
    "failure": (
        r".{0,120}?\b(?:fehlgeschlagen|gescheitert|abgestürzt|ausgefallen|defekt|kaputt\w*|abgebrochen|"
        r"stürzt\b.{0,60}?\bab|schlägt\b.{0,60}?\bfehl|fällt\b.{0,60}?\baus|(?:funktioniert|läuft|klappt|"
        r"startet|reagiert|lädt)(?:e|en)?(?:\s+\w+)?\s+nicht(?:\s+mehr)?|geht nicht mehr|ging nicht mehr|"
        r"(?:ist|sind|war) (?:offline|down)|wirft\b.{0,30}?(?:fehler|exception)|hängt sich auf)\b"
    ),
    "diet": (
        r"(?:bin|sind)(?:\s+\w+)?\s+(?P<what>allergisch (?:gegen|auf) .+|(?:gegen|auf) .+? allergisch)\b|"
        r"(?:ich\s+)?(?:kann|darf)\s+(?:\w+\s+)?(?P<what>keine?n?\s+.+?)\s+(?:essen|trinken|vertragen)\b|"
        r"(?:ich\s+)?(?:vertrage?|esse?|trinke?)\s+(?:leider\s+|auch\s+)?(?P<what>keine?n?\s+.+)|"
        r"hab['’]?e?\s+(?:auch\s+|leider\s+)?(?:(?:ei)?ne\s+)?(?:\w+\s+)?(?P<what>[\w-]*(?:allergie|intoleranz|"
        r"unverträglichkeit|zöliakie)\b.*)|(?P<who>ich|wir)\s+(?:bin|sind)(?:\s+\w+)?\s+(?P<what>allergisch "
        r"(?:gegen|auf) .+)|(?P<who>ich|wir)\s+(?:bin|sind)(?:\s+\w+)?\s+(?P<what>(?:gegen|auf) .+? allergisch)\b|"
        rf"(?P<who>{NEAR}|{NAME}|er|sie)\s+ist(?:\s+\w+)?\s+(?P<what>allergisch (?:gegen|auf) .+|gegen .+? "
        rf"allergisch)|{ANYONE}\s+(?P<what>(?:gegen|auf) .+? allergisch)\s+(?:bin|ist|sind)\b|"
        rf"{WHO}\s+(?:habe|hat|haben|leide an|leidet an)"
        r"\s+(?:auch\s+|leider\s+)?(?:eine?\w?\s+)?(?:\w+\s+)?(?P<what>[\w-]*(?:allergie|intoleranz|"
        rf"unverträglichkeit|diabetes|zöliakie)\b.*)|{ANYONE}\s+(?:eine?\s+)?(?P<what>[\w-]*(?:allergie|intoleranz|"
        r"unverträglichkeit)\b.*?)\s+(?:habe|hat)\b|(?P<who>ich|wir)\s+(?:bin|sind)(?:\s+\w+)?\s+(?P<what>vegan\w*|"
        r"vegetari\w+|diabetiker\w*|allergiker\w*|laktoseintolerant|glutenintolerant)\b|"
        r"(?P<who>ich)\s+(?P<what>vegan\w*|vegetari\w+)\s+(?:bin|lebe|esse)\b|(?P<who>ich|wir)"
        r"\s+(?:esse|essen|lebe|leben|ernähre|ernähren)\s+(?:mich\s+|uns\s+)?(?P<what>vegan|vegetarisch|glutenfrei|"
        r"laktosefrei|koscher|halal)\b|(?P<who>ich|wir)\s+(?:esse|essen|trinke|trinken|vertrage|vertragen|darf|"
        r"dürfen)\s+(?:leider\s+|überhaupt\s+|absolut\s+|gar\s+)?(?P<what>kein\w{0,2}\s+.+)|(?P<who>ich|wir)"
        r"\s+(?P<what>kein\w{0,2}\s+.{2,60}?)\s+(?:esse|essen|trinke|vertrage|essen darf)\b|"
        r"(?P<who>ich)\s+vertrage\s+(?P<what>.+?\s+nicht)\b"
    ),
    "order": (
        r"(?:bitte\s+)?(?:nie|niemals|immer|keinesfalls|auf keinen fall|unter keinen umständen)"
        r"\s+(?!(?:wieder|mehr|noch|gut|schön|gerne?|dieser?|dieses|das|der|die|diese|ich|wenn|so)\b)"
        rf"\w.*\w+n\s*[.!]*$|(?:bitte\s+)?{_ACT}(?:e|s|en sie)?\s+(?:\S+\s+){{0,4}}?{_NEVER}\b|"
        rf"bitte\s+(?:\S+\s+){{0,3}}?{_NEVER}\s.*\w+n\s*[.!]*$|(?P<who>wir|man|niemand|jeder|alle|{THE}|du|ich)"
        r"\s+(?:darf|darfst|dürfen|soll|sollst|sollen|sollte|sollten|muss|musst|müssen)"
        r"\s+(?:\S+\s+){0,3}?(?:nie|niemals|nicht|immer|kein\w{0,2})\b|(?P<who>niemand|jeder|man|alle)"
        r"\s+(?:darf|dürfen|muss|müssen)\s+\w"
    ),
    "favourite": (
        rf"(?P<who>(?:{MY}\s+)?lieblings[\w-]+(?:\s+im\s+\w+)?)(?:\s*:\s*|\s+(?:ist|sind|war|hei(?:ß|ss)t)"
        rf"\s+(?:jetzt\s+)?)\w|(?P<who>{MY}\s+liebste[rsn]?\s+[\w-]+)\s+(?:ist|sind)\s+\w|"
        rf"(?P<who>{MY}\s+lieblings[\w-]+)\s.{{1,40}}?\s(?:ist|sind){END}"
    ),
    "taste": (
        rf"(?P<who>ich|wir){OFTEN}\s+(?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge|bevorzugen|genieße|geniesse|"
        rf"verabscheue){OFTEN}\s+{_LIKED}(?P<what>\w.+)|(?:mag|liebe|hasse|bevorzuge){OFTEN}\s+(?!(?:ich|wir)\b)"
        rf"{_LIKED}(?P<what>\w.+)|(?P<who>ich|wir)\s+\w{{2,}}e?n?(?:\s+(?:sehr|wirklich|total|auch|immer))*"
        r"\s+(?:gerne?|lieber|ungern|nicht gerne?|am liebsten)\b(?!\s+(?:wissen|haben|mal|hätte)\b)(?P<what>.*)|"
        r"(?P<who>ich|wir)\s+(?:esse|trinke|höre|lese|schaue|nehme|sehe|spiele|trage|essen|trinken|hören)"
        r"\s+(?P<what>.{2,60}?)\s+(?:sehr\s+|nicht\s+|wirklich\s+)*(?:gerne?|lieber|ungern|am liebsten)\b|"
        rf"am liebsten\s+\w+\s+(?P<who>ich|wir)\s+(?P<what>.+)|{_LIKED}(?P<what>[\w-]+(?:\s+[\w-]+){{0,3}}?)"
        r"\s+(?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge)\s+(?P<who>ich|wir)\b|"
        r"(?P<what>[\w-]+(?:\s+[\w-]+){0,3}?)\s+(?:esse|trinke|höre|lese|essen|trinken)\s+(?P<who>ich|wir)"
        r"\b(?=.*\b(?:nicht|nie|gerne?|ungern|am liebsten)\b)|(?:mir|uns)\s+(?:schmeckt|schmecken|gefällt|gefallen)"
        rf"(?:\s+(?:nicht|sehr|am besten|besonders|gut))*\s+{_LIKED}(?P<what>\w.+)|(?!das\b|es\b|dies)"
        r"(?P<what>[\w-]+(?:\s+[\w-]+){0,2})\s+(?:schmeckt|schmecken|gefällt|gefallen)\s+(?:mir|uns)\b|"
        r"(?P<who>ich|wir)\s+(?:stehe|stehen)\s+(?:total\s+|voll\s+|sehr\s+)?auf\s+(?P<what>.+)|(?P<who>ich|wir)"
        r"\s+(?:bin|sind)\s+(?:ein\w{0,2}\s+)?(?:gro(?:ß|ss)er?\s+)?fan\s+von\s+(?P<what>.+)|(?P<who>ich|wir)"
        r"\s+(?:kann|können)\s+(?P<what>.+?)\s+(?:gar\s+|überhaupt\s+|absolut\s+)?nicht\s+(?:ausstehen|leiden|ab)\b|"
        r"(?P<who>ich|wir)\s+würden?\s+lieber\s+(?!wissen)(?P<what>.+)|(?P<who>ich|wir)\s+(?P<what>.{2,80}?)"
        r"\s+(?:mag|mögen|liebe|hasse|bevorzuge)\s*[.!]*$"
    ),
    "taste_of_others": (
        rf"(?P<who>{NEAR}|{NAME}|er|sie){OFTEN}\s+(?:mag|mögen|liebt|lieben|hasst|hassen|bevorzugt)"
        rf"(?!\s+(?:ich|wir)\b){OFTEN}\s+{_LIKED}(?P<what>\w.+)|"
        rf"(?P<who>{NEAR}|{NAME}|er|sie){OFTEN}\s+(?:isst|trinkt|hört|liest|verträgt|essen|trinken)"
        r"\s+(?P<what>(?:kein\w{0,2}|gerne?|lieber|ungern|am liebsten|nicht gerne?)\b.+)|"
        rf"(?P<who>{CLOSE}|{NAME})\s+(?P<what>.{{2,60}}?)\s+(?:mag|liebt|hasst|bevorzugt)\s*[.!]*$"
    ),
    **FACTS,
}

LEARNING: Final = Learning(
    rules=_RULES,
    name=NAME,
    nouns_have_capitals=True,
    mine=word_set(
        "ich wir mein meine meinen meinem meiner meines mir mich uns unser unsere unseren unserem unserer unsres"
    ),
    pronouns=word_set("er sie es ihn ihm ihnen"),
    articles=word_set(
        "mein meine meinen meinem meiner meines unser unsere unseren unserem unserer der die das den dem ein eine einen"
    ),
    opinions=r"ich (?:glaube|denke|vermute|nehme an)|ich meine(?=,)",
    vague=(
        r"(?:ich|wir)\s+(?:wei(?:ß|ss)|wissen|verstehe|verstehen|kapiere)\s+(?:\w+\s+)?nicht\b"
        r"|(?:ich\s+)?(?:erinnere mich|kann mich)\s.{0,20}?nicht\b"
        r"|(?:ich\s+)?stimme\s+(?:dir\s+|ihnen\s+)?zu\b|ich\s+(?:hätte|möchte)\s+(?:gerne?|nur|mal)\b"
        r"|(?:das|es)?\s*(?:klingt|hört sich|sieht|scheint)\b|macht nichts\b|egal\b|keine ahnung\b"
    ),
    passing=(r"heute|jetzt gerade|gerade eben|im moment|diese woche|diesen (?:morgen|abend|nachmittag)"),
)


_DOES: Final = (
    r"(?:antwort(?:e|et|en)?|schreib(?:e|t|en)?|(?:be)?nutz(?:e|t|en)?|verwend(?:e|et|en)?|gib|gebt|geben|"
    r"nenn(?:e|t|en)?|zeig(?:e|t|en)?|sag(?:e|t|en)?|schlag(?:e|t|en)?|empfiehl|empfehlt|empfehlen|erklär(?:e|t|en)?|"
    r"übersetz(?:e|t|en)?|rechn(?:e|et|en)?|formatier(?:e|t|en)?|füg(?:e|t|en)?|nimm|nehmt|nehmen|mach(?:e|t|en)?|"
    r"halt(?:e|et|en)?|sprich|sprecht|sprechen|red(?:e|et|en)?|lass(?:e|t|en)?|vermeid(?:e|et|en)?|"
    r"verzicht(?:e|et|en)?|erwähn(?:e|t|en)?|zitier(?:e|t|en)?|kürz(?:e|t|en)?|fass(?:e|t|en)?|prüf(?:e|t|en)?|"
    r"frag(?:e|t|en)?|beginn(?:e|t|en)?|acht(?:e|et|en)?|denk(?:e|t|en)?|geh(?:e|t|en)?|setz(?:e|t|en)?|"
    r"leg(?:e|t|en)?|rund(?:e|et|en)?|erinner(?:e|t|n)?|biet(?:e|et|en)?|bleib(?:e|t|en)?|korrigier(?:e|t|en)?|"
    r"list(?:e|et|en)?|verlink(?:e|t|en)?|sei(?:d|en)?|hör(?:e|t|en)?|stell(?:e|t|en)?|formulier(?:e|t|en)?|"
    r"behandel(?:e|t|n)?|ergänz(?:e|t|en)?|berücksichtig(?:e|t|en)?|beantwort(?:e|et|en)?|liefer(?:e|t|n)?|"
    r"beschränk(?:e|t|en)?)(?:\s+sie)?"
)
"""What somebody who answers can be told to do, with the polite form."""
_INFINITIVE: Final = (
    r"(?:antworten|schreiben|(?:be)?nutzen|verwenden|(?:an|aus)?geben|nennen|(?:an)?zeigen|sagen|vorschlagen|"
    r"empfehlen|erklären|übersetzen|(?:um)?rechnen|formatieren|(?:hinzu|ein)fügen|nehmen|machen|halten|sprechen|"
    r"reden|weglassen|vermeiden|verzichten|erwähnen|zitieren|kürzen|zusammenfassen|prüfen|(?:nach)?fragen|beginnen|"
    r"achten|setzen|runden|anbieten|bleiben|korrigieren|(?:auf)?listen|verlinken|formulieren|ergänzen|"
    r"berücksichtigen|beantworten|liefern)"
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
    r"(?:(?:immer,?\s+|jedes\s*mal,?\s+)?wenn|falls|sobald|sooft)\s+(?:ich\s+(?:[^\s,]+\s+){0,6}?(?:frage|bitte|"
    r"schicke|sende|schreibe|will|möchte|suche|brauche|poste|teile|erwähne|anfrage|spreche)|"
    r"es\s+(?:[^\s,]+\s+){0,5}?geht|(?:du|ihr)\s+(?:[^\s,]+\s+){0,5}?\w+s?t)\b"
)
_PREFER: Final = r"(?:bevorzuge|präferiere|favorisiere|meide|vermeide|verabscheue|hasse)"
_TASTE: Final = (
    r"(?:möchte|würde|will|nehme|mag|hätte|esse|trinke|kaufe|nutze|arbeite|lese|fahre|reise|höre|sehe|benutze|"
    r"verwende|schreibe|spiele|koche|wähle|programmiere|übernachte|fliege|bezahle|zahle|lerne)"
)

WISHES: Final = WishPatterns(
    courtesy=(
        r"bitte|(?:kannst|könntest|würdest|wirst) du(?: bitte)?|(?:können|könnten|würden) sie(?: bitte)?|"
        r"nur damit du es weißt|achte? (?:bitte )?darauf|denke? (?:bitte )?daran|generell|allgemein"
    ),
    joints=(
        r"und|aber|weil|da|denn|dass|also|deshalb|daher|darum|deswegen|außerdem|sondern|obwohl|jedoch|doch|sonst|zudem"
    ),
    orders=(
        rf"{_DOES}\s[^.!?]{{2,80}}?[\s,](?:immer|stets|jedes\s*mal)\s*[.!]*$|{_DOES}\s+(?:(?!wenn\b|dass\b)"
        rf"[^\s,.]+\s+){{0,4}}?{_ALWAYS}\b|{_ALWAYS},?\s+(?:bitte\s+)?(?!(?:wird|werden|ist|sind|war|hat|geht|gern\w*|"
        rf"wenn|noch|wieder)\b)[^.!?]{{2,120}}?\b{_INFINITIVE}\b|{_STRONG}\s[^.!?]{{0,80}}?\bbitte\b|(?:{_ALWAYS})"
        rf"\s+(?:[^\s.!?]+\s+){{1,6}}bitte\s+\w|{_DOES}\s+(?:mir\s+|uns\s+|bitte\s+|also\s+)*(?:kein\w*|nie|niemals)"
        r"\s+(?!(?:sorgen?|gedanken|angst)\b)\w|(?:vermeide|meide|verzichte(?:\s+auf)?)"
        rf"(?:\s+bitte)?\s+(?!{_DEFINITE})\w|{_WHEN_ASKED}[^,\n]*+,\s+(?:dann\s+)?(?:bitte\s+)?{_DOES}\s+(?!(?:ich|er|"
        rf"sie|wir|du)\b)\w|{_WHEN_ASKED}[^,\n]*+,\s+(?:dann\s+)?bitte\s+\w|(?!ruf|sag mir bescheid|melde)"
        rf"{_DOES}\s.{{3,160}}?,\s+(?:immer\s+)?{_WHEN_ASKED}|{_DOES}\s+für\s+(?:alle|jede\w*)\s+\w|"
        rf"benutze?\s+(?!{_DEFINITE})[\w° -]{{2,40}}?\s+(?:statt|anstatt|und nicht|nicht)\s+\w|(?:nimm|verwende|nutze)"
        r"\s+[\w° -]{2,40}?\s+(?:statt|anstatt|anstelle)\s+\w|lass(?:e|t)?\s+(?:bitte\s+)?(?:die|das|alle|"
        rf"solche)?\s*\w+\s+(?:in (?:deinen|den) {_ANSWERS}\s+)?(?:bitte\s+)?weg\b|hör(?:e|"
        r"t)?(?:\s+bitte)?\s+auf,?\s+(?:\S+\s+){0,6}?(?:zu\s+\w+|\w+zu\w+en)\b|"
        rf"aufhören,?\s+(?:\S+\s+){{0,6}}?zu\s+\w+|{_ALWAYS}\s[^.!?]{{2,100}}?\b{_INFINITIVE}\b"
    ),
    clause_orders=(
        r"(?:bitte\s+)keine?n?\s+[\w-]+(?:\s+mehr)?(?:\s+(?:in|bei|mit)\s+\w+)?|keine?n?\s+[\w-]+(?:\s*,\s*bitte\b|"
        rf"\s+in\s+(?:deinen|euren|ihren)\s+{_ANSWERS})|(?:halte?|fasse?)\s+(?:bitte\s+)?(?:deine|alle|die)"
        rf"\s+{_ANSWERS}\s+\w|(?:deine|alle|jede|eure|ihre)\s+{_ANSWERS}\s+(?:soll|sollen|sollte|sollten|muss|müssen|"
        r"dürfen|darf)\b|(?:mir ist(?: es)?(?: sehr)? wichtig|es ist mir(?: sehr)? wichtig|wichtig ist mir|ich lege "
        r"wert darauf),?\s+(?:dass|zu)\b|ich\s+(?:möchte|will|wünsche mir|hätte gern\w*|erwarte)"
        rf"(?:\s+nicht,\s+dass\s+(?:du|ihr|sie)|,\s+dass\s+(?:(?:du|ihr|sie)\s+(?:\S+\s+){{0,3}}?{_ALWAYS}|"
        rf"(?:deine|alle|eure|ihre)\s+{_ANSWERS}))\b|(?:ich|wir)\s+(?:will|wollen|möchten?|brauchen?|hätten? gern\w*)"
        rf"\s.{{2,100}}?{_ALWAYS}|(?:ich|wir)\s+(?:will|wollen|möchten?|brauchen?)\s+nur\s.{{3,100}}?,\s+wenn ich\b|"
        r"du\s+(?:sollst|solltest|musst|darfst)\s+(?:\S+\s+){0,3}?(?:immer|nie|niemals|stets)\b"
    ),
    names=(
        r"(?:bitte\s+)?nenn(?:e|t|en sie)?\s+mich\s+(?:bitte\s+|einfach\s+|doch\s+|niemals\s+|nie\s+|nicht\s+|"
        r"ab jetzt\s+)*(?!(?:in|wenn|bei|an|auf)\b)[\w…]|(?:du|sie|ihr)\s+(?:kannst|können|könnt|darfst|dürfen)"
        r"\s+(?:mich|zu mir)\s.{1,40}?\b(?:nennen|sagen|duzen|siezen)\b|mich\s+(?:\S+\s+){1,4}nennen\b|"
        r"spr(?:ich|echt|echen sie)\s+mich\s+(?:bitte\s+)?(?:mit|als|per)\s+\S|(?:duz|siez)(?:e|t|en sie)?\s+mich\b|"
        r"(?:ich\s+(?:möchte|will|werde)|mich)\s+(?:\S+\s+){0,3}?(?:genannt|gesiezt|geduzt|angesprochen)"
        r"\s+(?:werden)?|lass uns (?:du|per du|duzen)\b"
    ),
    preferences=(
        rf"ich\s+(?:\w+\s+){{0,2}}?{_PREFER}\s+(?!{_DEFINITE})[\w…]|{_PREFER}\s+ich\s+(?!{_DEFINITE})[\w…]|"
        rf"ich\s+[^,.?!]{{2,60}}?\s(?:vorziehe|{_PREFER})\b|ich\s+(?:[^\s,.?!]+\s+){{0,4}}?(?:lieber|am liebsten)"
        rf"\s+(?:[^\s,.?!]+\s+){{0,3}}?{_TASTE}\b|(?:ich\s+)?ziehe\s+(?:ich\s+)?[^,.!?]{{3,80}}?\svor\b|"
        r"ich\s+verzichte\s+(?:\w+\s+){0,2}?auf\s+\w|"
        rf"(?:ich\s+)?{_TASTE}(?:\s+ich)?\s+(?:[^\s,.?!]+\s+){{0,4}}?(?:lieber|am liebsten|eher)\s+\w|"
        r"lieber\s+(?:möchte|hätte|nehme|mag|esse|nutze)\s+ich\b|(?!war)[^,.?!\n]{0,80}?\b(?:ist|sind|wäre|wären)"
        r"\s+mir\s+(?:[^\s,.?!]+\s+){0,3}?lieber\b|mir\s+(?:ist|sind|wäre|wären)\s+[^.?!]{2,80}?\b(?:lieber|"
        r"am liebsten)\b|am liebsten\s+(?:ist mir|sind mir|möchte ich|hätte ich|nehme ich|nutze ich|mag ich)\b|"
        r"ich\s+(?:mag|will|möchte|esse|trinke|nutze|benutze|kaufe|schaue|lese)\s+(?:\w+\s+){0,2}?kein\w*\s+\w|"
        r"ich\s+möchte\s+lieber\s+kein\w*\s+\w|ich\s+mag\s+es\s+(?:gar\s+|überhaupt\s+)?(?:nicht,|,|wenn\b)|"
        r"ich\s+mag\s+es,\s+wenn\b|ich\s+bin\s+(?:\w+\s+){0,2}?(?:kein\s+(?:\w+\s+)?(?:freund|fan)|fan|freund)"
        r"\s+(?:von|der|des)\s+\w|ich\s+versuche,?\s+(?:möglichst\s+)?[^.?!]{2,60}?\b(?:zu\s+(?:vermeiden|meiden|"
        r"reduzieren|sparen|begrenzen|halten|verzichten)|\w+zuhalten)\b|ich\s+lege\s+(?:\w+\s+)?wert\s+auf\s+\w|"
        r"meine\s+(?:vorliebe|präferenz)\s+(?:ist|sind|für|gilt)\b"
    ),
    withdrawals=(
        r"du\s+(?:kannst|darfst)\s.{2,80}?\bwieder\b|du\s+(?:musst|brauchst)\s.{0,100}?\b(?:nicht|kein\w*)"
        r"\b(?:\s+mehr\b)?|ich\s+(?:bevorzuge|will|möchte|mag|meide)\s.{2,80}?\bnicht mehr\b|(?:vergiss|ignoriere?)"
        r",?\s+(?:dass|was)\s+ich\b.{0,80}"
    ),
    once=(
        r"diesmal|dieses (?:eine )?mal|nur (?:ein|dieses)\s?(?:eine )?mal|vorerst|fürs erste|im moment|gerade eben|"
        r"(?:für|in|zu) (?:diese\w?|die nächste)(?: \w+)? (?:frage|nachricht|antwort|aufgabe|brief|mail|datei|text|"
        r"abschnitt|fall|satz|absatz|entwurf)|hierzu|(?<!ab )(?<!von )heute|morgen früh|jetzt gleich|"
        r"(?<!ab )(?<!von )jetzt(?! an)"
    ),
    unreal=(
        r"wenn ich \w+ (?:würde|hätte|wäre)|würde ich es|bevorzugen würde|früher habe ich|hätte ich (?:damals|doch)"
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
        "immer nie niemals bitte nicht kein keine keinen keiner stets wieder mehr lieber liebsten am gern gerne kannst "
        "könntest du ich wir mir mich uns dir sie der die das den dem ein eine einen einer es ist sind wäre zu ab "
        "jetzt künftig grundsätzlich generell mag möchte will bevorzuge vermeide meide hasse nutze benutze verwende "
        "schlag vor vorschlagen empfiehl empfehlen und oder als statt so wenn ob nach frage musst brauchst darfst auch "
        "nur"
    ),
)
