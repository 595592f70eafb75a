"""No language misses a sentence, and everyone is spoken to in theirs."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.memory.items import Channel, ItemType
from language import languages
from language.answer_phrases import AnswerPhrases
from language.registry import choose_texts
from language.texts import BasicTexts, Texts, complete

WRITTEN = {each.code: each.texts for each in languages()}
"""The texts as they stand in the folders, nothing filled in."""
EN, RU, DE = WRITTEN["en"], WRITTEN["ru"], WRITTEN["de"]
LISTS = ("everything_words", "yes_words")


def sentences(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every sentence below a value with the path to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from sentences(inner, f"{path}.{key}")
    elif isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from sentences(inner, f"{path}[{index}]")
    elif is_dataclass(value):
        for field in fields(value):
            if field.name != "language":
                yield from sentences(getattr(value, field.name), f"{path}.{field.name}".removeprefix("."))


def placeholders(sentence: str) -> set[str]:
    """Return the names in braces; a stray brace raises."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("texts", WRITTEN.values(), ids=WRITTEN)
def test_no_language_misses_a_sentence(texts: Texts) -> None:
    """Every sentence of English is there, says something, and is filled in with the same names."""
    mine = dict(sentences(texts))
    english = {path: text for path, text in sentences(EN) if not any(name in path for name in LISTS)}

    assert {path for path in mine if not any(name in path for name in LISTS)} == set(english)
    for path, text in english.items():
        assert mine[path].strip(), path
        assert placeholders(mine[path]) == placeholders(text), path


@pytest.mark.parametrize("texts", WRITTEN.values(), ids=WRITTEN)
def test_every_word_the_code_asks_for_is_there(texts: Texts) -> None:
    """Kinds, channels and months are looked up by name."""
    assert set(texts.memory_views.kinds) == set(ItemType)
    assert set(texts.why.channels) == set(Channel)
    assert len(texts.dates.months) == len(texts.answers.months) == 12
    assert texts.forget.everything_words
    assert texts.forget.yes_words


@pytest.mark.parametrize("texts", [RU, DE], ids=["ru", "de"])
def test_a_translation_is_not_a_copy(texts: Texts) -> None:
    """What is the same in both is a name or a format."""
    english = dict(sentences(EN))
    names: tuple[str, ...] = (
        "dates.",
        "status.parts.telegram",
        "answers.date",
        "answers.months",
        "numbered",
        "IBAN",
        "quoted",
        "attachments.video",
    )
    names += ("repeats.week", "day_and_month")
    same = [path for path, text in sentences(texts) if english.get(path) == text]

    assert [path for path in same if not any(name in path for name in names)] == []


def test_a_sentence_that_a_language_leaves_out_is_said_in_english() -> None:
    """Text by text, also within a table; nothing of the language is lost."""
    few = Texts(answers=AnswerPhrases(unknown="Mi ne scias."), basic=BasicTexts(commands={"help": "tiu listo"}))

    texts = complete(few, "eo", EN)

    assert texts.language == "eo"
    assert (texts.answers.unknown, texts.answers.told) == ("Mi ne scias.", EN.answers.told)
    assert (texts.basic.commands["help"], texts.basic.commands["new"]) == ("tiu listo", EN.basic.commands["new"])
    assert texts.forget == EN.forget


@pytest.mark.parametrize(
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

    assert DE.moment(when, zone) == "8. Februar 2026, 01:30 Uhr"
    assert EN.moment(when) == "7 February 2026, 22:30"
    assert RU.moment(when, zone) == "8 февраля 2026, 01:30"
    assert EN.day(when, zone) == "8 February 2026"
