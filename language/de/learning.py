"""Rules of German sentences to learn from.

The verb stands second, whatever comes first ("In Porto wohnt meine Schwester"), and last in a subordinate clause
("dass meine Schwester in Porto wohnt"); a participle stands at the end.  :func:`_stated` and :func:`_happened` write
these orders for a verb, so that a rule names verbs and not orders.
"""

from __future__ import annotations

from typing import Final

from language.learning import Learning, rule
from language.words import vocabulary

_NO_NAME: Final = (
    r"ich|du|er|sie|es|wir|ihr|man|der|die|das|den|dem|des|ein\w{0,2}|kein\w{0,2}|mein\w{0,2}|dein\w{0,2}|sein\w{0,2}|"
    r"ihre\w?|unser\w{0,2}|euer|eure\w?|diese\w?|jede\w?|alle[sn]?|manche\w?|viele|einige|etwas|nichts|niemand|jemand|"
    r"hier|da|dort|heute|morgen|gestern|jetzt|nun|dann|danach|später|bald|oft|nie|immer|leider|vielleicht|bitte|danke|"
    r"ja|nein|nicht|und|oder|aber|denn|doch|wenn|falls|als|ob|dass|weil|obwohl|wer|was|wo|wann|wie|warum|wieso|"
    r"welche\w?|"
    r"in|im|an|am|auf|aus|bei|beim|bis|für|gegen|hinter|mit|nach|neben|ohne|seit|über|um|unter|von|vom|vor|wegen|zu|"
    r"zum|"
    r"zur|zwischen|ab|so|sehr|schon|noch|nur|auch|mir|mich|uns|dir|dich|ihm|ihn|ihnen|habe?|hat|haben|bin|ist|sind|war|"
    r"heißt|heisst|übrigens|eigentlich|außerdem|wahrscheinlich|wetter|leben|liebe|zeit|leute|menschen|kinder|essen|"
    r"arbeit|musik"
)
_CAPITAL: Final = r"(?-i:[A-ZÄÖÜ])[\w'’-]+"
_NAME: Final = rf"(?!(?:{_NO_NAME})\b){_CAPITAL}(?:\s+(?!(?:{_NO_NAME})\b){_CAPITAL}){{0,2}}"
"""One to three capitalised words; the commonest words that begin a sentence with a capital are none."""
_MY: Final = r"(?:mein|unser|unsr)(?:e[nmrs]?)?"
_NEAR: Final = rf"{_MY}\s+(?:[\w'’-]+\s+){{0,4}}?[\w'’-]+"
"""What somebody calls theirs, up to the verb that follows: "meine Schwester Vera", "unser Code"."""
_CLOSE: Final = rf"{_MY}\s+(?:(?-i:[a-zäöü])[\w-]+e[rns]?\s+){{0,2}}{_CAPITAL}(?:\s+{_NAME})?|{_MY}\s+[\w'’-]+"
"""The same where no verb follows: a noun, and the name after it."""
_THE: Final = r"(?:der|die|das)\s+(?:[\w'’-]+\s+){0,2}?[\w'’-]+"
_WHO: Final = rf"(?P<who>{_NEAR}|{_THE}|ich|wir|er|sie|{_NAME})(?:,\s+(?:der|die|das)\s[^,]{{1,60}},)?"
_ANYONE: Final = rf"(?P<who>{_CLOSE}|ich|wir|er|sie|{_NAME})\b"
_ASKED: Final = (
    r"(?:wer|wen|wem|wessen|was|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche\w?|ob|wenn|falls|dass|weil)"
)
_FRONT: Final = rf"(?!{_ASKED}\b)[^\s,]+(?:\s+[^\s,]+){{0,5}}?"
"""What a sentence may begin with in place of its subject: "In Porto", "Seit 2019"."""
_OFTEN: Final = (
    r"(?:\s+(?:auch|noch|jetzt|nun|immer|inzwischen|mittlerweile|derzeit|momentan|zurzeit|gerade|schon|nur|meistens|"
    r"oft|"
    r"wirklich|eigentlich|übrigens|endlich|neuerdings|wieder|aktuell|bereits|bald|gern|gerne|ja|aber|leider|früher|"
    r"total|echt|sehr|gar|überhaupt|nicht mehr|nicht|seit\s+\S+(?:\s+(?-i:[A-ZÄÖÜ])\w+)?))*"
)
_END: Final = r"\s*(?:[.!,;]|$)"
_SO: Final = (
    r"(?:so|sehr|zu|echt|super|total|ziemlich|wirklich|einfach|richtig|absolut|toll\w*|großartig\w*|klasse|"
    r"wunderbar\w*|"
    r"fantastisch\w*|der beste|die beste|das beste|mir|dir|uns|egal|schön|gut|ok|okay|es\b)\b"
)
"""How people praise; what follows is no fact."""
_MUSING: Final = (
    r"(?:gedacht|gesagt|gewusst|gefragt|verstanden|gemeint|gehofft|vergessen|geglaubt|gefühlt|erzählt|überlegt|gefreut|"
    r"gewundert|erwartet|versucht|angenommen|gehabt)"
)
_EVENT: Final = (
    r"(?:gekauft|verkauft|verloren|gebrochen|kennengelernt|kennen gelernt|angefangen|begonnen|abgeschlossen|beendet|"
    r"gekündigt|verlassen|bestanden|gebucht|bestellt|bezahlt|besucht|adoptiert|gegründet|unterschrieben|eingestellt|"
    r"beworben|eröffnet|geschlossen|gewonnen|storniert|abgesagt|gemietet|vermietet|gestrichen|gebaut|geschrieben|"
    r"gepflanzt|installiert|deployt|deployed|aktualisiert|migriert|verliehen|ausgeliehen|geliehen|geliefert|bekommen|"
    r"geboren|gestorben|operiert|aufgehört|verpasst|gefunden|geschenkt|gelernt|renoviert|vereinbart|verschoben|"
    r"geparkt|versteckt|angemeldet|abgeholt|repariert|promoviert|umgestellt)"
)
"""Participles of what changes a life or a project."""
_PARTICIPLE: Final = (
    rf"(?!{_MUSING}\b)(?:\w*ge\w{{2,}}(?:t|en)|(?:be|ver|er|ent|zer|über|unter)\w{{2,}}(?:t|en)|\w{{2,}}iert)"
)
_TIMED: Final = r"(?=.*(?:\d|\bmein|\bunser|\bgestern\b|\bvorgestern\b|\bletzte\w?\b|\bvorige\w?\b|\bheute\b|\bvor\s))"
_ACT: Final = (
    r"(?:verwend|benutz|nutz|schreib|antwort|sprich|red|lösch|änder|schick|send|deploy|erwähn|nenn|frag|kauf|bestell|"
    r"buch|"
    r"ruf|weck|stör|füg|entfern|übersetz|fass|rund|zitier|erklär|wiederhol|merg|committ|push|speicher|duz|siez|teil|"
    r"zeig|sag|nimm|mach|start|plan|koch|iss|trink|fahr|gib|lass|überschreib|formatier|druck|öffn|schließ|"
    r"tu|verschieb|lad|kontaktier|aktualisier|prüf|test|stell|leg|bring)"
)
_NEVER: Final = r"(?:nie|niemals|nicht|kein\w{0,2}|immer|stets|auf keinen fall|keinesfalls|unter keinen umständen|nur)"
_LIKED: Final = r"(?!(?:dich|euch|ihn|ihr|sie|das|dies\w*|wie|wenn|dass|es|mich|uns|dein\w{0,2})\b)"
_AT: Final = r"in|im|an|am|auf|unter|neben|hinter|bei|beim|über|zwischen|vor|ab|um|bis|seit|nach|zum|zur"


def _stated(verbs: str, rest: str = "", *, who: str = _WHO, anyone: str = _ANYONE) -> tuple[str, ...]:
    """Return patterns of statements with one of ``verbs``: subject first, something else first, verb last.

    ``rest`` is what has to stand somewhere after the verb, or before it where it is last.
    """
    somewhere = rf"(?=.{{0,120}}?{rest})" if rest else ""
    return (
        rf"{who}{_OFTEN}\s+(?:{verbs})\b{somewhere}",
        rf"{somewhere}{_FRONT}\s+(?:{verbs})\s+{anyone}",
        rf"{anyone}{somewhere}\s.{{1,100}}?\s(?:{verbs}){_END}",
    )


def _happened(auxiliary: str, participle: str, condition: str = "") -> tuple[str, ...]:
    """Return patterns of the perfect tense: subject first, something else first, participle before the auxiliary."""
    return (
        rf"{condition}{_WHO}\s+(?:{auxiliary})\b(?:.{{1,120}}?)?\s{participle}{_END}",
        rf"{condition}{_FRONT}\s+(?:{auxiliary})\s+{_ANYONE}(?:.{{1,120}}?)?\s{participle}{_END}",
        rf"{condition}{_ANYONE}\s(?:.{{1,120}}?\s)?{participle}\s+(?:{auxiliary}){_END}",
    )


_FACTS: Final = (
    rule(
        "fact",
        "semantic",
        *_stated(
            r"wohne|wohnst|wohnt|wohnen|lebe|lebt|leben",
            rf"\b(?:{_AT}|mit|bei|hier|dort|allein|alleine|zusammen|außerhalb|nahe|daheim|zuhause|nebenan)\b",
        ),
        r"(?:wohne|lebe)\b(?!\s+(?:ich|wir)\b)(?=.{0,80}?\b(?:in|im|bei|auf|am|an|mit|hier|dort|allein)\b)",
        *_happened(
            r"bin|ist|sind|war", r"(?:\w{0,6}gezogen|ausgewandert|übergesiedelt|übersiedelt|eingewandert|umgezogen)"
        ),
        *_stated(
            r"ziehe|zieht|ziehen|zog|zogen",
            r"\b(?:nach|um|aus|ein|weg|zurück|zu (?:mein|ihr|sein)\w*|in (?:die|den|das|eine?n?))\b",
        ),
        relation="live",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        *_stated(
            r"arbeite|arbeitet|arbeiten|jobbe|jobbt",
            r"\b(?:als|bei|beim|in|im|für|an der|am|auf|von|teilzeit|vollzeit|halbtags|freiberuflich|selbstständig|"
            r"nicht mehr)\b",
        ),
        r"arbeite\b(?!\s+(?:ich|wir)\b)(?=.{0,80}?\b(?:als|bei|beim|in|im|für)\b)",
        rf"{_WHO}\s+(?:habe|hat|haben)\b.{{0,60}}?\s(?:einen\s+)?(?:neuen\s+)?(?:job|stelle|arbeit|arbeitgeber)\b"
        r"(?!\s*(?:verloren|gekündigt))",
        rf"{_WHO}\s+(?:bin|ist|sind)\b.{{0,40}}?\s(?:in rente|im ruhestand|pensioniert|arbeitslos|selbstständig|"
        r"freiberuflich|angestellt|rentner|rentnerin)\b",
        *_happened(r"habe|hat|haben", r"(?:gekündigt|angefangen)", r"(?=.*\b(?:bei|als)\b)"),
        relation="work",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}\s+(?:bin|ist|sind|wurde|wurden)\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\b",
        rf"{_ANYONE}\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\s+(?:bin|ist|sind|wurde){_END}",
        rf"{_WHO}\s+(?:habe|hat|haben)\b.{{0,40}}?\s(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\b",
        rf"(?P<how>am|im)\s.{{1,30}}?\s(?:habe|hat|haben)\s+{_ANYONE}.{{0,20}}?\sgeburtstag\b",
        rf"{_ANYONE}\s+(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\s+(?:habe|hat|haben){_END}",
        relation="birth",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}\s+(?:bin|ist|sind|werde|wird|werden|wurde)\b(?:\s+[\w.]+){{0,3}}?\s+\d{{1,3}}"
        r"(?:\s+jahre?\b(?:\s+alt)?|\s+geworden\b)",
        rf"(?!{_MY}\s+\w*(?:nummer|größe|groesse|code|pin|zahl|gewicht|preis|limit|rekord)\b){_WHO}\s+(?:bin|ist|"
        rf"werde|wird|"
        r"wurde)\b(?:\s+[\w.]+){0,3}?\s+\d{1,2}\s*[.!]*$",
        rf"{_WHO}\s+\d{{1,3}}\s+jahre\s+alt\s+(?:bin|ist|sind){_END}",
        relation="age",
        salience=0.6,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        r"(?P<who>ich|wir)\s+(?:hei(?:ß|ss)en?)\s+\S",
        r"mein\s+(?:voller\s+)?name\s+(?:ist|lautet)\b",
        r"(?:man|alle|freunde|meine freunde)\s+nenn(?:t|en)\s+mich\s+\S",
        r"(?:bitte\s+)?nenn(?:e|t)?\s+mich\s+(?:bitte\s+|einfach\s+)?\S",
        rf"{_WHO}{_OFTEN}\s+hei(?:ß|ss)(?:t|en)\s+\S",
        rf"{_ANYONE}\s+\S+\s+hei(?:ß|ss)(?:e|t|en){_END}",
        relation="name",
        salience=0.85,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}\s+(?:bin|ist|sind)\b(?:\s+[\w.]+){{0,4}}?\s+(?:verheiratet|geschieden|verlobt|single|ledig|verwitwet|"
        r"liiert|getrennt|zusammen|ein paar)\b",
        *_happened(r"habe|hat|haben", r"(?:geheiratet|verlobt|getrennt|scheiden lassen)"),
        *_stated(r"heirate|heiratet|heiraten"),
        relation="marry",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        "fact",
        "semantic",
        *_stated(r"studiere|studiert|studieren"),
        rf"{_WHO}{_OFTEN}\s+(?:gehe|geht|gehen)\b.{{0,40}}?\s(?:zur schule|in die (?:schule|\d+\.? klasse|kita)|"
        rf"aufs gymnasium|"
        r"in den kindergarten)\b",
        rf"{_WHO}{_OFTEN}\s+(?:mache|macht|machen)\b.{{0,40}}?\s(?:ausbildung|abitur|lehre|praktikum|studium)\b",
        relation="study",
        salience=0.6,
    ),
    # perfect tenses before "habe": the participle comes last
    rule(
        "fact",
        "episodic",
        *_happened(r"habe|hat|haben|bin|ist|sind|wurde|wurden", _EVENT),
        *_happened(r"habe|hat|haben|bin|ist|sind|wurde|wurden", _PARTICIPLE, _TIMED),
        rf"(?:gestern|vorgestern|letzte\w?\s+\w+|vor\s+\S+\s+\w+)\s+(?:war|waren|ging|gingen|fuhr|flog|traf|kaufte|"
        rf"verlor)\s+"
        rf"{_ANYONE}",
        r"(?P<who>ich|wir)\s+(?:war|waren|ging|gingen|fuhr|flog|traf|kaufte|verlor)\s+"
        r"(?=.*(?:\d|\bgestern\b|\bletzte|\bvor\s|\bin\s))",
        salience=0.45,
        confidence=0.75,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{_NEAR})(?:\s*[:=]\s*|\s+(?:ist|sind|war|waren|lautet|lauten|beträgt|liegt|steht|hängt|kostet|"
        rf"geht|fliegt|"
        rf"fährt|beginnt|startet|endet|findet|läuft)(?:\s+(?:jetzt|nun|aber|übrigens|ab jetzt|inzwischen|seit\s+\S+|"
        rf"nicht mehr))*\s+)(?!{_SO})(?P<how>{_AT})?\b\s*\S",
        rf"(?P<how>{_AT})\s+\S+(?:\s+\S+){{0,3}}?\s+(?:ist|sind|liegt|steht|geht|fliegt|fährt|beginnt|startet|endet)\s+"
        rf"(?P<who>{_CLOSE})",
        rf"(?P<who>{_CLOSE})\s+(?:(?P<how>{_AT})\s+)?(?!{_SO}).{{1,60}}?\s(?:ist|sind|lautet|liegt|steht|geht|fährt|"
        rf"beginnt|kostet){_END}",
        relation="is",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{_THE})\s+(?:ist|sind|liegt|liegen|steht|stehen|hängt|befindet sich)(?:\s+(?:jetzt|immer|noch))*\s+"
        rf"(?P<how>{_AT})\s+\S",
        rf"(?P<who>{_THE})\s+(?:ist|sind|beginnt|startet|endet|kostet|fährt|geht)(?:\s+(?:jetzt|"
        rf"nun))?\s+(?!{_SO})(?=.*\d)\S",
        rf"(?P<who>{_THE})\s+(?:lautet|hei(?:ß|ss)t)(?:\s+(?:jetzt|nun))?\s+\S",
        rf"(?P<who>{_THE})\s+.{{1,60}}?\s(?:liegt|steht|hängt|lautet){_END}",
        rf"(?P<who>{_THE})\s+(?:kommt|öffnet|schließt|hat|macht)\s+(?=.*(?:\d|\bjede|\bimmer\b|tags\b|abends\b|morgens\b))\S",
        relation="is",
        salience=0.5,
        confidence=0.7,
    ),
    rule(
        "fact",
        "semantic",
        r"(?P<who>(?-i:[A-ZÄÖÜ])[\w'’ -]{2,40}|(?:wlan|wifi|tür|handy|telefon|zimmer|konto)[\w'’ -]{0,30})\s*:\s*"
        r"(?=\S*\d)\S+\s*\S*$",
        relation="is",
        salience=0.6,
        confidence=0.7,
    ),
    rule(
        "fact",
        "semantic",
        r"(?P<who>ich|wir)\s+(?:bin|sind)\s+(?:(?:von beruf|gelernte\w?|eigentlich|übrigens|jetzt|auch|seit\s+\S+(?:\s+"
        rf"(?-i:[A-ZÄÖÜ])\w+)?)\s+)*(?:eine?n?\s+)?(?!{_SO})(?-i:[A-ZÄÖÜ])[\w-]+",
        r"(?P<who>ich)\s+bin\s+(?!sicher|sauer|später|wieder|immer|leider|lieber|aber|unter|über|weiter|oder|hier|"
        r"unser|"
        r"mehr|sehr|hinter|außer|müder|besser|fester|schneller|ganz|gerade|bereit)"
        r"(?:\w+(?:er|erin|ist|istin|ärztin|arzt|eur|ant|ent))\s*[.!]*$",
        r"(?P<who>ich|wir)\s+(?:bin|sind|komme|kommen)\s+(?:ursprünglich\s+|eigentlich\s+)?aus\s+\S",
        r"(?P<who>ich)\s+(?:habe angst vor|fürchte mich vor|lerne|bin verantwortlich für|bin zuständig für|"
        r"interessiere "
        r"mich für|kann\s+(?:gut|kein\w{0,2}|nicht))\s+\S",
        r"(?P<who>ich)\s+(?:kein\w{0,2}\s+)?(?-i:[A-ZÄÖÜ])[\w-]+\s+(?:bin|lerne)\s*[.!]*$",
        salience=0.65,
    ),
    rule(
        "fact",
        "semantic",
        rf"{_WHO}{_OFTEN}\s+(?:habe|hat|haben|besitze|besitzt|besitzen)\s+(?!.*\s{_MUSING}{_END})"
        rf"(?!(?:recht|lust|zeit|hunger|durst|angst|dich|mich|das|es|so|nichts|gerade|keine?\s+(?:ahnung|zeit|lust|"
        rf"idee|"
        rf"frage)|(?:eine|noch eine|mal eine)\s+(?:frage|idee|bitte)|ein\s+problem|{_SO})\b)\w",
        rf"{_FRONT}\s+(?:habe|hat|haben)\s+{_ANYONE}\s+(?:am\s|um\s|ein\w{{0,2}}\s|kein\w{{0,2}}\s|zwei\s|drei\s|\d)",
        rf"{_ANYONE}\s+(?:ein\w{{0,2}}|zwei|drei|vier|\d+)\s.{{1,60}}?\s(?:habe|hat|haben|besitze){_END}",
        r"habe\s+(?:ein\w{0,2}|zwei|drei|vier|\d+)\s(?!frage|idee|problem)\w",
        salience=0.55,
    ),
    rule(
        "fact",
        "episodic",
        r"(?P<who>ich|wir)\s+(?:fliege|fliegen|reise|reisen|verreise|verreisen)\b",
        r"(?P<who>ich|wir)\s+(?:fahre|fahren|gehe|gehen|besuche|besuchen|treffe|treffen|starte|starten|beginne|"
        r"beginnen|"
        r"bekomme|bekommen|mache|machen|kaufe|kaufen)\s+(?=.*(?:\d|\bmorgen\b|\bübermorgen\b|\bnächste|\bam\s|\bim\s|"
        r"\bbald\b))",
        r"(?:morgen|übermorgen|nächste\w?\s+\w+|am\s+\S+(?:\s+\S+)?|im\s+\w+|bald|in\s+\w+\s+\w+)\s+(?:fliege|"
        r"fliegen|reise|"
        r"reisen|fahre|fahren|gehe|gehen|besuche|besuchen|treffe|treffen|starte|beginne|bekomme|bekommen|mache|"
        r"machen)\s+"
        r"(?P<who>ich|wir)\b",
        r"(?P<who>ich|wir)\s+(?:werde|werden)\s+.{1,80}?\s(?:fliegen|fahren|reisen|besuchen|anfangen|starten|treffen|"
        r"umziehen|"
        r"verlassen|heiraten|kaufen)\b",
        salience=0.55,
        confidence=0.75,
    ),
    rule(
        "fact",
        "semantic",
        *_stated(
            r"spreche|spiele|fahre|nutze|benutze|verwende|laufe|jogge|esse|trinke|trage|reite|unterrichte|schreibe|"
            r"lese|"
            r"sammle|sammele|koche|trainiere|nehme|pendle|pendele|programmiere|entwickle|betreue|zahle|verdiene|parke|"
            r"schlafe|schwimme|singe|male|tanze|plane|bewahre|engagiere|wiege|rauche|schulde|turne|klettere|züchte|backe|"
            r"sprechen|spielen|nutzen|benutzen|verwenden|pendeln|zahlen|sammeln",
            who=r"(?P<who>ich|wir)",
            anyone=r"(?P<who>ich|wir)\b",
        ),
        r"(?P<who>ich|wir)\s+(?:stehe|gehe|stehen|gehen)\s+(?=.*(?:\d|\bauf\b|\bzu[mr]?\b|\bins?\b|\bjeden?\b|"
        r"\bimmer\b|\s\w+s\b))",
        r"(?P<who>ich)\s+(?:will|möchte)\s+(?!(?:du|dich|dir|wissen|fragen|sagen|nur|das|es|mich entschuldigen)\b)"
        r".{1,80}?\w+en\s*[.!]*$",
        r"(?P<who>ich)\s+(?!(?:gerne?|nur|mal|das|es)\b).{1,80}?\w+en\s+(?:will|möchte)\s*[.!]*$",
        salience=0.5,
        confidence=0.75,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{_NEAR}){_OFTEN}\s+(?!ist\b|hat\b|geht\b)(?-i:[a-zäöü]{{2,}}t)\s+(?!mir\b|mich\b|dir\b|{_SO})\w",
        rf"(?P<who>{_NAME}){_OFTEN}\s+(?:ist|hat)\s+(?!{_SO}|ge\w+t?\b)\w",
        rf"(?P<who>{_NAME}){_OFTEN}\s+(?:spricht|spielt|fährt|besitzt|unterrichtet|nutzt|benutzt|leitet|will|isst|"
        rf"trinkt|geht|"
        r"trägt|führt|lernt|kommt|kann|kocht|sammelt|betreut)\s+\w",
        rf"(?P<who>{_CLOSE}|{_NAME})\s+.{{1,60}}?\s(?:spielt|spricht|fährt|lernt|leitet|ist|hat){_END}",
        salience=0.5,
        confidence=0.7,
    ),
)
"""From the telling to the general: the first that matches makes the item."""

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
        rf"(?P<who>ich|wir)\s+(?:muss|müssen)\b{_OFTEN}\s+"
        r"(?!(?:.{0,20}\s)?(?:zugeben|sagen|gestehen|lachen|weinen|nachdenken|aufpassen|nicht|sehen|wissen)\b)\w",
        rf"{_FRONT}\s+(?:muss|müssen)\s+(?P<who>ich|wir)\s+(?!.*\b(?:zugeben|sagen|lachen)\b)\w",
        rf"(?P<who>ich|wir)\s+.{{1,100}}?\s(?:muss|müssen){_END}",
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
        rf"{_FRONT}\s+(?:habe|haben|hat)\s+(?P<who>ich|wir|das team)\s+[^,]{{0,60}}?(?:entschieden|beschlossen|"
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
        rf"{_WHO}\s+(?:habe|hat|haben)\b(?:.{{1,100}}?)?\s(?:behoben|gelöst|gefixt|gefixed|repariert|umgangen|"
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
        rf"(?P<who>{_NEAR}|{_NAME}|er|sie)\s+ist(?:\s+\w+)?\s+(?P<what>allergisch (?:gegen|auf) .+|"
        rf"gegen .+? allergisch)",
        rf"{_ANYONE}\s+(?P<what>(?:gegen|auf) .+? allergisch)\s+(?:bin|ist|sind)\b",
        rf"{_WHO}\s+(?:habe|hat|haben|leide an|leidet an)\s+(?:auch\s+|leider\s+)?(?:eine?\w?\s+)?(?:\w+\s+)?"
        r"(?P<what>[\w-]*(?:allergie|intoleranz|unverträglichkeit|diabetes|zöliakie)\b.*)",
        rf"{_ANYONE}\s+(?:eine?\s+)?(?P<what>[\w-]*(?:allergie|intoleranz|unverträglichkeit)\b.*?)\s+(?:habe|hat)\b",
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
        rf"(?P<who>wir|man|niemand|jeder|alle|{_THE}|du|ich)\s+(?:darf|darfst|dürfen|soll|sollst|sollen|sollte|"
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
        rf"(?P<who>(?:{_MY}\s+)?lieblings[\w-]+(?:\s+im\s+\w+)?)(?:\s*:\s*|\s+(?:ist|sind|war|hei(?:ß|"
        rf"ss)t)\s+(?:jetzt\s+)?)\w",
        rf"(?P<who>{_MY}\s+liebste[rsn]?\s+[\w-]+)\s+(?:ist|sind)\s+\w",
        rf"(?P<who>{_MY}\s+lieblings[\w-]+)\s.{{1,40}}?\s(?:ist|sind){_END}",
        relation="is",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?P<who>ich|wir){_OFTEN}\s+(?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge|bevorzugen|genieße|geniesse|"
        rf"verabscheue){_OFTEN}\s+{_LIKED}(?P<what>\w.+)",
        rf"(?:mag|liebe|hasse|bevorzuge){_OFTEN}\s+(?!(?:ich|wir)\b){_LIKED}(?P<what>\w.+)",
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
        rf"(?P<who>{_NEAR}|{_NAME}|er|sie){_OFTEN}\s+(?:mag|mögen|liebt|lieben|hasst|hassen|bevorzugt)(?!\s+(?:ich|wir)\b)"
        rf"{_OFTEN}\s+{_LIKED}(?P<what>\w.+)",
        rf"(?P<who>{_NEAR}|{_NAME}|er|sie){_OFTEN}\s+(?:isst|trinkt|hört|liest|verträgt|essen|trinken)\s+"
        r"(?P<what>(?:kein\w{0,2}|gerne?|lieber|ungern|am liebsten|nicht gerne?)\b.+)",
        rf"(?P<who>{_CLOSE}|{_NAME})\s+(?P<what>.{{2,60}}?)\s+(?:mag|liebt|hasst|bevorzugt)\s*[.!]*$",
        relation="like",
        salience=0.6,
    ),
    *_FACTS,
)
"""In the order in which they are tried; the first that matches makes the item."""

LEARNING: Final = Learning(
    rules=_RULES,
    name=_NAME,
    nouns_have_capitals=True,
    mine=vocabulary(
        "ich wir mein meine meinen meinem meiner meines mir mich uns unser unsere unseren unserem unserer unsres"
    ),
    pronouns=vocabulary("er sie es ihn ihm ihnen"),
    articles=vocabulary(
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
