"""The person a question is about."""

from __future__ import annotations

from bot.memory.ranking.passages import (
    ASSISTANT,
    Subject,
    find_focus,
    find_subject,
    remove_names,
    rewrite_in_first_person,
)
from language.analyser import Analyser
from tests.cases import each_row

NAMES = ("Anna", "Melanie Smith", "Борис")


@each_row(
    ("question", "asker", "subject"),
    [
        ("What did Anna paint?", None, Subject(only=0, named=(0,))),
        ("What are Mel's hobbies?", None, Subject(only=1, named=(1,))),
        ("Что подарили Борису?", None, Subject(only=2, named=(2,))),
        ("What did Melanie tell Anna?", None, Subject(first=1, named=(1, 0))),
        ("What do Anna and Melanie both like?", None, Subject(named=(0, 1))),
        ("Where does my sister live?", 1, Subject(only=1)),
        ("Где живёт моя сестра?", 2, Subject(only=2)),
        ("What did you recommend to me?", 0, Subject(only=ASSISTANT)),
        ("Can you remind me of the list?", 0, Subject(only=ASSISTANT)),
        ("What would you suggest for my knee?", 0, Subject(only=0)),
        ("Can you list what I told you about my knee?", 0, Subject(only=0)),
        ("Что ты порекомендуешь мне?", 0, Subject(only=0)),
        ("Что ты порекомендовал мне?", 0, Subject(only=ASSISTANT)),
        ("What did I tell you about my knee?", 0, Subject(only=0)),
        ("Which hotel did you find for my trip?", 0, Subject(only=ASSISTANT)),
        ("Do you remember where I parked?", 0, Subject(only=0)),
        ("What do you know about my dog?", 0, Subject(only=0)),
        ("What did my sister and you discuss?", 0, Subject(only=0)),
        ("Where does my sister live?", None, Subject()),
        ("Who won the race?", 0, Subject()),
        ("I may plan an annual trip", None, Subject()),
    ],
)
def test_names_and_persons_are_understood(question: str, asker: int | None, subject: Subject) -> None:
    """Names with nicknames and cases, pairs, first and second person."""
    assert find_subject(question, NAMES, asker) == subject


@each_row(
    ("question", "focus"),
    [
        ("In what order did we talk about the boat and the garden?", "boat garden"),
        ("Summarise what I told you about my knee.", "knee"),
        ("Where is the boat?", None),
        ("Fasse zusammen, was ich dir über mein Knie erzählt habe.", "knie"),
    ],
)
def test_a_question_over_time_is_about_its_subject(question: str, focus: str | None) -> None:
    """The words that only ask are left away; other questions stay whole."""
    assert find_focus(question, Analyser().fold) == focus


def test_names_leave_the_embedded_text() -> None:
    """Authors' names go, other names stay; "Ann" inside "Annual" is no name."""
    assert (
        remove_names("Hey Anna! Annual trip with Vera, Melanie's idea.", NAMES) == "Hey ! Annual trip with Vera, idea."
    )


def test_a_question_is_asked_as_its_answer_was_said() -> None:
    """The author becomes "I" and "my"."""
    assert rewrite_in_first_person("What are Anna's plans, and what did Anna paint?", NAMES) == (
        "What are my plans, and what did I paint?"
    )


def test_odd_names_are_no_patterns() -> None:
    """Empty, lower-case, numeric and regex-like names break nothing."""
    assert remove_names("a (b) 42", ("", "x", "42", "(b", "🎹")) == "a (b) 42"
