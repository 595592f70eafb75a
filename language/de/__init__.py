"""German: its parts, and those that are not worth a file beside words.txt."""

from language.de.abilities import ABILITIES
from language.de.changes import CHANGES, CORRECTIONS, FORGETTING
from language.de.learning import LEARNING, WISHES
from language.de.lists import LISTS
from language.de.questions import ABOUT, ANSWERS, CUES, INTERROGATIVES, OVERVIEWS, PERSONS, QUESTIONS, TOLD
from language.de.schedule import CALENDAR, REMINDERS, SCHEDULE
from language.de.secrets import SECRETS
from language.de.speech import LINKS, PASTING, SMALL_TALK, SPEECH
from language.language import Language
from language.vocabulary import Entities, Inflection, Vocabulary

LANGUAGE = Language(
    code="de",
    name="Deutsch",
    stemmer="german",
    letters="äöüß",
    abbreviations=r"z\.b|bzw|usw|nr|dr|em|prof|fr|frl|hr|hrn|hl|geb|verh|std|tel|mo|di|mi|do|sa|jan|feb|aug|sept?|okt|nov|dez|\w*str|ca|evtl|ggf|inkl|vgl|d\.h|u\.a",
    after_ordinals=(
        r"stock|etage|klasse|semester|jahrhundert|geburtstag|platz|mal|kapitel|liga|bezirk|advent|hochzeitstag|runde|"
        r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|apr|jun|jul|aug|"
        r"sept?|okt|nov|dez"
    ),
    vocabulary=Vocabulary(negations=r"\b(?:nicht|nichts|nie|niemals|niemand\w{0,2}|nirgends|weder|ohne|kein\w{0,2})\b"),
    inflection=Inflection(ending=r"(?<=.{4})(?:ern|en|er|em|es|e|n|s)$"),
    speech=SPEECH,
    small_talk=SMALL_TALK,
    learning=LEARNING,
    calendar=CALENDAR,
    interrogatives=INTERROGATIVES,
    persons=PERSONS,
    changes=CHANGES,
    corrections=CORRECTIONS,
    cues=CUES,
    entities=Entities(organisation_part="gmbh|ag|kg|ohg|universität|hochschule|institut|stiftung|verein|verlag"),
    answers=ANSWERS,
    questions=QUESTIONS,
    overviews=OVERVIEWS,
    told=TOLD,
    about=ABOUT,
    links=LINKS,
    reminders=REMINDERS,
    lists=LISTS,
    schedule=SCHEDULE,
    secrets=SECRETS,
    forgetting=FORGETTING,
    wishes=WISHES,
    pasting=PASTING,
    abilities=ABILITIES,
)
