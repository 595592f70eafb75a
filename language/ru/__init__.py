"""Russian."""

from language.language import Language
from language.ru.answers import ANSWERS
from language.ru.calendar import CALENDAR
from language.ru.changes import CHANGES
from language.ru.corrections import CORRECTIONS
from language.ru.cues import CUES
from language.ru.entities import ENTITIES
from language.ru.forgetting import FORGETTING
from language.ru.inflection import INFLECTION
from language.ru.interrogatives import INTERROGATIVES
from language.ru.learning import LEARNING
from language.ru.links import LINKS
from language.ru.overviews import OVERVIEWS
from language.ru.pasting import PASTING
from language.ru.persons import PERSONS
from language.ru.questions import QUESTIONS
from language.ru.reminders import REMINDERS
from language.ru.schedule import SCHEDULE
from language.ru.secrets import SECRETS
from language.ru.small_talk import SMALL_TALK
from language.ru.speech import SPEECH
from language.ru.synonyms import SYNONYMS
from language.ru.vocabulary import ABBREVIATIONS, VOCABULARY
from language.ru.wishes import WISHES

LANGUAGE = Language(
    code="ru",
    name="Русский",
    stemmer="russian",
    letters="\u0400-\u04ff",
    vocabulary=VOCABULARY,
    inflection=INFLECTION,
    speech=SPEECH,
    small_talk=SMALL_TALK,
    synonyms=SYNONYMS,
    learning=LEARNING,
    abbreviations=ABBREVIATIONS,
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
