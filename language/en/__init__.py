"""English: its parts, and those that are not worth a file beside words.txt."""

from language.en.abilities import ABILITIES
from language.en.changes import CHANGES, CORRECTIONS, FORGETTING
from language.en.learning import LEARNING, WISHES
from language.en.lists import LISTS
from language.en.questions import ABOUT, ANSWERS, CUES, INTERROGATIVES, OVERVIEWS, PERSONS, QUESTIONS, TOLD
from language.en.schedule import CALENDAR, REMINDERS, SCHEDULE
from language.en.secrets import SECRETS
from language.en.speech import LINKS, PASTING, SMALL_TALK, SPEECH
from language.language import Language
from language.vocabulary import Entities, Inflection, Vocabulary

LANGUAGE = Language(
    code="en",
    name="English",
    stemmer="english",
    abbreviations=(
        r"mrs?|ms|dr|prof|fr|rev|br|capt|lt|sgt|gov|mt|st|jr|sr|vs|no|nr|approx|etc|e\.g|i\.e|a\.m|p\.m|dept|inc|ltd|"
        "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    ),
    vocabulary=Vocabulary(
        negations=r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without)\b|n['’]t\b|\b(?:ca|do|does|did|wo|is|are|was|has|have)nt\b"
    ),
    inflection=Inflection(
        ending=r"(?<=.{3})(?:ies|ing|ed|es|s|e)(?<!ss)(?<!us)(?<!is)$",
        ending_instead={"ies": "y"},
        possessives=("'s", "’s"),
    ),
    speech=SPEECH,
    small_talk=SMALL_TALK,
    learning=LEARNING,
    calendar=CALENDAR,
    interrogatives=INTERROGATIVES,
    persons=PERSONS,
    changes=CHANGES,
    corrections=CORRECTIONS,
    cues=CUES,
    answers=ANSWERS,
    questions=QUESTIONS,
    overviews=OVERVIEWS,
    told=TOLD,
    about=ABOUT,
    links=LINKS,
    reminders=REMINDERS,
    lists=LISTS,
    schedule=SCHEDULE,
    entities=Entities(
        organisation_part=(
            "inc|ltd|llc|corp|corporation|university|college|institute|bank|foundation|agency|studio|labs?"
        ),
        name_case=r"(?<=.{3})(?<!s)s$",  # German names have this genitive, too
        currency="usd|eur|dollars?|euros?",
        verb=r"[a-z]{2}(?:ed|ly|ize|ized|izes|ise|ised)$|..ing$",
        verb_like=(
            "^(?:meeting|building|wedding|training|morning|evening|painting|parking|spring|string|engineering|"
            "marketing|pricing|billing|booking|shopping|camping|hiking|climbing|thing)$"
        ),
    ),
    secrets=SECRETS,
    forgetting=FORGETTING,
    wishes=WISHES,
    pasting=PASTING,
    abilities=ABILITIES,
)
