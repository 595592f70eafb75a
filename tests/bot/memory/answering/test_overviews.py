"""Questions over time and over everything, answered without a model: dated, attributed, in order of time."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.memory.answering.answer import RememberedAnswer, answer_from, list_searches
from bot.memory.items import Channel, Recalled, Trust
from language.registry import get_texts
from tests.cases import each_row

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def line(text: str, month: int, *, score: float = 1.0, author: int = 42, role: str = "user") -> Recalled:
    """A line of the chronicle, of the third of a month."""
    at = datetime(2026, month, 3, 12, tzinfo=UTC)
    name = {42: "Anna", 7: "Bob"}.get(author, "")
    return Recalled(
        f"digest:{month}", text, Channel.DIGEST, score, name, author, role, at, f"e{month}", trust=Trust.BOT
    )


def ask(
    question: str, *memories: Recalled, code: str = "en", known: bool = True, among_others: bool = False
) -> RememberedAnswer:
    """Anna's question."""
    return answer_from(
        question,
        memories,
        asker_id=42,
        asker_name="Anna",
        now=NOW,
        phrases=get_texts(code).answers,
        known=known,
        alone=False,
        among_others=among_others,
    )


@each_row(
    ("question", "code", "first", "second"),
    [
        ("In what order did we renovate the kitchen?", "en", "We sold the stove.", "We painted the walls."),
        ("In welcher Reihenfolge haben wir renoviert?", "de", "Wir haben den Herd verkauft.", "Wir haben gestrichen."),
        ("В каком порядке мы делали ремонт?", "ru", "Мы продали плиту.", "Мы покрасили стены."),
    ],
)
def test_an_order_is_told_from_the_first_to_the_last_with_dates(
    question: str, code: str, first: str, second: str
) -> None:
    answer = ask(question, line(second, 5, score=1.2), line(first, 3), code=code)
    phrases = get_texts(code).answers
    heading, *lines = answer.text.splitlines()

    assert answer.kind == "answer"
    assert heading == phrases.in_order
    assert [first[1:] in lines[0], second[1:] in lines[1], len(lines)] == [True, True, 2]
    assert phrases.months[2] in lines[0]
    assert phrases.months[4] in lines[1]
    assert [memory.exchange for memory in answer.used] == ["e3", "e5"]


def test_a_request_for_a_summary_is_searched_for_and_answered() -> None:
    question = "Summarise what I told you about my garden."
    answer = ask(question, line("I planted tomatoes in the garden.", 4))

    assert list_searches(question) == (question,)
    assert answer.text.splitlines()[0] == get_texts("en").answers.gathered
    assert "planted tomatoes" in answer.text


def test_everybody_keeps_their_words() -> None:
    shown = ask(
        "What did we decide?",
        line("I decided to go by train.", 3),
        line("We agreed on Friday.", 4, author=7),
        line("We settled on noon.", 5, author=0, role="assistant"),
    ).text.splitlines()

    assert shown[0] == get_texts("en").answers.decided
    assert [each.split(" (")[0].split(" on ")[0] for each in shown[1:]] == [
        "• “I decided to go by train.”",
        "• Bob said",
        "• I answered",
    ]


def test_what_is_beside_the_point_is_not_listed() -> None:
    answer = ask(
        "Summarise what I told you about my garden.", line("I planted tomatoes.", 4), line("Tea.", 5, score=0.1)
    )
    assert len(answer.used) == 1


@each_row("memories", [(), (line("I planted tomatoes in the garden.", 4),)])
def test_what_nobody_told_is_not_known(memories: tuple[Recalled, ...]) -> None:
    answer = ask("Summarise what I told you about my motorcycle.", *memories, known=False)
    assert (answer.text, answer.kind) == (get_texts("en").answers.unknown, "unknown")


def test_a_question_that_the_chronicle_is_silent_on_is_answered_as_any_other() -> None:
    told = Recalled("turn:e1:user", "We decided to use Postgres.", Channel.TURN, 1.0, "Anna", 42, "user", NOW, "e1")
    assert "Postgres" in ask("What did we decide to use?", told).text


def test_what_is_known_of_me_in_a_group_is_what_i_told_and_what_names_me() -> None:
    """What others told of themselves is not; there are others' lines alone, and nothing is told."""
    question = "Can you give me a comprehensive summary about me across our conversations?"
    others = line("My hobbies are chess and rowing.", 3, author=7), line("I paint.", 4, author=7)
    mine, named = line("I keep bees.", 5), line("Anna sings.", 6, author=7)

    told = ask(question, *others, mine, named, among_others=True)

    assert [memory.text for memory in told.used] == [mine.text, named.text]
    assert ask(question, *others, among_others=True).used == ()
