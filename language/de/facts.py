"""Rules for the facts that German sentences state, and the parts of a sentence that rules are made of.

The verb stands second, whatever comes first ("In Porto wohnt meine Schwester"), and last in a subordinate clause
("dass meine Schwester in Porto wohnt"); a participle stands at the end.  :func:`_stated` and :func:`_happened` write
these orders for a verb, so that a rule names verbs and not orders.
"""

from __future__ import annotations

from typing import Final

from language.learning import rule

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
NAME: Final = rf"(?!(?:{_NO_NAME})\b){_CAPITAL}(?:\s+(?!(?:{_NO_NAME})\b){_CAPITAL}){{0,2}}"
"""One to three capitalised words; the commonest words that begin a sentence with a capital are none."""
MY: Final = r"(?:mein|unser|unsr)(?:e[nmrs]?)?"
NEAR: Final = rf"{MY}\s+(?:[\w'’-]+\s+){{0,4}}?[\w'’-]+"
"""What somebody calls theirs, up to the verb that follows: "meine Schwester Vera", "unser Code"."""
CLOSE: Final = rf"{MY}\s+(?:(?-i:[a-zäöü])[\w-]+e[rns]?\s+){{0,2}}{_CAPITAL}(?:\s+{NAME})?|{MY}\s+[\w'’-]+"
"""The same where no verb follows: a noun, and the name after it."""
THE: Final = r"(?:der|die|das)\s+(?:[\w'’-]+\s+){0,2}?[\w'’-]+"
WHO: Final = rf"(?P<who>{NEAR}|{THE}|ich|wir|er|sie|{NAME})(?:,\s+(?:der|die|das)\s[^,]{{1,60}},)?"
ANYONE: Final = rf"(?P<who>{CLOSE}|ich|wir|er|sie|{NAME})\b"
_ASKED: Final = (
    r"(?:wer|wen|wem|wessen|was|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche\w?|ob|wenn|falls|dass|weil)"
)
FRONT: Final = rf"(?!{_ASKED}\b)[^\s,]+(?:\s+[^\s,]+){{0,5}}?"
"""What a sentence may begin with in place of its subject: "In Porto", "Seit 2019"."""
OFTEN: Final = (
    r"(?:\s+(?:auch|noch|jetzt|nun|immer|inzwischen|mittlerweile|derzeit|momentan|zurzeit|gerade|schon|nur|meistens|"
    r"oft|"
    r"wirklich|eigentlich|übrigens|endlich|neuerdings|wieder|aktuell|bereits|bald|gern|gerne|ja|aber|leider|früher|"
    r"total|echt|sehr|gar|überhaupt|nicht mehr|nicht|seit\s+\S+(?:\s+(?-i:[A-ZÄÖÜ])\w+)?))*"
)
END: Final = r"\s*(?:[.!,;]|$)"
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
_AT: Final = r"in|im|an|am|auf|unter|neben|hinter|bei|beim|über|zwischen|vor|ab|um|bis|seit|nach|zum|zur"


def _stated(verbs: str, rest: str = "", *, who: str = WHO, anyone: str = ANYONE) -> tuple[str, ...]:
    """Return patterns of statements with one of ``verbs``: subject first, something else first, verb last.

    ``rest`` is what has to stand somewhere after the verb, or before it where it is last.
    """
    somewhere = rf"(?=.{{0,120}}?{rest})" if rest else ""
    return (
        rf"{who}{OFTEN}\s+(?:{verbs})\b{somewhere}",
        rf"{somewhere}{FRONT}\s+(?:{verbs})\s+{anyone}",
        rf"{anyone}{somewhere}\s.{{1,100}}?\s(?:{verbs}){END}",
    )


def _happened(auxiliary: str, participle: str, condition: str = "") -> tuple[str, ...]:
    """Return patterns of the perfect tense: subject first, something else first, participle before the auxiliary."""
    return (
        rf"{condition}{WHO}\s+(?:{auxiliary})\b(?:.{{1,120}}?)?\s{participle}{END}",
        rf"{condition}{FRONT}\s+(?:{auxiliary})\s+{ANYONE}(?:.{{1,120}}?)?\s{participle}{END}",
        rf"{condition}{ANYONE}\s(?:.{{1,120}}?\s)?{participle}\s+(?:{auxiliary}){END}",
    )


FACTS: Final = (
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
        rf"{WHO}\s+(?:habe|hat|haben)\b.{{0,60}}?\s(?:einen\s+)?(?:neuen\s+)?(?:job|stelle|arbeit|arbeitgeber)\b"
        r"(?!\s*(?:verloren|gekündigt))",
        rf"{WHO}\s+(?:bin|ist|sind)\b.{{0,40}}?\s(?:in rente|im ruhestand|pensioniert|arbeitslos|selbstständig|"
        r"freiberuflich|angestellt|rentner|rentnerin)\b",
        *_happened(r"habe|hat|haben", r"(?:gekündigt|angefangen)", r"(?=.*\b(?:bei|als)\b)"),
        relation="work",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}\s+(?:bin|ist|sind|wurde|wurden)\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\b",
        rf"{ANYONE}\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\s+(?:bin|ist|sind|wurde){END}",
        rf"{WHO}\s+(?:habe|hat|haben)\b.{{0,40}}?\s(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\b",
        rf"(?P<how>am|im)\s.{{1,30}}?\s(?:habe|hat|haben)\s+{ANYONE}.{{0,20}}?\sgeburtstag\b",
        rf"{ANYONE}\s+(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\s+(?:habe|hat|haben){END}",
        relation="birth",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}\s+(?:bin|ist|sind|werde|wird|werden|wurde)\b(?:\s+[\w.]+){{0,3}}?\s+\d{{1,3}}"
        r"(?:\s+jahre?\b(?:\s+alt)?|\s+geworden\b)",
        rf"(?!{MY}\s+\w*(?:nummer|größe|groesse|code|pin|zahl|gewicht|preis|limit|rekord)\b){WHO}\s+(?:bin|ist|"
        rf"werde|wird|"
        r"wurde)\b(?:\s+[\w.]+){0,3}?\s+\d{1,2}\s*[.!]*$",
        rf"{WHO}\s+\d{{1,3}}\s+jahre\s+alt\s+(?:bin|ist|sind){END}",
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
        rf"{WHO}{OFTEN}\s+hei(?:ß|ss)(?:t|en)\s+\S",
        rf"{ANYONE}\s+\S+\s+hei(?:ß|ss)(?:e|t|en){END}",
        relation="name",
        salience=0.85,
        confidence=0.9,
    ),
    rule(
        "fact",
        "semantic",
        rf"{WHO}\s+(?:bin|ist|sind)\b(?:\s+[\w.]+){{0,4}}?\s+(?:verheiratet|geschieden|verlobt|single|ledig|verwitwet|"
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
        rf"{WHO}{OFTEN}\s+(?:gehe|geht|gehen)\b.{{0,40}}?\s(?:zur schule|in die (?:schule|\d+\.? klasse|kita)|"
        rf"aufs gymnasium|"
        r"in den kindergarten)\b",
        rf"{WHO}{OFTEN}\s+(?:mache|macht|machen)\b.{{0,40}}?\s(?:ausbildung|abitur|lehre|praktikum|studium)\b",
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
        rf"{ANYONE}",
        r"(?P<who>ich|wir)\s+(?:war|waren|ging|gingen|fuhr|flog|traf|kaufte|verlor)\s+"
        r"(?=.*(?:\d|\bgestern\b|\bletzte|\bvor\s|\bin\s))",
        salience=0.45,
        confidence=0.75,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{NEAR})(?:\s*[:=]\s*|\s+(?:ist|sind|war|waren|lautet|lauten|beträgt|liegt|steht|hängt|kostet|"
        rf"geht|fliegt|"
        rf"fährt|beginnt|startet|endet|findet|läuft)(?:\s+(?:jetzt|nun|aber|übrigens|ab jetzt|inzwischen|seit\s+\S+|"
        rf"nicht mehr))*\s+)(?!{_SO})(?P<how>{_AT})?\b\s*\S",
        rf"(?P<how>{_AT})\s+\S+(?:\s+\S+){{0,3}}?\s+(?:ist|sind|liegt|steht|geht|fliegt|fährt|beginnt|startet|endet)\s+"
        rf"(?P<who>{CLOSE})",
        rf"(?P<who>{CLOSE})\s+(?:(?P<how>{_AT})\s+)?(?!{_SO}).{{1,60}}?\s(?:ist|sind|lautet|liegt|steht|geht|fährt|"
        rf"beginnt|kostet){END}",
        relation="is",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        "fact",
        "semantic",
        rf"(?P<who>{THE})\s+(?:ist|sind|liegt|liegen|steht|stehen|hängt|befindet sich)(?:\s+(?:jetzt|immer|noch))*\s+"
        rf"(?P<how>{_AT})\s+\S",
        rf"(?P<who>{THE})\s+(?:ist|sind|beginnt|startet|endet|kostet|fährt|geht)(?:\s+(?:jetzt|"
        rf"nun))?\s+(?!{_SO})(?=.*\d)\S",
        rf"(?P<who>{THE})\s+(?:lautet|hei(?:ß|ss)t)(?:\s+(?:jetzt|nun))?\s+\S",
        rf"(?P<who>{THE})\s+.{{1,60}}?\s(?:liegt|steht|hängt|lautet){END}",
        rf"(?P<who>{THE})\s+(?:kommt|öffnet|schließt|hat|macht)\s+(?=.*(?:\d|\bjede|\bimmer\b|tags\b|abends\b|morgens\b))\S",
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
        rf"{WHO}{OFTEN}\s+(?:habe|hat|haben|besitze|besitzt|besitzen)\s+(?!.*\s{_MUSING}{END})"
        rf"(?!(?:recht|lust|zeit|hunger|durst|angst|dich|mich|das|es|so|nichts|gerade|keine?\s+(?:ahnung|zeit|lust|"
        rf"idee|"
        rf"frage)|(?:eine|noch eine|mal eine)\s+(?:frage|idee|bitte)|ein\s+problem|{_SO})\b)\w",
        rf"{FRONT}\s+(?:habe|hat|haben)\s+{ANYONE}\s+(?:am\s|um\s|ein\w{{0,2}}\s|kein\w{{0,2}}\s|zwei\s|drei\s|\d)",
        rf"{ANYONE}\s+(?:ein\w{{0,2}}|zwei|drei|vier|\d+)\s.{{1,60}}?\s(?:habe|hat|haben|besitze){END}",
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
        rf"(?P<who>{NEAR}){OFTEN}\s+(?!ist\b|hat\b|geht\b)(?-i:[a-zäöü]{{2,}}t)\s+(?!mir\b|mich\b|dir\b|{_SO})\w",
        rf"(?P<who>{NAME}){OFTEN}\s+(?:ist|hat)\s+(?!{_SO}|ge\w+t?\b)\w",
        rf"(?P<who>{NAME}){OFTEN}\s+(?:spricht|spielt|fährt|besitzt|unterrichtet|nutzt|benutzt|leitet|will|isst|"
        rf"trinkt|geht|"
        r"trägt|führt|lernt|kommt|kann|kocht|sammelt|betreut)\s+\w",
        rf"(?P<who>{CLOSE}|{NAME})\s+.{{1,60}}?\s(?:spielt|spricht|fährt|lernt|leitet|ist|hat){END}",
        salience=0.5,
        confidence=0.7,
    ),
)
"""From the telling to the general: the first that matches makes the item."""
