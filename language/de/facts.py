"""Rules for the facts that German sentences state, and the parts of a sentence that rules are made of.

The verb stands second, whatever comes first ("In Porto wohnt meine Schwester"), and last in a subordinate clause
("dass meine Schwester in Porto wohnt"); a participle stands at the end.  :func:`_stated` and :func:`_happened` write
these orders for a verb, so that a rule names verbs and not orders.
"""

from typing import Final

_NO_NAME: Final = (
    r"ich|du|er|sie|es|wir|ihr|man|der|die|das|den|dem|des|ein\w{0,2}|kein\w{0,2}|mein\w{0,2}|dein\w{0,2}|"
    r"sein\w{0,2}|ihre\w?|unser\w{0,2}|euer|eure\w?|diese\w?|jede\w?|alle[sn]?|manche\w?|viele|einige|etwas|"
    r"nichts|niemand|jemand|hier|da|dort|heute|morgen|gestern|jetzt|nun|dann|danach|später|bald|oft|nie|immer|leider|"
    r"vielleicht|bitte|danke|ja|nein|nicht|und|oder|aber|denn|doch|wenn|falls|als|ob|dass|weil|obwohl|wer|was|wo|"
    r"wann|wie|warum|wieso|welche\w?|in|im|an|am|auf|aus|bei|beim|bis|für|gegen|hinter|mit|nach|neben|ohne|seit|über|"
    r"um|unter|von|vom|vor|wegen|zu|zum|zur|zwischen|ab|so|sehr|schon|noch|nur|auch|mir|mich|uns|dir|dich|ihm|ihn|"
    r"ihnen|habe?|hat|haben|bin|ist|sind|war|heißt|heisst|übrigens|eigentlich|außerdem|wahrscheinlich|wetter|leben|"
    r"liebe|zeit|leute|menschen|kinder|essen|arbeit|musik"
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
    r"oft|wirklich|eigentlich|übrigens|endlich|neuerdings|wieder|aktuell|bereits|bald|gern|gerne|ja|aber|leider|"
    r"früher|total|echt|sehr|gar|überhaupt|nicht mehr|nicht|seit\s+\S+(?:\s+(?-i:[A-ZÄÖÜ])\w+)?))*"
)
END: Final = r"\s*(?:[.!,;]|$)"
_SO: Final = (
    r"(?:so|sehr|zu|echt|super|total|ziemlich|wirklich|einfach|richtig|absolut|toll\w*|großartig\w*|klasse|"
    r"wunderbar\w*|fantastisch\w*|der beste|die beste|das beste|mir|dir|uns|egal|schön|gut|ok|okay|es\b)\b"
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
    "live": "|".join(
        (
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
        )
    ),
    "work": "|".join(
        (
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
        )
    ),
    "birth": (
        rf"{WHO}\s+(?:bin|ist|sind|wurde|wurden)\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\b|"
        rf"{ANYONE}\s+(?:(?P<how>am|in|im)\s+)?.{{1,60}}?\bgeboren\s+(?:bin|ist|sind|wurde){END}|"
        rf"{WHO}\s+(?:habe|hat|haben)\b.{{0,40}}?\s(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\b|"
        rf"(?P<how>am|im)\s.{{1,30}}?\s(?:habe|hat|haben)\s+{ANYONE}.{{0,20}}?\sgeburtstag\b|"
        rf"{ANYONE}\s+(?P<how>am|im)\s.{{1,30}}?\bgeburtstag\s+(?:habe|hat|haben){END}"
    ),
    "age": (
        rf"{WHO}\s+(?:bin|ist|sind|werde|wird|werden|wurde)"
        r"\b(?:\s+[\w.]+){0,3}?\s+\d{1,3}(?:\s+jahre?\b(?:\s+alt)?|\s+geworden\b)|"
        rf"(?!{MY}\s+\w*(?:nummer|größe|groesse|code|pin|zahl|gewicht|preis|limit|rekord)\b)"
        rf"{WHO}\s+(?:bin|ist|werde|wird|wurde)\b(?:\s+[\w.]+){{0,3}}?\s+\d{{1,2}}\s*[.!]*$|"
        rf"{WHO}\s+\d{{1,3}}\s+jahre\s+alt\s+(?:bin|ist|sind){END}"
    ),
    "name": (
        r"(?P<who>ich|wir)\s+(?:hei(?:ß|ss)en?)\s+\S|mein\s+(?:voller\s+)?name\s+(?:ist|lautet)\b|"
        r"(?:man|alle|freunde|meine freunde)\s+nenn(?:t|en)\s+mich\s+\S|(?:bitte\s+)?nenn(?:e|"
        rf"t)?\s+mich\s+(?:bitte\s+|einfach\s+)?\S|{WHO}{OFTEN}\s+hei(?:ß|ss)(?:t|en)\s+\S|"
        rf"{ANYONE}\s+\S+\s+hei(?:ß|ss)(?:e|t|en){END}"
    ),
    "marry": "|".join(
        (
            (
                rf"{WHO}\s+(?:bin|ist|sind)\b(?:\s+[\w.]+){{0,4}}?\s+(?:verheiratet|geschieden|verlobt|single|ledig|"
                r"verwitwet|liiert|getrennt|zusammen|ein paar)\b"
            ),
            *_happened(r"habe|hat|haben", r"(?:geheiratet|verlobt|getrennt|scheiden lassen)"),
            *_stated(r"heirate|heiratet|heiraten"),
        )
    ),
    "study": "|".join(
        (
            *_stated(r"studiere|studiert|studieren"),
            (
                rf"{WHO}{OFTEN}\s+(?:gehe|geht|gehen)\b.{{0,40}}?\s(?:zur schule|in die (?:schule|\d+\.? klasse|kita)|"
                r"aufs gymnasium|in den kindergarten)\b"
            ),
            rf"{WHO}{OFTEN}\s+(?:mache|macht|machen)\b.{{0,40}}?\s(?:ausbildung|abitur|lehre|praktikum|studium)\b",
        )
    ),
    "is": (
        rf"(?P<who>{NEAR})(?:\s*[:=]\s*|\s+(?:ist|sind|war|waren|lautet|lauten|beträgt|liegt|steht|hängt|kostet|geht|"
        r"fliegt|fährt|beginnt|startet|endet|findet|läuft)(?:\s+(?:jetzt|nun|aber|übrigens|ab jetzt|inzwischen|"
        rf"seit\s+\S+|nicht mehr))*\s+)(?!{_SO})(?P<how>{_AT})?\b\s*\S|(?P<how>{_AT})"
        r"\s+\S+(?:\s+\S+){0,3}?\s+(?:ist|sind|liegt|steht|geht|fliegt|fährt|beginnt|startet|endet)"
        rf"\s+(?P<who>{CLOSE})|(?P<who>{CLOSE})\s+(?:(?P<how>{_AT})\s+)?(?!{_SO}).{{1,60}}?\s(?:ist|sind|lautet|liegt|"
        rf"steht|geht|fährt|beginnt|kostet){END}|(?P<who>{THE})\s+(?:ist|sind|liegt|liegen|steht|stehen|hängt|"
        rf"befindet sich)(?:\s+(?:jetzt|immer|noch))*\s+(?P<how>{_AT})\s+\S|(?P<who>{THE})"
        rf"\s+(?:ist|sind|beginnt|startet|endet|kostet|fährt|geht)(?:\s+(?:jetzt|nun))?\s+(?!{_SO})(?=.*\d)\S|"
        rf"(?P<who>{THE})\s+(?:lautet|hei(?:ß|ss)t)(?:\s+(?:jetzt|nun))?\s+\S|(?P<who>{THE})"
        rf"\s+.{{1,60}}?\s(?:liegt|steht|hängt|lautet){END}|(?P<who>{THE})\s+(?:kommt|öffnet|schließt|hat|macht)"
        r"\s+(?=.*(?:\d|\bjede|\bimmer\b|tags\b|abends\b|morgens\b))\S|(?P<who>(?-i:[A-ZÄÖÜ])[\w'’ -]{2,40}|"
        r"(?:wlan|wifi|tür|handy|telefon|zimmer|konto)[\w'’ -]{0,30})\s*:\s*(?=\S*\d)\S+\s*\S*$"
    ),
}
