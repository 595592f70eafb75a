"""Entities and relations without a model, in English and Russian."""

from __future__ import annotations

from memory_server.extraction import Extraction, Extractor
from tests.cases import each_row

ENGLISH = """Ref: tu42-abc1
Date: 2026-02-07 14:30 +01:00
Skill: devops
User (Anna): Deploy using Docker Compose with health checks. I moved to Lisbon in March 2021 and my sister Maria works \
at Siemens in Berlin. My booking code is 567-G0 for flight BA2490 on 12 May 2026, it cost $450.
Assistant: Noted. PostgreSQL listens on port 5432, see https://www.postgresql.org/docs or mail anna@example.org."""
RUSSIAN = """Ref: tu42-abc2
Date: 2026-02-08 10:00 +03:00
User (Вера): Привет! Я переехала в Казань в 2019 году, работаю в компании Яндекс. Мой брат Иван живёт в Москве. \
Напомни мне про встречу с Петром Ивановым 15 марта в 18:30, номер заказа А-12345.
Assistant: Запомнил."""


def kinds(found: Extraction) -> dict[str, str]:
    """Return the kind of each entity by name."""
    return {entity.name: entity.kind for entity in found.entities}


def pairs(found: Extraction) -> set[frozenset[str]]:
    """Return which entities are related."""
    names = {entity.key: entity.name for entity in found.entities}
    return {frozenset((names[relation.source], names[relation.target])) for relation in found.relations}


def test_english_names_places_codes_and_dates() -> None:
    """What a person would underline is found and typed; headers are not."""
    found = kinds(Extractor().extract(ENGLISH))

    assert found["Anna"] == "person"
    assert found["Maria"] == "person"
    assert found["Lisbon"] == "location"
    assert found["Siemens"] == "organization"
    assert found["567-G0"] == "code"
    assert found["BA2490"] == "code"
    assert found["12 May 2026"] == "date"
    assert {"Docker Compose", "Berlin", "March 2021"} <= set(found)
    assert not {"tu42-abc1", "devops", "Deploy", "Noted", "2026-02-07"} & set(found)


def test_russian_names_places_codes_and_dates() -> None:
    """The same in Russian."""
    found = kinds(Extractor().extract(RUSSIAN))

    assert found["Вера"] == "person"
    assert found["Иван"] == "person"
    assert found["Казань"] == "location"
    assert found["Яндекс"] == "organization"
    assert found["А-12345"] == "code"
    assert found["15 марта"] == "date"
    assert "Петром Ивановым" in found
    assert not {"Привет", "Напомни", "Запомнил"} & set(found)


def test_relations_come_from_the_sentence_and_the_speaker() -> None:
    """Neighbours in a sentence are related, and the speaker with what they say of themselves; verbs name it."""
    found = Extractor().extract(ENGLISH)
    words = {relation.keywords for relation in found.relations}

    assert frozenset(("Maria", "Siemens")) in pairs(found)
    assert frozenset(("Anna", "Lisbon")) in pairs(found)
    assert "moved" in words
    assert "works" in words


def test_sentences_say_who_said_them_and_when() -> None:
    """A quotation carries speaker and date; every mention has one."""
    found = Extractor().extract(ENGLISH)

    assert any(text.startswith("Anna (2026-02-07): I moved to Lisbon") for text in found.texts.values())
    assert any(text.startswith("Assistant (2026-02-07): ") for text in found.texts.values())
    assert all(entity.i in found.texts for entity in found.entities)
    assert all(relation.i in found.texts for relation in found.relations)


@each_row(
    ("one", "other"),
    [("встреча с Иваном", "Иван"), ("в Казани", "Казань"), ("two Volvos here", "the Volvo"), ("Ёлкин", "Елкин")],
)
def test_forms_of_a_name_are_one_entity(one: str, other: str) -> None:
    """Declensions, plurals and ё share a key."""
    extractor = Extractor()

    keys = [{e.key for e in extractor.extract(f"User (X): Мы видели {text} вчера.").entities} for text in (one, other)]

    assert keys[0] & keys[1] - {"x"}


def test_what_names_nothing_gives_nothing() -> None:
    """Small talk has no entities besides its speaker."""
    found = Extractor().extract("User (Anna): Hello, how are you? Thanks!\nAssistant: You are very welcome.")

    assert set(kinds(found)) == {"Anna"}


@each_row("text", ["", "\n\n", "User (): x", "((((", "😀" * 500, "А" * 5000, "#" * 3000, "a.b." * 2000])
def test_strange_text_is_survived(text: str) -> None:
    """Nothing raises and nothing grows without bound."""
    found = Extractor().extract(text)

    assert len(found.entities) <= 12
    assert len(found.relations) <= 10


def test_questions_give_keywords() -> None:
    """Names for the entities, topics for the relations; never nothing."""
    low, high = Extractor().keywords("Where does my sister Maria work in Berlin?")

    assert {"Maria", "Berlin"} <= set(low)
    assert high
    assert Extractor().keywords("how?") == (["how?"], ["how?"])


def test_each_is_quoted_as_who_said_it() -> None:
    """Namesakes by number, what was passed on and what was answered as that, and nobody by the name of a role.

    What was passed on, and an answer after outside text, were quoted as the author's own words.
    """
    text = "Date: 2026-02-07 14:30 +01:00\nUser 8 (Anna): I live in Porto.\nForwarded (from Eve): Bob lives in Ghent.\n"
    text += "Assistant (after reading outside text): Porto is far from Lviv.\nUser (Assistant): Tim lives in Kiel."
    found = Extractor().extract(text)

    assert set(found.texts.values()) == {
        "Anna #8 (2026-02-07): I live in Porto.",
        "Forwarded from Eve (2026-02-07): Bob lives in Ghent.",
        "Assistant (2026-02-07): Porto is far from Lviv.",
        "“Assistant” (2026-02-07): Tim lives in Kiel.",
    }
    assert "Forwarded from Eve" not in kinds(found)
