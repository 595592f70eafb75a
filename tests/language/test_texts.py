"""No language misses a sentence, no sentence is there for nothing, and everyone is spoken to in theirs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.memory.items import Channel, ItemType
from language import languages
from language.catalogue import Catalogue, Field, Filled, FilledTable, Message, Section, Table
from language.registry import choose_texts, get_texts, get_user_texts, read_catalogue
from language.texts import Texts
from tests.cases import each_row

ROOT = Path(__file__).parents[2]
CODES = [each.code for each in languages()]
ENGLISH = read_catalogue("en")
SECTIONS = {name: value for name, value in vars(get_texts("en")).items() if isinstance(value, Section)}
FIELDS: dict[str, Field[Any]] = {
    f"{section}-{name}": field
    for section, value in SECTIONS.items()
    for name, field in vars(type(value)).items()
    if isinstance(field, Field)
}
"""Every sentence that the code can ask for, by its key."""
BY_CASE = ("service-", "page-was_")
"""Chosen by a word: who is not let in and why, what was done to a memory."""


@cache
def own_words(code: str) -> Catalogue:
    """The sentences of a language's folder alone."""
    return Catalogue(code, (ROOT / "language" / code / "texts.ftl").read_text(encoding="utf-8"))


def gaps(sentences: Mapping[str, Message]) -> dict[str, frozenset[str]]:
    return {name: sentence.names() for name, sentence in sentences.items()}


@each_row("code", CODES)
def test_no_language_misses_a_sentence_or_has_one_too_many(code: str) -> None:
    """What the files hold is what the code can ask for, with the same gaps, attributes and sentences for users."""
    words = read_catalogue(code) if code == "en" else own_words(code)

    assert set(words) == set(FIELDS)
    for key in FIELDS:
        assert words.read(key), key
        assert gaps(own_words("en").read(key)) == gaps(words.read(key)) or "dates-" in key, key


@each_row("code", CODES)
def test_only_what_the_code_fills_in_has_gaps(code: str) -> None:
    """A sentence that is shown as it stands has none, and each table is one."""
    for key, field in FIELDS.items():
        found = own_words(code).read(key)
        plain = {name for name, sentence in found.items() if not sentence.names()}
        if not isinstance(field, (Filled, FilledTable)):
            assert plain == set(found), key
        if not isinstance(field, (Table, FilledTable)):
            assert set(found) in ({""}, {"", "user"}), key
        else:
            assert "" not in found, key


@each_row("code", [code for code in CODES if code != "en"])
def test_a_translation_is_not_a_copy(code: str) -> None:
    """What is the same in both is a name or a format."""
    same = [
        key
        for key in FIELDS
        for name, sentence in own_words(code).read(key).items()
        if sentence.parts == own_words("en").read(key)[name].parts and re.search(r"[^\W\d_]{2}", shown(sentence))
    ]

    assert set(same) <= {
        "status-parts",  # "Telegram"
        "remember-kinds",  # "IBAN"
        "notice-attachments",  # "videos"
        "settings-zones",
        "dates-months",
        "answers-months",
        "answers-numbered",
        "memory-numbered",
    }


def shown(sentence: Message) -> str:
    """The sentence's own words."""
    return "".join(part for part in sentence.parts if isinstance(part, str))


@cache
def sources() -> tuple[str, ...]:
    folders = ("bot", "systems", "adapters", "memory_server", "language")
    return tuple(file.read_text("utf-8") for name in folders for file in (ROOT / name).rglob("*.py"))


@cache
def templates() -> str:
    return "".join(file.read_text("utf-8") for file in (ROOT / "adapters").rglob("*.html"))


def test_no_sentence_is_there_for_nothing() -> None:
    """Something in the source asks for each by its name, or where several may be told by a word for the case."""
    asked = {name for text in (*sources(), templates()) for name in re.findall(r"\.(\w+)", text)}
    words = {word for text in sources() for word in re.findall(r"""["'](\w+)["']""", text)}
    names = {key: key.partition("-")[2] for key in FIELDS}

    unused = {key for key, name in names.items() if name not in (words if key.startswith(BY_CASE) else asked)}
    assert unused == set()


def fillings() -> Iterator[tuple[str, frozenset[str]]]:
    """Names of sentences, and what they are filled in with, wherever that can be read off the source."""
    for text in sources():
        for node in ast.walk(ast.parse(text if ".format(" in text else "")):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="format"), keywords=keywords):
                    if all(each.arg for each in keywords):
                        yield name, frozenset(each.arg or "" for each in keywords)
                case _:
                    pass
    for name, arguments in re.findall(r"\.(\w+)\.format\(((?:[^()]|\([^()]*\))*)\)", templates()):
        yield name, frozenset(re.findall(r"(\w+)=", arguments))


def test_the_code_fills_every_gap() -> None:
    """With the names that stand in the sentence."""
    wanted: dict[str, set[frozenset[str]]] = {}
    for key, field in FIELDS.items():
        if isinstance(field, Filled):
            by_reader = own_words("en").read(key).values()
            wanted.setdefault(key.partition("-")[2], set()).add(frozenset().union(*(one.names() for one in by_reader)))
    filled = [(name, given) for name, given in fillings() if name in wanted]

    assert len(filled) > 100
    wrong = [(name, sorted(given)) for name, given in filled if not any(given >= gaps for gaps in wanted[name])]
    assert wrong == []


@each_row("code", CODES)
def test_every_word_the_code_asks_for_is_there(code: str) -> None:
    """Kinds, channels and months are looked up by name."""
    texts = get_texts(code)

    assert all(texts.memory_views.kinds[kind] for kind in ItemType)
    assert all(texts.why.channels[channel] for channel in Channel)
    assert len(texts.dates.months) == len(texts.answers.months) == 12
    assert len(texts.dates.weekdays) == len(texts.answers.on_weekdays) == len(texts.reminders.each_weekday) == 7
    assert len(texts.page.fits) == 3


def test_a_sentence_that_a_language_leaves_out_is_said_in_english() -> None:
    """Text by text, also within a table; nothing of the language is lost."""
    few = "answers-unknown = Mi ne scias.\nbasic-commands =\n    .help = tiu listo\n"

    texts = Texts(Catalogue("eo", few, ENGLISH))

    english = get_texts("en")
    assert texts.language == "eo"
    assert (texts.answers.unknown, texts.answers.told) == ("Mi ne scias.", english.answers.told)
    assert (texts.basic.commands["help"], texts.basic.commands["new"]) == ("tiu listo", english.basic.commands["new"])
    assert texts.forget.usage == english.forget.usage


@each_row("code", CODES)
def test_users_read_no_hints_for_the_operator(code: str) -> None:
    """Where a sentence names a setting, people who do not run the bot see another one."""
    operator, user = get_texts(code), get_user_texts(code)

    assert "llm.url" in operator.answers.no_model
    assert "llm.url" not in user.answers.no_model
    assert "memory.enabled" not in user.status.memory_off
    assert user.basic.help_head == operator.basic.help_head


def test_a_language_without_words_for_users_does_not_tell_them_the_operators() -> None:
    """English says it then."""
    texts = Texts(Catalogue("eo", "status-memory_off = memory.enabled", read_catalogue("en", "user"), "user"))

    assert texts.status.memory_off == get_user_texts("en").status.memory_off


def test_what_has_gaps_is_not_shown_before_they_are_filled() -> None:
    """A sentence with gaps is no text, and one that is left open is an error."""
    sentence = get_texts("en").notice.unread

    with pytest.raises(TypeError, match="before it is filled in"):
        str(sentence)
    with pytest.raises(KeyError, match="what"):
        sentence.format(who="x")


def test_choices_follow_the_value_else_the_plural_of_the_language() -> None:
    """CLDR's categories; what is none of both takes the default."""
    source = "x-n =\n    { $count ->\n        [1] eins\n        [few] wenige\n       *[other] viele: { $count }\n    }"
    sentence = Catalogue("ru", source).message("x-n")

    assert [sentence.format(count=count) for count in (1, 3, 11, "?")] == ["eins", "wenige", "viele: 11", "viele: ?"]


@each_row("source", ["x-n = { NUMBER($count) }", "x-n = { -term }", "x-n = { $count"])
def test_what_is_not_understood_is_refused(source: str) -> None:
    """Rather than shown as it stands."""
    with pytest.raises(ValueError, match="n"):
        Catalogue("en", source).message("x-n")


def test_long_texts_and_plain_numbers_are_filled_in_whole() -> None:
    """Answers quote pages, and a number is no amount of money."""
    sentence = Catalogue("de", "x-n = { $count }: { $text }").message("x-n")

    assert sentence.format(count=12345, text="a" * 10_000) == "12345: " + "a" * 10_000


@each_row(
    ("language", "default", "sample", "code"),
    [
        ("ru-RU", "auto", "", "ru"),
        ("RU", "auto", "hello", "ru"),
        ("en_GB", "auto", "привет", "en"),
        ("de-AT", "auto", "", "de"),
        ("fr", "auto", "Wo wohnt meine Schwester?", "en"),
        ("", "auto", "Wo wohnt meine Schwester?", "de"),
        ("en", "de", "hello", "de"),
        ("", "auto", "Где живёт Вера?", "ru"),
        ("", "auto", "/new", "en"),
        ("", "auto", "", "en"),
        ("en", "ru", "hello", "ru"),
        ("ru", "en", "привет", "en"),
        ("ru", "xx", "", "ru"),
    ],
)
def test_the_language_is_the_settings_else_the_authors_else_the_messages(
    language: str, default: str, sample: str, code: str
) -> None:
    """A language nobody wrote falls back to English."""
    assert choose_texts(language, default, sample).language == code


def test_dates_are_written_as_people_write_them() -> None:
    """In the reader's zone, also across midnight."""
    when = datetime(2026, 2, 7, 22, 30, tzinfo=UTC)
    zone = timezone(timedelta(hours=3))

    assert get_texts("de").moment(when, zone) == "8. Februar 2026, 01:30 Uhr"
    assert get_texts("en").moment(when) == "7 February 2026, 22:30"
    assert get_texts("ru").moment(when, zone) == "8 февраля 2026, 01:30"
    assert get_texts("en").day(when, zone) == "8 February 2026"
