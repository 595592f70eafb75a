"""English."""

from language.en.base_forms import BASE_FORMS
from language.en.learning import LEARNING
from language.en.small_talk import SMALL_TALK
from language.en.speech import SPEECH
from language.en.texts import TEXTS
from language.en.vocabulary import STOP_WORDS
from language.language import Language

LANGUAGE = Language(
    code="en",
    stemmer="english",
    stop_words=STOP_WORDS,
    base_forms=BASE_FORMS,
    texts=TEXTS,
    speech=SPEECH,
    small_talk=SMALL_TALK,
    learning=LEARNING,
)
