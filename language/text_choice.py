"""Chooses the language in which the bot speaks to somebody."""

from __future__ import annotations

from functools import cache

from language.registry import language_of, languages
from language.texts import Texts, complete


@cache
def texts_in(code: str) -> Texts:
    """Return the complete texts of a language that is installed, in English where it has none."""
    given = {each.code: each.texts for each in languages()}
    return complete(given[code], code, languages()[0].texts)


@cache
def texts_for_users_in(code: str) -> Texts:
    """Return the texts of a language for people who do not run the bot: the operator's hints are left out."""
    return texts_in(code).for_users()


def texts_for(language: str, default: str = "auto", sample: str = "") -> Texts:
    """Return the texts for an author.

    ``language`` is the IETF tag of the author's client ("ru-RU"), "" when unknown; ``default`` the operator's setting:
    a language code overrides the author's, "auto" does not.  When neither tells, the language of ``sample`` (the
    message) does; a client's language that is not installed is answered in English.
    """
    installed = {each.code for each in languages()}
    if default in installed:
        return texts_in(default)
    if code := language.replace("_", "-").split("-")[0].lower():
        return texts_in(code if code in installed else languages()[0].code)
    return texts_in(language_of(sample).code)
