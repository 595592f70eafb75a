"""Sentences: where they end, what they do, which forms mean the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.learning.speech_acts import Speech, own_words, speech_of
from bot.memory.synonyms import alike, concept, concepts
from language.sentences import sentences
from language.words import words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I live here. You do not! Do you? No.", ("I live here.", "You do not!", "Do you?", "No.")),
        ("Dr. Weber lives at 5 St. James St. in York.", ("Dr. Weber lives at 5 St. James St. in York.",)),
        ("Meet J. Smith at 10 a.m. today.", ("Meet J. Smith at 10 a.m. today.",)),
        ("Живу на ул. Ленина. Дом 5.", ("Живу на ул. Ленина.", "Дом 5.")),
        ("It costs 3.50 now. Cheap", ("It costs 3.50 now.", "Cheap")),
        ("one line\nanother line", ("one line", "another line")),
        ('He said "Go." Then he left.', ('He said "Go."', "Then he left.")),
        ("Wait… What?", ("Wait…", "What?")),
        ("", ()),
        ("  \n ", ()),
    ],
)
def test_sentences_end_where_people_end_them(text: str, parts: tuple[str, ...]) -> None:
    """Abbreviations, initials, decimals and quotes are no ends; lines are."""
    assert sentences(text) == parts


@given(st.text(max_size=200))
def test_no_word_is_lost_between_sentences(text: str) -> None:
    """The sentences hold all of the text but white space, in order."""
    joined = "".join("".join(part.split()) for part in sentences(text))

    assert joined == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ("My sister Vera lives in Porto.", Speech.STATEMENT),
        ("When I was young, I lived in Rome.", Speech.STATEMENT),
        ("Когда я был маленьким, мы жили в Риме.", Speech.STATEMENT),
        ("Will Smith is an actor", Speech.STATEMENT),
        ("Have a dog named Rex", Speech.STATEMENT),
        ("Remember that my code is 5", Speech.STATEMENT),
        ("Can you remember that I prefer window seats?", Speech.STATEMENT),
        ("Could you please note: the code is 4471?", Speech.STATEMENT),
        ("Можешь запомнить, что у меня аллергия на орехи?", Speech.STATEMENT),
        ("Can you remember my birthday?", Speech.QUESTION),
        ("Can you remember what I said?", Speech.QUESTION),
        ("Do you remember that I like tea?", Speech.QUESTION),
        ("Remember that time in Rome?", Speech.QUESTION),
        ("Ты помнишь, что я люблю чай?", Speech.QUESTION),
        ("Where does my sister live", Speech.QUESTION),
        ("So, is Vera in Porto", Speech.QUESTION),
        ("How many kids does he have", Speech.QUESTION),
        ("Где живёт моя сестра", Speech.QUESTION),
        ("В каком городе живёт Вера", Speech.QUESTION),
        ("Живёт ли Вера в Порту", Speech.QUESTION),
        ("Vera lives in Porto?", Speech.QUESTION),
        ("Please translate this", Speech.REQUEST),
        ("Напиши стих", Speech.REQUEST),
        ("If I lived in Porto I would surf", Speech.HYPOTHESIS),
        ("Представь, что я живу в Порту", Speech.HYPOTHESIS),
        ("thanks!", Speech.SMALLTALK),
    ],
)
def test_what_a_sentence_does(text: str, speech: Speech) -> None:
    """Questions also without their mark, in English and Russian."""
    assert speech_of(text) is speech


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lives", "living"),
        ("lives", "живёт"),
        ("moved", "переехала"),
        ("sister", "сестру"),
        ("booking", "бронирования"),
        ("cities", "city"),
        ("Веры", "Вера"),
        ("codes", "код"),
        ("Porto", "Porto's"),
    ],
)
def test_forms_of_one_meaning_meet(one: str, other: str) -> None:
    """Endings, synonyms and the two languages."""
    assert alike(concept(words(one)[0]), concept(words(other)[0]))


@pytest.mark.parametrize(
    ("one", "other"), [("brother", "sister"), ("567-G0", "567-G1"), ("car", "cat"), ("Вера", "Верона")]
)
def test_different_meanings_stay_apart(one: str, other: str) -> None:
    """The stemmer does not throw different words together."""
    assert not alike(concept(words(one)[0]), concept(words(other)[0]))


def test_codes_stay_whole() -> None:
    """A code is one word, the one that a question asks for."""
    assert "567-g0" in concepts("My booking code is 567-G0.")


@pytest.mark.parametrize("piece", ["\n", "e.g. E.g. ", "> a\n", "```", "She ", "no, ", "? ", "'a", "my ", " ", "1. "])
def test_strange_lengths_are_read_in_one_pass(piece: str) -> None:
    """Patterns that would go back and forth over 200,000 characters would not let this test end."""
    text = (piece * 200_000)[:200_000]

    assert "".join(sentences(own_words(text))) is not None
    assert speech_of(text[:20_000]) in Speech
