"""English."""

from language.en.answers import ANSWERS
from language.en.calendar import CALENDAR
from language.en.changes import CHANGES
from language.en.corrections import CORRECTIONS
from language.en.cues import CUES
from language.en.entities import ENTITIES
from language.en.forgetting import FORGETTING
from language.en.inflection import INFLECTION
from language.en.interrogatives import INTERROGATIVES
from language.en.learning import LEARNING
from language.en.links import LINKS
from language.en.overviews import OVERVIEWS
from language.en.pasting import PASTING
from language.en.persons import PERSONS
from language.en.questions import QUESTIONS
from language.en.reminders import REMINDERS
from language.en.schedule import SCHEDULE
from language.en.secrets import SECRETS
from language.en.small_talk import SMALL_TALK
from language.en.speech import SPEECH
from language.en.synonyms import SYNONYMS
from language.en.vocabulary import ABBREVIATIONS, VOCABULARY
from language.en.wishes import WISHES
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
    synonyms=SYNONYMS,
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
    links=LINKS,
    reminders=REMINDERS,
    schedule=SCHEDULE,
    entities=ENTITIES,
    secrets=SECRETS,
    forgetting=FORGETTING,
    wishes=WISHES,
    pasting=PASTING,
)
