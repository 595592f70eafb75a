"""Patterns of German statements that can answer a question."""

from __future__ import annotations

from typing import Final

from language.answers import AnswerPatterns
from language.words import CAPITAL, word_set

_MY: Final = r"(?i:\b(?:mein|unser)(?:e[mnrs]?)?)"

ANSWERS: Final = AnswerPatterns(
    place=(
        r"\b(?:in|im|ins|an|am|ans|auf|aus|aufs|bei|beim|nach|zu|zum|zur|unter|unterm|über|hinter|vor|vorm|neben|"
        r"zwischen|von|vom|gegenüber|nahe)\s+\w+|\b(?:daheim|zuhause|drinnen|draußen|hier|dort|oben|unten|adresse)\b|"
        r"\b\w+(?:straße|str\.|weg|platz|gasse|allee)\b"
    ),
    time=(
        r"\d|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|januar|jänner|februar|märz|april|"
        r"mai\b|juni|juli|august|september|oktober|november|dezember|heute|morgen|übermorgen|gestern|vorgestern|mittag|"
        r"mitternacht|vormittag|nachmittag|abend|nacht|woche|monat|jahr|frühling|frühjahr|sommer|herbst|winter|"
        r"wochenende|ostern|pfingst|weihnacht|silvester|vor kurzem|neulich|täglich)|\b(?:halb|viertel|um) (?:\d|"
        r"eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
    ),
    number=(
        r"\d|\b(?:ein(?:e[mnrs]?)?|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|"
        r"vierzig|fünfzig|hundert|tausend|einmal|zweimal|dreimal|täglich|dutzend|paar|\w+zehn|\w+zig)\b|"
        r"\b(?-i:[A-Z]{4,})\b"
    ),
    reason=r"\b(?:weil|da|denn|damit|wegen|deshalb|deswegen|darum|aufgrund|um \w+ zu|um .{1,40} zu|sonst)\b",
    before_nouns=word_set(
        """
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen
        meinem meiner meines dein deine deinen deinem deiner deines sein seine seinen seinem seiner seines ihr ihre
        ihren ihrem ihrer ihres unser unsere unseren unserem unserer unseres euer eure euren eurem eurer dieser diese
        dieses diesen diesem jeder jede jedes jeden jedem welcher welche welches welchen welchem viele viel wenig wenige
        alle allen manche einige mehrere beide zum zur im am beim vom ins ans aufs fürs unterm zwei drei vier fünf
        sechs sieben acht neun zehn wie um
        """
    ),
    adjective=r"[^\W\d_]{2,30}e[nmrs]?",
    noun_ending="ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tät|nummer|termin|zeit|tag|name",
    introduces=(
        r"\b(?:mein (?:vor|nach|familien|voller )?name (?:ist|lautet)|ich (?:heiße|werde)|(?:alle|sie|freunde) "
        r"nennen mich|nenn(?:e|t)? mich|man nennt mich)\s+\S"
    ),
    is_called=rf"(?:(?:Hi|Hallo|Hey|Moin|Servus)\W+)?(?:Ich bin|Ich bin’s,?) (?:die |der )?{CAPITAL}[\w'’-]+\W*",
    is_a=(
        rf"\b(?i:ich) bin (?:(?i:von beruf|gelernte[rn]?|selbstständige[rn]?|freie[rn]?|eine?) )?(?-i:{CAPITAL})\w*"
        r"(?:er|erin|ist|istin|or|orin|eur|eurin|arzt|ärztin|ant|antin|ent|entin|ologe|ologin|mann|frau|wirt|wirtin|"
        r"koch|köchin|anwalt|anwältin|loge|login|at|in)\b"
    ),
    age=(
        r"\b(?:wird|werde|wurde)\s+(?:\w+\s+){1,3}\d{1,3}\b(?![:.,]\d)(?! uhr)|"
        r"\b(?:ist|bin|sind|wird|werde|wurde)\s+(?:jetzt |schon |gerade |erst |bald )?\d{1,3}\b(?![:.,]\d)(?! uhr)"
        rf"|\b(?-i:{CAPITAL})\w+\s*\(\d{{1,2}}\)"
    ),
    near="mein|unser",
    aliases=(
        rf"{_MY}\s+(?:[a-zäöüß]+\s+)?(?P<kin>\w+),?\s+(?P<name>{CAPITAL}\w+)",
        rf"{_MY}\s+(?P<kin>\w+)\s+(?i:heißt|nennt sich|hieß)\s+(?P<name>{CAPITAL}\w+)",
        rf"{_MY}\s+(?P<kin>\w+)\s+(?i:ist|war)\s+(?P<name>{CAPITAL}\w+)\W*$",
        rf"\b(?P<name>{CAPITAL}\w+)\s+(?i:ist|—|-|–|war)\s*{_MY}\s+(?P<kin>\w+)",
    ),
    corrects=(
        r"nein|doch nicht|korrektur|entschuldigung|sorry|ich meine|ich meinte|moment|eigentlich|tatsächlich|"
        r"genauer gesagt|besser gesagt|stimmt nicht|falsch|ich habe mich (?:geirrt|vertan)"
    ),
    amends=(
        r"(?:nein|nee|ach|sorry|entschuldigung|moment|quatsch|halt|stopp)\s*[,:–—-]|"
        r"(?:korrektur|ich meine|ich meinte|genauer gesagt|besser gesagt|beziehungsweise|bzw)\b"
    ),
    pronouns="er|sie|es|ihn|ihm|ihr|ihre|ihrer|ihren|sein|seine|seiner|seinen|dort|da|sein",
)
