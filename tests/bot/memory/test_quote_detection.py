"""Quote detection: which answers give away what was to be forgotten."""

from __future__ import annotations

from bot.memory.learning.retraction import echo_of, repeats
from tests.cases import each_row

VERA = echo_of("My sister Vera lives in Porto.")
CODE = echo_of("My booking code is 567-G0.")


@each_row(
    ("answer", "question"),
    [
        ("You told me on 7 February: my sister Vera lives in Porto.", "Where does my sister live?"),
        ("She lives in Porto!", "Where does my sister live?"),
        ("Your sister Vera, in Porto, since May.", "Where is my sister?"),
        ("Porto.", "Where does my sister live?"),
    ],
)
def test_an_answer_made_of_it_is_an_echo(answer: str, question: str) -> None:
    """Whole, in part, or as the one name that matters."""
    assert repeats(answer, question, VERA, near=True)


def test_a_code_gives_itself_away_anywhere() -> None:
    """Far from where it was said, and in other words."""
    assert repeats("It is 567-G0, as far as I know.", "What was my code?", CODE, near=False)


@each_row(
    ("answer", "question", "near"),
    [
        ("Done: a table for two.", "Book a table for two", True),
        ("Noted.", "I like tea", True),
        ("", "Where does my sister live?", True),
        ("Vera is a fine name.", "What do you think of the name Vera?", True),
        ("Porto is a city in Portugal.", "Tell me something about Portugal", False),
        ("I do not know where your sister is.", "Where is my sister?", True),
    ],
)
def test_an_answer_of_its_own_is_none(answer: str, question: str, *, near: bool) -> None:
    """Common words, words of the question and general knowledge give nothing away."""
    assert not repeats(answer, question, VERA, near=near)


def test_russian_echoes_are_found() -> None:
    """Runs and names work for any alphabet."""
    echo = echo_of("Моя сестра Вера живёт в Порту.")

    assert repeats("Ваша сестра Вера живёт в Порту.", "Где моя сестра?", echo, near=False)
    assert repeats("Вера.", "Как зовут мою сестру?", echo, near=True)
    assert not repeats("Хорошо, запомню.", "Я люблю чай", echo, near=True)


@each_row("text", ["", "   ", "?!", "a", "\x00", "👩‍👩‍👧", "שלום עולם טוב"])
def test_strange_texts_are_only_texts(text: str) -> None:
    """Nothing raises and emptiness repeats nothing."""
    assert not repeats("an ordinary answer", text, echo_of(text), near=True)


def test_a_year_is_no_code() -> None:
    """Ordinary numbers occur in many answers."""
    echo = echo_of("We moved here in 2019 with 12 boxes.")

    assert not repeats("The album came out in 2019.", "When was it released?", echo, near=False)
