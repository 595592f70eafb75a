"""German."""

from language.de.vocabulary import STOP_WORDS
from language.language import Language

LANGUAGE = Language(
    code="de",
    stemmer="german",
    letters="äöüß",
    stop_words=STOP_WORDS,
)
