"""German."""

from language.de.small_talk import SMALL_TALK
from language.de.speech import SPEECH
from language.de.texts import TEXTS
from language.de.vocabulary import AMBIGUOUS_WORDS, STOP_WORDS
from language.language import Language

LANGUAGE = Language(
    code="de",
    stemmer="german",
    letters="äöüß",
    stop_words=STOP_WORDS,
    ambiguous_words=AMBIGUOUS_WORDS,
    texts=TEXTS,
    speech=SPEECH,
    small_talk=SMALL_TALK,
)
