"""Rules of German sentences to learn from: rules of work and taste, then the facts."""

from __future__ import annotations

from typing import Final

from language.de.facts import ANYONE, CLOSE, END, FACTS, FRONT, MY, NAME, NEAR, OFTEN, THE, WHO
from language.learning import Learning, rule
from language.words import word_set

_ACT: Final = (
    r"(?:verwend|benutz|nutz|schreib|antwort|sprich|red|lösch|änder|schick|send|deploy|erwähn|nenn|frag|kauf|bestell|"
    r"buch|"
    r"ruf|weck|stör|füg|entfern|übersetz|fass|rund|zitier|erklär|wiederhol|merg|committ|push|speicher|duz|siez|teil|"
    r"zeig|sag|nimm|mach|start|plan|koch|iss|trink|fahr|gib|lass|überschreib|formatier|druck|öffn|schließ|"
    r"tu|verschieb|lad|kontaktier|aktualisier|prüf|test|stell|leg|bring)"
)
_NEVER: Final = r"(?:nie|niemals|nicht|kein\w{0,2}|immer|stets|auf keinen fall|keinesfalls|unter keinen umständen|nur)"
_LIKED: Final = r"(?!(?:dich|euch|ihn|ihr|sie|das|dies\w*|wie|wenn|dass|es|mich|uns|dein\w{0,2})\b)"

_RULES: Final = (
    # tasks come first: "nicht vergessen" would otherwise read as a rule
    rule(
        "task",
        "working",
        r"(?:todo|to-do|to do|aufgabe|nächste[rs]? schritte?)\s*[:–—-]\s*\S",
        r"(?:bitte\s+)?(?:nicht vergessen|vergiss(?:\s+bitte)?\s+nicht|denk(?:e)?(?:\s+bitte)?\s+(?:daran|dran))\b"
        r"(?!\s*,?\s+(?:dass|wie|was)\b)[\s,:–—-]+\w",
        r"[^,:]{2,80}\snicht vergessen\s*[.!]*$",
        salience=0.7,
        ttl_days=14,
    ),
    rule(
        "task",
        "working",
        rf"(?P<who>ich|wir)\s+(?:muss|müssen)\b{OFTEN}\s+"
        r"(?!(?:.{0,20}\s)?(?:zugeben|sagen|gestehen|lachen|weinen|nachdenken|aufpassen|nicht|sehen|wissen)\b)\w",
        rf"{FRONT}\s+(?:muss|müssen)\s+(?P<who>ich|wir)\s+(?!.*\b(?:zugeben|sagen|lachen)\b)\w",
        rf"(?P<who>ich|wir)\s+.{{1,100}}?\s(?:muss|müssen){END}",
        r"(?P<who>ich|wir)\s+arbeiten?\s+(?:gerade\s+|derzeit\s+|momentan\s+|zurzeit\s+)?(?:an\s+(?!der\s+(?:uni|"
        r"hoch|schule))|daran)",
        salience=0.6,
        ttl_days=14,
    ),
    rule(
        "decision",
        "semantic",
        r"(?:entscheidung|beschluss|beschlossen|entschieden|abgemacht|vereinbart)\s*:\s*\S",
        r"(?P<who>ich|wir|das team)\s+(?:habe|haben|hat)\b(?:[^,]{1,80}?)?\s(?:entschieden|entschlossen|beschlossen|"
        r"geeinigt|"
        r"vereinbart|abgemacht|ausgemacht|festgelegt)\b",
        rf"{FRONT}\s+(?:habe|haben|hat)\s+(?P<who>ich|wir|das team)\s+[^,]{{0,60}}?(?:entschieden|beschlossen|"
        rf"geeinigt|"
        r"vereinbart|ausgemacht|festgelegt)\b",
        r"(?P<who>ich|wir)\s+[^,]{0,80}?(?:entschieden|beschlossen|geeinigt|vereinbart)\s+haben?\b",
        r"(?:also\s+)?lass(?:t)?\s+uns\s.{1,60}?\s(?:nehmen|verwenden|nutzen|benutzen|bleiben|umsteigen|wechseln|"
        r"einsetzen|"
        r"einführen)\b",
        r"(?P<who>wir)\s+(?:nehmen|verwenden|nutzen|benutzen|bleiben)\s+(?:jetzt|künftig|ab|in zukunft|dann|also|"
        r"doch|lieber|bei)\b",
        r"(?:ab\s+\w+|künftig|in zukunft)\s+(?:nehmen|verwenden|nutzen|benutzen)\s+(?P<who>wir)\b",
        r"(?P<who>wir)\s+(?:steigen|wechseln|migrieren)\s.{0,40}?\b(?:auf|zu|nach)\s+\S",
        r"(?P<who>wir)\s+werden\s.{1,60}?\s(?:nehmen|verwenden|nutzen|benutzen|umsteigen|wechseln)\b",
        salience=0.75,
        confidence=0.85,
    ),
    rule(
        "fix",
        "procedural",
        r"(?:(?:die|der|das)\s+)?(?:lösung|abhilfe|trick|workaround)\s+(?:ist|war)\b",
        r"(?:es|das|jetzt|der\s+[\w-]+|die\s+[\w-]+|das\s+[\w-]+)\s+(?:funktioniert|läuft|klappt|geht)\s+(?:es\s+|"
        r"das\s+)?"
        r"(?:jetzt|wieder|nun|seit|nachdem)\b",
        rf"{WHO}\s+(?:habe|hat|haben)\b(?:.{{1,100}}?)?\s(?:behoben|gelöst|gefixt|gefixed|repariert|umgangen|"
        rf"hinbekommen|"
        r"hingekriegt|in den griff bekommen)\b",
        r"(?:behoben|gelöst|gefixt|repariert)\b.{0,40}?\b(?:durch|mit|indem)\b",
        r".{0,60}?\b(?:hat geholfen|half)\b",
        salience=0.65,
    ),
    rule(
        "result",
        "working",
        r"\$\s+\S",
        r".{0,80}?\b(?:exit[- ]?code \d+|\d+ (?:tests? )?(?:bestanden|fehlgeschlagen|erfolgreich)|"
        r"build (?:erfolgreich|fehlgeschlagen|durchgelaufen)|version v?\d[\w.]* (?:deployt|ausgerollt|"
        r"veröffentlicht))\b",
        salience=0.5,
        ttl_days=7,
    ),
    rule(
        "failure",
        "episodic",
        r".{0,120}?\b(?:fehlgeschlagen|gescheitert|abgestürzt|ausgefallen|defekt|kaputt\w*|abgebrochen|"
        r"stürzt\b.{0,60}?\bab|"
        r"schlägt\b.{0,60}?\bfehl|fällt\b.{0,60}?\baus|(?:funktioniert|läuft|klappt|startet|reagiert|lädt)(?:e|en)?"
        r"(?:\s+\w+)?\s+nicht(?:\s+mehr)?|geht nicht mehr|ging nicht mehr|(?:ist|sind|war) (?:offline|down)|"
        r"wirft\b.{0,30}?(?:fehler|exception)|hängt sich auf)\b",
        salience=0.6,
    ),
    rule(
        "constraint",
        "semantic",
        r"(?P<who>ich|wir)\s+(?:bin|sind)(?:\s+\w+)?\s+(?P<what>allergisch (?:gegen|auf) .+)",
        r"(?P<who>ich|wir)\s+(?:bin|sind)(?:\s+\w+)?\s+(?P<what>(?:gegen|auf) .+? allergisch)\b",
        rf"(?P<who>{NEAR}|{NAME}|er|sie)\s+ist(?:\s+\w+)?\s+(?P<what>allergisch (?:gegen|auf) .+|"
        rf"gegen .+? allergisch)",
        rf"{ANYONE}\s+(?P<what>(?:gegen|auf) .+? allergisch)\s+(?:bin|ist|sind)\b",
        rf"{WHO}\s+(?:habe|hat|haben|leide an|leidet an)\s+(?:auch\s+|leider\s+)?(?:eine?\w?\s+)?(?:\w+\s+)?"
        r"(?P<what>[\w-]*(?:allergie|intoleranz|unverträglichkeit|diabetes|zöliakie)\b.*)",
        rf"{ANYONE}\s+(?:eine?\s+)?(?P<what>[\w-]*(?:allergie|intoleranz|unverträglichkeit)\b.*?)\s+(?:habe|hat)\b",
        r"(?P<who>ich|wir)\s+(?:bin|sind)(?:\s+\w+)?\s+(?P<what>vegan\w*|vegetari\w+|diabetiker\w*|allergiker\w*|"
        r"laktoseintolerant|glutenintolerant)\b",
        r"(?P<who>ich)\s+(?P<what>vegan\w*|vegetari\w+)\s+(?:bin|lebe|esse)\b",
        r"(?P<who>ich|wir)\s+(?:esse|essen|lebe|leben|ernähre|ernähren)\s+(?:mich\s+|uns\s+)?(?P<what>vegan|"
        r"vegetarisch|"
        r"glutenfrei|laktosefrei|koscher|halal)\b",
        r"(?P<who>ich|wir)\s+(?:esse|essen|trinke|trinken|vertrage|vertragen|darf|dürfen)\s+(?:leider\s+|überhaupt\s+|"
        r"absolut\s+|gar\s+)?(?P<what>kein\w{0,2}\s+.+)",
        r"(?P<who>ich|wir)\s+(?P<what>kein\w{0,2}\s+.{2,60}?)\s+(?:esse|essen|trinke|vertrage|essen darf)\b",
        r"(?P<who>ich)\s+vertrage\s+(?P<what>.+?\s+nicht)\b",
        salience=0.9,
        confidence=0.9,
    ),
    rule(
        "constraint",
        "procedural",
        r"(?:bitte\s+)?(?:nie|niemals|immer|keinesfalls|auf keinen fall|unter keinen umständen)\s+"
        r"(?!(?:wieder|mehr|noch|gut|schön|gerne?|dieser?|dieses|das|der|die|diese|ich|wenn|so)\b)\w.*\w+n\s*[.!]*$",
        rf"(?:bitte\s+)?{_ACT}(?:e|s|en sie)?\s+(?:\S+\s+){{0,4}}?{_NEVER}\b",
        rf"bitte\s+(?:\S+\s+){{0,3}}?{_NEVER}\s.*\w+n\s*[.!]*$",
        rf"(?P<who>wir|man|niemand|jeder|alle|{THE}|du|ich)\s+(?:darf|darfst|dürfen|soll|sollst|sollen|sollte|"
        rf"sollten|muss|"
        r"musst|müssen)\s+(?:\S+\s+){0,3}?(?:nie|niemals|nicht|immer|kein\w{0,2})\b",
        r"(?P<who>niemand|jeder|man|alle)\s+(?:darf|dürfen|muss|müssen)\s+\w",
        salience=0.7,
    ),
    rule(
        "constraint",
        "semantic",
        r"(?:der|die|das|unsere?|mein|meine)\s+(?P<who>(?:[\w-]+\s+){0,2}?[\w-]*(?:frist|deadline|abgabetermin|"
        r"budget|limit|"
        r"maximum|minimum|stichtag|obergrenze|abgabe))\s+(?:ist|sind|war|beträgt|liegt|läuft|endet)\b",
        relation="is",
        salience=0.8,
        confidence=0.85,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?P<who>(?:{MY}\s+)?lieblings[\w-]+(?:\s+im\s+\w+)?)(?:\s*:\s*|\s+(?:ist|sind|war|hei(?:ß|"
        rf"ss)t)\s+(?:jetzt\s+)?)\w",
        rf"(?P<who>{MY}\s+liebste[rsn]?\s+[\w-]+)\s+(?:ist|sind)\s+\w",
        rf"(?P<who>{MY}\s+lieblings[\w-]+)\s.{{1,40}}?\s(?:ist|sind){END}",
        relation="is",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?P<who>ich|wir){OFTEN}\s+(?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge|bevorzugen|genieße|geniesse|"
        rf"verabscheue){OFTEN}\s+{_LIKED}(?P<what>\w.+)",
        rf"(?:mag|liebe|hasse|bevorzuge){OFTEN}\s+(?!(?:ich|wir)\b){_LIKED}(?P<what>\w.+)",
        r"(?P<who>ich|wir)\s+\w{2,}e?n?(?:\s+(?:sehr|wirklich|total|auch|immer))*\s+(?:gerne?|lieber|ungern|"
        r"nicht gerne?|"
        r"am liebsten)\b(?!\s+(?:wissen|haben|mal|hätte)\b)(?P<what>.*)",
        r"(?P<who>ich|wir)\s+(?:esse|trinke|höre|lese|schaue|nehme|sehe|spiele|trage|essen|trinken|"
        r"hören)\s+(?P<what>.{2,60}?)"
        r"\s+(?:sehr\s+|nicht\s+|wirklich\s+)*(?:gerne?|lieber|ungern|am liebsten)\b",
        r"am liebsten\s+\w+\s+(?P<who>ich|wir)\s+(?P<what>.+)",
        rf"{_LIKED}(?P<what>[\w-]+(?:\s+[\w-]+){{0,3}}?)\s+(?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge)\s+(?P<who>ich|wir)\b",
        r"(?P<what>[\w-]+(?:\s+[\w-]+){0,3}?)\s+(?:esse|trinke|höre|lese|essen|trinken)\s+(?P<who>ich|wir)\b"
        r"(?=.*\b(?:nicht|nie|gerne?|ungern|am liebsten)\b)",
        r"(?:mir|uns)\s+(?:schmeckt|schmecken|gefällt|gefallen)(?:\s+(?:nicht|sehr|am besten|besonders|gut))*\s+"
        rf"{_LIKED}(?P<what>\w.+)",
        r"(?!das\b|es\b|dies)(?P<what>[\w-]+(?:\s+[\w-]+){0,2})\s+(?:schmeckt|schmecken|gefällt|gefallen)\s+(?:mir|"
        r"uns)\b",
        r"(?P<who>ich|wir)\s+(?:stehe|stehen)\s+(?:total\s+|voll\s+|sehr\s+)?auf\s+(?P<what>.+)",
        r"(?P<who>ich|wir)\s+(?:bin|sind)\s+(?:ein\w{0,2}\s+)?(?:gro(?:ß|ss)er?\s+)?fan\s+von\s+(?P<what>.+)",
        r"(?P<who>ich|wir)\s+(?:kann|können)\s+(?P<what>.+?)\s+(?:gar\s+|überhaupt\s+|"
        r"absolut\s+)?nicht\s+(?:ausstehen|leiden|ab)\b",
        r"(?P<who>ich|wir)\s+würden?\s+lieber\s+(?!wissen)(?P<what>.+)",
        r"(?P<who>ich|wir)\s+(?P<what>.{2,80}?)\s+(?:mag|mögen|liebe|hasse|bevorzuge)\s*[.!]*$",
        relation="like",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?P<who>{NEAR}|{NAME}|er|sie){OFTEN}\s+(?:mag|mögen|liebt|lieben|hasst|hassen|bevorzugt)(?!\s+(?:ich|wir)\b)"
        rf"{OFTEN}\s+{_LIKED}(?P<what>\w.+)",
        rf"(?P<who>{NEAR}|{NAME}|er|sie){OFTEN}\s+(?:isst|trinkt|hört|liest|verträgt|essen|trinken)\s+"
        r"(?P<what>(?:kein\w{0,2}|gerne?|lieber|ungern|am liebsten|nicht gerne?)\b.+)",
        rf"(?P<who>{CLOSE}|{NAME})\s+(?P<what>.{{2,60}}?)\s+(?:mag|liebt|hasst|bevorzugt)\s*[.!]*$",
        relation="like",
        salience=0.6,
    ),
    *FACTS,
)
"""In the order in which they are tried; the first that matches makes the item."""

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
