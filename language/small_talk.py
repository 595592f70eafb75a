"""Words and phrases that say nothing worth remembering: greetings, thanks, yes and no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from language.words import fold, word_set

Phrases = frozenset[tuple[str, ...]]
"""Phrases of up to four words, as tuples of case-folded words, "ё" as "е"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalk:
    """The small talk of a language, spelled as :func:`language.words.split_words` spells."""

    words: frozenset[str] = frozenset()
    """Words that say nothing, however many of them follow each other."""
    phrases: Phrases = frozenset()
    about_assistant: Phrases = frozenset()
    """Questions about the assistant: no memory answers them, and they say nothing about the one who asks."""
    wellbeing: Phrases = frozenset()
    """Forms of "how are you"."""
    fillers: frozenset[str] = frozenset()
    """Words that say nothing after others that do not: "so" in "thanks so much"."""
    thanks: frozenset[str] = frozenset()
    """Words by which one tells the kind of small talk, and so what to answer."""
    farewells: frozenset[str] = frozenset()
    hellos: frozenset[str] = frozenset()


def phrases(*lines: str) -> Phrases:
    """Return phrases from lines that hold one each."""
    return frozenset(tuple(fold(phrase).split()) for text in lines for phrase in text.strip().splitlines())


OTHER: Final = SmallTalk(
    words=word_set(
        """
        ciao hola adios adiós gracias si sí vale bueno bonjour salut merci oui non au-revoir buongiorno grazie prego sì
        ola olá obrigado obrigada sim não tchau cześć czesc dzięki dzieki tak nie dziękuję merhaba teşekkürler evet
        hayır привіт дякую так ні бувай вітаю こんにちは ありがとう はい いいえ 你好 谢谢 好的 再见 안녕 감사합니다 네
        """
    ),
    phrases=phrases(
        """
        buenos dias
        buenos días
        buenas noches
        muchas gracias
        hasta luego
        au revoir
        bonne nuit
        merci beaucoup
        """
    ),
    thanks=word_set("merci gracias grazie дякую"),
    farewells=word_set("ciao"),
    hellos=word_set("hola bonjour"),
)
"""Small talk in languages that have no folder: a chat in English begins with "hola" as well, and ends with "merci"."""
OTHER_GREETINGS: Final = "hola|salut|bonjour"
"""Greetings in languages that have no folder, as :attr:`language.speech.SpeechPatterns.greetings`."""
