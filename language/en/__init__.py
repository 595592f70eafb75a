"""English."""

from language.en.vocabulary import STOP_WORDS
from language.language import Language

LANGUAGE = Language(
    code="en",
    stemmer="english",
    stop_words=STOP_WORDS,
)
