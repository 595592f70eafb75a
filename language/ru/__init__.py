"""Russian."""

from language.language import Language
from language.ru.abilities import ABILITIES
from language.ru.changes import CHANGES, CORRECTIONS, FORGETTING
from language.ru.learning import LEARNING, WISHES
from language.ru.lists import LISTS
from language.ru.questions import ABOUT, ANSWERS, CUES, INTERROGATIVES, OVERVIEWS, PERSONS, QUESTIONS, TOLD
from language.ru.schedule import CALENDAR, REMINDERS, SCHEDULE
from language.ru.secrets import SECRETS
from language.ru.speech import LINKS, PASTING, SMALL_TALK, SPEECH
from language.ru.vocabulary import ABBREVIATIONS, ENTITIES, INFLECTION, VOCABULARY

LANGUAGE = Language(
    code="ru",
    name="Русский",
    stemmer="russian",
    letters="\u0400-\u04ff",
    vocabulary=VOCABULARY,
    inflection=INFLECTION,
    speech=SPEECH,
    small_talk=SMALL_TALK,
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
