"""German."""

from language.de.abilities import ABILITIES
from language.de.changes import CHANGES, CORRECTIONS, FORGETTING
from language.de.learning import LEARNING, WISHES
from language.de.lists import LISTS
from language.de.questions import ABOUT, ANSWERS, CUES, INTERROGATIVES, OVERVIEWS, PERSONS, QUESTIONS, TOLD
from language.de.schedule import CALENDAR, REMINDERS, SCHEDULE
from language.de.secrets import SECRETS
from language.de.speech import LINKS, PASTING, SMALL_TALK, SPEECH
from language.de.vocabulary import ABBREVIATIONS, AFTER_ORDINALS, ENTITIES, INFLECTION, VOCABULARY
from language.language import Language

LANGUAGE = Language(
    code="de",
    name="Deutsch",
    stemmer="german",
    letters="äöüß",
    abbreviations=ABBREVIATIONS,
    after_ordinals=AFTER_ORDINALS,
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
    entities=ENTITIES,
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
