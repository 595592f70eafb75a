"""German."""

from language.de.answers import ANSWERS
from language.de.calendar import CALENDAR
from language.de.changes import CHANGES
from language.de.corrections import CORRECTIONS
from language.de.cues import CUES
from language.de.entities import ENTITIES
from language.de.forgetting import FORGETTING
from language.de.inflection import INFLECTION
from language.de.interrogatives import INTERROGATIVES
from language.de.learning import LEARNING
from language.de.links import LINKS
from language.de.overviews import OVERVIEWS
from language.de.pasting import PASTING
from language.de.persons import PERSONS
from language.de.questions import QUESTIONS
from language.de.reminders import REMINDERS
from language.de.schedule import SCHEDULE
from language.de.secrets import SECRETS
from language.de.small_talk import SMALL_TALK
from language.de.speech import SPEECH
from language.de.synonyms import SYNONYMS
from language.de.vocabulary import ABBREVIATIONS, AFTER_ORDINALS, VOCABULARY
from language.de.wishes import WISHES
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
    synonyms=SYNONYMS,
    answers=ANSWERS,
    questions=QUESTIONS,
    overviews=OVERVIEWS,
    links=LINKS,
    reminders=REMINDERS,
    schedule=SCHEDULE,
    secrets=SECRETS,
    forgetting=FORGETTING,
    wishes=WISHES,
    pasting=PASTING,
)
