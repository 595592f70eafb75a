"""Small talk: it is not worth indexing."""

from __future__ import annotations

from bot.memory.learning.speech_acts import find_skip_reason, is_trivial
from tests.cases import each_row

LONG = "Here is a long and useful answer that explains everything in great detail."


@each_row(
    "text",
    [
        *("hi", "Hello!", "HEY 👋", "bye...", "thanks!!!", "Thank you 🙏🏽", "ok", "Okay.", "yes", "No!", "hi there"),
        *("привет", "Пока!", "спасибо 😊", "Да", "нет", "ОК", "privet", "poka", "spasibo", "da", "net", "ок, спасибо"),
        *("ok thanks", "thank you very much!", "Спасибо большое!", "доброе утро ☀️", "👍", "?!", "hi\u200b", "Danke!"),
    ],
)
def test_greetings_and_acknowledgements_are_trivial(text: str) -> None:
    """In several languages, any case, with trailing punctuation and emoji."""
    assert is_trivial(text)
    assert (
        find_skip_reason(text, LONG, min_length=50, states_fact=False, synthetic=False) == "greeting or acknowledgement"
    )


@each_row(
    "text",
    [
        "My PIN hint is 42",
        "yes, delete the backup",
        "no sugar for me",
        "thanks, Vera moved to Lisbon",
        "Hi, I am Anna",
        "да, я переехал в Порту",
        "ok computer is my favourite album",
        "567-G0",
        "42",
    ],
)
def test_a_greeting_with_content_is_not_trivial(text: str) -> None:
    """One word that says something is enough."""
    assert not is_trivial(text)


def test_a_short_fact_is_indexed() -> None:
    """The length limit does not apply to a stated fact."""
    reason = find_skip_reason("My PIN hint is 42", "Noted.", min_length=50, states_fact=True, synthetic=False)

    assert reason is None


def test_a_short_exchange_without_a_fact_is_skipped() -> None:
    """User and assistant text are counted together."""
    assert (
        find_skip_reason("And then?", "Then we wait.", min_length=50, states_fact=False, synthetic=False)
        == "shorter than 50 characters"
    )
    assert find_skip_reason("And then?", LONG, min_length=50, states_fact=False, synthetic=False) is None
    assert find_skip_reason("x" * 25, "y" * 25, min_length=50, states_fact=False, synthetic=False) is None


def test_synthetic_and_empty_answers_are_skipped() -> None:
    """Apologies, limit notices and nothing at all are not memories."""
    assert find_skip_reason(LONG, LONG, min_length=50, states_fact=True, synthetic=True) == "synthetic answer"
    assert find_skip_reason(LONG, " \u200b\n", min_length=50, states_fact=True, synthetic=False) == "empty answer"
