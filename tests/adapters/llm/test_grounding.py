"""Checking a model's words against the user's."""

from __future__ import annotations

from adapters.llm.asking import is_grounded
from bot.memory.sanitise import is_quoted
from tests.cases import each_row


@each_row(
    ("content", "source", "grounded"),
    [
        ("Сестра Вера живёт в Порту.", "моя сестра Вера живет в Порту", True),
        ("Сестра Вера живёт в Лиссабоне.", "моя сестра Вера живет в Порту", False),
        ("Anna prefers tabs.", "I prefer tabs Anna", True),
        ("The port is 8081.", "the port is 8080", False),
        ("", "anything", True),
    ],
)
def test_grounding_in_more_than_one_language(content: str, source: str, grounded: bool) -> None:  # noqa: FBT001 - a table's column
    """Inflected words pass, other names and numbers do not."""
    assert is_grounded(content, source) is grounded


def test_quotes_ignore_case_and_signs_only() -> None:
    """Words, order and word borders count."""
    assert is_quoted("My  SISTER, Vera", "that my sister vera lives")
    assert not is_quoted("sister Ver", "my sister Vera")
    assert not is_quoted("", "anything")
