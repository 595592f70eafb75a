"""Decides which exchanges are not worth indexing.

An index full of "ok" and "thanks" answers every short question with "ok" and "thanks".
"""

from __future__ import annotations

from typing import Final

from bot.memory.sanitise import visible
from language.words import vocabulary, words

_ONE_WORD: Final = vocabulary(
    """
    hi hii hiya hello hey heya yo howdy greetings bye byebye goodbye cheers ciao thanks thank thx ty tnx ok okay okey
    okie k kk yes yeah yep yup ya no nope nah sure cool nice great good fine perfect awesome alright understood gotcha
    lol haha hahaha hm hmm wow please welcome sorry np
    привет приветик приветствую здравствуй здравствуйте здорово хай салют пока покеда прощай прощайте спасибо спс
    спасибки благодарю пожалуйста да ага угу нет неа не ок окей оке окэй ладно хорошо отлично супер класс круто понятно
    понял поняла ясно норм угумс ну хм хах ха хаха хахаха ахах лол извини извините
    privet poka spasibo da net aga ladno horosho khorosho zdravstvuyte zdravstvujte ponyal ponyala yasno
    hallo moin servus tschuss tschüss danke bitte ja nein doch gut prima super klar genau
    hola adios adiós gracias si sí vale bueno bonjour salut merci oui non au-revoir buongiorno grazie prego sì
    ola olá obrigado obrigada sim não tchau cześć czesc dzięki dzieki tak nie dziękuję merhaba teşekkürler evet hayır
    привіт дякую так ні бувай вітаю こんにちは ありがとう はい いいえ 你好 谢谢 好的 再见 안녕 감사합니다 네
    """
)
"""Words that say nothing, however many of them follow each other."""

_PHRASES: Final = frozenset(
    tuple(phrase.split())
    for phrase in (
        "thank you",
        "thank u",
        "many thanks",
        "thanks a lot",
        "thank you so much",
        "thank you very much",
        "hi there",
        "hello there",
        "good morning",
        "good afternoon",
        "good evening",
        "good night",
        "see you",
        "see you later",
        "see ya",
        "have a nice day",
        "got it",
        "i see",
        "no problem",
        "of course",
        "sounds good",
        "all right",
        "no thanks",
        "no thank you",
        "you too",
        "you are welcome",
        "you're welcome",
        "добрый день",
        "доброе утро",
        "добрый вечер",
        "доброй ночи",
        "спокойной ночи",
        "до свидания",
        "до встречи",
        "до завтра",
        "всего доброго",
        "большое спасибо",
        "спасибо большое",
        "спасибо огромное",
        "благодарю вас",
        "не за что",
        "все понятно",
        "все ясно",
        "конечно",
        "dobryj den",
        "dobry den",
        "do svidaniya",
        "guten tag",
        "guten morgen",
        "guten abend",
        "gute nacht",
        "auf wiedersehen",
        "vielen dank",
        "danke schön",
        "buenos dias",
        "buenos días",
        "buenas noches",
        "muchas gracias",
        "hasta luego",
        "au revoir",
        "bonne nuit",
        "merci beaucoup",
    )
)
ABOUT_ASSISTANT: Final = frozenset(
    tuple(phrase.split())
    for phrase in (
        "what can you do",
        "what do you do",
        "who are you",
        "what are you",
        "what's your name",
        "what is your name",
        "что ты умеешь",
        "что ты можешь",
        "что вы умеете",
        "кто ты",
        "ты кто",
        "кто вы",
        "как тебя зовут",
        "как вас зовут",
    )
)
"""Questions about the assistant: no memory answers them, and they say nothing about the one who asks."""

WELLBEING: Final = frozenset(
    tuple(phrase.split())
    for phrase in (
        "how are you",
        "how are you doing",
        "how are you today",
        "how's it going",
        "how is it going",
        "what's up",
        "как дела",
        "как твои дела",
        "как ваши дела",
        "как ты",
        "как поживаешь",
        "как жизнь",
    )
)
_LENGTHS: Final = (4, 3, 2, 1)
"""Words of a phrase, the longest first."""
_HEAD: Final = 64
"""Characters that mostly hold more than the longest phrase."""
_KNOWN: Final = _PHRASES | ABOUT_ASSISTANT | WELLBEING
_FILLERS: Final = vocabulary("so very much a lot you all everyone всем тебе вам вас большое очень then there man and и")


def is_trivial(text: str) -> bool:
    """Return whether ``text`` is nothing but greetings, thanks, yes, no, "how are you", whatever its case and emoji.

    Also true for a text without any word ("👍", "?!").
    """
    head = words(visible(text[:_HEAD]))
    if len(head) > _LENGTHS[0] and not _phrase_at(head, 0):  # no need to read the rest; the last word may be cut
        return False
    said = words(visible(text))
    position = 0
    while position < len(said):
        step = _phrase_at(said, position)
        if step == 0:
            return False
        position += step
    return True


def skip_reason(
    user_text: str, assistant_text: str, *, min_length: int, states_fact: bool, synthetic: bool
) -> str | None:
    """Return why an exchange is not indexed, in words for the log, or ``None`` when it is.

    ``min_length`` in characters, user and assistant together; a stated fact is indexed however short it is.
    """
    if synthetic:
        return "synthetic answer"
    if not visible(assistant_text).strip():
        return "empty answer"
    if is_trivial(user_text):
        return "greeting or acknowledgement"
    length = len(user_text.strip()) + len(assistant_text.strip())
    if length < min_length and not states_fact:
        return f"shorter than {min_length} characters"
    return None


def says(text: str, phrases: frozenset[tuple[str, ...]]) -> bool:
    """Return whether one of ``phrases`` stands in ``text``, which is trivial."""
    said = words(visible(text))
    return any(said[start : start + length] in phrases for start in range(len(said)) for length in _LENGTHS)


def _phrase_at(said: tuple[str, ...], position: int) -> int:
    """Return how many words from ``position`` on say nothing; a filler counts only after another such word."""
    for length in _LENGTHS:
        if said[position : position + length] in _KNOWN:
            return length
    if said[position] in _ONE_WORD or (position > 0 and said[position] in _FILLERS):
        return 1
    return 0
