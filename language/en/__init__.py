"""English."""

from language.en.answers import ANSWERS
from language.en.base_forms import BASE_FORMS
from language.en.calendar import CALENDAR
from language.en.cues import CUES
from language.en.entities import ENTITIES
from language.en.interrogatives import INTERROGATIVES
from language.en.learning import LEARNING
from language.en.persons import PERSONS
from language.en.questions import QUESTIONS
from language.en.reminders import REMINDERS
from language.en.secrets import SECRETS
from language.en.small_talk import SMALL_TALK
from language.en.speech import SPEECH
from language.en.synonyms import SYNONYMS
from language.en.texts import TEXTS
from language.en.vocabulary import (
    ABBREVIATIONS,
    ASKING_WORDS,
    COMMON_WORDS,
    CONTRAST_WORDS,
    ENDING,
    ENDING_INSTEAD,
    OPENING_WORDS,
    STOP_WORDS,
)
from language.language import Language

LANGUAGE = Language(
    code="en",
    stemmer="english",
    stop_words=STOP_WORDS,
    contrast_words=CONTRAST_WORDS,
    asking_words=ASKING_WORDS,
    common_words=COMMON_WORDS,
    opening_words=OPENING_WORDS,
    abbreviations=ABBREVIATIONS,
    ending=ENDING,
    ending_instead=ENDING_INSTEAD,
    base_forms=BASE_FORMS,
    texts=TEXTS,
    speech=SPEECH,
    small_talk=SMALL_TALK,
    synonyms=SYNONYMS,
    learning=LEARNING,
    calendar=CALENDAR,
    interrogatives=INTERROGATIVES,
    persons=PERSONS,
    cues=CUES,
    answers=ANSWERS,
    questions=QUESTIONS,
    reminders=REMINDERS,
    entities=ENTITIES,
    secrets=SECRETS,
)
