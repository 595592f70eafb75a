"""Finds the languages that are installed, the one that a text is written in, and the one to answer an author in."""

import importlib
import pkgutil
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import stopwordsiso

import language as package
from language.catalogue import Catalogue
from language.language import Language, add_words
from language.texts import Texts
from language.words import split_words, word_set

_FIRST: Final = "en"
"""The language of a text that looks like none: its rules are tried first, its texts are shown."""
_LOOKED_AT: Final = 2_000
"""Characters of a text that its language is told from."""


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages: English, then the others by their code."""
    found = [
        importlib.import_module(f"language.{module.name}").LANGUAGE
        for module in pkgutil.iter_modules(package.__path__)
        if module.ispkg
    ]
    return tuple(sorted(map(_add_words, found), key=lambda each: (each.code != _FIRST, each.code)))


def _add_words(found: Language) -> Language:
    """Return a language with the words of its ``words.txt``, and the listed ones where it has none of its own."""
    file = Path(package.__path__[0]) / found.code / "words.txt"
    if file.exists():
        found = add_words(found, file.read_text(encoding="utf-8"))
    given, listed = found.vocabulary, _load_listed_words(found.code)
    completed = replace(given, stop_words=given.stop_words or listed, common_words=given.common_words or listed)
    return replace(found, vocabulary=completed)


def _load_listed_words(code: str) -> frozenset[str]:
    """Return the words that ``stopwordsiso`` lists for a language, none for one it does not know; no single letters."""
    known = stopwordsiso.stopwords(code) if stopwordsiso.has_lang(code) else ()
    return word_set(*(word for word in known if len(word) > 1))


@cache
def _load_words_of_others() -> frozenset[str]:
    """Return the words that are listed for languages which are not installed: "en" is German for hardly anybody."""
    installed = {each.code for each in languages()}
    return word_set(*(word for code in stopwordsiso.langs() - installed for word in stopwordsiso.stopwords(code)))


@cache
def stop_words() -> frozenset[str]:
    """Return the stop words of all languages, without those that say something in another one."""
    return frozenset().union(*(each.vocabulary.stop_words - each.vocabulary.ambiguous_words for each in languages()))


@cache
def negations() -> re.Pattern[str]:
    """Return the pattern of the words that deny something, in all languages."""
    return re.compile(f"(?i){alternatives(each.vocabulary.negations for each in languages())}")


def alternatives(patterns: Iterable[str]) -> str:
    """Return one pattern that matches what any of ``patterns`` matches; the empty ones match nothing."""
    given = [pattern for pattern in patterns if pattern]
    return f"(?:{'|'.join(given)})" if given else "(?!)"


def detect_language(text: str) -> Language:
    """Return the language that ``text`` is most likely written in; English when nothing tells."""
    return detect_languages(text)[0]


@lru_cache(maxsize=4096)
def detect_languages(text: str) -> tuple[Language, ...]:
    """Return the languages that ``text`` is most likely written in: one, or several that it looks like equally.

    Most of its letters being of one language's own decides; else the language of which the text has the most known
    words: a word that several languages have counts for none of them, a letter of one language's own as a word.  Where
    that is no one language, the name of a weekday or a greeting tells.
    """
    sample = text[:_LOOKED_AT].casefold()
    letters = sum(map(str.isalpha, sample))
    own = {each.code: len(_compile_own_letters(each.letters).findall(sample)) for each in languages()}
    for each in languages():
        if 2 * own[each.code] > letters:
            return (each,)
    said = split_words(sample)
    counts = {code: own[code] + sum(map(known.__contains__, said)) for code, known in _list_telling_words().items()}
    most = tuple(each for each in languages() if counts[each.code] == max(counts.values()))
    named = tuple(
        each
        for each in most
        if len(most) > 1
        and (_compile_weekdays(each.code).search(sample) or not each.small_talk.hellos.isdisjoint(said))
    )
    return named or most


@cache
def _compile_own_letters(letters: str) -> re.Pattern[str]:
    return re.compile(f"[{letters}]" if letters else "(?!)")


@cache
def _compile_weekdays(code: str) -> re.Pattern[str]:
    weekdays = next(each.schedule.weekdays for each in languages() if each.code == code)
    return re.compile(rf"(?<!\w){alternatives(weekdays)}(?!\w)")


@cache
def _list_telling_words() -> dict[str, frozenset[str]]:
    """Return by language its stop words, ours and listed ones, and its synonyms, without those of another, as "ok"."""
    every = {
        each.code: each.vocabulary.stop_words.union(
            _load_listed_words(each.code) - _load_words_of_others(), *map(word_set, each.synonyms.concepts.values())
        )
        for each in languages()
    }
    return {
        code: known.difference(*(every[each.code] | each.small_talk.words for each in languages() if each.code != code))
        for code, known in every.items()
    }


@cache
def get_texts(code: str) -> Texts:
    """Return the texts of a language that is installed, in English where it has none."""
    return Texts(read_catalogue(code))


@cache
def get_user_texts(code: str) -> Texts:
    """Return the texts of a language for people who do not run the bot: the operator's hints are left out."""
    return Texts(read_catalogue(code, reader="user"))


@cache
def read_catalogue(code: str, reader: str = "") -> Catalogue:
    """Return the sentences of a language as its folder has them, English's behind them."""
    file = Path(package.__path__[0]) / code / "texts.ftl"
    source = file.read_text(encoding="utf-8") if file.exists() else ""
    return Catalogue(code, source, None if code == _FIRST else read_catalogue(_FIRST, reader), reader)


@lru_cache(maxsize=256)
def choose_texts(language: str, default: str = "auto", sample: str = "") -> Texts:
    """Return the texts for an author.

    ``language`` is the IETF tag of the author's client ("ru-RU"), "" when unknown; ``default`` the operator's setting:
    a language code overrides the author's, "auto" does not.  When neither tells, the language of ``sample`` (the
    message) does; a client's language that is not installed is answered in English.
    """
    installed = {each.code for each in languages()}
    if default in installed:
        return get_texts(default)
    if code := language.replace("_", "-").split("-")[0].lower():
        return get_texts(code if code in installed else languages()[0].code)
    return get_texts(detect_language(sample).code)
