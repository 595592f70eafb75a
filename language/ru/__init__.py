"""Russian."""

from language.language import Language
from language.ru.learning import LEARNING
from language.ru.small_talk import SMALL_TALK
from language.ru.speech import SPEECH
from language.ru.texts import TEXTS
from language.ru.vocabulary import STOP_WORDS

LANGUAGE = Language(
    code="ru",
    stemmer="russian",
    letters="\u0400-\u04ff",
    stop_words=STOP_WORDS,
    texts=TEXTS,
    speech=SPEECH,
    small_talk=SMALL_TALK,
    learning=LEARNING,
)
