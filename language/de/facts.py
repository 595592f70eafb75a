"""Rules for the facts that German sentences state, and the parts of a sentence that rules are made of.

The verb stands second, whatever comes first ("In Porto wohnt meine Schwester"), and last in a subordinate clause
("dass meine Schwester in Porto wohnt"); a participle stands at the end.  :func:`_stated` and :func:`_happened` write
these orders for a verb, so that a rule names verbs and not orders.
"""

from typing import Final

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


FACTS: Final = {
    "live": (
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
    ),
    "work": (
        *_stated(
            r"arbeite|arbeitet|arbeiten|jobbe|jobbt",
            r"\b(?:als|bei|beim|in|im|für|an der|am|auf|von|teilzeit|vollzeit|halbtags|freiberuflich|selbstständig|"
            r"nicht mehr)\b",
        ),
        r"arbeite\b(?!\s+(?:ich|wir)\b)(?=.{0,80}?\b(?:als|bei|beim|in|im|für)\b)",
        (
            rf"{WHO}\s+(?:habe|hat|haben)\b.{{0,60}}?\s(?:einen\s+)?(?:neuen\s+)?(?:job|stelle|arbeit|arbeitgeber)\b"
            r"(?!\s*(?:verloren|gekündigt))"
        ),
        (
            rf"{WHO}\s+(?:bin|ist|sind)\b.{{0,40}}?\s(?:in rente|im ruhestand|pensioniert|arbeitslos|selbstständig|"
            r"freiberuflich|angestellt|rentner|rentnerin)\b"
        ),
        *_happened(r"habe|hat|haben", r"(?:gekündigt|angefangen)", r"(?=.*\b(?:bei|als)\b)"),
    ),
    "birth": (
        rf"{WHO}\s+(?:bin|ist|sind|wurde|wurden)\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\b",
        rf"{ANYONE}\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\s+(?:bin|ist|sind|wurde){END}",
        rf"{WHO}\s+(?:habe|hat|haben)\b.{{0,40}}?\s(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\b",
        rf"(?P<how>am|im)\s.{{1,30}}?\s(?:habe|hat|haben)\s+{ANYONE}.{{0,20}}?\sgeburtstag\b",
        rf"{ANYONE}\s+(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\s+(?:habe|hat|haben){END}",
    ),
    "age": (
        (
            rf"{WHO}\s+(?:bin|ist|sind|werde|wird|werden|wurde)\b(?:\s+[\w.]+){{0,3}}?\s+\d{{1,3}}"
            r"(?:\s+jahre?\b(?:\s+alt)?|\s+geworden\b)"
        ),
        (
            rf"(?!{MY}\s+\w*(?:nummer|größe|groesse|code|pin|zahl|gewicht|preis|limit|rekord)\b){WHO}\s+(?:bin|ist|"
            rf"werde|wird|"
            r"wurde)\b(?:\s+[\w.]+){0,3}?\s+\d{1,2}\s*[.!]*$"
        ),
        rf"{WHO}\s+\d{{1,3}}\s+jahre\s+alt\s+(?:bin|ist|sind){END}",
    ),
    "name": (
        r"(?P<who>ich|wir)\s+(?:hei(?:ß|ss)en?)\s+\S",
        r"mein\s+(?:voller\s+)?name\s+(?:ist|lautet)\b",
        r"(?:man|alle|freunde|meine freunde)\s+nenn(?:t|en)\s+mich\s+\S",
        r"(?:bitte\s+)?nenn(?:e|t)?\s+mich\s+(?:bitte\s+|einfach\s+)?\S",
        rf"{WHO}{OFTEN}\s+hei(?:ß|ss)(?:t|en)\s+\S",
        rf"{ANYONE}\s+\S+\s+hei(?:ß|ss)(?:e|t|en){END}",
    ),
    "marry": (
        (
            rf"{WHO}\s+(?:bin|ist|sind)\b(?:\s+[\w.]+){{0,4}}?\s+(?:verheiratet|geschieden|verlobt|single|ledig|"
            rf"verwitwet|"
            r"liiert|getrennt|zusammen|ein paar)\b"
        ),
        *_happened(r"habe|hat|haben", r"(?:geheiratet|verlobt|getrennt|scheiden lassen)"),
        *_stated(r"heirate|heiratet|heiraten"),
    ),
    "study": (
        *_stated(r"studiere|studiert|studieren"),
        (
            rf"{WHO}{OFTEN}\s+(?:gehe|geht|gehen)\b.{{0,40}}?\s(?:zur schule|in die (?:schule|\d+\.? klasse|kita)|"
            rf"aufs gymnasium|"
            r"in den kindergarten)\b"
        ),
        rf"{WHO}{OFTEN}\s+(?:mache|macht|machen)\b.{{0,40}}?\s(?:ausbildung|abitur|lehre|praktikum|studium)\b",
    ),
    "is": (
        (
            rf"(?P<who>{NEAR})(?:\s*[:=]\s*|\s+(?:ist|sind|war|waren|lautet|lauten|beträgt|liegt|steht|hängt|kostet|"
            rf"geht|fliegt|"
            rf"fährt|beginnt|startet|endet|findet|läuft)(?:\s+(?:jetzt|nun|aber|übrigens|ab jetzt|inzwischen|"
            rf"seit\s+\S+|"
            rf"nicht mehr))*\s+)(?!{_SO})(?P<how>{_AT})?\b\s*\S"
        ),
        (
            rf"(?P<how>{_AT})\s+\S+(?:\s+\S+){{0,3}}?\s+(?:ist|sind|liegt|steht|geht|fliegt|fährt|beginnt|startet|"
            rf"endet)\s+"
            rf"(?P<who>{CLOSE})"
        ),
        (
            rf"(?P<who>{CLOSE})\s+(?:(?P<how>{_AT})\s+)?(?!{_SO}).{{1,60}}?\s(?:ist|sind|lautet|liegt|steht|geht|fährt|"
            rf"beginnt|kostet){END}"
        ),
        (
            rf"(?P<who>{THE})\s+(?:ist|sind|liegt|liegen|steht|stehen|hängt|befindet sich)(?:\s+(?:jetzt|immer|"
            rf"noch))*\s+"
            rf"(?P<how>{_AT})\s+\S"
        ),
        (
            rf"(?P<who>{THE})\s+(?:ist|sind|beginnt|startet|endet|kostet|fährt|geht)(?:\s+(?:jetzt|"
            rf"nun))?\s+(?!{_SO})(?=.*\d)\S"
        ),
        rf"(?P<who>{THE})\s+(?:lautet|hei(?:ß|ss)t)(?:\s+(?:jetzt|nun))?\s+\S",
        rf"(?P<who>{THE})\s+.{{1,60}}?\s(?:liegt|steht|hängt|lautet){END}",
        (
            rf"(?P<who>{THE})\s+(?:kommt|öffnet|schließt|hat|macht)\s+(?=.*(?:\d|\bjede|\bimmer\b|tags\b|abends\b|"
            rf"morgens\b))\S"
        ),
        (
            r"(?P<who>(?-i:[A-ZÄÖÜ])[\w'’ -]{2,40}|(?:wlan|wifi|tür|handy|telefon|zimmer|konto)[\w'’ -]{0,30})\s*:\s*"
            r"(?=\S*\d)\S+\s*\S*$"
        ),
    ),
}
