"""English."""

from language.en.abilities import ABILITIES
from language.en.changes import CHANGES, CORRECTIONS, FORGETTING
from language.en.learning import LEARNING, WISHES
from language.en.lists import LISTS
from language.en.questions import ABOUT, ANSWERS, CUES, INTERROGATIVES, OVERVIEWS, PERSONS, QUESTIONS, TOLD
from language.en.schedule import CALENDAR, REMINDERS, SCHEDULE
from language.en.secrets import SECRETS
from language.en.speech import LINKS, PASTING, SMALL_TALK, SPEECH
from language.en.vocabulary import ABBREVIATIONS, ENTITIES, INFLECTION, VOCABULARY
from language.language import Language

LANGUAGE = Language(
    code="en",
    name="English",
    stemmer="english",
    abbreviations=ABBREVIATIONS,
    vocabulary=VOCABULARY,
    inflection=INFLECTION,
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
    entities=ENTITIES,
    secrets=SECRETS,
    forgetting=FORGETTING,
    wishes=WISHES,
    pasting=PASTING,
    abilities=ABILITIES,
)
