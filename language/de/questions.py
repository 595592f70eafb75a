"""Questions of German."""

from __future__ import annotations

from typing import Final

from language.questions import QuestionPatterns
from language.words import CAPITAL, word_set

_WORD: Final = (
    r"(?:was|wo|wohin|woher|womit|wofür|worüber|woran|worauf|wovon|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wozu|wie|"
    r"wie ?viele?|welche[mnrs]?|"
    r"(?:in|an|am|auf|bei|mit|von|zu|zum|zur|für|seit|bis|ab|um|aus|über|nach|gegen|wegen) "
    r"(?:wem|wen|wann|wo|wie|was|welche[mnrs]?))\b"
)
_SUBJECT: Final = (
    r"(?:ich|du|er|sie|es|wir|ihr|man|jemand|mein\w*|dein\w*|sein\w*|unser\w*|der|die|das|den|dem|dies\w*|eine?|"
    rf"(?-i:{CAPITAL})\w*)\b"
)
_INVERTED: Final = (
    r"(?:ist|sind|war|waren|bin|bist|hat|hatte|hatten|habe|hast|haben|kann|kannst|können|wird|wirst|werden|soll|sollte|"
    rf"muss|müssen|darf|will|mag|weißt|gibt|geht|heißt|wohnt|arbeitet)\s+{_SUBJECT}"
)
_KIND: Final = r"welche[mnrs]?|was für eine?[mnrs]?|was für"
_NUMBERED: Final = (
    r"(?:\w*nummer|\w*code|\w*pin|preis|\w*größe|alter|postleitzahl|plz|kennzeichen|\w*zahl|kontostand|miete|gehalt|"
    r"gewicht)"
)

QUESTIONS: Final = QuestionPatterns(
    place=(
        r"wo|wohin|woher|worin|woraus|(?:welche[mnrs]?|was für eine?[mnrs]?) "
        r"(?:stadt|land|ort|dorf|straße|adresse|platz|gegend|stadtteil|viertel|stock|etage|raum|zimmer|hafen|bahnhof)|"
        r"(?:wie (?:ist|lautet)|was ist)(?: \w+){0,3}? \w*(?:adresse|anschrift)"
    ),
    time=(
        r"wann|wie ?viel uhr|wie spät|wie lange (?:ist|war) es her|"
        r"(?:welche[mnrs]?|was für eine?[mnrs]?) (?:tag|wochentag|jahr|monat|datum|uhrzeit|woche|zeit)|"
        r"(?:wie (?:ist|lautet)|was ist|der wievielte|am wievielten)(?: \w+){0,3}? (?:datum|uhrzeit|termin)|"
        r"am wievielten|der wievielte"
    ),
    number=(
        r"wie ?viele?[nrms]?|wie (?:alt|groß|lang|lange|hoch|weit|oft|häufig|schwer|teuer|breit|tief|schnell|hoch)|"
        r"was kostet\w*|was wiegt|"
        rf"(?:wie (?:ist|war|lautet|heißt)|was ist|welche[mnrs]?)(?: \w+){{0,4}}? {_NUMBERED}|"
        rf"(?:mein|unser)e?(?: \w+){{0,2}} {_NUMBERED}"
    ),
    person=(
        r"wer|wen|wem|wessen|wie (?:heiß(?:e|t|en|est)|hieß(?:en|est)?|nenn(?:e|t|en)|nannte[nt]?)|"
        r"(?:wie (?:ist|war|lautet)|was ist)(?: [\w'’]+){0,4}? \w*namen?"
    ),
    reason="warum|wieso|weshalb|weswegen|wozu|aus welchem grund|aus welchen gründen",
    yes_no=(
        r"^(?:ist|sind|war|waren|bin|bist|hat|hatte|hatten|habe|hab|hast|haben|kann|kannst|können|darf|darfst|muss|musst|"
        r"müssen|soll|sollte|will|willst|wird|werde|werden|mag|magst|gibt es)\b|"
        rf"^(?!{_WORD})\w{{2,}}(?:t|e|st|en|ß)\s+{_SUBJECT}(?=[^\n]{{0,300}}\?\s*$)|^ob\b"
    ),
    place_words=word_set(
        "stadt land ort straße platz gegend adresse anschrift liegt liegen steht stehen steckt befindet finde "
        "finden findet"
    ),
    time_words=word_set("uhr uhrzeit zeit datum tag tages jahr jahre monat stunde spät"),
    person_words=word_set("name namen namens heißt heiße heißen hieß nennt genannt person leute"),
    number_words=word_set("alt alter jahre jahren hoch groß lang lange weit oft teuer schwer"),
    which=f"(?:in |an |auf |mit |bei |aus |zu |für |von )?(?:{_KIND})",
    no_kind="ist|sind|war|waren|hat|habe",
    about_asker=(
        r"\b(?:über mich|von mir|was (?:weißt|merkst) du(?: noch)?\??$|was hast du dir(?: alles)? gemerkt\??$|"
        r"(?:woran|was) erinnerst du dich(?: noch)?\??$|"
        r"was habe? ich dir(?: schon| bisher| alles)* (?:erzählt|gesagt)\??$)"
    ),
    own_name=(
        r"wie heiße? ich\b|"
        r"(?:wie (?:ist|lautet|war)|was ist)\s+(?:noch ?mal\s+|nochmal\s+)?mein\s+"
        r"(?:voller |eigener )?(?:vor|nach|familien)?name\b|"
        r"(?:weißt|kennst) du\s+(?:noch,?\s+|noch\s+)?(?:wie ich heiße|meinen namen)|wer bin ich\b"
    ),
    occupation=(
        r"was (?:macht|mache|machen|ist|sind|bin)\s+.{1,40}?\s+(?:beruflich|von beruf)(?:\s+[\w-]+){0,2}\W*$|"
        r"als was arbeitet\s+.{1,40}$|was arbeitet\s+.{1,40}$"
    ),
    occupied=word_set("beruflich beruf macht mache machen arbeitet"),
    first_person=word_set(
        "ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer unseres"
    ),
    asker=word_set("ich mich mir"),
    begins=f"{_WORD}|{_INVERTED}",
    joins=word_set("und sowie oder"),
    too=word_set("auch dann noch außerdem"),
    continues=rf"(?:{_WORD}|{_INVERTED})\s+\S",
    listed=(
        rf"{_WORD}(?:\s+\w+)?\s+(?:ist|sind|war|waren|bin|hat|hatte|habe|haben|kann|muss|heißt|heiße|wohnt|wohne|arbeitet|"
        r"fliegt|fliege|kostet|wird)\s+\S"
    ),
    who="wer|was|welche[mnrs]?",
    determined=r"mein\w*|dein\w*|sein\w*|ihre?\w*|unser\w*|der|die|das|den|dem|eine?\w*",
    supposes="wenn|falls|als|sobald|während",
    refers=word_set("er sie ihn ihm ihr ihre ihren ihrer ihrem sein seine seinen seinem seiner"),
)
