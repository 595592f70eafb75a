"""What is left of a message when one of its statements no longer holds."""

from __future__ import annotations

from bot.memory.learning.retraction import remove_statement
from language.analyser import Analyser
from tests.cases import each_row


@each_row(
    ("text", "statement", "left"),
    [
        ("My plumber is Kovacs.", "My plumber is Kovacs.", ""),
        ("My plumber is Kovacs. He comes on Mondays.", "My plumber is Kovacs", "He comes on Mondays."),
        ("He comes on Mondays.\nMy plumber is Kovacs!", "my plumber is Kovacs", "He comes on Mondays."),
        ("Please remember that my code is 5", "my code is 5", ""),
        (
            "My plumber is Kovacs, and my sister Vera moved to Porto in May",
            "My plumber is Kovacs",
            "and my sister Vera moved to Porto in May",
        ),
        ("I saw that Anna now has got herself two cats. Nice.", "Anna has two cats", "Nice."),
        ("Anna likes tea. It rains.", "Bob drives a lorry", "Anna likes tea. It rains."),
        ("", "anything", ""),
        ("Мой код 5. Кот Том.", "Мой код 5", "Кот Том."),
    ],
)
def test_a_statement_is_taken_out(text: str, statement: str, left: str) -> None:
    """Word for word where it stands so, else by the words that it shares."""
    assert remove_statement(text, statement, Analyser().stems) == left
