"""Which language the bot speaks to somebody.  A new language is one file like ``en.py`` and one line here."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from bot.memory.items import Trust
from bot.texts.en import EN
from bot.texts.ru import RU
from bot.texts.texts import Texts
from bot.turn import InboundMessage

LANGUAGES: Final = MappingProxyType({texts.language: texts for texts in (EN, RU)})
"""All languages by their two-letter code."""


_FOR_USERS: Final = MappingProxyType({code: texts.for_users() for code, texts in LANGUAGES.items()})


def texts_for_author(message: InboundMessage, default: str = "auto") -> Texts:
    """Return the texts for a message's author: in their language, with the operator's hints for the owner alone."""
    texts = texts_for(message.language, default, message.text)
    return texts if message.author.trust is Trust.OWNER else _FOR_USERS[texts.language]


def texts_for(language: str, default: str = "auto", sample: str = "") -> Texts:
    """Return the texts for an author.

    ``language`` is the IETF tag of the author's client ("ru-RU"), "" when unknown; ``default`` the operator's setting:
    a language code overrides the author's, "auto" does not.  When neither tells, Cyrillic letters in ``sample`` (the
    message) mean Russian; else English.
    """
    if default in LANGUAGES:
        return LANGUAGES[default]
    code = language.replace("_", "-").split("-")[0].lower()
    if code in LANGUAGES:
        return LANGUAGES[code]
    if not code and _mostly_cyrillic(sample):
        return RU
    return EN


def _mostly_cyrillic(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return 2 * sum("а" <= c.lower() <= "я" or c in "ёЁ" for c in letters) > len(letters)
