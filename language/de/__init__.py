"""German."""

from language.de.answers import ANSWERS
from language.de.calendar import CALENDAR
from language.de.cues import CUES
from language.de.entities import ENTITIES
from language.de.interrogatives import INTERROGATIVES
from language.de.learning import LEARNING
from language.de.persons import PERSONS
from language.de.questions import QUESTIONS
from language.de.reminders import REMINDERS
from language.de.secrets import SECRETS
from language.de.small_talk import SMALL_TALK
from language.de.speech import SPEECH
from language.de.synonyms import SYNONYMS
from language.de.texts import TEXTS
from language.de.vocabulary import (
    ABBREVIATIONS,
    AFTER_ORDINALS,
    AMBIGUOUS_WORDS,
    ASKING_WORDS,
    CONTRAST_WORDS,
    ENDING,
    OPENING_WORDS,
    STOP_WORDS,
)
from language.language import Language

LANGUAGE = Language(
    code="de",
    stemmer="german",
    letters="äöüß",
    stop_words=STOP_WORDS,
    contrast_words=CONTRAST_WORDS,
    asking_words=ASKING_WORDS,
    opening_words=OPENING_WORDS,
    abbreviations=ABBREVIATIONS,
    ending=ENDING,
    after_ordinals=AFTER_ORDINALS,
    ambiguous_words=AMBIGUOUS_WORDS,
    texts=TEXTS,
    speech=SPEECH,
    small_talk=SMALL_TALK,
    learning=LEARNING,
    calendar=CALENDAR,
    interrogatives=INTERROGATIVES,
    persons=PERSONS,
    cues=CUES,
    entities=ENTITIES,
    synonyms=SYNONYMS,
    answers=ANSWERS,
    questions=QUESTIONS,
    reminders=REMINDERS,
    secrets=SECRETS,
)
