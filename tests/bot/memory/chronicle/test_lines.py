"""The lines of an exchange: the most telling sentence, word for word, short, without what must not be kept."""

from __future__ import annotations

from bot.memory.chronicle import DECIDED, LINE_TOKENS, choose_lines, cut_line
from language.tokens import count_tokens
from tests.cases import each_row


def chosen(said: str, answered: str = "") -> list[str]:
    """The texts of the lines."""
    return [line.text for line in choose_lines(said, answered)]


@each_row(
    ("said", "line"),
    [
        ("Hello there! It rained. We decided to paint the kitchen green.", "We decided to paint the kitchen green."),
        ("Guten Morgen! Wir haben uns für Lissabon entschieden. Danke!", "Wir haben uns für Lissabon entschieden."),
        ("Привет! Мы решили ехать в Порту в мае. Спасибо!", "Мы решили ехать в Порту в мае."),
    ],
)
def test_a_decision_is_told_before_anything_else(said: str, line: str) -> None:
    assert chosen(said)[0] == line


@each_row("said", ["Thanks!", "ok", "👍", "Hello!", "", "   "])
def test_small_talk_gives_no_line(said: str) -> None:
    assert chosen(said, "You're welcome!") == []


def test_a_question_is_told_where_nothing_else_is_said() -> None:
    assert chosen("How do I prune the old apple tree behind my house?") == [
        "How do I prune the old apple tree behind my house?"
    ]


def test_an_answer_gives_a_line_only_for_what_came_of_it() -> None:
    long = "Apple trees like sun. " * 40
    assert chosen("How do I prune it in winter?", long) == ["How do I prune it in winter?"]
    assert chosen("How do I prune it in winter?", "We decided to prune it in March. " + long)[1:] == [
        "We decided to prune it in March."
    ]


def test_a_line_is_the_beginning_of_its_sentence_word_for_word_and_short() -> None:
    long = "I moved the whole collection of my grandfather's stamps to the attic, " + "and then another box, " * 20
    line = cut_line(long)
    assert count_tokens(line) <= LINE_TOKENS
    assert long.startswith(line.removesuffix(" …"))
    assert line.endswith("…")


def test_code_and_citations_are_nobodys_statement() -> None:
    assert chosen("```\nwe decided to use tabs\n```\n> I moved to Riga long ago\nok") == []


def test_a_secret_is_masked_in_a_line() -> None:
    (line,) = chosen("My password is hunter2secret!")
    assert "hunter2secret" not in line


@each_row(
    "said",
    [
        "On 3 May we decided to paint the kitchen blue.",
        "Last week, the team chose the smaller van.",
        "Вчера мы решили покрасить кухню в синий.",
        "3 мая мы решили поехать в Лиссабон.",
        "Am 3. Mai haben wir beschlossen, die Küche blau zu streichen.",
    ],
)
def test_a_decision_may_begin_with_its_time(said: str) -> None:
    """Who asks what was decided is told of it as of any other."""
    (line,) = choose_lines(said, "")

    assert (line.weight, line.text) == (DECIDED, said)
