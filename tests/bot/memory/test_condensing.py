"""Texts shortened to what tells most, and messages that say nothing worth learning."""

from __future__ import annotations

from bot.memory.chronicle import choose_telling, states_something
from language.tokens import count_tokens
from tests.cases import each_row

ANSWER = (
    "Here is a plan for your move. It is always good to be prepared. Many people find it hard to begin. "
    "I suggest that you hand in your notice by 14 March and call Mr Okafor about the deposit of 900 euros. "
    "Packing takes time, and it helps to be patient. There are many ways to pack well. "
    "Boxes come in many sizes and colours. It is good to label them. Good luck with everything!"
)


def test_a_short_text_stays_as_it_is() -> None:
    """Word for word, layout included."""
    assert choose_telling("First:\n- one\n- two", 60) == "First:\n- one\n- two"


def test_of_a_long_text_the_telling_sentences_stay() -> None:
    """Verbatim, in their order, within the budget; what is left out is marked."""
    short = choose_telling(ANSWER, 50)

    assert count_tokens(short) <= 50
    assert "Here is a plan for your move." in short
    assert "14 March and call Mr Okafor about the deposit of 900 euros." in short
    assert "…" in short
    assert short.index("plan") < short.index("Okafor")
    assert "Boxes" not in short


def test_a_text_without_sentences_is_cut() -> None:
    """One endless sentence keeps its beginning."""
    short = choose_telling("word " * 1000, 40)

    assert 0 < count_tokens(short) <= 40
    assert short.startswith("word")


@each_row(
    ("text", "states"),
    [
        ("Thank you so much!", False),
        ("Wie spät ist es in Tokio?", False),
        ("Расскажи анекдот.", False),
        ("What should I wear to my brother's wedding?", True),
        ("We use Terraform for everything. What is the latest version?", True),
        ("> I live in Rome\nWhat does that mean?", False),
        ("Bitte antworte immer kurz.", True),
        ("```\nAnna, Lyon, 1984\n```", True),
        ("```\nprint(1)\n```\nWhat does this print?", False),
    ],
)
def test_what_a_message_may_say_about_its_author(text: str, states: bool) -> None:  # noqa: FBT001 - a parameter
    """In doubt it does: a model that finds nothing costs less than a fact that is lost."""
    assert states_something(text) is states
