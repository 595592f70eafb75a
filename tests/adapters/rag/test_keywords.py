"""Keywords that save LightRAG a language model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapters.rag.query import keywords, searchable
from tests.cases import each_row


@each_row(
    ("question", "expected"),
    [
        ("Where does my sister live?", "sister"),
        ("What was my booking code 567-G0?", "567-G0"),
        ("What did Vera Smith say about Porto?", "Vera Smith"),
        ("Где живёт моя сестра Вера?", "сестра"),
        ("Какой у меня код бронирования АБ-12?", "АБ-12"),
        ("Where does Will live?", "Will"),
    ],
)
def test_what_matters_in_a_question_is_a_keyword(question: str, expected: str) -> None:
    """Names, codes and content words are low-level keywords, in English and in Russian."""
    found = keywords(question)

    assert found is not None
    assert expected in found.low


def test_function_words_are_no_keywords() -> None:
    """A question's grammar is left out, and its content words stand together as a phrase."""
    found = keywords("What is the name of my sister in Porto?")

    assert found is not None
    assert found.low == ("name", "sister", "Porto")
    assert found.high == ("name sister Porto",)


@each_row("question", ["What about it?", "а что с ним?", "…", "   ", "и ты?"])
def test_a_question_of_function_words_has_none(question: str) -> None:
    """Without content there are no keywords, which means naive mode."""
    found = keywords(question)

    assert found is None


@given(st.text(max_size=600))
def test_any_text_gives_keywords_within_the_limits_of_lightrag(question: str) -> None:
    """At most 64 keywords per list of at most 512 characters, none empty, in whatever people type."""
    found = keywords(question)

    if found is not None:
        assert found.low
        assert found.high
        assert len(found.low) <= 64
        assert len(found.high) <= 64
        assert all(0 < len(word) <= 512 for word in (*found.low, *found.high))


@each_row(
    ("question", "expected"),
    [("ab", False), ("", False), ("  a ", False), ("abc", True), ("東京", True), ("東", False)],
)
def test_short_questions_are_not_sent(question: str, expected: bool) -> None:  # noqa: FBT001 - a parametrised expectation
    """LightRAG refuses fewer than three characters, counting East Asian ones twice."""
    taken = searchable(question)

    assert taken is expected
